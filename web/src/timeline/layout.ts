// Where each lane lies, and where labels find room. Lengths are px.

import type {Model, Process} from './model.ts';

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
  /** Where the axis is; below it are its labels. */
  readonly axisY: number;
  readonly height: number;
}

const HEAD = 21;
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

export function layout(model: Model, needs: readonly string[]): Layout {
  const amqp = needs.includes('amqp');
  const lanes: Lane[] = [];
  let y = 2;
  const add = (lane: Omit<Lane, 'y'>): void => {
    lanes.push({...lane, y});
    y += lane.height + GAP;
  };
  const graces = Math.max(1, concurrent(model));
  add({
    kind: 'platform', name: 'platform', height: HEAD + 17 + graces * 11, barsY: HEAD + 17, step: 11, bar: 8,
    waitsY: 0, marksY: HEAD,
  });
  for (const p of model.processes.values()) add(processLane(p, amqp));
  if (model.processes.size === 0) add(processLane(undefined, amqp));
  if (needs.includes('http')) {
    const rows = Math.min(Math.max(model.connRows, 3), MOST_ROWS);
    const step = rows > ROOMY ? 7 : 13;
    add({
      kind: 'clients', name: 'client', height: HEAD + rows * step + 2, barsY: HEAD, step, bar: rows > ROOMY ? 5 : 10,
      waitsY: 0, marksY: HEAD,
    });
  }
  if (amqp) {
    add({
      kind: 'broker', name: 'broker', height: HEAD + AREA + 5 + MARK_ROW, barsY: HEAD, step: AREA, bar: AREA,
      waitsY: 0, marksY: HEAD + AREA + 5,
    });
  }
  const axisY = y - GAP + 5;
  return {lanes, axisY, height: axisY + AXIS};
}

/** p is absent before the first process has started: its lane keeps its place. */
function processLane(p: Process | undefined, amqp: boolean): Omit<Lane, 'y'> {
  const rows = Math.min(Math.max(p?.rows ?? 0, 2), MOST_ROWS);
  const step = rows > ROOMY ? 8 : 17;
  const waits = amqp ? Math.min(Math.max(p?.waits ?? 0, 3), MOST_WAITS) : 0;
  const waitsY = HEAD + rows * step + 1;
  const marksY = waitsY + waits * WAIT_ROW + 3;
  return {
    kind: 'process', name: p?.name ?? '', height: marksY + 2 * MARK_ROW, barsY: HEAD, step, bar: rows > ROOMY ? 6 : 14, waitsY, marksY,
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
