// A run's events over a websocket, each exactly once and in order, however
// often the connection breaks. The place in the stream is the number of the
// last event that came; a reconnect asks for what is after it.

import type {Event} from '../event.gen.ts';

/** The part of a WebSocket that is used. */
export interface Socket {
  onmessage: ((e: {readonly data: unknown}) => void) | null;
  onclose: ((e: {readonly code: number}) => void) | null;
  onerror: (() => void) | null;
  onopen: (() => void) | null;
  close(): void;
}

export interface World {
  open(url: string): Socket;
  /** Calls f after ms; what is returned takes that back. */
  later(f: () => void, ms: number): () => void;
  /** 0 ≤ n < 1 */
  random(): number;
  /** Whether the server still knows the run: asked when a socket was refused. */
  known(): Promise<boolean>;
}

export interface Listener {
  event(e: Event): void;
  /** The connection is there, or it is not and is tried again after wait ms. */
  state(s: {readonly up: true} | {readonly up: false; readonly wait: number}): void;
  /** No more events will come. complete: the last one was the run's last. */
  end(complete: boolean): void;
}

/** Normal end: the log has ended and everything was sent. */
const DONE = 1000;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
/** A socket that neither opens nor fails for so long is given up. */
const OPEN_WITHIN = 8000;

export class Stream {
  readonly #url: (after: number) => string;
  readonly #world: World;
  readonly #listener: Listener;
  #socket: Socket | undefined;
  #cancel: (() => void) | undefined;
  #last = 0;
  #ended = false;
  #closed = false;
  #fails = 0;

  /** url makes the address for the events after a number. */
  constructor(url: (after: number) => string, world: World, listener: Listener) {
    this.#url = url;
    this.#world = world;
    this.#listener = listener;
    this.#connect();
  }

  /** The number of the last event that came. */
  get last(): number {
    return this.#last;
  }

  /** Stops listening. Nothing is called any more. */
  close(): void {
    this.#closed = true;
    this.#drop();
  }

  /** Tries at once, if it is waiting to try again. */
  now(): void {
    if (this.#closed || this.#socket) return;
    this.#cancel?.();
    this.#connect();
  }

  #drop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const s = this.#socket;
    this.#socket = undefined;
    if (!s) return;
    s.onmessage = s.onclose = s.onerror = s.onopen = null;
    s.close();
  }

  #connect(): void {
    this.#cancel = undefined;
    let s: Socket;
    try {
      s = this.#world.open(this.#url(this.#last));
    } catch {
      this.#lost(false);
      return;
    }
    let opened = false;
    this.#socket = s;
    this.#cancel = this.#world.later(() => this.#lost(false), OPEN_WITHIN);
    s.onopen = () => {
      opened = true;
      this.#cancel?.();
      this.#cancel = undefined;
      this.#listener.state({up: true});
    };
    s.onmessage = m => this.#message(m.data);
    s.onclose = c => {
      if (c.code === DONE) this.#finish(this.#ended);
      else this.#lost(opened);
    };
    // A close follows, with its code.
    s.onerror = () => {};
  }

  #message(data: unknown): void {
    let e: Event;
    try {
      e = JSON.parse(String(data)) as Event;
    } catch {
      this.#lost(true);
      return;
    }
    if (e.seq <= this.#last) return; // had already
    if (e.seq > this.#last + 1) { // one is missing: ask for it
      this.#lost(true);
      return;
    }
    this.#last = e.seq;
    this.#fails = 0;
    this.#ended = e.kind === 'run.ended';
    this.#listener.event(e);
    if (this.#ended) this.#finish(true);
  }

  #finish(complete: boolean): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#drop();
    this.#listener.end(complete);
  }

  #lost(opened: boolean): void {
    this.#drop();
    if (this.#closed) return;
    if (!opened && this.#fails > 0) void this.#ask();
    else this.#again();
  }

  /** A server that answers but does not know the run will never send more of it. */
  async #ask(): Promise<void> {
    const known = await this.#world.known();
    if (this.#closed || this.#socket) return;
    if (known) this.#again();
    else this.#finish(false);
  }

  #again(): void {
    const most = Math.min(FIRST_WAIT * 2 ** this.#fails, LONGEST_WAIT);
    const wait = Math.round(most / 2 + (most / 2) * this.#world.random());
    this.#fails++;
    this.#listener.state({up: false, wait});
    this.#cancel = this.#world.later(() => this.#connect(), wait);
  }
}
