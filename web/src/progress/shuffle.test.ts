import test from 'node:test';
import assert from 'node:assert/strict';
import {shuffle} from './shuffle.ts';

const items = ['a', 'b', 'c', 'd'];

test('the same seed and key give the same order', () => {
  for (let seed = 0; seed < 50; seed++) assert.deepEqual(shuffle(items, seed, 'l/q'), shuffle(items, seed, 'l/q'));
  assert.deepEqual(shuffle(items, 7, 'l/q'), ['a', 'd', 'c', 'b']);
});

test('nothing is lost, and what was given stays as it is', () => {
  const before = [...items];
  assert.deepEqual([...shuffle(items, 3, 'l/q')].sort(), items);
  assert.deepEqual(items, before);
  assert.deepEqual(shuffle([], 1, 'x'), []);
});

test('every order comes, about equally often', () => {
  const count = new Map<string, number>();
  for (let seed = 0; seed < 2400; seed++) {
    const order = shuffle(items, seed, 'l/q').join('');
    count.set(order, (count.get(order) ?? 0) + 1);
  }
  assert.equal(count.size, 24);
  for (const [order, n] of count) assert.ok(n > 50 && n < 170, `${order}: ${n} times`);
});
