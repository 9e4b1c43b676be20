// What a run's events add up to, as the timeline and the counts show it. It is
// a fold: the same events make the same model, however they were cut into
// batches. It knows no clock, no page and no language.
//
// Times are milliseconds since the run began.

import type {Event} from '../event.gen.ts';
import type {Grace, Mark, Process} from './process.ts';
import {isCut} from './work.ts';
import type {Conn, Delivery, Message, Request, Work} from './work.ts';

/** How many messages waited in the queue and were out with a process, from then on. */
export interface Level {
  readonly at: number;
  ready: number;
  unacked: number;
}

export interface Counts {
  ready: number;
  unacked: number;
  acked: number;
  open: number;
  flying: number;
  answered: number;
  cut: number;
}

/** Row numbers, the smallest free one first. */
class Rows {
  readonly #taken: boolean[] = [];
  take(): number {
    const free = this.#taken.indexOf(false);
    const row = free < 0 ? this.#taken.length : free;
    this.#taken[row] = true;
    return row;
  }
  free(row: number): void {
    this.#taken[row] = false;
  }
  get most(): number {
    return this.#taken.length;
  }
}

/** Where events come this close together they are one happening to an eye, in ms. */
const TOGETHER = 4;

const ms = (ns: number): number => ns / 1e6;

export class Model {
  readonly processes = new Map<string, Process>();
  readonly messages = new Map<string, Message>();
  readonly requests = new Map<string, Request>();
  readonly conns = new Map<string, Conn>();
  readonly levels: Level[] = [];
  readonly graces: Grace[] = [];
  /** Signals as they were sent, and what the learner or the scenario did. */
  readonly platform: Mark[] = [];
  readonly broker: Mark[] = [];
  readonly client: Mark[] = [];
  readonly events: Event[] = [];
  readonly counts: Counts = {ready: 0, unacked: 0, acked: 0, open: 0, flying: 0, answered: 0, cut: 0};
  /** The newest event's time. */
  now = 0;
  ended = false;
  /** Why the run ended before its time. */
  limited = '';
  failed = '';
  /** Something here was read from the client's side only. */
  inferred = false;
  connRows = 0;
  /** Grows, per lane, with everything that changes what the lane shows. */
  readonly versions = new Map<string, number>();

  #queue = '';
  readonly #open = new Map<string, Work>();
  readonly #workRows = new Map<string, Rows>();
  readonly #waitRows = new Map<string, Rows>();
  readonly #connRows = new Rows();

  get amqp(): boolean {
    return this.levels.length > 0 || this.broker.length > 0;
  }

  add(e: Event): void {
    const at = ms(e.at);
    this.events.push(e);
    this.now = Math.max(this.now, at);
    this.inferred ||= e.inferred === true;
    for (const lane of [e.from, e.peer, e.target]) if (lane !== undefined) this.#touch(lane);
    switch (e.kind) {
      case 'process.started':
        this.#workRows.set(e.from, new Rows());
        this.#waitRows.set(e.from, new Rows());
        this.processes.set(e.from, {
          name: e.from, program: e.program ?? '', start: at, works: [], deliveries: [], marks: [], rows: 0, waits: 0,
          ...(e.pid === undefined ? {} : {pid: e.pid}),
        });
        break;
      case 'process.exited':
        this.#exited(e, at);
        break;
      case 'ready.changed': {
        const p = this.processes.get(e.from);
        if (p && e.ready) p.ready ??= at;
        break;
      }
      case 'signal.sent':
        this.#sent(e, at);
        break;
      case 'signal.taken':
        this.#mark(this.processes.get(e.from)?.marks, e, 'taken', e.signal ?? '');
        break;
      case 'phase.reached':
        this.#mark(this.processes.get(e.from)?.marks, e, 'phase', e.text ?? '');
        break;
      case 'grace.begun': {
        const g: Grace = {target: e.target ?? '', start: at, length: ms(e.grace ?? 0), expired: false};
        this.graces.push(g);
        const p = this.processes.get(g.target);
        if (p) p.grace ??= g;
        break;
      }
      case 'grace.ended':
        for (const g of this.graces) {
          if (g.target === e.target && g.end === undefined) {
            g.end = at;
            g.expired = e.text === 'expired';
          }
        }
        break;
      case 'work.started':
        this.#workStarted(e, at);
        break;
      case 'work.finished':
        this.#workFinished(e, at);
        break;
      case 'ack.failed':
        this.#ackFailed(e);
        break;
      case 'step':
        this.#mark(this.platform, e, 'step', e.text ?? '');
        break;
      case 'run.limited':
        this.limited = e.text ?? '';
        break;
      case 'run.failed':
        this.failed = e.text ?? '';
        break;
      case 'run.ended':
        this.#end(at);
        break;
      default:
        if (e.from === 'client') this.#addClient(e, at);
        else this.#addBroker(e, at);
    }
  }

  /** The process started first: the one that a prediction is about. */
  get first(): Process | undefined {
    return this.processes.values().next().value;
  }

  /** The newest process, or the newest that still runs. */
  newest(running = false): Process | undefined {
    return [...this.processes.values()].reverse().find(p => !running || p.end === undefined);
  }

  running(): Process[] {
    return [...this.processes.values()].filter(p => p.end === undefined);
  }

  /** Messages that came back from the first process: requeued from it, or seen with the flag. */
  cameBack(): string[] {
    const first = this.first?.name;
    return [...this.messages.values()]
      .filter(m => m.published && (m.backFrom.size > 0 ? first !== undefined && m.backFrom.has(first) : m.flagged))
      .map(m => m.id);
  }

  /** Requests that were accepted and got no whole answer below 500. */
  cutOff(): string[] {
    return [...this.requests.values()].filter(r => isCut(r) || (this.ended && r.how === undefined)).map(r => r.id);
  }

  #touch(lane: string): void {
    this.versions.set(lane, (this.versions.get(lane) ?? 0) + 1);
  }

  #mark(list: Mark[] | undefined, e: Event, kind: Mark['kind'], text: string, about?: string): void {
    if (!list) return;
    const at = ms(e.at);
    const last = list.at(-1);
    const joins = kind === 'published' || kind === 'back' || kind === 'gone';
    if (joins && last?.kind === kind && at - last.at < TOGETHER) {
      last.count++;
      return;
    }
    list.push({at, kind, text, inferred: e.inferred === true, count: 1, ...(about === undefined ? {} : {about})});
  }

  #exited(e: Event, at: number): void {
    const p = this.processes.get(e.from);
    if (!p) return;
    p.end = at;
    if (e.code !== undefined) p.code = e.code;
    if (e.signal !== undefined) p.signal = e.signal;
    for (const [key, w] of this.#open) {
      if (w.process !== p.name) continue;
      w.end = Math.min(at, w.request?.end ?? at);
      this.#open.delete(key);
    }
  }

  #sent(e: Event, at: number): void {
    this.#mark(this.platform, e, 'sent', e.signal ?? '', e.target);
    const p = this.processes.get(e.target ?? '');
    if (p) p.told ??= {at, signal: e.signal ?? ''};
  }

  #workStarted(e: Event, at: number): void {
    const p = this.processes.get(e.from);
    const rows = this.#workRows.get(e.from);
    const id = e.message ?? e.request;
    if (!p || !rows || id === undefined) return;
    const message = e.message === undefined ? undefined : this.#message(e);
    const delivery = message?.deliveries.findLast(d => d.peer === e.from && d.started === undefined);
    const request = e.request === undefined ? undefined : this.requests.get(e.request);
    request?.events.push(e);
    if (delivery) {
      delivery.started = at;
      this.#waitRows.get(e.from)?.free(delivery.row);
    }
    const w: Work = {
      id, process: e.from, start: at, row: rows.take(), finished: false, ackFailed: false,
      ...(delivery ? {delivery} : {}), ...(request ? {request} : {}),
    };
    p.rows = Math.max(p.rows, rows.most);
    p.works.push(w);
    this.#open.set(workKey(e), w);
  }

  #workFinished(e: Event, at: number): void {
    if (e.message !== undefined) this.#message(e);
    if (e.request !== undefined) this.requests.get(e.request)?.events.push(e);
    const w = this.#open.get(workKey(e));
    if (!w) return;
    w.finished = true;
    this.#close(e, w, at);
  }

  #close(e: Event, w: Work, at: number): void {
    w.end = at;
    this.#open.delete(`${w.process} ${e.message === undefined ? 'r' : 'm'}${w.id}`);
    this.#workRows.get(w.process)?.free(w.row);
  }

  #ackFailed(e: Event): void {
    this.#message(e);
    const p = this.processes.get(e.from);
    const w = p?.works.findLast(w => w.id === e.message);
    if (w) w.ackFailed = true;
    this.#mark(p?.marks, e, 'ack-failed', e.text ?? '', e.message);
  }

  #message(e: Event): Message {
    const id = e.message ?? '';
    let m = this.messages.get(id);
    if (!m) {
      m = {id, deliveries: [], events: [], published: false, acked: false, backFrom: new Set(), flagged: false};
      this.messages.set(id, m);
    }
    m.events.push(e);
    return m;
  }

  #addBroker(e: Event, at: number): void {
    if (e.kind === 'consumer.cancelled') {
      this.#mark(this.broker, e, 'cancelled', e.consumer ?? '', e.peer);
    } else if (e.kind === 'channel.closed' && e.code !== undefined) {
      this.#mark(this.broker, e, 'fault', `${e.code} ${e.text ?? ''}`.trim(), e.peer);
    } else if (e.kind === 'conn.reset' && e.peer !== 'you') {
      this.#mark(this.broker, e, 'fault', e.text ?? '', e.peer);
    } else if (e.kind.startsWith('message.') && e.message !== undefined) {
      // The copies in a dead-letter queue are no messages of the exercise's own.
      if (e.queue !== undefined && e.kind === 'message.published') this.#queue ||= e.queue;
      if (e.queue !== undefined && this.#queue !== '' && e.queue !== this.#queue) return;
      this.#addMessage(e, at);
    }
  }

  #addMessage(e: Event, at: number): void {
    const m = this.#message(e);
    // What the scenario takes out of the queue at the end was left in it.
    if (e.peer === 'you' && e.kind !== 'message.published') {
      m.flagged ||= e.redelivered === true;
      return;
    }
    const c = this.counts;
    switch (e.kind) {
      case 'message.published':
        m.published = true;
        c.ready++;
        this.#mark(this.broker, e, 'published', '');
        break;
      case 'message.delivered': {
        c.ready--;
        c.unacked++;
        m.flagged ||= e.redelivered === true;
        const rows = this.#waitRows.get(e.peer ?? '');
        const d: Delivery = {
          message: m.id, peer: e.peer ?? '', at, redelivered: e.redelivered === true, inferred: e.inferred === true,
          row: rows?.take() ?? 0,
        };
        m.deliveries.push(d);
        const p = this.processes.get(d.peer);
        if (p && rows) {
          p.deliveries.push(d);
          p.waits = Math.max(p.waits, rows.most);
        }
        break;
      }
      case 'message.acked':
        if (this.#settle(m, e, 'acked', at)) c.acked++;
        m.acked = true;
        break;
      case 'message.requeued':
        if (this.#settle(m, e, 'requeued', at)) c.ready++;
        m.backFrom.add(e.peer ?? '');
        this.#mark(this.broker, e, 'back', m.id, e.peer);
        break;
      case 'message.deadletter':
      case 'message.dropped':
        // From the queue itself, when nobody held it.
        if (!this.#settle(m, e, e.kind === 'message.dropped' ? 'dropped' : 'dead', at)) c.ready = Math.max(0, c.ready - 1);
        this.#mark(this.broker, e, 'gone', m.id, e.peer);
        break;
      case 'message.left':
        m.flagged ||= e.redelivered === true;
        return;
      default:
        return;
    }
    this.#level(at);
  }

  /** Settles the newest open delivery; false when there is none. */
  #settle(m: Message, e: Event, how: Delivery['how'] & string, at: number): boolean {
    const d = m.deliveries.findLast(d => d.settled === undefined && (e.peer === undefined || d.peer === e.peer));
    if (!d) return false;
    d.settled = at;
    d.how = how;
    this.#touch(d.peer);
    if (d.started === undefined) this.#waitRows.get(d.peer)?.free(d.row);
    this.counts.unacked--;
    // A process that rejects has stopped working on it, whatever its log says.
    const w = this.#open.get(`${d.peer} m${m.id}`);
    if (w?.delivery === d && m.events.some(x => x.kind === 'message.nacked' && x.peer === d.peer && ms(x.at) >= d.at)) this.#close(e, w, at);
    return true;
  }

  #level(at: number): void {
    const {ready, unacked} = this.counts;
    const last = this.levels.at(-1);
    if (last && at - last.at < 0.2) {
      last.ready = ready;
      last.unacked = unacked;
    } else {
      this.levels.push({at, ready, unacked});
    }
  }

  #addClient(e: Event, at: number): void {
    if (e.request !== undefined) {
      this.#addRequest(e, at);
      return;
    }
    if (e.conn === undefined) return;
    if (e.kind === 'conn.opened') {
      this.conns.set(e.conn, {id: e.conn, peer: e.peer ?? '', start: at, row: this.#connRows.take(), reset: false, used: false});
      this.connRows = this.#connRows.most;
      this.counts.open++;
      return;
    }
    const c = this.conns.get(e.conn);
    if (!c || c.end !== undefined || (e.kind !== 'conn.closed' && e.kind !== 'conn.reset')) return;
    c.end = at;
    c.reset = e.kind === 'conn.reset';
    this.#connRows.free(c.row);
    this.counts.open--;
  }

  #addRequest(e: Event, at: number): void {
    const id = e.request ?? '';
    let r = this.requests.get(id);
    if (!r) {
      const conn = this.conns.get(e.conn ?? '');
      if (conn) conn.used = true;
      r = {id, peer: e.peer ?? '', start: at, events: [], row: conn?.row ?? 0};
      this.requests.set(id, r);
      if (e.kind === 'request.started') this.counts.flying++;
    }
    r.events.push(e);
    if (e.kind === 'request.started' || r.how !== undefined) return;
    const accepted = r.events[0]?.kind === 'request.started';
    if (accepted) this.counts.flying--;
    r.end = at;
    if (e.status !== undefined) r.status = e.status;
    r.how = e.kind === 'request.finished' ? 'answered' : e.kind === 'request.refused' ? 'refused' : 'reset';
    if (isCut(r)) this.counts.cut++;
    else if (r.how === 'answered') this.counts.answered++;
    if (r.how === 'refused') this.#mark(this.client, e, 'gone', r.id, e.peer);
  }

  #end(at: number): void {
    this.ended = true;
    for (const name of this.processes.keys()) this.#touch(name);
    for (const w of this.#open.values()) w.end = Math.min(at, w.request?.end ?? at);
    this.#open.clear();
  }
}

function workKey(e: Event): string {
  return `${e.from} ${e.message === undefined ? 'r' : 'm'}${e.message ?? e.request ?? ''}`;
}
