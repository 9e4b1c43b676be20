import test from 'node:test';
import assert from 'node:assert/strict';
import {GRADES, interval, intervals, inTime, rate} from './schedule.ts';
import {decode, encode, empty} from './state.ts';

const T = Date.UTC(2026, 0, 5, 9);
const DAY = 24 * 3600 * 1000;

test('a better answer brings a card back later', () => {
  for (const memory of [undefined, rate(undefined, 'easy', T).memory]) {
    const now = memory === undefined ? T : T + 10 * DAY;
    const {again, hard, good, easy} = intervals(memory, now);
    assert.ok(0 < again && again <= hard && hard <= good && good < easy, [again, hard, good, easy].join());
  }
});

test('the interval on the button is the one that pressing it gives', () => {
  const memory = rate(rate(undefined, 'good', T).memory, 'good', T + 600_000).memory;
  const now = T + 5 * DAY;
  for (const grade of GRADES) assert.equal(rate(memory, grade, now).due - now, intervals(memory, now)[grade]);
});

test('good answers stretch the interval, forgetting shrinks it', () => {
  let card = rate(undefined, 'good', T);
  let now = card.due;
  card = rate(card.memory, 'good', now);
  const gaps: number[] = [];
  for (let i = 0; i < 4; i++) {
    now = card.due;
    card = rate(card.memory, 'good', now);
    gaps.push(card.due - now);
  }
  assert.deepEqual(
    gaps,
    [...gaps].sort((a, b) => a - b),
  );
  const forgot = rate(card.memory, 'again', card.due);
  assert.ok(forgot.due - card.due < (gaps[3] ?? 0) / 10);
  assert.equal(forgot.memory?.lapses, 1);
});

test('what FSRS remembers survives storage, whatever was answered', () => {
  let card = rate(undefined, 'again', T);
  for (let i = 0; i < 40; i++) {
    const grade = GRADES[(i * 7) % 4] ?? 'good';
    card = rate(card.memory, grade, card.due);
    const s = empty(1, 1);
    s.cards.set('l/c/x', {...card, edited: T});
    assert.deepEqual(decode(encode(s)).cards.get('l/c/x'), {...card, edited: T});
  }
});

test('a clock that was set back does no harm', () => {
  const memory = rate(undefined, 'easy', T).memory;
  const card = rate(memory, 'good', T - 3 * DAY);
  assert.ok(card.due > T - 3 * DAY);
});

test('intervals read as people say them', () => {
  assert.equal(inTime(60_000, 'en'), 'in 1 minute');
  assert.equal(inTime(10 * 60_000, 'en'), 'in 10 minutes');
  assert.equal(inTime(3 * DAY, 'en'), 'in 3 days');
  assert.equal(inTime(3 * DAY, 'ru'), 'через 3 дня');
  assert.equal(inTime(59.7 * 60_000, 'en'), 'in 1 hour');
  assert.equal(interval(60 * DAY, 'en'), '2 mths');
});
