// TCP between the machine's processes. Each process is a host with an address
// of its own and a loopback of its own, as containers on one network are.
//
// A connection is two sockets. What one writes reaches the other after a
// latency, in order; what is under way and unread together fill a window, and
// a writer whose window is full waits until the reader has read.

import {EADDRINUSE, EADDRNOTAVAIL, EAGAIN, EBADF, ECONNREFUSED, ECONNRESET, EHOSTUNREACH, EINVAL, ENOTCONN, EPIPE} from './errno.ts';
import type {Queue} from './queue.ts';
import type {Random} from './random.ts';

/** A process, as the network sees it. */
export interface Station {
  readonly name: string;
  /** The last number of its address, 10.0.0.n. */
  readonly number: number;
  /** Tells the process that a socket is ready to be tried again. */
  ready(socket: number, writing: boolean): void;
}

export interface Address {
  /** '' is any. */
  ip: string;
  port: number;
}

const windowSize = 256 * 1024;
const backlog = 128;
const second = 1e9;
const firstPort = 32768;

function isLoopback(ip: string): boolean {
  return ip === '::1' || ip.startsWith('127.');
}

type State = 'listening' | 'connecting' | 'open' | 'failed' | 'closed';

class Socket {
  state: State;
  local: Address;
  remote: Address = {ip: '', port: 0};
  v6 = false;
  peer: Socket | null = null;
  station: Station;
  /** What has come and is not read yet. */
  private chunks: Uint8Array[] = [];
  unread = 0;
  /** What was sent and is not read yet by the peer. */
  outstanding = 0;
  arrivesAt = 0;
  finSent = false;
  finCame = false;
  readClosed = false;
  error = 0;
  queue: Socket[] = []; // of a listener: those not yet accepted
  waitsToRead = false;
  waitsToWrite = false;
  id: number;

  constructor(id: number, station: Station, state: State, local: Address) {
    this.id = id;
    this.station = station;
    this.state = state;
    this.local = local;
  }

  arrive(bytes: Uint8Array): void {
    this.chunks.push(bytes);
    this.unread += bytes.length;
  }

  take(into: Uint8Array): number {
    let n = 0;
    while (n < into.length && this.chunks.length > 0) {
      const chunk = this.chunks[0]!;
      const part = chunk.subarray(0, into.length - n);
      into.set(part, n);
      n += part.length;
      if (part.length === chunk.length) this.chunks.shift();
      else this.chunks[0] = chunk.subarray(part.length);
    }
    this.unread -= n;
    return n;
  }

  forget(): void {
    this.chunks = [];
    this.unread = 0;
  }
}

export class Network {
  private readonly queue: Queue;
  private readonly random: Random;
  private readonly stations = new Map<string, Station>(); // by address
  private readonly sockets = new Map<number, Socket>();
  private readonly gone = new Set<Station>();
  private lastId = 0;
  private nextPort = firstPort;

  constructor(queue: Queue, random: Random) {
    this.queue = queue;
    this.random = random;
  }

  static ip(s: Station): string {
    return `10.0.0.${s.number}`;
  }

  attach(s: Station): void {
    this.stations.set(Network.ip(s), s);
  }

  /** The process is gone: what its kernel would do, happens to its sockets. */
  detach(s: Station): void {
    this.gone.add(s);
    for (const socket of [...this.sockets.values()]) {
      if (socket.station === s) this.close(s, socket.id, false);
    }
  }

  /** Whether anything on the network can still wake the process. */
  awaits(s: Station): boolean {
    for (const socket of this.sockets.values()) {
      if (socket.station === s && (socket.waitsToRead || socket.waitsToWrite)) return true;
    }
    return false;
  }

  /** Resets every connection between two processes, and says how many. */
  cut(a: string, b: string): number {
    let n = 0;
    for (const socket of [...this.sockets.values()]) {
      const peer = socket.peer;
      if (socket.state !== 'open' || peer === null || peer.state !== 'open') continue;
      if (socket.station.name !== a || peer.station.name !== b) continue;
      n++;
      this.reset(socket);
      this.reset(peer);
    }
    return n;
  }

  listen(s: Station, local: Address): number {
    if (local.ip !== '' && !this.isOwn(s, local.ip)) return -EADDRNOTAVAIL;
    const port = local.port === 0 ? this.freePort(s) : local.port;
    for (const other of this.sockets.values()) {
      if (other.station === s && other.state === 'listening' && other.local.port === port &&
          (other.local.ip === '' || local.ip === '' || other.local.ip === local.ip)) return -EADDRINUSE;
    }
    return this.add(s, 'listening', {ip: local.ip, port}).id;
  }

  connect(s: Station, local: Address, remote: Address): number {
    const loopback = isLoopback(remote.ip);
    const ip = !loopback ? Network.ip(s) : remote.ip === '::1' ? '::1' : '127.0.0.1';
    const socket = this.add(s, 'connecting', {ip: local.ip || ip, port: local.port || this.freePort(s)});
    socket.remote = remote;
    const target = loopback ? s : this.stations.get(remote.ip);
    if (target === undefined) {
      this.queue.at(this.queue.now + 3 * second, () => this.fail(socket, EHOSTUNREACH));
    } else {
      this.knock(socket, target, second);
    }
    return socket.id;
  }

  private knock(socket: Socket, target: Station, again: number): void {
    this.queue.at(this.queue.now + this.latency(), () => {
      if (socket.state !== 'connecting') return;
      const listener = this.listener(target, socket.remote);
      if (listener === null) {
        this.queue.at(this.queue.now + this.latency(), () => this.fail(socket, ECONNREFUSED));
        return;
      }
      if (listener.queue.length >= backlog) { // the segment is dropped, and sent again later
        this.queue.at(this.queue.now + again, () => this.knock(socket, target, 2 * again));
        return;
      }
      const peer = this.add(target, 'open', socket.remote);
      peer.remote = socket.local;
      peer.peer = socket;
      socket.peer = peer;
      listener.queue.push(peer);
      this.wakeReader(listener);
      this.queue.at(this.arrival(socket), () => {
        if (socket.state !== 'connecting') return;
        socket.state = 'open';
        this.wakeWriter(socket);
      });
    });
  }

  private listener(s: Station, at: Address): Socket | null {
    if (this.gone.has(s)) return null;
    for (const socket of this.sockets.values()) {
      if (socket.station === s && socket.state === 'listening' && socket.local.port === at.port &&
          (socket.local.ip === '' || socket.local.ip === at.ip)) return socket;
    }
    return null;
  }

  private fail(socket: Socket, error: number): void {
    if (socket.state !== 'connecting') return;
    socket.state = 'failed';
    socket.error = error;
    this.wakeWriter(socket);
  }

  /** 0 once the connect of this socket is done. */
  connected(s: Station, id: number): number {
    const socket = this.own(s, id);
    if (socket === null) return -EBADF;
    if (socket.state === 'open') return 0;
    if (socket.state === 'failed') return -socket.error;
    socket.waitsToWrite = true;
    return -EAGAIN;
  }

  accept(s: Station, id: number): number {
    const listener = this.own(s, id);
    if (listener === null) return -EBADF;
    if (listener.state !== 'listening') return -EINVAL;
    const socket = listener.queue.shift();
    if (socket !== undefined) return socket.id;
    listener.waitsToRead = true;
    return -EAGAIN;
  }

  names(s: Station, id: number): {local: Address; remote: Address} | null {
    const socket = this.own(s, id);
    return socket === null ? null : {local: socket.local, remote: socket.remote};
  }

  read(s: Station, id: number, into: Uint8Array): number {
    const socket = this.own(s, id);
    if (socket === null) return -EBADF;
    if (socket.state === 'listening') return -ENOTCONN;
    if (socket.unread > 0 && !socket.readClosed) {
      const n = socket.take(into);
      const peer = socket.peer;
      if (peer !== null) this.queue.at(this.queue.now + this.latency(), () => this.acknowledge(peer, n));
      return n;
    }
    if (socket.error === ECONNRESET) {
      socket.error = EPIPE; // told once; from now on the stream has ended
      return -ECONNRESET;
    }
    if (socket.finCame || socket.readClosed || socket.error !== 0) return 0;
    socket.waitsToRead = true;
    return -EAGAIN;
  }

  private acknowledge(socket: Socket, n: number): void {
    socket.outstanding -= n;
    if (socket.outstanding < windowSize) this.wakeWriter(socket);
  }

  write(s: Station, id: number, bytes: Uint8Array): number {
    const socket = this.own(s, id);
    if (socket === null) return -EBADF;
    if (socket.error !== 0) {
      const error = socket.error;
      socket.error = EPIPE;
      return -error;
    }
    if (socket.finSent) return -EPIPE;
    const peer = socket.peer;
    if (socket.state !== 'open' || peer === null) return -ENOTCONN;
    const room = windowSize - socket.outstanding;
    if (room <= 0) {
      socket.waitsToWrite = true;
      return -EAGAIN;
    }
    const sent = bytes.slice(0, room);
    socket.outstanding += sent.length;
    this.queue.at(this.arrival(socket), () => {
      if (peer.state === 'closed') { // nobody has the other end any more
        if (peer.error === 0) this.answerReset(socket);
        return;
      }
      if (peer.readClosed) { // taken in and forgotten
        this.acknowledge(socket, sent.length);
        return;
      }
      peer.arrive(sent);
      this.wakeReader(peer);
    });
    return sent.length;
  }

  /** how: 0 no more reading, 1 no more writing. */
  shutdown(s: Station, id: number, how: number): number {
    const socket = this.own(s, id);
    if (socket === null) return -EBADF;
    if (socket.state !== 'open') return -ENOTCONN;
    if (how === 0) {
      socket.readClosed = true;
      this.wakeReader(socket);
    } else {
      this.fin(socket);
    }
    return 0;
  }

  close(s: Station, id: number, reset: boolean): void {
    const socket = this.own(s, id);
    if (socket === null) return;
    this.sockets.delete(id);
    const state = socket.state;
    socket.state = 'closed';
    if (state === 'listening') {
      for (const waiting of socket.queue) this.close(s, waiting.id, true);
      return;
    }
    if (socket.peer === null || socket.error !== 0) return;
    if (reset || socket.unread > 0) {
      // A close that leaves data unread is a reset, as Linux has it.
      socket.error = ECONNRESET;
      this.answerReset(socket.peer);
    } else {
      this.fin(socket);
    }
    socket.forget();
  }

  private fin(socket: Socket): void {
    const peer = socket.peer;
    if (socket.finSent || peer === null) return;
    socket.finSent = true;
    this.queue.at(this.arrival(socket), () => {
      peer.finCame = true;
      this.wakeReader(peer);
    });
  }

  /** A reset on its way to a socket, behind what its peer has sent. */
  private answerReset(to: Socket): void {
    const from = to.peer;
    const time = from === null ? this.queue.now + this.latency() : this.arrival(from);
    this.queue.at(time, () => this.reset(to));
  }

  private reset(socket: Socket): void {
    if (socket.state !== 'open' && socket.state !== 'connecting') return;
    if (socket.error !== 0) return;
    socket.error = socket.finCame ? EPIPE : ECONNRESET;
    if (socket.state === 'connecting') socket.state = 'open'; // it was accepted, and at once reset
    this.wakeReader(socket);
    this.wakeWriter(socket);
  }

  private wakeReader(socket: Socket): void {
    if (!socket.waitsToRead) return;
    socket.waitsToRead = false;
    socket.station.ready(socket.id, false);
  }

  private wakeWriter(socket: Socket): void {
    if (!socket.waitsToWrite) return;
    socket.waitsToWrite = false;
    socket.station.ready(socket.id, true);
  }

  private add(s: Station, state: State, local: Address): Socket {
    const socket = new Socket(++this.lastId, s, state, local);
    this.sockets.set(socket.id, socket);
    return socket;
  }

  private own(s: Station, id: number): Socket | null {
    const socket = this.sockets.get(id);
    return socket?.station === s ? socket : null;
  }

  private isOwn(s: Station, ip: string): boolean {
    return isLoopback(ip) || ip === Network.ip(s);
  }

  private freePort(s: Station): number {
    for (;;) {
      const port = this.nextPort++;
      if (this.nextPort > 60999) this.nextPort = firstPort;
      let taken = false;
      for (const socket of this.sockets.values()) taken ||= socket.station === s && socket.local.port === port;
      if (!taken) return port;
    }
  }

  private latency(): number {
    return 100_000 + this.random.below(300_000);
  }

  /** When what a socket sends now arrives: never before what it sent earlier. */
  private arrival(socket: Socket): number {
    socket.arrivesAt = Math.max(socket.arrivesAt, this.queue.now + this.latency());
    return socket.arrivesAt;
  }
}
