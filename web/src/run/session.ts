// One run as the page follows it: begun, driven and ended over the API, its
// events kept until the page takes them for a frame.

import type {Event} from '../event.gen.ts';
import type {Action, Api, Run, RunRequest} from './api.ts';
import {Refusal} from './api.ts';
import {RunClock} from './clock.ts';
import {Stream} from './stream.ts';
import type {Socket} from './stream.ts';

export type State = 'starting' | 'running' | 'ended';

export interface Watcher {
  /** Events are there to be taken. */
  arrived(): void;
  /** state, link or run has changed. */
  changed(): void;
}

export class Session {
  state: State = 'starting';
  /** Absent until the server has begun the run. */
  id: string | undefined;
  /** What the server says of it; its verdict once it has ended. */
  run: Run | undefined;
  /** When the connection is down: when it is tried again, by performance.now(). */
  retryAt: number | undefined;
  /** The server knows no more of the run, and its end was not seen. */
  vanished = false;
  readonly clock = new RunClock(() => performance.now());

  readonly #api: Api;
  readonly #watcher: Watcher;
  #stream: Stream | undefined;
  #waiting: Event[] = [];
  #over = false;

  constructor(
    api: Api,
    readonly request: RunRequest,
    watcher: Watcher,
  ) {
    this.#api = api;
    this.#watcher = watcher;
  }

  /** Begins the run; fails with a Refusal. */
  async begin(): Promise<void> {
    this.id = await this.#api.start(this.request);
    const id = this.id;
    if (this.#over) { // the learner has left meanwhile
      await this.#api.stop(id).catch(() => {});
      return;
    }
    this.state = 'running';
    this.#stream = new Stream(
      after => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/runs/${id}/stream?after=${after}`,
      {
        open: url => new WebSocket(url) as Socket,
        later: (f, ms) => {
          const timer = setTimeout(f, ms);
          return () => clearTimeout(timer);
        },
        random: Math.random,
        known: () => this.#api.run(id).then(() => true, (e: unknown) => !(e instanceof Refusal && e.status === 404)),
      },
      {
        event: e => {
          this.clock.heard(e.at / 1e6);
          this.#waiting.push(e);
          this.#watcher.arrived();
        },
        state: s => {
          // Only now: the first events are not to wait for it.
          if (s.up && !this.run) void this.#look();
          this.retryAt = s.up ? undefined : performance.now() + s.wait;
          this.#watcher.changed();
        },
        end: complete => void this.#end(complete),
      },
    );
    this.#watcher.changed();
  }

  /** The events that came since the last call, in order. */
  take(): Event[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  async act(action: Action): Promise<void> {
    if (this.id !== undefined && this.state === 'running') await this.#api.act(this.id, action);
  }

  /** Asks the server to end the run; its last events still come. */
  async stop(): Promise<void> {
    if (this.id !== undefined && this.state === 'running') await this.#api.stop(this.id);
  }

  /** Tries to connect at once. */
  reconnect(): void {
    this.#stream?.now();
  }

  /** Nobody looks any more: ends the run and hears nothing of it. */
  leave(): void {
    this.#over = true;
    this.#stream?.close();
    this.stop().catch(() => {}); // there is nobody left to tell
    this.state = 'ended';
  }

  async #end(complete: boolean): Promise<void> {
    this.vanished = !complete;
    this.retryAt = undefined;
    await this.#look();
    this.state = 'ended';
    this.#watcher.changed();
  }

  /** What cannot be read from events: broker, verdict in both languages. */
  async #look(): Promise<void> {
    if (this.id === undefined) return;
    try {
      this.run = await this.#api.run(this.id);
    } catch {
      return; // the events say the rest
    }
    if (!this.#over) this.#watcher.changed();
  }
}
