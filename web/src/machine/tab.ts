// The page's side of the machine: Workers, started, watched and ended.

import type {Play, Verdict} from './play.ts';
import type {Answer, Request} from './worker.ts';

export interface Programs {
  /** Where the bundle of worker.ts is. */
  worker: string | URL;
  system: WebAssembly.Module;
  program: WebAssembly.Module;
}

/** How a run came out for the page. */
export interface Ending {
  verdict: Verdict | null;
  /** Why there is no verdict: '' when there is one, or when the learner left. */
  why: string;
}

/** How long a Worker may be silent before its program is taken for one that never yields, in milliseconds. */
const patience = 5000;

export const neverYields = 'the program ran on and on without ever waiting for anything';

/** A run in a Worker of its own, or in one that plays run after run. */
export class Tab {
  private worker: Worker;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waiting: ((a: Answer) => void) | null = null;
  private onLines: (lines: string[], now: number) => void = () => undefined;
  private readonly programs: Programs;
  private readonly patience: number;

  constructor(programs: Programs, wait = patience) {
    this.programs = programs;
    this.patience = wait;
    this.worker = this.open();
  }

  private open(): Worker {
    const worker = new Worker(this.programs.worker);
    worker.onmessage = ({data}: MessageEvent<Answer>) => this.take(data);
    worker.onerror = event => this.take({is: 'broken', why: event.message});
    this.send(worker, {do: 'load', system: this.programs.system, program: this.programs.program});
    return worker;
  }

  private send(worker: Worker, request: Request): void {
    worker.postMessage(request);
  }

  private watch(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.renew();
      this.take({is: 'broken', why: neverYields});
    }, this.patience);
  }

  /** Ends what runs, at once, and begins anew with nothing. */
  private renew(): void {
    this.worker.terminate();
    this.worker = this.open();
  }

  private take(a: Answer): void {
    if (this.waiting === null) return;
    if (a.is !== 'broken' && a.lines.length > 0) this.onLines(a.lines, a.now);
    if (a.is === 'under way') {
      this.watch();
      return;
    }
    clearTimeout(this.timer);
    const done = this.waiting;
    this.waiting = null;
    done(a);
  }

  private async ask(request: Request): Promise<Ending | null> {
    if (this.waiting !== null) throw new Error('the machine is busy');
    const a = await new Promise<Answer>(done => {
      this.waiting = done;
      this.watch();
      this.send(this.worker, request);
    });
    switch (a.is) {
      case 'ended':
        return {verdict: a.verdict, why: why(a)};
      case 'broken':
        return {verdict: null, why: a.why};
      default:
        return null;
    }
  }

  /** Plays a scenario to its end. */
  async play(play: Play, seed: number, onLines?: (lines: string[], now: number) => void): Promise<Ending> {
    this.onLines = onLines ?? (() => undefined);
    const ending = await this.ask({do: 'play', play, seed, drive: false, events: onLines !== undefined});
    return ending ?? {verdict: null, why: 'the run did not end'};
  }

  /** Begins a run that the learner drives; the clock stands until it is moved. */
  async drive(play: Play, seed: number, onLines: (lines: string[], now: number) => void): Promise<void> {
    this.onLines = onLines;
    await this.ask({do: 'play', play, seed, drive: true, events: true});
  }

  /** Moves the clock of a driven run; answers its ending, or null while it goes on. */
  until(time: number): Promise<Ending | null> {
    return this.ask({do: 'until', time});
  }

  /** Does what the learner asks for, the next time the clock moves. */
  act(step: object | 'stop'): void {
    this.send(this.worker, {do: 'act', step});
  }

  /** Ends the run at once, whatever it does. */
  stop(): void {
    this.renew();
    this.take({is: 'broken', why: ''});
  }

  /** Ends the Worker as well. */
  close(): void {
    this.worker.terminate();
    this.take({is: 'broken', why: ''});
  }
}

function why(a: Extract<Answer, {is: 'ended'}>): string {
  if (a.verdict !== null) return '';
  if (a.outcome.kind === 'limited') return `the run has reached its limit of ${a.outcome.limit}`;
  if (a.outcome.kind === 'stalled') return 'nothing can happen any more';
  return a.complaint.trim();
}

/** What playing many seeds has shown so far. */
export interface Schedules {
  played: number;
  /** By check: how many seeds failed it, and the first of them. */
  failed: Map<string, {count: number; first: number}>;
  /** Runs that came to no verdict. */
  unfinished: {seed: number; why: string}[];
}

/**
 * Plays a scenario on the seeds from first on, count of them, in several
 * Workers at once. What it tells does not depend on how many there are.
 */
export async function schedules(programs: Programs, play: Play, first: number, count: number, options: {workers: number; onProgress?: (s: Schedules) => void; signal?: AbortSignal}): Promise<Schedules> {
  const all: Schedules = {played: 0, failed: new Map(), unfinished: []};
  let next = first;
  const note = (seed: number, {verdict, why}: Ending): void => {
    all.played++;
    if (verdict === null) all.unfinished.push({seed, why});
    for (const {check, pass} of verdict?.checks ?? []) {
      if (pass) continue;
      const f = all.failed.get(check);
      all.failed.set(check, {count: (f?.count ?? 0) + 1, first: Math.min(f?.first ?? seed, seed)});
    }
    options.onProgress?.(all);
  };
  const tabs = Array.from({length: Math.max(1, Math.min(options.workers, count))}, () => new Tab(programs));
  const left = (): boolean => options.signal?.aborted === true;
  const abort = (): void => tabs.forEach(tab => tab.close());
  options.signal?.addEventListener('abort', abort);
  try {
    await Promise.all(tabs.map(async tab => {
      while (next < first + count && !left()) {
        const seed = next++;
        const ending = await tab.play(play, seed);
        if (!left()) note(seed, ending);
      }
    }));
  } finally {
    options.signal?.removeEventListener('abort', abort);
    abort();
  }
  all.unfinished.sort((a, b) => a.seed - b.seed);
  return all;
}
