// What one frame of the timeline is made of: a model, a window onto it and a
// place for everything. Also what can be pointed at in it.

import type {Lang} from '../shell/lang.ts';
import {seconds} from './axis.ts';
import {MOST_ROWS, MOST_WAITS, WAIT_ROW} from './layout.ts';
import type {Lane, Layout} from './layout.ts';
import type {Model} from './model.ts';
import type {Window} from './window.ts';
import type {Words} from './words.ts';
import {fate} from './work.ts';
import type {Conn, Delivery, Request, Work} from './work.ts';

export interface Scene {
  readonly model: Model;
  readonly layout: Layout;
  readonly window: Window;
  readonly width: number;
  /** The run's clock; once it has ended, its end. */
  readonly now: number;
  readonly words: Words;
  readonly lang: Lang;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** px per ms */
export function scaleOf(s: Scene): number {
  return plotWidth(s) / (s.window.to - s.window.from);
}

/** How wide the part is that shows time. */
export function plotWidth(s: Pick<Scene, 'width' | 'layout'>): number {
  return s.width - s.layout.gutter;
}

/** Half a pixel is as fine as anything is drawn. */
export function xOf(s: Scene, at: number): number {
  return s.layout.gutter + Math.round((at - s.window.from) * scaleOf(s) * 2) / 2;
}

/** No part of it is in the window. */
export function outside(s: Scene, start: number, end: number | undefined): boolean {
  return start > s.window.to || (end ?? s.now) < s.window.from;
}

function span(s: Scene, start: number, end: number | undefined): {x: number; w: number} {
  // What is far out of sight must not make lengths that a renderer cannot hold.
  const x = xOf(s, Math.max(start, s.window.from - 1000));
  const to = xOf(s, Math.min(end ?? s.now, s.window.to + 1000));
  return {x, w: Math.max(to - x, 2)};
}

export function workBox(s: Scene, lane: Lane, w: Work): Box {
  // Whether a handler goes on after its client has gone, nobody can see.
  const end = w.end ?? (w.request?.how === 'reset' ? w.request.end : undefined);
  return {...span(s, w.start, end), y: lane.y + lane.barsY + Math.min(w.row, MOST_ROWS - 1) * lane.step, h: lane.bar};
}

export function waitBox(s: Scene, lane: Lane, d: Delivery): Box {
  const end = d.started ?? Math.min(d.settled ?? Infinity, lane.process?.end ?? Infinity);
  return {...span(s, d.at, end === Infinity ? undefined : end), y: lane.y + lane.waitsY + Math.min(d.row, MOST_WAITS - 1) * WAIT_ROW, h: 3};
}

export function connBox(s: Scene, lane: Lane, c: Conn): Box {
  return {...span(s, c.start, c.end), y: lane.y + lane.barsY + Math.min(c.row, MOST_ROWS - 1) * lane.step + lane.bar / 2 - 1, h: 2};
}

export function requestBox(s: Scene, lane: Lane, r: Request): Box {
  return {...span(s, r.start, r.end), y: lane.y + lane.barsY + Math.min(r.row, MOST_ROWS - 1) * lane.step, h: lane.bar};
}

/** A wait this short is no wait to an eye, in ms. */
export const NO_WAIT = 8;

export function waited(s: Scene, d: Delivery): boolean {
  return (d.started ?? d.settled ?? s.now) - d.at >= NO_WAIT;
}

/** Something that can be pointed at. */
export interface Item extends Box {
  readonly key: string;
  /** Whose life it belongs to: "m7", "r3", "ch2". */
  readonly about: string;
  readonly at: number;
  readonly label: string;
}

/** Everything in the window that can be pointed at, in the order of time. */
export function items(s: Scene): Item[] {
  const out: Item[] = [];
  const {words: t} = s;
  for (const lane of s.layout.lanes) {
    if (lane.process) {
      for (const w of lane.process.works) {
        if (outside(s, w.start, w.end)) continue;
        const name = w.delivery ? t.message(w.id) : t.request(w.id);
        out.push({
          ...workBox(s, lane, w), key: `w ${w.process} ${w.id} ${w.start}`, about: (w.delivery ? 'm' : 'r') + w.id, at: w.start,
          label: `${name}, ${w.process}: ${t.fates[fate(w)]}`,
        });
      }
      for (const d of lane.process.deliveries) {
        if (outside(s, d.at, d.started ?? d.settled) || !waited(s, d)) continue;
        out.push({
          ...waitBox(s, lane, d), key: `d ${d.peer} ${d.message} ${d.at}`, about: 'm' + d.message, at: d.at,
          label: `${t.message(d.message)}, ${d.peer}: ${t.legends.waiting}`,
        });
      }
    } else if (lane.kind === 'clients') {
      for (const r of s.model.requests.values()) {
        if (outside(s, r.start, r.end)) continue;
        out.push({...requestBox(s, lane, r), key: `r ${r.id}`, about: 'r' + r.id, at: r.start, label: t.request(r.id)});
      }
      for (const c of s.model.conns.values()) {
        if (c.used || outside(s, c.start, c.end)) continue;
        out.push({...connBox(s, lane, c), key: `c ${c.id}`, about: 'c' + c.id, at: c.start, label: t.connection(c.id)});
      }
    }
  }
  return out.sort((a, b) => a.at - b.at);
}

/** The item at a point, or the nearest within reach. */
export function itemAt(all: readonly Item[], x: number, y: number, reach: number): Item | undefined {
  let best: Item | undefined;
  let least = reach;
  for (const i of all) {
    const dx = Math.max(i.x - x, x - (i.x + i.w), 0);
    const dy = Math.max(i.y - y, y - (i.y + i.h), 0);
    const d = Math.hypot(dx, dy);
    if (d < least || (d === least && best === undefined)) {
      best = i;
      least = d;
    }
  }
  return best;
}

/** The whole picture in words, for those who do not see it. */
export function summary(s: Scene): string {
  const {model: m, words: t, lang} = s;
  if (m.events.length === 0) return t.summary.none;
  const time = (ms: number): string => seconds(ms, 1, lang);
  const parts = [...m.processes.values()].map(p => {
    const said = [t.summary.process(p.name, time(p.start))];
    if (p.told) said.push(t.summary.told(p.told.signal, time(p.told.at)));
    said.push(p.end === undefined ? t.summary.runs : t.summary.exit(exitText(s, p.code, p.signal), time(p.end)));
    return said.join(', ') + '.';
  });
  if (m.amqp) parts.push(t.summary.amqp([...m.messages.values()].filter(x => x.published).length, m.counts.acked, m.cameBack().length));
  if (m.requests.size > 0) parts.push(t.summary.http(m.counts.answered, m.cutOff().length));
  return parts.join(' ');
}

export function exitText(s: Pick<Scene, 'words'>, code: number | undefined, signal: string | undefined): string {
  if (code === undefined) return s.words.legends.exit;
  return signal ? s.words.killed(code, signal) : s.words.exit(code);
}
