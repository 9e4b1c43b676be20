// A machine set up to play an exercise: its first process is the director
// (wasm/system), which knows what there is to play. Here is only what it needs.

import type {Event} from '../event.gen.ts';
import {Machine, type Limits, type Outcome} from './machine.ts';

export interface Play {
  /** The exercise as scenario.Exercise in JSON, from wasm/catalog. */
  exercise: object;
  /** A scenario.Scenario; without steps the learner drives. */
  scenario: object;
  /** The program's name, for process.started. */
  program: string;
}

export interface Verdict {
  scenario: string;
  pass: boolean;
  checks: {check: string; pass: boolean; want: string; got: string; detail: string; detail_ru: string; messages?: string[]}[];
}

// The names that a director gives to what it starts, as many as it may start.
const started = 20;
const names = (word: string): string[] => Array.from({length: started}, (_, i) => `${word}-${i + 1}`);
const hosts = ['you', 'broker', ...names('worker'), ...names('server')];

/** One run of one program. */
export class Run {
  readonly machine: Machine;
  /** The lines that the director wrote, each the JSON of an event. */
  readonly lines: string[] = [];
  verdict: Verdict | null = null;
  /** What the director itself had to complain of. */
  complaint = '';

  private rest = '';
  private readonly decoder = new TextDecoder();
  private readonly onEvent: ((e: Event) => void) | undefined;
  private readonly director;

  constructor(modules: {system: WebAssembly.Module; program: WebAssembly.Module}, play: Play, seed: number, options: {onEvent?: (e: Event) => void; limits?: Partial<Limits>} = {}) {
    this.onEvent = options.onEvent;
    this.machine = new Machine({
      seed,
      programs: {system: modules.system, program: modules.program},
      hosts,
      files: {'/drainlab/play.json': JSON.stringify(play)},
      onOutput: (name, fd, bytes) => {
        if (name !== 'you') return;
        if (fd === 1) this.take(this.decoder.decode(bytes, {stream: true}));
        else this.complaint += new TextDecoder().decode(bytes);
      },
      limits: {output: 2 << 20, ...options.limits},
    });
    this.director = this.machine.start({name: 'you', program: 'system', argv: ['system', 'director'], supervises: true});
  }

  /** Runs to the end, for so many happenings, or until so many nanoseconds. */
  run(steps?: number, until?: number): Outcome {
    return this.machine.run(steps, until);
  }

  /** Does what a learner asks for: a scenario.Step, or "stop". */
  act(step: object | 'stop'): void {
    this.director.tell({kind: 'post', text: step === 'stop' ? step : JSON.stringify(step)});
  }

  private take(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop()!;
    for (const line of lines) {
      const value = JSON.parse(line) as Event | {verdict: Verdict};
      if ('verdict' in value) {
        this.verdict = value.verdict;
        continue;
      }
      this.lines.push(line);
      this.onEvent?.(value);
    }
  }
}
