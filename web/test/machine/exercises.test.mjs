// Every program of every exercise, in every scenario, on a few seeds: it fails
// by exactly the checks that exercise.yaml names, and the same seed gives the
// same run.

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {catalog, compile, failed, kernel} from './build.mjs';

const seeds = Number(process.env['DRAINLAB_SEEDS'] ?? 3);
const twice = Number(process.env['DRAINLAB_SEEDS_TWICE'] ?? 20);
const exercises = await catalog();
const system = './wasm/system';
const path = (e, p) => `./exercises/${e.exercise.slug}/${p.name}`;
const modules = await compile(system, ...exercises.flatMap(e => e.programs.map(p => path(e, p))));
const {Run} = await kernel('play');

function play(e, p, scenario, seed) {
  const run = new Run({system: modules[system], program: modules[path(e, p)]}, {exercise: e.exercise, scenario, program: p.name}, seed);
  const outcome = run.run();
  assert.equal(run.complaint, '');
  assert.deepEqual(outcome, {kind: 'exited', exit: {code: 0, signal: 0, reason: ''}});
  return run;
}

for (const e of exercises) {
  for (const p of e.programs) {
    for (const scenario of e.scenarios) {
      test(`${e.exercise.slug}/${p.name} in ${scenario.name}`, () => {
        const want = [...(p.fails?.[scenario.name] ?? [])].sort();
        for (let seed = 1; seed <= seeds; seed++) {
          const run = play(e, p, scenario, seed);
          const said = run.verdict?.checks.filter(c => !c.pass).map(c => `${c.check}: ${c.detail}`).join('\n');
          assert.deepEqual(failed(run).sort(), want, `seed ${seed}\n${said}`);
        }
      });
    }
  }
}

test('the same seed gives the same run to the byte, another seed another', () => {
  const e = exercises.find(e => e.exercise.slug === 'consumer');
  const p = e.programs.find(p => p.name === 'solution');
  const scenario = e.scenarios.find(s => s.name === 'term-under-load');
  const all = new Set();
  for (let seed = 1; seed <= twice; seed++) {
    const once = play(e, p, scenario, seed).lines.join('\n');
    assert.ok(once.includes('"run.ended"'));
    assert.equal(play(e, p, scenario, seed).lines.join('\n'), once, `seed ${seed}`);
    all.add(once);
  }
  assert.equal(all.size, twice, 'seeds whose runs are alike');
  // Not only the times differ, but what happens before what.
  const orders = new Set([...all].map(text => text.split('\n').map(line => {
    const {from, kind, message} = JSON.parse(line);
    return `${from} ${kind} ${message ?? ''}`;
  }).join('\n')));
  assert.ok(orders.size > 1, 'every seed has the same order');
});
