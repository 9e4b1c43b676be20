// Work that processes do, and what it comes from: messages and requests.
// Times are milliseconds since the run began.

import type {Event} from '../event.gen.ts';

/** A piece of work that a process said it began: a bar. */
export interface Work {
  readonly id: string;
  readonly process: string;
  readonly start: number;
  /** Which of the lane's rows it lies in. */
  readonly row: number;
  /** When it was finished, or its process left. */
  end?: number;
  finished: boolean;
  /** Absent for a request, and where no delivery was seen. */
  readonly delivery?: Delivery;
  readonly request?: Request;
  ackFailed: boolean;
}

/** One delivery of a message to a process. */
export interface Delivery {
  readonly message: string;
  readonly peer: string;
  readonly at: number;
  readonly redelivered: boolean;
  /** Read from the client's side of the wire. */
  readonly inferred: boolean;
  /** Row among those that wait in the client. */
  readonly row: number;
  /** When work on it began. */
  started?: number;
  settled?: number;
  how?: 'acked' | 'requeued' | 'dead' | 'dropped';
}

export interface Message {
  readonly id: string;
  readonly deliveries: Delivery[];
  /** Everything that was said of it, in order: its life. */
  readonly events: Event[];
  published: boolean;
  acked: boolean;
  /** From whom it came back: processes that had it when it was requeued. */
  readonly backFrom: Set<string>;
  /** It was seen with the broker's flag. */
  flagged: boolean;
}

export interface Request {
  readonly id: string;
  readonly peer: string;
  readonly start: number;
  readonly events: Event[];
  readonly row: number;
  end?: number;
  how?: 'answered' | 'refused' | 'reset';
  status?: number;
}

export interface Conn {
  readonly id: string;
  readonly peer: string;
  readonly start: number;
  readonly row: number;
  end?: number;
  reset: boolean;
  /** Requests were made over it. */
  used: boolean;
}

/** It was accepted, and got no whole answer below 500. */
export function isCut(r: Request): boolean {
  if (r.events[0]?.kind !== 'request.started') return false;
  return r.how === 'reset' || (r.how === 'answered' && (r.status ?? 0) >= 500);
}

/**
 * What became of a piece of work:
 * running; done; again: done, but it comes again; returned: not done, and back
 * in the queue; lost: not done, and nobody will do it; dead: put aside.
 */
export type Fate = 'running' | 'done' | 'again' | 'returned' | 'lost' | 'dead';

export function fate(w: Work): Fate {
  const how = w.delivery?.how;
  if (w.request) {
    if (w.request.how === 'reset' || (w.request.status ?? 0) >= 500) return 'lost';
    if (w.finished) return 'done';
    return w.end === undefined ? 'running' : 'lost';
  }
  if (w.finished) return how === 'requeued' || w.ackFailed ? 'again' : 'done';
  if (w.end === undefined) return 'running';
  if (how === 'dead' || how === 'dropped') return 'dead';
  if (how === 'acked') return 'lost';
  return 'returned';
}
