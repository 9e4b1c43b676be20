// The learner's progress, kept in the browser's storage and shared by all
// tabs. Nothing here throws because of what the storage holds or refuses:
// broken contents are moved aside, and where nothing can be kept the tab goes
// on from memory and says so.

import {BadState, decode, empty, encode, merge, mergeAttempts, since} from './state.ts';
import type {Attempt, Card, Detail, Place, State} from './state.ts';

/** The part of localStorage that is used. */
export interface Storage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** What the store takes from the world, so that tests can hand it in. */
export interface World {
  /** Null where the browser has no storage or forbids it. */
  readonly storage: Storage | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A number in [0, 1). */
  readonly random: () => number;
}

export const STATE = 'drainlab.v1';
/** What was there before a reset or an import, for undo. */
export const UNDO = 'drainlab.v1.undo';
/** The last contents that could not be read. */
export const BROKEN = 'drainlab.v1.broken';

/** How long a reset or an import can be undone. */
const UNDO_FOR = 7 * 24 * 3600 * 1000;

/** Award for the first try being right, and for a later one. */
const FIRST = 10;
const LATER = 4;
const AWARDS = {run: 2} as const;
export type Award = keyof typeof AWARDS;

/** Whether progress outlives the tab: kept, no room left, or forbidden. */
export type Health = 'kept' | 'full' | 'blocked';

export type Taken = 'reset' | 'import';

export interface Outcome {
  /** XP that this try brought. */
  readonly gained: number;
  readonly tries: number;
}

/** What is known of one question. */
export interface Record {
  readonly tries: number;
  /** Whether the newest try was right. */
  readonly right: boolean;
  readonly detail: Detail | undefined;
  readonly at: number;
}

export interface Summary {
  readonly answered: number;
  readonly right: number;
  readonly tries: number;
  readonly xp: number;
  readonly cards: number;
}

interface Undo {
  readonly what: Taken;
  readonly at: number;
  readonly state: State;
}

export class Progress {
  #state: State;
  #health: Health = 'kept';
  #unread: string | null = null;
  #undo: Undo | null = null;
  readonly #world: World;
  readonly #changed: () => void;

  /** changed is called after every change, also one from another tab. */
  constructor(world: World, changed: () => void) {
    this.#world = world;
    this.#changed = changed;
    this.#state = empty(0, Math.floor(world.random() * 2 ** 32));
    const stored = this.#read();
    // A fresh store keeps its seed at once, so that options stay put from the
    // first page on.
    if (stored === null) this.#write();
    else this.#state = stored;
    this.#undo = this.#readUndo();
  }

  // Questions.

  /** Takes down a try at a question. */
  answered(key: string, given: {right: boolean; detail?: Detail}): Outcome {
    let gained = 0;
    let tries = 0;
    this.#change(s => {
      const before = s.answers.get(key) ?? [];
      const last = before.at(-1);
      const at = Math.max(this.#world.now(), last === undefined ? 0 : last.at + 1);
      const attempt: Attempt =
        given.detail === undefined ? {at, right: given.right} : {at, right: given.right, detail: given.detail};
      const log = mergeAttempts(before, [attempt]);
      s.answers.set(key, log);
      tries = log.length;
      if (given.right && !s.awards.has(`answer:${key}`)) {
        gained = before.length === 0 ? FIRST : LATER;
        s.awards.set(`answer:${key}`, gained);
      }
    });
    return {gained, tries};
  }

  answer(key: string): Record | undefined {
    const log = this.#state.answers.get(key);
    const last = log?.at(-1);
    if (log === undefined || last === undefined) return undefined;
    return {tries: log.length, right: last.right, detail: last.detail, at: last.at};
  }

  /** Questions whose newest try was wrong, the longest ago first. */
  toRetry(): string[] {
    return [...this.#state.answers]
      .flatMap(([key, log]) => {
        const last = log.at(-1);
        return last !== undefined && !last.right ? [{key, at: last.at}] : [];
      })
      .sort((a, b) => a.at - b.at)
      .map(({key}) => key);
  }

  get seed(): number {
    return this.#state.seed;
  }

  // XP.

  get xp(): number {
    let sum = 0;
    for (const n of this.#state.awards.values()) sum += n;
    return sum;
  }

  /** Awards what for key, once, and returns the XP that it brought. */
  award(what: Award, key: string): number {
    const name = `${what}:${key}`;
    let gained = 0;
    this.#change(s => {
      if (s.awards.has(name)) return;
      gained = AWARDS[what];
      s.awards.set(name, gained);
    });
    return gained;
  }

  // Places.

  /** Remembers where in a lesson the learner is. */
  resume(slug: string, section: string, title: string, lang: string): void {
    this.#change(s => s.places.set(slug, {section, title: title.slice(0, 200), lang, at: this.#world.now()}));
  }

  place(slug: string): Place | undefined {
    return this.#state.places.get(slug);
  }

  /** The lesson that was read last. */
  lastRead(): {slug: string; place: Place} | undefined {
    let newest: {slug: string; place: Place} | undefined;
    for (const [slug, place] of this.#state.places) {
      if (newest === undefined || place.at > newest.place.at) newest = {slug, place};
    }
    return newest;
  }

  /** How many of these questions were tried, and how many are right now. */
  count(keys: readonly string[]): {answered: number; right: number} {
    const seen = keys.flatMap(key => this.answer(key) ?? []);
    return {answered: seen.length, right: seen.filter(a => a.right).length};
  }

  // Cards.

  card(key: string): Card | undefined {
    return this.#state.cards.get(key);
  }

  /** Takes cards up; those already taken up stay as they are. Returns how many were new. */
  addCards(keys: readonly string[]): number {
    let added = 0;
    this.#change(s => {
      const now = this.#world.now();
      for (const key of keys) {
        if (s.cards.has(key)) continue;
        s.cards.set(key, {due: now, edited: now});
        added++;
      }
    });
    return added;
  }

  /** Writes what a rating, or undoing one, made of a card. */
  putCard(key: string, card: Omit<Card, 'edited'>): void {
    this.#change(s => {
      const before = s.cards.get(key);
      const edited = Math.max(this.#world.now(), before === undefined ? 0 : before.edited + 1);
      s.cards.set(key, {...card, edited});
    });
  }

  /** Keys of all cards taken up, the longest due first. */
  cardKeys(): string[] {
    return [...this.#state.cards].sort(([, a], [, b]) => a.due - b.due).map(([key]) => key);
  }

  /** How many cards are due now. */
  get due(): number {
    const now = this.#world.now();
    let n = 0;
    for (const card of this.#state.cards.values()) if (card.due <= now) n++;
    return n;
  }

  // The whole.

  get summary(): Summary {
    return summarise(this.#state);
  }

  get health(): Health {
    return this.#health;
  }

  /** What was stored when the page loaded and could not be read; null when all was well. It was moved aside. */
  get unread(): string | null {
    return this.#unread;
  }

  /** All progress as the text of a file. */
  export(): string {
    return encode(this.#state);
  }

  /** Adds what a file holds to what is here. */
  importMerge(from: State): void {
    this.#keepUndo('import');
    this.#change(s => {
      Object.assign(s, merge(s, {...from, epoch: s.epoch}));
    });
  }

  /** Puts what a file holds in place of what is here. */
  importReplace(from: State): void {
    this.#keepUndo('import');
    this.#begin({...from, seed: this.#state.seed});
  }

  /** Forgets everything. Can be undone. */
  reset(): void {
    this.#keepUndo('reset');
    this.#begin(empty(0, this.#state.seed));
  }

  /** What can be undone now. */
  get undoable(): Taken | undefined {
    const u = this.#undo;
    return u !== null && this.#world.now() - u.at < UNDO_FOR ? u.what : undefined;
  }

  /** Brings back what the last reset or import took away; what was answered since stays. */
  undo(): void {
    const u = this.#undo;
    if (this.undoable === undefined || u === null) return;
    // After an import, what came with it goes again; after a reset, all that
    // is here was done since.
    const done = u.what === 'reset' ? this.#state : since(this.#state, u.at);
    const back = merge({...u.state, epoch: 0}, {...done, epoch: 0});
    this.#undo = null;
    this.#try(storage => storage.removeItem(UNDO));
    this.#begin(back);
  }

  /** Hears that another tab wrote: text is what it wrote under key. */
  heard(key: string | null, text: string | null): void {
    if (key === UNDO) {
      this.#undo = this.#readUndo();
      this.#changed();
      return;
    }
    if (key !== STATE || text === null) return;
    let theirs: State;
    try {
      theirs = decode(text);
    } catch (err) {
      if (err instanceof BadState) return; // what is in memory is good; the next write replaces theirs
      throw err;
    }
    const before = encode(this.#state);
    this.#state = merge(this.#state, theirs);
    const after = encode(this.#state);
    // Two tabs can have written at the same moment, from the same beginning.
    if (after !== text) this.#write();
    if (after !== before) this.#changed();
  }

  #change(edit: (s: State) => void): void {
    const stored = this.#read();
    if (stored !== null) this.#state = merge(this.#state, stored);
    edit(this.#state);
    this.#write();
    this.#changed();
  }

  /** Starts a new epoch with the contents of s. */
  #begin(s: State): void {
    const stored = this.#read();
    const newest = Math.max(this.#state.epoch, stored?.epoch ?? 0);
    this.#state = {...s, epoch: Math.max(this.#world.now(), newest + 1)};
    this.#write();
    this.#changed();
  }

  /** What is stored; null when there is nothing that can be read. */
  #read(): State | null {
    let text: string | null;
    try {
      if (this.#world.storage === null) throw new Error('no storage');
      text = this.#world.storage.getItem(STATE);
    } catch {
      this.#health = 'blocked';
      return null;
    }
    if (text === null) return null;
    try {
      return decode(text);
    } catch (err) {
      if (!(err instanceof BadState)) throw err;
      const unread = text;
      this.#unread = text;
      this.#try(storage => {
        storage.setItem(BROKEN, unread);
        storage.removeItem(STATE);
      });
      return null;
    }
  }

  #write(): void {
    if (this.#try(storage => storage.setItem(STATE, encode(this.#state)))) this.#health = 'kept';
  }

  #try(use: (storage: Storage) => void): boolean {
    if (this.#world.storage === null) {
      this.#health = 'blocked';
      return false;
    }
    try {
      use(this.#world.storage);
      return true;
    } catch (err) {
      const full = err instanceof Error && /quota/i.test(err.name);
      this.#health = full ? 'full' : 'blocked';
      return false;
    }
  }

  #keepUndo(what: Taken): void {
    const at = this.#world.now();
    const text = encode(this.#state);
    this.#undo = {what, at, state: decode(text)};
    this.#try(storage => storage.setItem(UNDO, JSON.stringify({what, at, state: text})));
  }

  #readUndo(): Undo | null {
    try {
      const v: unknown = JSON.parse(this.#world.storage?.getItem(UNDO) ?? 'null');
      if (v === null || typeof v !== 'object' || !('what' in v) || !('at' in v) || !('state' in v)) return null;
      const {what, at, state} = v;
      if ((what !== 'reset' && what !== 'import') || typeof at !== 'number' || typeof state !== 'string') return null;
      return {what, at, state: decode(state)};
    } catch {
      return null; // unreadable or unreachable: there is nothing to undo
    }
  }
}

/** What a state amounts to. */
export function summarise(s: State): Summary {
  let right = 0;
  let tries = 0;
  let xp = 0;
  for (const log of s.answers.values()) {
    tries += log.length;
    if (log.at(-1)?.right === true) right++;
  }
  for (const n of s.awards.values()) xp += n;
  return {answered: s.answers.size, right, tries, xp, cards: s.cards.size};
}
