// What a learner's progress is made of, how two copies of it become one, and
// how it is read from text that may hold anything.
//
// A State only grows within an epoch, and merge is commutative, associative
// and idempotent. So it does not matter in which order tabs write and hear of
// each other: all of them arrive at the same state, and no answer is lost.
// Whatever takes something away (a reset, an import that replaces) begins a
// new epoch, and the newest epoch wins.

/** What was answered, as the block's kind wrote it: options, typed text, an order. */
export type Detail = string | readonly string[];

/** One try at one question. */
export interface Attempt {
  /** When, in milliseconds since 1970; no two tries at a question share it. */
  readonly at: number;
  readonly right: boolean;
  /** Kept for the newest try only. */
  readonly detail?: Detail;
}

/** What FSRS remembers of a card; times are milliseconds since 1970. */
export interface Memory {
  readonly stability: number;
  readonly difficulty: number;
  readonly elapsed: number;
  readonly scheduled: number;
  readonly steps: number;
  readonly reps: number;
  readonly lapses: number;
  readonly state: 0 | 1 | 2 | 3;
  readonly last: number;
}

/** A flashcard that the learner has taken up. */
export interface Card {
  /** When it is to be reviewed. */
  readonly due: number;
  /** When this was written; the newest writing of a card wins. */
  readonly edited: number;
  /** Absent until its first rating. */
  readonly memory?: Memory;
}

/** Where a learner stopped reading a lesson. */
export interface Place {
  readonly section: string;
  readonly title: string;
  /** The title's language. */
  readonly lang: string;
  readonly at: number;
}

export interface State {
  /** Grows when something is taken away on purpose. */
  epoch: number;
  /** Shuffles options, so that they stay where they are for one learner. */
  seed: number;
  /** Tries at each question, oldest first. */
  readonly answers: Map<string, readonly Attempt[]>;
  /** What each award was worth; a key is awarded once. */
  readonly awards: Map<string, number>;
  readonly cards: Map<string, Card>;
  /** By lesson. */
  readonly places: Map<string, Place>;
}

export const VERSION = 1;

/** The first try and this many of the newest are kept. */
const NEWEST = 49;

export function empty(epoch: number, seed: number): State {
  return {epoch, seed, answers: new Map(), awards: new Map(), cards: new Map(), places: new Map()};
}

export function merge(a: State, b: State): State {
  if (a.epoch !== b.epoch) return a.epoch > b.epoch ? a : b;
  return {
    epoch: a.epoch,
    seed: Math.min(a.seed, b.seed),
    answers: mergeMaps(a.answers, b.answers, mergeAttempts),
    awards: mergeMaps(a.awards, b.awards, Math.max),
    cards: mergeMaps(a.cards, b.cards, (x, y) => newest(x, y, c => c.edited)),
    places: mergeMaps(a.places, b.places, (x, y) => newest(x, y, p => p.at)),
  };
}

/** The part of a state that came about at or after a time; of awards, those for answers. */
export function since(s: State, at: number): State {
  const out = empty(s.epoch, s.seed);
  for (const [key, log] of s.answers) {
    const newer = log.filter(t => t.at >= at);
    if (newer.length === 0) continue;
    out.answers.set(key, newer);
    const award = s.awards.get(`answer:${key}`);
    if (award !== undefined && newer.some(t => t.right)) out.awards.set(`answer:${key}`, award);
  }
  for (const [key, card] of s.cards) if (card.edited >= at) out.cards.set(key, card);
  for (const [slug, place] of s.places) if (place.at >= at) out.places.set(slug, place);
  return out;
}

function mergeMaps<T>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>, both: (x: T, y: T) => T): Map<string, T> {
  const out = new Map(a);
  for (const [key, y] of b) {
    const x = out.get(key);
    out.set(key, x === undefined ? y : both(x, y));
  }
  return out;
}

/** The newer of two, and where they are equally new the same one from either side. */
function newest<T>(x: T, y: T, at: (v: T) => number): T {
  if (at(x) !== at(y)) return at(x) > at(y) ? x : y;
  return canonical(x) >= canonical(y) ? x : y;
}

/** Brings a question's tries into the form that a State holds. */
export function mergeAttempts(a: readonly Attempt[], b: readonly Attempt[]): readonly Attempt[] {
  const byTime = new Map<number, Attempt>();
  for (const t of [...a, ...b]) {
    const other = byTime.get(t.at);
    byTime.set(t.at, other === undefined ? t : sameTime(other, t));
  }
  const all = [...byTime.values()].sort((x, y) => x.at - y.at);
  const kept = all.length <= NEWEST + 1 ? all : [...all.slice(0, 1), ...all.slice(-NEWEST)];
  return kept.map((t, i) => (i === kept.length - 1 ? t : {at: t.at, right: t.right}));
}

/** The same try from two copies, one of which may have let its detail go. */
function sameTime(x: Attempt, y: Attempt): Attempt {
  return canonical([x.right, x.detail ?? '']) >= canonical([y.right, y.detail ?? '']) ? x : y;
}

/** JSON with sorted keys: equal values have equal texts. */
function canonical(v: unknown): string {
  return JSON.stringify(v, (_, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

export function encode(s: State): string {
  return canonical({
    version: VERSION,
    epoch: s.epoch,
    seed: s.seed,
    answers: Object.fromEntries(s.answers),
    awards: Object.fromEntries(s.awards),
    cards: Object.fromEntries(s.cards),
    places: Object.fromEntries(s.places),
  });
}

/** What is wrong with a text that should have held progress. */
export class BadState extends Error {
  constructor(
    readonly reason: 'not-json' | 'not-progress' | 'newer',
    /** Where: "answers.04-consumer/ack.0.at". */
    readonly where: string,
  ) {
    super(`${reason} at ${where || 'the top'}`);
  }
}

/** Reads what encode wrote. Throws BadState and nothing else. */
export function decode(text: string): State {
  let v: unknown;
  try {
    v = JSON.parse(text);
  } catch {
    throw new BadState('not-json', '');
  }
  const top = fields(v, '');
  if (typeof top['version'] === 'number' && top['version'] > VERSION) throw new BadState('newer', 'version');
  if (top['version'] !== VERSION) throw new BadState('not-progress', 'version');
  return {
    epoch: natural(top['epoch'], 'epoch'),
    seed: natural(top['seed'], 'seed'),
    answers: mapOf(top['answers'], 'answers', (list, at) => {
      if (!Array.isArray(list) || list.length === 0) throw new BadState('not-progress', at);
      return mergeAttempts(
        [],
        list.map((t: unknown, i) => attempt(t, `${at}.${i}`)),
      );
    }),
    awards: mapOf(top['awards'], 'awards', (n, at) => within(natural(n, at), 100, at)),
    cards: mapOf(top['cards'], 'cards', card),
    places: mapOf(top['places'], 'places', (p, at) => {
      const o = fields(p, at);
      return {
        section: short(o['section'], `${at}.section`),
        title: short(o['title'], `${at}.title`),
        lang: short(o['lang'], `${at}.lang`),
        at: natural(o['at'], `${at}.at`),
      };
    }),
  };
}

function attempt(v: unknown, at: string): Attempt {
  const o = fields(v, at);
  if (typeof o['right'] !== 'boolean') throw new BadState('not-progress', `${at}.right`);
  const out = {at: natural(o['at'], `${at}.at`), right: o['right']};
  return o['detail'] === undefined ? out : {...out, detail: detail(o['detail'], `${at}.detail`)};
}

function detail(v: unknown, at: string): Detail {
  if (typeof v === 'string' && v.length <= 10_000) return v;
  if (Array.isArray(v) && v.length <= 200) return v.map((s: unknown, i) => short(s, `${at}.${i}`));
  throw new BadState('not-progress', at);
}

function card(v: unknown, at: string): Card {
  const o = fields(v, at);
  const out = {due: natural(o['due'], `${at}.due`), edited: natural(o['edited'], `${at}.edited`)};
  if (o['memory'] === undefined) return out;
  const m = fields(o['memory'], `${at}.memory`);
  const number = (name: string) => {
    const n = m[name];
    if (typeof n !== 'number' || !Number.isFinite(n) || n < 0)
      throw new BadState('not-progress', `${at}.memory.${name}`);
    return n;
  };
  const state = m['state'];
  if (state !== 0 && state !== 1 && state !== 2 && state !== 3)
    throw new BadState('not-progress', `${at}.memory.state`);
  return {
    ...out,
    memory: {
      stability: number('stability'),
      difficulty: number('difficulty'),
      elapsed: number('elapsed'),
      scheduled: number('scheduled'),
      steps: number('steps'),
      reps: number('reps'),
      lapses: number('lapses'),
      state,
      last: natural(m['last'], `${at}.memory.last`),
    },
  };
}

function fields(v: unknown, at: string): Record<string, unknown> {
  if (v === null || typeof v !== 'object' || Array.isArray(v)) throw new BadState('not-progress', at);
  return Object.fromEntries(Object.entries(v));
}

const KEY = /^[\w.:/-]{1,200}$/;

function mapOf<T>(v: unknown, at: string, read: (v: unknown, at: string) => T): Map<string, T> {
  const out = new Map<string, T>();
  for (const [key, value] of Object.entries(fields(v, at))) {
    if (!KEY.test(key)) throw new BadState('not-progress', `${at}.${key.slice(0, 40)}`);
    out.set(key, read(value, `${at}.${key}`));
  }
  return out;
}

/** Times, counts, seeds: whole numbers that a Date can hold. */
function natural(v: unknown, at: string): number {
  if (typeof v !== 'number' || !Number.isInteger(v) || v < 0) throw new BadState('not-progress', at);
  return within(v, 8.64e15, at);
}

function within(n: number, most: number, at: string): number {
  if (n > most) throw new BadState('not-progress', at);
  return n;
}

function short(v: unknown, at: string): string {
  if (typeof v !== 'string' || v.length > 500) throw new BadState('not-progress', at);
  return v;
}
