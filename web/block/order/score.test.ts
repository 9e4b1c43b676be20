import test from 'node:test';
import assert from 'node:assert/strict';
import {score} from './score.ts';
import type {Order} from './score.ts';
import vectors from './testdata/score.json';

for (const v of vectors) {
  test(v.name, () => {
    const got = score(v, v.sequence);
    assert.deepEqual({...got}, v.want);
  });
}

/** A small generator, so that a failure comes again. */
function random(seed: number): (n: number) => number {
  return n => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * n);
  };
}

function randomOrder(rand: (n: number) => number, most: number): Order {
  const n = 1 + rand(most);
  // Names do not follow the order, so that nothing can lean on them.
  const ids = [...'abcdefghij'].slice(0, n);
  for (let i = n - 1; i > 0; i--) {
    const j = rand(i + 1);
    const a = ids[i] as string;
    ids[i] = ids[j] as string;
    ids[j] = a;
  }
  const dense = 1 + rand(5);
  const steps = ids.map((id, i) => ({id, after: ids.slice(0, i).filter(() => rand(5) < dense - 1)}));
  return {steps, distractors: ['x', 'y']};
}

function* extensions(order: Order, done: readonly string[] = []): Generator<readonly string[]> {
  if (done.length === order.steps.length) {
    yield done;
    return;
  }
  for (const {id, after} of order.steps) {
    if (!done.includes(id) && after.every(a => done.includes(a))) yield* extensions(order, [...done, id]);
  }
}

function lcs(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const x of a) {
    const next = [0];
    for (let j = 0; j < b.length; j++)
      next.push(x === b[j] ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
    row = next;
  }
  return row[b.length] ?? 0;
}

test('every linear extension of a random partial order scores full', () => {
  const rand = random(7);
  let tried = 0;
  for (let round = 0; round < 150; round++) {
    const order = randomOrder(rand, 6);
    for (const ext of extensions(order)) {
      const got = score(order, ext);
      assert.deepEqual([got.points, got.possible, got.misplaced], [ext.length, ext.length, []]);
      tried++;
    }
  }
  assert.ok(tried > 2000, `only ${tried} were tried`);
});

test('the score is the longest common subsequence with the best linear extension', () => {
  const rand = random(11);
  for (let round = 0; round < 800; round++) {
    const order = randomOrder(rand, 6);
    const pool = [...order.steps.map(s => s.id), ...order.distractors];
    const sequence: string[] = [];
    for (let left = rand(pool.length + 1); left > 0; left--) sequence.push(...pool.splice(rand(pool.length), 1));
    let best = 0;
    for (const ext of extensions(order)) best = Math.max(best, lcs(sequence, ext));
    const got = score(order, sequence);
    assert.equal(got.points, best, JSON.stringify({order, sequence, got}));
    // What is kept is such a common subsequence itself.
    const witness = [...extensions(order)].some(ext => lcs(got.kept, ext) === got.kept.length);
    assert.ok(witness, JSON.stringify({order, sequence, got}));
    assert.equal(got.kept.length + got.misplaced.length + got.used.length, sequence.length);
    const full = got.points === got.possible;
    assert.equal(full, best === order.steps.length && sequence.length === order.steps.length);
  }
});
