// Package event is the one schema in which everything that runs in Drainlab
// says what happened: the real machine, the broker, the tap, a scenario's
// checks, the timeline in the page and the command line read and write
// nothing else. It imports nothing of ours.
//
// An [Event] is flat: one struct with the fields of every kind, most of them
// absent. [Kind] says which fields a kind carries. Events of one run are kept
// in a [Log], which numbers them 1, 2, 3 … without gaps.
//
// On the wire an event is one JSON object; a recording is one object a line.
// web/src/event.gen.ts is generated from this package (go generate) and
// compared with it by a test.
package event

import "time"

//go:generate go run ./gen -out ../../web/src/event.gen.ts

// Kind says what happened. Each constant names the fields it carries beside
// Seq, At, From and Kind.
type Kind string

const (
	// A process, by its name in From.
	ProcessStarted Kind = "process.started" // Program, Pid
	ProcessExited  Kind = "process.exited"  // Code (128+n when a signal ended it), Signal (then), Text
	LogLine        Kind = "log"             // Text, Stream
	LogDropped     Kind = "log.dropped"     // Text: output past a limit was not kept

	// Signals. From is who sent it ("you", "platform"), Target the process.
	SignalSent  Kind = "signal.sent"  // Signal, Target
	SignalTaken Kind = "signal.taken" // Signal; From is the process, which said so in its output

	// Grace period. From is "platform".
	GraceBegun Kind = "grace.begun" // Target, Grace
	GraceEnded Kind = "grace.ended" // Target, Text: why it ended: "exited" or "expired"

	// Connections. From is who saw it ("broker", "client"), Peer the other side.
	ConnOpened Kind = "conn.opened" // Conn, Peer
	ConnClosed Kind = "conn.closed" // Conn, Peer, Text: closed in order
	ConnReset  Kind = "conn.reset"  // Conn, Peer, Text: ended without a close

	// AMQP. From is "broker"; Peer is the process at the other end.
	ChannelOpened      Kind = "channel.opened"      // Conn, Channel, Peer
	ChannelClosed      Kind = "channel.closed"      // Conn, Channel, Peer, Code and Text when it was an error
	ConsumerRegistered Kind = "consumer.registered" // Conn, Channel, Consumer, Queue, Peer
	ConsumerCancelled  Kind = "consumer.cancelled"  // Conn, Channel, Consumer, Queue, Peer
	MessagePublished   Kind = "message.published"   // Message, Queue, Peer
	MessageDelivered   Kind = "message.delivered"   // Message, Queue, Tag, Redelivered, Consumer, Peer, Conn, Channel
	MessageAcked       Kind = "message.acked"       // Message, Queue, Tag, Peer, Conn, Channel
	MessageNacked      Kind = "message.nacked"      // Message, Queue, Tag, Peer; what became of it follows as its own event
	MessageRequeued    Kind = "message.requeued"    // Message, Queue, Peer: whose it was; Text: why
	MessageDeadLetter  Kind = "message.deadletter"  // Message, Queue it left; Text: why
	MessageDropped     Kind = "message.dropped"     // Message, Queue it left; Text: why
	MessageLeft        Kind = "message.left"        // Message, Queue, Redelivered: found in the queue when the scenario collected it; From is "you"

	// HTTP. From is "client", Peer the process asked.
	RequestStarted  Kind = "request.started"  // Request, Text: "GET /work?for=2s", Peer, Conn
	RequestFinished Kind = "request.finished" // Request, Status, Peer, Conn: the answer came whole
	RequestRefused  Kind = "request.refused"  // Request, Peer, Text: no connection was to be had
	RequestReset    Kind = "request.reset"    // Request, Peer, Conn, Text: the connection ended before the whole answer came

	// What a program says of itself, read from its output by the exercise's marks.
	WorkStarted  Kind = "work.started"  // Message or Request
	WorkFinished Kind = "work.finished" // Message or Request
	PhaseReached Kind = "phase.reached" // Text: the phase's name
	AckFailed    Kind = "ack.failed"    // Message, Text

	// Platform.
	ReadyChanged    Kind = "ready.changed"    // Ready; From is the process
	EndpointAdded   Kind = "endpoint.added"   // Target
	EndpointRemoved Kind = "endpoint.removed" // Target

	// The run itself.
	StepBegun  Kind = "step"        // Text: what the scenario or the learner does now; From is "you"
	RunLimited Kind = "run.limited" // Text: which limit ended the run
	RunFailed  Kind = "run.failed"  // Text: the run could not be played
	CheckMade  Kind = "check"       // Check, Pass, Text
	RunEnded   Kind = "run.ended"   // Pass when a scenario was played to its verdict; always the last event
)

// Event is one thing that happened in a run.
type Event struct {
	// Seq is 1 for a run's first event and grows by one; a Log sets it.
	Seq uint64 `json:"seq"`
	// At is the time since the run began, on the machine's clock, in nanoseconds.
	At time.Duration `json:"at"`
	// From is who says it: a process's name ("worker-1"), "broker",
	// "platform", "client", "you".
	From string `json:"from"`
	Kind Kind   `json:"kind"`

	Message     string        `json:"message,omitempty"`     // a message's id, as its publisher gave it
	Queue       string        `json:"queue,omitempty"`       // the exercise's name of the queue, without a run's prefix
	Tag         uint64        `json:"tag,omitempty"`         // delivery tag
	Redelivered bool          `json:"redelivered,omitempty"` // the broker's flag
	Consumer    string        `json:"consumer,omitempty"`    // consumer tag
	Conn        string        `json:"conn,omitempty"`        // a connection, unique in the run
	Channel     uint16        `json:"channel,omitempty"`     // AMQP channel number
	Peer        string        `json:"peer,omitempty"`        // the process at the other end
	Request     string        `json:"request,omitempty"`     // a request's id
	Status      int           `json:"status,omitempty"`      // HTTP status
	Signal      string        `json:"signal,omitempty"`      // "TERM", "INT", "HUP", "KILL"
	Target      string        `json:"target,omitempty"`      // whom it is done to
	Code        *int          `json:"code,omitempty"`        // exit code or AMQP reply code
	Pid         int           `json:"pid,omitempty"`         // process id on a real machine
	Program     string        `json:"program,omitempty"`     // "consumer/solution"
	Grace       time.Duration `json:"grace,omitempty"`       // a grace period, in nanoseconds
	Stream      string        `json:"stream,omitempty"`      // "stdout", "stderr"
	Text        string        `json:"text,omitempty"`
	Ready       *bool         `json:"ready,omitempty"`
	Check       string        `json:"check,omitempty"`
	Pass        *bool         `json:"pass,omitempty"`
	// Inferred is set where the event was read from the client's side of the
	// wire, since the broker itself tells nobody.
	Inferred bool `json:"inferred,omitempty"`
}

// Ptr returns a pointer to v, for Event's optional fields.
func Ptr[T any](v T) *T { return &v }
