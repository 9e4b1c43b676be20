import test from 'node:test';
import assert from 'node:assert/strict';
import {judge} from './judge.ts';
import vectors from './testdata/judge.json';

for (const v of vectors) {
  test(v.name, () => assert.equal(judge(v.right, v.chosen), v.want));
}
