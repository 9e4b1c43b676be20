// What a Go program for js/wasm expects of its host: the imports of module
// gojs, which the runtime and syscall/js declare, with the layout of Go's stack
// frames (an 8-byte slot an argument from sp+8 on, results behind them).
// Every instance has its own JavaScript values and its own global object.

/** What the glue asks of the machine. */
export interface Host {
  nanotime(): number;
  walltime(): {seconds: number; nanoseconds: number};
  /** A timer after delay nanoseconds. */
  setTimer(id: number, delay: number): void;
  clearTimer(id: number): void;
  random(bytes: Uint8Array): void;
  write(fd: number, bytes: Uint8Array): void;
  exit(code: number): void;
  /** The program's memory has grown to so many bytes. */
  grown(bytes: number): void;
}

interface Exports {
  mem: WebAssembly.Memory;
  run(argc: number, argv: number): void;
  resume(): void;
  getsp(): number;
}

interface PendingEvent {
  id: number;
  this: unknown;
  args: unknown;
  result?: unknown;
}

// The linker puts a program's data from here on; arguments and environment
// must fit below it.
const argumentsFrom = 4096;
const dataFrom = 4096 + 8192;

const nanHead = 0x7ff80000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Glue {
  /** Read and cleared by syscall/js. */
  _pendingEvent: PendingEvent | null = null;
  exited = false;

  private readonly host: Host;
  private readonly exports: Exports;
  private view: DataView;
  private values: unknown[] = [];
  private references: number[] = [];
  private ids = new Map<unknown, number>();
  private freeIds: number[] = [];
  private nextTimer = 1;

  constructor(module: WebAssembly.Module, host: Host, global: object, machine: WebAssembly.ModuleImports) {
    this.host = host;
    const instance = new WebAssembly.Instance(module, {gojs: this.imports(), machine});
    this.exports = instance.exports as unknown as Exports;
    this.view = new DataView(this.exports.mem.buffer);
    this.values = [NaN, 0, null, true, false, global, this];
    this.references = this.values.map(() => Infinity);
    this.ids = new Map<unknown, number>([[0, 1], [null, 2], [true, 3], [false, 4], [global, 5], [this, 6]]);
  }

  /** n bytes of the program's memory; they are good until it runs again. */
  bytes(at: number, n: number): Uint8Array {
    return new Uint8Array(this.exports.mem.buffer, at >>> 0, n);
  }

  /** Starts the program and returns when no goroutine can run. */
  start(argv: readonly string[], env: Readonly<Record<string, string>>): void {
    let offset = argumentsFrom;
    const put = (text: string): number => {
      const bytes = encoder.encode(text + '\0');
      const at = offset;
      if (at + bytes.length > dataFrom) throw new Error('arguments and environment are too long');
      this.bytes(at, bytes.length).set(bytes);
      offset += (bytes.length + 7) & ~7;
      return at;
    };
    const pointers = [...argv.map(put), 0, ...Object.keys(env).sort().map(key => put(`${key}=${env[key]}`)), 0];
    const at = offset;
    if (at + 8 * pointers.length > dataFrom) throw new Error('arguments and environment are too long');
    pointers.forEach((p, i) => this.set64(at + 8 * i, p));
    this.exports.run(argv.length, at);
  }

  /** Runs the program on, after a timer or with an event pending. */
  resume(): void {
    if (!this.exited) this.exports.resume();
  }

  /** Calls a Go function (js.FuncOf) and runs the program until it can run no more. */
  call(f: (...args: unknown[]) => unknown, ...args: unknown[]): void {
    if (!this.exited) f(...args);
  }

  /** Tells Go that nothing will ever happen to it any more. */
  deadlock(): void {
    this._pendingEvent = {id: 0, this: null, args: []};
    this.resume();
  }

  /** syscall/js asks for a JavaScript function that stands for a Go function. */
  _makeFuncWrapper(id: number): (...args: unknown[]) => unknown {
    const glue = this;
    return function (this: unknown, ...args: unknown[]): unknown {
      const event: PendingEvent = {id, this: this, args};
      glue._pendingEvent = event;
      glue.resume();
      return event.result;
    };
  }

  private set64(at: number, v: number): void {
    this.view.setUint32(at, v >>> 0, true);
    this.view.setUint32(at + 4, Math.floor(v / 0x100000000), true);
  }

  private get64(at: number): number {
    return this.view.getUint32(at, true) + this.view.getInt32(at + 4, true) * 0x100000000;
  }

  private slice(at: number): Uint8Array {
    return new Uint8Array(this.exports.mem.buffer, this.get64(at), this.get64(at + 8));
  }

  private string(at: number): string {
    return decoder.decode(this.slice(at));
  }

  private load(at: number): unknown {
    const f = this.view.getFloat64(at, true);
    if (f === 0) return undefined;
    if (!Number.isNaN(f)) return f;
    return this.values[this.view.getUint32(at, true)];
  }

  private loadAll(at: number): unknown[] {
    const from = this.get64(at);
    return Array.from({length: this.get64(at + 8)}, (_, i) => this.load(from + 8 * i));
  }

  private store(at: number, v: unknown): void {
    if (typeof v === 'number' && v !== 0) {
      if (Number.isNaN(v)) {
        this.view.setUint32(at + 4, nanHead, true);
        this.view.setUint32(at, 0, true);
      } else {
        this.view.setFloat64(at, v, true);
      }
      return;
    }
    if (v === undefined) {
      this.view.setFloat64(at, 0, true);
      return;
    }
    let id = this.ids.get(v);
    if (id === undefined) {
      id = this.freeIds.pop() ?? this.values.length;
      this.values[id] = v;
      this.references[id] = 0;
      this.ids.set(v, id);
    }
    this.references[id]!++;
    let flag = 0;
    if (typeof v === 'object' && v !== null) flag = 1;
    else if (typeof v === 'string') flag = 2;
    else if (typeof v === 'symbol') flag = 3;
    else if (typeof v === 'function') flag = 4;
    this.view.setUint32(at + 4, nanHead | flag, true);
    this.view.setUint32(at, id, true);
  }

  /**
   * Stores what f returns at sp+at, and behind it whether it returned: a
   * JavaScript exception is a value for Go. f may run Go code, which can move
   * the stack, so sp is asked for again.
   */
  private result(at: number, f: () => unknown): void {
    let value: unknown;
    let ok = 1;
    try {
      value = f();
    } catch (thrown) {
      if (this.exited) throw thrown; // the machine has ended the program
      value = thrown;
      ok = 0;
    }
    if (this.exited) return;
    const sp = this.exports.getsp() >>> 0;
    this.store(sp + at, value);
    this.view.setUint8(sp + at + 8, ok);
  }

  private copy(sp: number, to: Uint8Array, from: unknown): void {
    if (!(from instanceof Uint8Array)) {
      this.view.setUint8(sp + 48, 0);
      return;
    }
    const part = from.subarray(0, to.length);
    to.set(part);
    this.set64(sp + 40, part.length);
    this.view.setUint8(sp + 48, 1);
  }

  private imports(): WebAssembly.ModuleImports {
    const host = this.host;
    const on = (f: (sp: number) => void) => (sp: number): void => f(sp >>> 0);
    return {
      'runtime.wasmExit': on(sp => {
        this.exited = true;
        host.exit(this.view.getInt32(sp + 8, true));
      }),
      'runtime.wasmWrite': on(sp => {
        host.write(this.get64(sp + 8), this.bytes(this.get64(sp + 16), this.view.getInt32(sp + 24, true)));
      }),
      'runtime.resetMemoryDataView': on(() => {
        this.view = new DataView(this.exports.mem.buffer);
        host.grown(this.view.byteLength);
      }),
      'runtime.nanotime1': on(sp => this.set64(sp + 8, host.nanotime())),
      'runtime.walltime': on(sp => {
        const {seconds, nanoseconds} = host.walltime();
        this.set64(sp + 8, seconds);
        this.view.setInt32(sp + 16, nanoseconds, true);
      }),
      'runtime.scheduleTimeoutEvent': on(sp => {
        const id = this.nextTimer++;
        host.setTimer(id, this.get64(sp + 8));
        this.view.setInt32(sp + 16, id, true);
      }),
      'runtime.clearTimeoutEvent': on(sp => host.clearTimer(this.view.getInt32(sp + 8, true))),
      'runtime.getRandomData': on(sp => host.random(this.slice(sp + 8))),
      'syscall/js.finalizeRef': on(sp => {
        const id = this.view.getUint32(sp + 8, true);
        this.references[id]!--;
        if (this.references[id] === 0) {
          this.ids.delete(this.values[id]);
          this.values[id] = null;
          this.freeIds.push(id);
        }
      }),
      'syscall/js.stringVal': on(sp => this.store(sp + 24, this.string(sp + 8))),
      'syscall/js.valueGet': on(sp => {
        const value: unknown = Reflect.get(this.load(sp + 8) as object, this.string(sp + 16));
        this.store((this.exports.getsp() >>> 0) + 32, value);
      }),
      'syscall/js.valueSet': on(sp => {
        Reflect.set(this.load(sp + 8) as object, this.string(sp + 16), this.load(sp + 32));
      }),
      'syscall/js.valueDelete': on(sp => {
        Reflect.deleteProperty(this.load(sp + 8) as object, this.string(sp + 16));
      }),
      'syscall/js.valueIndex': on(sp => {
        this.store(sp + 24, Reflect.get(this.load(sp + 8) as object, this.get64(sp + 16)));
      }),
      'syscall/js.valueSetIndex': on(sp => {
        Reflect.set(this.load(sp + 8) as object, this.get64(sp + 16), this.load(sp + 24));
      }),
      'syscall/js.valueCall': on(sp => {
        const object = this.load(sp + 8) as object;
        const name = this.string(sp + 16);
        const args = this.loadAll(sp + 32);
        this.result(56, () => Reflect.apply(Reflect.get(object, name) as () => unknown, object, args));
      }),
      'syscall/js.valueInvoke': on(sp => {
        const f = this.load(sp + 8) as () => unknown;
        const args = this.loadAll(sp + 16);
        this.result(40, () => Reflect.apply(f, undefined, args));
      }),
      'syscall/js.valueNew': on(sp => {
        const f = this.load(sp + 8) as new () => unknown;
        const args = this.loadAll(sp + 16);
        this.result(40, () => Reflect.construct(f, args));
      }),
      'syscall/js.valueLength': on(sp => this.set64(sp + 16, (this.load(sp + 8) as {length: number}).length)),
      'syscall/js.valuePrepareString': on(sp => {
        const bytes = encoder.encode(String(this.load(sp + 8)));
        this.store(sp + 16, bytes);
        this.set64(sp + 24, bytes.length);
      }),
      'syscall/js.valueLoadString': on(sp => this.slice(sp + 16).set(this.load(sp + 8) as Uint8Array)),
      'syscall/js.valueInstanceOf': on(sp => {
        this.view.setUint8(sp + 24, (this.load(sp + 8) as object) instanceof (this.load(sp + 16) as () => void) ? 1 : 0);
      }),
      'syscall/js.copyBytesToGo': on(sp => this.copy(sp, this.slice(sp + 8), this.load(sp + 32))),
      'syscall/js.copyBytesToJS': on(sp => {
        const to = this.load(sp + 8);
        if (to instanceof Uint8Array) this.copy(sp, to, this.slice(sp + 16));
        else this.view.setUint8(sp + 48, 0);
      }),
    };
  }
}
