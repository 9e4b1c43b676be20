// The machine's disk: a small file system in memory, which outlives the
// processes, behind the part of node's fs that syscall for js/wasm calls.

interface Node {
  readonly ino: number;
  directory: Map<string, Node> | null;
  data: Uint8Array;
  size: number;
  mode: number;
  mtime: number;
}

export class DiskError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

const O_WRONLY = 1;
const O_RDWR = 2;
const O_CREAT = 0o100;
const O_EXCL = 0o200;
const O_TRUNC = 0o1000;
const O_APPEND = 0o2000;
const O_DIRECTORY = 0o200000;

const isDirectory = 0o040000;
const isFile = 0o100000;

type Callback = (error: DiskError | null, value?: unknown) => void;

interface Open {
  node: Node;
  flags: number;
  position: number;
}

export class Disk {
  private lastIno = 1;
  private readonly root: Node = this.node(new Map(), 0o755);
  private readonly now: () => number;
  private readonly limit: number;
  private used = 0;

  /** now is the time in milliseconds; limit is how many bytes may be kept. */
  constructor(now: () => number, limit = 64 << 20) {
    this.now = now;
    this.limit = limit;
    for (const name of ['/etc', '/tmp', '/root']) this.makeDirectories(name);
  }

  put(path: string, text: string): void {
    const slash = path.lastIndexOf('/');
    this.makeDirectories(path.slice(0, slash));
    const file = this.node(null, 0o644);
    this.find(path.slice(0, slash) || '/').directory!.set(path.slice(slash + 1), file);
    const bytes = new TextEncoder().encode(text);
    this.write(file, 0, bytes);
  }

  private makeDirectories(path: string): void {
    let at = this.root;
    for (const name of this.parts(path)) {
      let next = at.directory!.get(name);
      if (next === undefined) {
        next = this.node(new Map(), 0o755);
        at.directory!.set(name, next);
      }
      at = next;
    }
  }

  private node(directory: Map<string, Node> | null, mode: number): Node {
    return {ino: this.lastIno++, directory, data: new Uint8Array(0), size: 0, mode, mtime: this.now?.() ?? 0};
  }

  private parts(path: string): string[] {
    const out: string[] = [];
    for (const part of path.split('/')) {
      if (part === '..') out.pop();
      else if (part !== '' && part !== '.') out.push(part);
    }
    return out;
  }

  private find(path: string): Node {
    let at = this.root;
    for (const name of this.parts(path)) {
      if (at.directory === null) throw new DiskError('ENOTDIR');
      const next = at.directory.get(name);
      if (next === undefined) throw new DiskError('ENOENT');
      at = next;
    }
    return at;
  }

  private parent(path: string): {directory: Map<string, Node>; name: string} {
    const parts = this.parts(path);
    const name = parts.pop();
    if (name === undefined) throw new DiskError('EINVAL');
    const directory = this.find(parts.join('/')).directory;
    if (directory === null) throw new DiskError('ENOTDIR');
    return {directory, name};
  }

  private resize(node: Node, size: number): void {
    if (size > node.data.length) {
      const room = Math.max(size, 2 * node.data.length);
      if (this.used + room - node.data.length > this.limit) throw new DiskError('ENOSPC');
      this.used += room - node.data.length;
      const data = new Uint8Array(room);
      data.set(node.data.subarray(0, node.size));
      node.data = data;
    } else if (size < node.size) {
      node.data.fill(0, size, node.size);
    }
    node.size = size;
    node.mtime = this.now();
  }

  private write(node: Node, at: number, bytes: Uint8Array): void {
    if (at + bytes.length > node.size) this.resize(node, at + bytes.length);
    node.data.set(bytes, at);
    node.mtime = this.now();
  }

  private stat(node: Node): object {
    const kind = node.directory === null ? isFile : isDirectory;
    return {
      dev: 1, ino: node.ino, mode: kind | node.mode, nlink: 1, uid: 0, gid: 0, rdev: 0,
      size: node.size, blksize: 4096, blocks: Math.ceil(node.size / 512),
      atimeMs: node.mtime, mtimeMs: node.mtime, ctimeMs: node.mtime,
      isDirectory: () => node.directory !== null,
    };
  }

  /**
   * What one process sees as `fs`. Each call answers through its callback,
   * which `later` has run when the process is idle.
   */
  view(cwd: () => string, later: (run: () => void) => void): object {
    const open = new Map<number, Open>();
    let last = 9;
    const full = (path: string): string => path.startsWith('/') ? path : cwd() + '/' + path;
    const of = (fd: number): Open => {
      const o = open.get(fd);
      if (o === undefined) throw new DiskError('EBADF');
      return o;
    };
    const answering = <A extends unknown[]>(f: (...args: A) => unknown) => (...all: unknown[]): void => {
      const callback = all.pop() as Callback;
      let value: unknown;
      let error: DiskError | null = null;
      try {
        value = f(...(all as A));
      } catch (thrown) {
        if (!(thrown instanceof DiskError)) throw thrown;
        error = thrown;
      }
      later(() => callback(error, value));
    };
    const missing = answering(() => {
      throw new DiskError('ENOSYS');
    });
    return {
      constants: {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND, O_EXCL, O_DIRECTORY},
      open: answering((path: string, flags: number, mode: number) => {
        let node: Node;
        const {directory, name} = this.parts(full(path)).length === 0 ? {directory: null, name: ''} : this.parent(full(path));
        const found = directory === null ? this.root : directory.get(name);
        if (found === undefined) {
          if ((flags & O_CREAT) === 0) throw new DiskError('ENOENT');
          node = this.node(null, mode & 0o777);
          directory!.set(name, node);
        } else {
          if ((flags & O_CREAT) !== 0 && (flags & O_EXCL) !== 0) throw new DiskError('EEXIST');
          node = found;
        }
        const writes = (flags & (O_WRONLY | O_RDWR)) !== 0;
        if (node.directory !== null && writes) throw new DiskError('EISDIR');
        if (node.directory === null && (flags & O_DIRECTORY) !== 0) throw new DiskError('ENOTDIR');
        if (writes && (flags & O_TRUNC) !== 0) this.resize(node, 0);
        open.set(++last, {node, flags, position: 0});
        return last;
      }),
      close: answering((fd: number) => {
        of(fd);
        open.delete(fd);
      }),
      read: answering((fd: number, into: Uint8Array, offset: number, length: number, position: number | null) => {
        if (fd === 0) return 0; // nobody types
        const o = of(fd);
        if (o.node.directory !== null) throw new DiskError('EISDIR');
        const at = position ?? o.position;
        const part = o.node.data.subarray(at, Math.min(at + length, o.node.size));
        into.set(part, offset);
        if (position === null) o.position += part.length;
        return part.length;
      }),
      write: answering((fd: number, from: Uint8Array, offset: number, length: number, position: number | null) => {
        const o = of(fd);
        if ((o.flags & (O_WRONLY | O_RDWR)) === 0) throw new DiskError('EBADF');
        const at = (o.flags & O_APPEND) !== 0 ? o.node.size : position ?? o.position;
        this.write(o.node, at, from.subarray(offset, offset + length));
        if (position === null) o.position = at + length;
        return length;
      }),
      stat: answering((path: string) => this.stat(this.find(full(path)))),
      lstat: answering((path: string) => this.stat(this.find(full(path)))),
      fstat: answering((fd: number) => this.stat(of(fd).node)),
      readdir: answering((path: string) => {
        const directory = this.find(full(path)).directory;
        if (directory === null) throw new DiskError('ENOTDIR');
        return [...directory.keys()].sort();
      }),
      mkdir: answering((path: string, mode: number) => {
        const {directory, name} = this.parent(full(path));
        if (directory.has(name)) throw new DiskError('EEXIST');
        directory.set(name, this.node(new Map(), mode & 0o777));
      }),
      rmdir: answering((path: string) => {
        const {directory, name} = this.parent(full(path));
        const node = directory.get(name);
        if (node === undefined) throw new DiskError('ENOENT');
        if (node.directory === null) throw new DiskError('ENOTDIR');
        if (node.directory.size > 0) throw new DiskError('ENOTEMPTY');
        directory.delete(name);
      }),
      unlink: answering((path: string) => {
        const {directory, name} = this.parent(full(path));
        const node = directory.get(name);
        if (node === undefined) throw new DiskError('ENOENT');
        if (node.directory !== null) throw new DiskError('EISDIR');
        directory.delete(name);
      }),
      rename: answering((from: string, to: string) => {
        const a = this.parent(full(from));
        const b = this.parent(full(to));
        const node = a.directory.get(a.name);
        if (node === undefined) throw new DiskError('ENOENT');
        a.directory.delete(a.name);
        b.directory.set(b.name, node);
      }),
      truncate: answering((path: string, size: number) => this.resize(this.find(full(path)), size)),
      ftruncate: answering((fd: number, size: number) => this.resize(of(fd).node, size)),
      chmod: answering((path: string, mode: number) => {
        this.find(full(path)).mode = mode & 0o777;
      }),
      fchmod: answering((fd: number, mode: number) => {
        of(fd).node.mode = mode & 0o777;
      }),
      fsync: answering((fd: number) => {
        of(fd);
      }),
      utimes: answering((path: string) => {
        this.find(full(path)).mtime = this.now();
      }),
      chown: missing, fchown: missing, lchown: missing, link: missing, readlink: missing, symlink: missing,
    };
  }
}
