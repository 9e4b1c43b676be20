// One process: an instance of a Go program with what the machine gives it.

import {EPERM, ESRCH} from './errno.ts';
import {Glue} from './glue.ts';
import type {Machine} from './machine.ts';
import type {Address, Station} from './network.ts';
import type {Happening} from './queue.ts';
import {Random} from './random.ts';

/** What to start. */
export interface Spec {
  /** The process's name, and its host's. */
  name: string;
  /** Which program, by the name under which the machine can find it. */
  program: string;
  argv?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** May start, signal and watch other processes. */
  supervises?: boolean;
}

/** How a process ended. */
export interface Exit {
  /** 128+n when signal n ended it. */
  code: number;
  /** The signal that ended it, 0 for none. */
  signal: number;
  /** Why, where the machine itself ended it. */
  reason: string;
}

/** What a supervisor is told of the processes that it started. */
export type Message =
  | {kind: 'output'; name: string; fd: number; bytes: Uint8Array}
  | {kind: 'exit'; name: string; code: number; signal: number; reason: string}
  | {kind: 'post'; text: string};

/** Thrown through a program that does not run on. */
class Gone extends Error {}

const SIGKILL = 9;
// What a signal does to a Go program that has not asked for it (os/signal's
// documentation): HUP, INT, TERM and KILL end it, these end it with a dump of
// its goroutines, and nothing comes of any other.
const ending = new Set([1, 2, 9, 15]);
const dumping = new Map([
  [3, 'SIGQUIT: quit'], [4, 'SIGILL: illegal instruction'], [5, 'SIGTRAP: trace trap'], [6, 'SIGABRT: abort'],
  [7, 'SIGBUS: bus error'], [8, 'SIGFPE: floating-point exception'], [11, 'SIGSEGV: segmentation violation'],
  [16, 'SIGSTKFLT: stack fault'], [31, 'SIGSYS: bad system call'],
]);

const handled = 1;

type GoFunction = (...args: unknown[]) => unknown;

// How often a program may look at the clock before looking takes time, and how
// often before it is taken for one that will never yield.
const freeLooks = 20_000;
const lookTakes = 1_000;

export class Process implements Station {
  readonly name: string;
  readonly number: number;
  readonly pid: number;
  exit: Exit | null = null;

  private readonly machine: Machine;
  private readonly spec: Spec;
  private readonly parent: Process | null;
  private readonly random: Random;
  private glue: Glue | null = null;
  private readonly timers = new Map<number, Happening>();
  private readonly actions = new Map<number, number>();
  private watchesSignals = false;
  private signalArrives = 0;
  private waitsForDisk = 0;
  private onSignal: GoFunction | null = null;
  private onNetwork: GoFunction | null = null;
  private onMessage: GoFunction | null = null;
  private readonly readySockets: number[] = [];
  private inbox: Message[] = [];
  private taken = 0; // how many of the inbox were
  private more: Uint8Array[] = []; // written after the last of it, by the same
  private wakes = 0; // wake-ups under way
  private looks = 0;
  private cwd = '/root';

  /** count is which process of the machine this is, from 1. */
  constructor(machine: Machine, spec: Spec, parent: Process | null, number: number, count: number) {
    this.machine = machine;
    this.spec = spec;
    this.parent = parent;
    this.name = spec.name;
    this.number = number;
    this.pid = 100 + count;
    this.random = new Random(machine.seed, count);
  }

  start(): void {
    this.enter(() => {
      const module = this.machine.program(this.spec.program);
      const host = {
        nanotime: () => this.nanotime(),
        walltime: () => this.walltime(),
        setTimer: (id: number, delay: number) => this.setTimer(id, delay),
        clearTimer: (id: number) => this.clearTimer(id),
        random: (bytes: Uint8Array) => this.random.fill(bytes),
        write: (fd: number, bytes: Uint8Array) => this.write(fd, bytes),
        exit: (code: number) => this.end({code, signal: 0, reason: ''}),
        grown: (bytes: number) => this.grown(bytes),
      };
      this.glue = new Glue(module, host, this.global(), this.imports());
      this.glue.start(this.spec.argv ?? [this.name], {HOME: '/root', HOSTNAME: this.name, PATH: '/bin', ...this.spec.env});
    });
  }

  /** Sends a signal, as kill(2) does. It arrives a moment later, behind those sent earlier. */
  signal(n: number): number {
    if (this.exit !== null) return -ESRCH;
    if (n === 0) return 0;
    const {queue} = this.machine;
    this.signalArrives = Math.max(this.signalArrives, queue.now + 20_000 + this.random.below(3_000_000));
    queue.at(this.signalArrives, () => this.takeSignal(n));
    return 0;
  }

  /** Ends the process at once. */
  kill(reason: string): void {
    this.end({code: 128 + SIGKILL, signal: SIGKILL, reason});
  }

  ready(socket: number, writing: boolean): void {
    if (this.exit !== null) return;
    this.readySockets.push(2 * socket + (writing ? 1 : 0));
    if (this.readySockets.length === 1) this.wake(() => this.onNetwork);
  }

  tell(message: Message): void {
    if (this.exit !== null) return;
    const last = this.taken < this.inbox.length ? this.inbox.at(-1) : undefined;
    if (message.kind === 'output' && last?.kind === 'output' && last.name === message.name && last.fd === message.fd) {
      this.more.push(message.bytes); // one message for what is written in one go
      return;
    }
    this.join();
    this.inbox.push(message);
    if (this.inbox.length === 1) this.wake(() => this.onMessage);
  }

  /** Puts what was written after the last message of the inbox into it. */
  private join(): void {
    const last = this.inbox.at(-1);
    if (this.more.length === 0 || last?.kind !== 'output') return;
    const parts = [last.bytes, ...this.more];
    this.more = [];
    last.bytes = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
    let at = 0;
    for (const part of parts) {
      last.bytes.set(part, at);
      at += part.length;
    }
  }

  private nextMessage(): Message | null {
    this.join();
    const message = this.inbox[this.taken++];
    if (message !== undefined) return message;
    this.inbox = [];
    this.taken = 0;
    return null;
  }

  private wake(which: () => GoFunction | null): void {
    this.wakes++;
    this.machine.queue.at(this.machine.queue.now, () => {
      this.wakes--;
      const f = which();
      if (f !== null) this.enter(() => f());
    });
  }

  private fatal(n: number): boolean {
    if (n === SIGKILL) return true;
    return (this.actions.get(n) ?? 0) === 0 && (ending.has(n) || dumping.has(n));
  }

  private dieOf(n: number): void {
    const said = dumping.get(n);
    if (said === undefined) {
      this.end({code: 128 + n, signal: n, reason: ''});
    } else {
      this.write(2, new TextEncoder().encode(said + '\n'));
      this.end({code: 2, signal: 0, reason: ''});
    }
  }

  private takeSignal(n: number): void {
    if (this.exit !== null) return;
    if (this.fatal(n)) {
      this.dieOf(n);
    } else if (this.actions.get(n) === handled && this.onSignal !== null) {
      const f = this.onSignal;
      this.enter(() => f(n));
    }
  }

  /** Runs the program until it can run no more. */
  private enter(run: () => void): void {
    if (this.exit !== null) return;
    this.looks = 0;
    try {
      run();
      if (this.isStuck()) this.glue?.deadlock();
    } catch (thrown) {
      if (!(thrown instanceof Gone)) {
        // A trap: the instance cannot go on.
        this.end({code: 2, signal: 0, reason: thrown instanceof Error ? thrown.message : String(thrown)});
      }
    }
  }

  /** Whether nothing can ever wake the program: what Go calls a deadlock. */
  private isStuck(): boolean {
    return this.exit === null && this.timers.size === 0 && this.wakes === 0 && this.waitsForDisk === 0 &&
      !this.watchesSignals && this.onMessage === null && !this.machine.network.awaits(this);
  }

  private end(exit: Exit): void {
    if (this.exit !== null) return;
    this.exit = exit;
    for (const timer of this.timers.values()) timer.cancelled = true;
    this.timers.clear();
    if (this.glue !== null) this.glue.exited = true;
    this.glue = null;
    this.machine.network.detach(this);
    this.parent?.tell({kind: 'exit', name: this.name, ...exit});
    this.machine.ended(this);
  }

  private nanotime(): number {
    this.look();
    return this.machine.queue.now + 1_000_000_000; // Go takes 0 for "never"
  }

  private walltime(): {seconds: number; nanoseconds: number} {
    this.look();
    const {epoch, queue} = this.machine;
    return {seconds: epoch + Math.floor(queue.now / 1e9), nanoseconds: queue.now % 1e9};
  }

  /** A program that only looks at the clock uses up time by it. */
  private look(): void {
    if (++this.looks <= freeLooks) return;
    this.machine.queue.now += lookTakes;
    if (this.looks > this.machine.limits.looks) {
      this.kill('it ran on and on without ever waiting for anything');
      throw new Gone();
    }
  }

  private grown(bytes: number): void {
    if (bytes <= this.machine.limits.memory) return;
    this.kill('it took more memory than a program may');
    throw new Gone();
  }

  private setTimer(id: number, delay: number): void {
    const late = this.random.below(60_000); // no system wakes anybody on the dot
    this.timers.set(id, this.machine.queue.at(this.machine.queue.now + delay + late, () => {
      this.enter(() => this.glue?.resume());
      this.timers.delete(id);
    }));
  }

  private clearTimer(id: number): void {
    const timer = this.timers.get(id);
    if (timer !== undefined) timer.cancelled = true;
    this.timers.delete(id);
  }

  private write(fd: number, bytes: Uint8Array): void {
    const copy = bytes.slice();
    this.parent?.tell({kind: 'output', name: this.name, fd, bytes: copy});
    if (!this.machine.output(this, fd, copy) && this.spec.supervises !== true) {
      this.kill('it wrote more than a program may');
      throw new Gone();
    }
  }

  private global(): object {
    const later = (run: () => void): void => {
      this.waitsForDisk++;
      this.machine.queue.at(this.machine.queue.now, () => {
        this.waitsForDisk--;
        this.enter(run);
      });
    };
    const machine: Record<string, unknown> = {
      onSignal: (f: GoFunction) => void (this.onSignal = f),
      onNetwork: (f: GoFunction) => void (this.onNetwork = f),
    };
    if (this.spec.supervises === true) Object.assign(machine, this.supervision());
    return {
      Object, Array, Uint8Array, Error, machine,
      console: {error: () => undefined},
      fs: this.machine.disk.view(() => this.cwd, later),
      path: {resolve: (...parts: string[]) => parts.reduce((at, p) => p.startsWith('/') ? p : `${at}/${p}`, this.cwd)},
      process: {
        pid: this.pid, ppid: 1, hostname: this.name,
        getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [0],
        umask: () => 0o022,
        cwd: () => this.cwd,
        chdir: (path: string) => void (this.cwd = path.startsWith('/') ? path : `${this.cwd}/${path}`),
      },
    };
  }

  /** What a supervisor may do, as functions for its js.Global().Get("machine"). */
  private supervision(): Record<string, unknown> {
    const {machine} = this;
    return {
      onMessage: (f: GoFunction) => void (this.onMessage = f),
      next: () => this.nextMessage(),
      spawn: (spec: string) => void machine.start(JSON.parse(spec) as Spec, this),
      signal: (name: string, n: number) => machine.process(name)?.signal(n) ?? -ESRCH,
      cut: (a: string, b: string) => machine.network.cut(a, b),
    };
  }

  private imports(): WebAssembly.ModuleImports {
    const {network} = this.machine;
    const bytes = (at: number, n: number): Uint8Array => this.glue!.bytes(at, n);
    return {
      write: (fd: number, at: number, n: number) => this.write(fd, bytes(at, n)),
      kill: (pid: number, n: number) => {
        const target = pid === 0 || pid === this.pid ? this : this.machine.byPid(pid);
        if (target === null) return -ESRCH;
        if (target !== this && this.spec.supervises !== true) return -EPERM;
        if (target === this && n !== 0 && this.fatal(n)) {
          this.dieOf(n);
          throw new Gone();
        }
        return target.signal(n);
      },
      signal_action: (n: number, action: number) => {
        this.actions.set(n, action);
        if (action === handled) this.watchesSignals = true;
      },
      tcp_listen: (local: number) => network.listen(this, readAddress(bytes(local, 18))),
      tcp_connect: (local: number, remote: number) =>
        network.connect(this, readAddress(bytes(local, 18)), readAddress(bytes(remote, 18))),
      tcp_connected: (id: number) => network.connected(this, id),
      tcp_accept: (id: number) => network.accept(this, id),
      tcp_names: (id: number, local: number, remote: number) => {
        const names = network.names(this, id);
        if (names === null) return;
        writeAddress(bytes(local, 18), names.local);
        writeAddress(bytes(remote, 18), names.remote);
      },
      tcp_read: (id: number, at: number, n: number) => network.read(this, id, bytes(at, n)),
      tcp_write: (id: number, at: number, n: number) => network.write(this, id, bytes(at, n)),
      tcp_shutdown: (id: number, how: number) => network.shutdown(this, id, how),
      tcp_close: (id: number, reset: number) => network.close(this, id, reset !== 0),
      tcp_ready: () => this.readySockets.shift() ?? -1,
    };
  }
}

/** 16 bytes of IPv6, with IPv4 mapped into it, and two of port. */
function readAddress(b: Uint8Array): Address {
  const port = b[16]! * 256 + b[17]!;
  if (b.subarray(0, 16).every(v => v === 0)) return {ip: '', port};
  if (b[10] === 0xff && b[11] === 0xff) {
    const ip = b.subarray(12, 16).join('.');
    return {ip: ip === '0.0.0.0' ? '' : ip, port};
  }
  // The only IPv6 address of a process is its loopback.
  return {ip: b.subarray(0, 15).every(v => v === 0) && b[15] === 1 ? '::1' : 'unknown', port};
}

function writeAddress(b: Uint8Array, {ip, port}: Address): void {
  b.fill(0);
  if (ip === '::1') {
    b[15] = 1;
  } else if (ip !== '') {
    b[10] = b[11] = 0xff;
    b.set(ip.split('.').map(Number), 12);
  }
  b[16] = port >> 8;
  b[17] = port & 0xff;
}
