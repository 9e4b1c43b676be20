// The simulated machine: processes, a clock, a network and a disk. It runs in
// one thread, which it blocks while it runs, and knows nothing of what the
// programs do. The same programs, files and seed give the same run everywhere.

import {Disk} from './disk.ts';
import {Network} from './network.ts';
import {Process, type Exit, type Spec} from './process.ts';
import {Queue} from './queue.ts';
import {Random} from './random.ts';

export type {Exit, Message, Spec} from './process.ts';

export interface Limits {
  /** Virtual time, in nanoseconds. */
  time: number;
  /** Happenings. */
  steps: number;
  /** Bytes that one program, unless it supervises others, may write to stdout and stderr. */
  output: number;
  /** Bytes of memory of one program. */
  memory: number;
  /** Looks at the clock in one go. */
  looks: number;
  processes: number;
}

export interface Options {
  seed: number;
  /** The compiled programs. */
  programs: Readonly<Record<string, WebAssembly.Module>>;
  /** Files on the disk, by path. */
  files?: Readonly<Record<string, string>>;
  /** Host names, each with its number: 10.0.0.n. */
  hosts: readonly string[];
  onOutput?: (process: string, fd: number, bytes: Uint8Array) => void;
  limits?: Partial<Limits>;
}

/**
 * How a run ended: the first process left, or a limit was reached. A run that
 * has stalled or is paused goes on when it is told something.
 */
export type Outcome =
  | {kind: 'exited'; exit: Exit}
  | {kind: 'stalled'}
  | {kind: 'limited'; limit: 'time' | 'steps'}
  | {kind: 'paused'};

const unlimited: Limits = {time: 3600e9, steps: 20_000_000, output: 8 << 20, memory: 512 << 20, looks: 20_000_000, processes: 64};

export class Machine {
  readonly seed: number;
  /** When the machine was switched on, in seconds since 1970. */
  readonly epoch = Date.UTC(2026, 0, 1) / 1000;
  readonly queue = new Queue();
  readonly network: Network;
  readonly disk: Disk;
  readonly limits: Limits;
  steps = 0;

  private readonly options: Options;
  private readonly processes: Process[] = [];
  private readonly written = new Map<Process, number>();
  private outcome: Outcome | null = null;

  constructor(options: Options) {
    this.options = options;
    this.seed = options.seed;
    this.limits = {...unlimited, ...options.limits};
    this.network = new Network(this.queue, new Random(options.seed, 0));
    this.disk = new Disk(() => this.epoch * 1000 + Math.floor(this.queue.now / 1e6));
    let hosts = '127.0.0.1 localhost\n';
    options.hosts.forEach((name, i) => (hosts += `10.0.0.${i + 1} ${name}\n`));
    this.disk.put('/etc/hosts', hosts);
    this.disk.put('/etc/nsswitch.conf', 'hosts: files\n');
    for (const [path, text] of Object.entries(options.files ?? {})) this.disk.put(path, text);
  }

  /** Starts a process; the run ends with the first one. */
  start(spec: Spec, parent: Process | null = null): Process {
    const host = this.options.hosts.indexOf(spec.name);
    if (host < 0) throw new Error(`${spec.name} is no host of this machine`);
    if (this.processes.length >= this.limits.processes) throw new Error('too many processes');
    const old = this.process(spec.name);
    if (old !== undefined && old.exit === null) throw new Error(`${spec.name} is running`);
    const p = new Process(this, spec, parent, host + 1, this.processes.length + 1);
    this.processes.push(p);
    this.network.attach(p);
    const random = new Random(this.seed, 1000 + this.processes.length);
    this.queue.at(this.queue.now + 2_000_000 + random.below(4_000_000), () => p.start());
    return p;
  }

  /**
   * Runs until the first process has left; at most for so many happenings, and
   * at most until the clock shows `until`, in nanoseconds.
   */
  run(steps = Infinity, until = Infinity): Outcome {
    for (let i = 0; i < steps && this.outcome === null; i++) {
      const due = this.queue.peek();
      if (due !== null && due > until || due === null && until < Infinity) {
        this.queue.now = Math.max(this.queue.now, until);
        return {kind: 'paused'};
      }
      const next = this.queue.next();
      if (next === null) return {kind: 'stalled'};
      if (this.queue.now > this.limits.time) this.outcome = {kind: 'limited', limit: 'time'};
      else if (++this.steps > this.limits.steps) this.outcome = {kind: 'limited', limit: 'steps'};
      else next.run();
    }
    return this.outcome ?? {kind: 'paused'};
  }

  process(name: string): Process | undefined {
    return this.processes.findLast(p => p.name === name);
  }

  byPid(pid: number): Process | null {
    return this.processes.findLast(p => p.pid === pid && p.exit === null) ?? null;
  }

  program(name: string): WebAssembly.Module {
    const module = this.options.programs[name];
    if (module === undefined) throw new Error(`there is no program ${name}`);
    return module;
  }

  /** Keeps what a process writes; false when it has written too much. */
  output(p: Process, fd: number, bytes: Uint8Array): boolean {
    const written = (this.written.get(p) ?? 0) + bytes.length;
    this.written.set(p, written);
    this.options.onOutput?.(p.name, fd, bytes);
    return written <= this.limits.output;
  }

  ended(p: Process): void {
    if (p === this.processes[0] && p.exit !== null) this.outcome = {kind: 'exited', exit: p.exit};
  }
}
