// When a card comes back: FSRS, from the learner's own answers.

import {createEmptyCard, fsrs, Rating} from 'ts-fsrs';
import type {Card as FsrsCard, Grade} from 'ts-fsrs';
import type {Card, Memory} from './state.ts';

/** The four answers, in the order of the keys 1 to 4. */
export const GRADES = ['again', 'hard', 'good', 'easy'] as const;
export type GradeName = (typeof GRADES)[number];

const RATING: {readonly [name in GradeName]: Grade} = {
  again: Rating.Again,
  hard: Rating.Hard,
  good: Rating.Good,
  easy: Rating.Easy,
};

// Without fuzz the interval on a button is the one that pressing it gives.
const scheduler = fsrs({enable_fuzz: false});

/** What a card becomes when it is rated now. */
export function rate(memory: Memory | undefined, grade: GradeName, now: number): Omit<Card, 'edited'> {
  const {card} = scheduler.next(toFsrs(memory, now), new Date(now), RATING[grade]);
  return {due: card.due.getTime(), memory: fromFsrs(card, now)};
}

/** In how many milliseconds a card comes back, for each answer given now. */
export function intervals(memory: Memory | undefined, now: number): {[name in GradeName]: number} {
  const after = (grade: GradeName) => rate(memory, grade, now).due - now;
  return {again: after('again'), hard: after('hard'), good: after('good'), easy: after('easy')};
}

function toFsrs(m: Memory | undefined, now: number): FsrsCard {
  const fresh = createEmptyCard(new Date(now));
  if (m === undefined) return fresh;
  return {
    ...fresh,
    stability: m.stability,
    difficulty: m.difficulty,
    elapsed_days: m.elapsed,
    scheduled_days: m.scheduled,
    learning_steps: m.steps,
    reps: m.reps,
    lapses: m.lapses,
    state: m.state,
    // A clock that was set back must not make the last review lie ahead.
    last_review: new Date(Math.min(m.last, now)),
  };
}

function fromFsrs(c: FsrsCard, now: number): Memory {
  return {
    stability: c.stability,
    difficulty: c.difficulty,
    elapsed: c.elapsed_days,
    scheduled: c.scheduled_days,
    steps: c.learning_steps,
    reps: c.reps,
    lapses: c.lapses,
    state: c.state,
    last: now,
  };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "in 10 min", "in 3 days": how long from now, rounded as people do. */
export function inTime(ms: number, lang: string): string {
  const [n, unit] = amount(ms);
  return new Intl.RelativeTimeFormat(lang, {style: 'long', numeric: 'always'}).format(n, unit);
}

/** "10 min", "3 days": for a button. */
export function interval(ms: number, lang: string): string {
  const [n, unit] = amount(ms);
  return new Intl.NumberFormat(lang, {style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 0}).format(n);
}

function amount(ms: number): [number, 'minute' | 'hour' | 'day' | 'month' | 'year'] {
  if (ms < 59.5 * MINUTE) return [Math.max(1, Math.round(ms / MINUTE)), 'minute'];
  if (ms < 23.5 * HOUR) return [Math.round(ms / HOUR), 'hour'];
  if (ms < 30.5 * DAY) return [Math.round(ms / DAY), 'day'];
  if (ms < 364 * DAY) return [Math.round(ms / (30.44 * DAY)), 'month'];
  return [Math.round(ms / (365.25 * DAY)), 'year'];
}
