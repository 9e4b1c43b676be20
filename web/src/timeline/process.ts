// A process as the timeline shows it: how long it lived, what it did, and what
// it said and was told meanwhile. Times are milliseconds since the run began.

import type {Delivery, Work} from './work.ts';

/** A moment with a name: a phase, a signal, what the broker did. */
export interface Mark {
  readonly at: number;
  readonly kind: 'sent' | 'taken' | 'phase' | 'back' | 'gone' | 'cancelled' | 'fault' | 'published' | 'step' | 'ack-failed';
  readonly text: string;
  /** Whom a signal goes to; which message came back. */
  readonly about?: string;
  readonly inferred: boolean;
  /** How many of the same came together. */
  count: number;
}

export interface Grace {
  readonly target: string;
  readonly start: number;
  readonly length: number;
  end?: number;
  expired: boolean;
}

export interface Process {
  readonly name: string;
  readonly program: string;
  readonly pid?: number;
  readonly start: number;
  ready?: number;
  end?: number;
  code?: number;
  signal?: string;
  /** When it was first told to stop, and how. */
  told?: {readonly at: number; readonly signal: string};
  grace?: Grace;
  readonly works: Work[];
  readonly deliveries: Delivery[];
  readonly marks: Mark[];
  /** How many rows its bars and what waits before them ever took. */
  rows: number;
  waits: number;
}

/** What is left of a grace period at a time, and what was used of it. */
export function graceAt(g: Grace, at: number): {used: number; left: number} {
  const used = Math.min(Math.max((g.end ?? at) - g.start, 0), g.length);
  return {used, left: g.length - used};
}
