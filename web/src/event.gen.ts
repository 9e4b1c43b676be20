// Made from exercises/event/event.go by go generate. Do not edit.

/** Says what happened; behind each, the fields that it carries. */
export type Kind =
  | 'process.started' // Program, Pid
  | 'process.exited' // Code (128+n when a signal ended it), Signal (then), Text
  | 'log' // Text, Stream
  | 'log.dropped' // Text: output past a limit was not kept
  | 'signal.sent' // Signal, Target
  | 'signal.taken' // Signal; From is the process, which said so in its output
  | 'grace.begun' // Target, Grace
  | 'grace.ended' // Target, Text: why it ended: "exited" or "expired"
  | 'conn.opened' // Conn, Peer
  | 'conn.closed' // Conn, Peer, Text: closed in order
  | 'conn.reset' // Conn, Peer, Text: ended without a close
  | 'channel.opened' // Conn, Channel, Peer
  | 'channel.closed' // Conn, Channel, Peer, Code and Text when it was an error
  | 'consumer.registered' // Conn, Channel, Consumer, Queue, Peer
  | 'consumer.cancelled' // Conn, Channel, Consumer, Queue, Peer
  | 'message.published' // Message, Queue, Peer
  | 'message.delivered' // Message, Queue, Tag, Redelivered, Consumer, Peer, Conn, Channel
  | 'message.acked' // Message, Queue, Tag, Peer, Conn, Channel
  | 'message.nacked' // Message, Queue, Tag, Peer; what became of it follows as its own event
  | 'message.requeued' // Message, Queue, Peer: whose it was; Text: why
  | 'message.deadletter' // Message, Queue it left; Text: why
  | 'message.dropped' // Message, Queue it left; Text: why
  | 'message.left' // Message, Queue, Redelivered: found in the queue when the scenario collected it; From is "you"
  | 'request.started' // Request, Text: "GET /work?for=2s", Peer, Conn
  | 'request.finished' // Request, Status, Peer, Conn: the answer came whole
  | 'request.refused' // Request, Peer, Text: no connection was to be had
  | 'request.reset' // Request, Peer, Conn, Text: the connection ended before the whole answer came
  | 'work.started' // Message or Request
  | 'work.finished' // Message or Request
  | 'phase.reached' // Text: the phase's name
  | 'ack.failed' // Message, Text
  | 'ready.changed' // Ready; From is the process
  | 'endpoint.added' // Target
  | 'endpoint.removed' // Target
  | 'step' // Text: what the scenario or the learner does now; From is "you"
  | 'run.limited' // Text: which limit ended the run
  | 'run.failed' // Text: the run could not be played
  | 'check' // Check, Pass, Text
  | 'run.ended' // Pass when a scenario was played to its verdict; always the last event
  ;

/** Event is one thing that happened in a run. */
export interface Event {
  /** Seq is 1 for a run's first event and grows by one; a Log sets it. */
  readonly seq: number;
  /** At is the time since the run began, on the machine's clock, in nanoseconds. */
  readonly at: number;
  /** From is who says it: a process's name ("worker-1"), "broker", "platform", "client", "you". */
  readonly from: string;
  readonly kind: Kind;
  /** a message's id, as its publisher gave it */
  readonly message?: string;
  /** the exercise's name of the queue, without a run's prefix */
  readonly queue?: string;
  /** delivery tag */
  readonly tag?: number;
  /** the broker's flag */
  readonly redelivered?: boolean;
  /** consumer tag */
  readonly consumer?: string;
  /** a connection, unique in the run */
  readonly conn?: string;
  /** AMQP channel number */
  readonly channel?: number;
  /** the process at the other end */
  readonly peer?: string;
  /** a request's id */
  readonly request?: string;
  /** HTTP status */
  readonly status?: number;
  /** "TERM", "INT", "HUP", "KILL" */
  readonly signal?: string;
  /** whom it is done to */
  readonly target?: string;
  /** exit code or AMQP reply code */
  readonly code?: number;
  /** process id on a real machine */
  readonly pid?: number;
  /** "consumer/solution" */
  readonly program?: string;
  /** a grace period, in nanoseconds */
  readonly grace?: number;
  /** "stdout", "stderr" */
  readonly stream?: string;
  readonly text?: string;
  readonly ready?: boolean;
  readonly check?: string;
  readonly pass?: boolean;
  /** Inferred is set where the event was read from the client's side of the wire, since the broker itself tells nobody. */
  readonly inferred?: boolean;
}
