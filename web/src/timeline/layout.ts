// Where each lane lies, and where labels find room. Lengths are px.

import type {Model} from './model.ts';
import type {Process} from './process.ts';

export interface Lane {
  readonly kind: 'platform' | 'process' | 'broker' | 'clients';
  /** Whose lane, as events name them; also what Model.versions counts by. */
  readonly name: string;
  readonly y: number;
  readonly height: number;
  /** Where its bars, or the broker's area, begin; and how far apart rows are. */
  readonly barsY: number;
  readonly step: number;
  readonly bar: number;
  /** Where what waits in the client is drawn. */
  readonly waitsY: number;
  /** Where the small labelled ticks are. */
  readonly marksY: number;
  readonly process?: Process;
}

export interface Layout {
  readonly lanes: readonly Lane[];
  /** Room for names at the left; 0 where they stand above the bars. */
  readonly gutter: number;
  /** Where the axis is; below it are its labels. */
  readonly axisY: number;
  readonly height: number;
}

/** Above a lane's bars: its name, or little when the name stands beside them. */
const HEAD = 21;
const LOW_HEAD = 13;
/** Where names stand beside the lanes, from this width on. */
const BESIDE = 520;
const GUTTER = 86;
const GAP = 9;
export const MARK_ROW = 13;
export const WAIT_ROW = 5;
const AXIS = 19;
/** More rows than this are drawn lower. */
const ROOMY = 10;
/** Rows beyond share the last one. */
export const MOST_WAITS = 6;
export const MOST_ROWS = 40;
export const AREA = 46;

export function layout(model: Model, needs: readonly string[], width: number): Layout {
  const gutter = width >= BESIDE ? GUTTER : 0;
  const head = gutter > 0 ? LOW_HEAD : HEAD;
  const amqp = needs.includes('amqp');
  const lanes: Lane[] = [];
  let y = 2;
  const add = (lane: Omit<Lane, 'y'>): void => {
    lanes.push({...lane, y});
    y += lane.height + GAP;
  };
  const graces = Math.max(1, concurrent(model));
  const signals = gutter > 0 ? 4 : HEAD;
  add({
    kind: 'platform', name: 'platform', height: Math.max(signals + 17 + graces * 11 + 1, 36), barsY: signals + 18, step: 11, bar: 8,
    waitsY: 0, marksY: signals,
  });
  for (const p of model.processes.values()) add(processLane(p, amqp, head));
  if (model.processes.size === 0) add(processLane(undefined, amqp, head));
  if (needs.includes('http')) {
    const rows = Math.min(Math.max(model.connRows, 3), MOST_ROWS);
    const step = rows > ROOMY ? 7 : 13;
    add({
      kind: 'clients', name: 'client', height: head + rows * step + 3, barsY: head, step, bar: rows > ROOMY ? 5 : 11,
      waitsY: 0, marksY: 0,
    });
  }
  if (amqp) {
    const top = gutter > 0 ? 5 : HEAD;
    add({
      kind: 'broker', name: 'broker', height: top + AREA + 3 + MARK_ROW, barsY: top, step: AREA, bar: AREA,
      waitsY: 0, marksY: top + AREA + 3,
    });
  }
  const axisY = y - GAP + 5;
  return {lanes, gutter, axisY, height: axisY + AXIS};
}

/** p is absent before the first process has started: its lane keeps its place. */
function processLane(p: Process | undefined, amqp: boolean, head: number): Omit<Lane, 'y'> {
  const rows = Math.min(Math.max(p?.rows ?? 0, 2), MOST_ROWS);
  const step = rows > ROOMY ? 8 : 17;
  const waits = amqp ? Math.min(Math.max(p?.waits ?? 0, 3), MOST_WAITS) : 0;
  const waitsY = head + rows * step + 1;
  const marksY = waitsY + waits * WAIT_ROW + 3;
  return {
    kind: 'process', name: p?.name ?? '', height: marksY + 2 * MARK_ROW, barsY: head, step, bar: rows > ROOMY ? 6 : 14, waitsY, marksY,
    ...(p ? {process: p} : {}),
  };
}

/** How many grace periods ran at once, at most. */
function concurrent(model: Model): number {
  const ends = model.graces.map(g => g.end ?? Infinity);
  return model.graces.reduce((most, g, i) => Math.max(most, ends.slice(0, i).filter(end => end > g.start).length + 1), 0);
}

export interface Label {
  readonly x: number;
  readonly text: string;
}

export interface Placed extends Label {
  /** -1 where there was no room: the tick stands alone. */
  readonly row: number;
  readonly end: boolean;
}

/** How wide a character of a small label is, about; of a bold one. */
const CHAR = 5.9;
export const BOLD = 6.9;

/** About as wide as text of our small labels is. */
export function textWidth(text: string, char = CHAR): number {
  return [...text].length * char + 4;
}

export interface Style {
  /** Ticks closer than this share a label. */
  readonly apart?: number;
  readonly joint?: string;
  readonly char?: number;
}

/** As much of a text as fits into a width. */
function shorten(text: string, width: number, char: number): string {
  if (textWidth(text, char) <= width) return text;
  const most = Math.max(Math.floor((width - 4) / char) - 1, 1);
  return `${[...text].slice(0, most).join('')}…`;
}

/**
 * Finds a row for each label, from left to right; those whose ticks are closer
 * than apart become one. A label that would leave the chart hangs to its left.
 */
export function place(labels: readonly Label[], rows: number, width: number, {apart = 7, joint = ' → ', char = CHAR}: Style = {}): Placed[] {
  const joined: {x: number; text: string}[] = [];
  for (const l of labels) {
    const last = joined.at(-1);
    if (last && l.x - last.x < apart) last.text += joint + l.text;
    else joined.push({x: l.x, text: l.text});
  }
  const ends: number[] = Array.from({length: rows}, () => -Infinity);
  return joined.map(l => {
    const end = l.x + textWidth(l.text, char) > width && l.x > width - l.x;
    const text = shorten(l.text, end ? l.x : width - l.x, char);
    const w = textWidth(text, char);
    const left = end ? l.x - w : l.x;
    const row = ends.findIndex(e => e <= left);
    if (row >= 0) ends[row] = left + w + 6;
    return {x: l.x, text, row, end};
  });
}
