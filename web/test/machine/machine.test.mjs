// The machine itself: several processes, what outlives them, and its bounds.

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {catalog, compile, kernel} from './build.mjs';

const base = './wasm/testdata/machine';
const system = './wasm/system';
const solution = './exercises/consumer/solution';
const modules = await compile(`${base}/echo`, `${base}/caller`, `${base}/runaway`, `${base}/talker`, system, solution);
const {Machine} = await kernel('machine');
const {Run} = await kernel('play');
const {Random} = await kernel('random');
const {Queue} = await kernel('queue');

function run(program, args, {seed = 1, limits, supervises = false} = {}) {
  let out = '';
  const machine = new Machine({
    seed, limits, hosts: ['main', 'server'],
    programs: {main: modules[`${base}/${program}`], echo: modules[`${base}/echo`]},
    onOutput: (name, fd, bytes) => {
      if (name === 'main') out += new TextDecoder().decode(bytes);
    },
  });
  machine.start({name: 'main', program: 'main', argv: ['main', ...args], supervises});
  return {outcome: machine.run(), out, machine};
}

test('processes talk, are cut, killed and started again', () => {
  for (const seed of [1, 2, 3]) {
    const {outcome, out} = run('caller', [], {seed, supervises: true});
    assert.equal(out, [
      '"hello\\n" <nil>',
      '[server] <nil>',
      'its port is not on my loopback: refused',
      "nobody's address: no route",
      'cut: 1',
      'reset',
      'server exited 137 signal 9',
      'had nothing unread: EOF',
      'had something unread: reset',
      'gone: refused',
      'server: found one',
      'true',
      'server exited 143 signal 15',
      'to nobody: -3',
      '',
    ].join('\n'));
    assert.deepEqual(outcome, {kind: 'exited', exit: {code: 0, signal: 0, reason: ''}});
  }
});

for (const [what, limits, reason] of [
  ['clock', {looks: 100_000}, /without ever waiting/],
  ['output', {output: 100_000}, /wrote more/],
  ['memory', {memory: 64 << 20}, /more memory/],
  ['goroutines', {memory: 64 << 20}, /more memory/],
]) {
  test(`a program that never stops is ended: ${what}`, () => {
    const {outcome} = run('runaway', [what], {limits});
    assert.equal(outcome.kind, 'exited');
    assert.equal(outcome.exit.code, 137);
    assert.match(outcome.exit.reason, reason);
  });
}

test('a run is bounded in steps and in time', () => {
  assert.deepEqual(run('runaway', ['ticks'], {limits: {steps: 1000}}).outcome, {kind: 'limited', limit: 'steps'});
  assert.deepEqual(run('runaway', ['ticks'], {limits: {time: 1e7}}).outcome, {kind: 'limited', limit: 'time'});
});

test('a learner drives a run step by step', async () => {
  const e = (await catalog()).find(e => e.exercise.slug === 'consumer');
  const kinds = [];
  const r = new Run({system: modules[system], program: modules[solution]},
    {exercise: e.exercise, scenario: {name: '', platform: {preset: 'docker-stop', grace: 10e9}, steps: null, checks: null}, program: 'solution'},
    5, {onEvent: event => kinds.push(event.kind)});
  assert.deepEqual(r.run(Infinity, 1e9), {kind: 'paused'});
  assert.equal(r.machine.queue.now, 1e9);
  assert.ok(kinds.includes('ready.changed'));
  assert.ok(!kinds.includes('message.published'));
  r.act({do: 'publish', count: 3, work: 5e8});
  r.run(Infinity, 1.4e9);
  assert.equal(kinds.filter(k => k === 'message.published').length, 3);
  assert.equal(kinds.filter(k => k === 'work.started').length, 2);
  r.act({do: 'kill'});
  r.run(Infinity, 1.5e9);
  assert.ok(kinds.includes('process.exited'));
  assert.equal(kinds.filter(k => k === 'message.requeued').length, 3);
  r.act('stop');
  assert.deepEqual(r.run(), {kind: 'exited', exit: {code: 0, signal: 0, reason: ''}});
  assert.equal(kinds.at(-1), 'run.ended');
  assert.equal(r.complaint, '');
});

test('a program that prints without end ends its run, with a word of why', async () => {
  const e = (await catalog()).find(e => e.exercise.slug === 'http');
  const limited = [];
  const r = new Run({system: modules[system], program: modules[`${base}/talker`]},
    {exercise: e.exercise, scenario: e.scenarios[0], program: 'talker'}, 1,
    {onEvent: event => event.kind.startsWith('run.') && limited.push(event)});
  assert.equal(r.run().kind, 'exited');
  assert.equal(r.complaint, '');
  assert.deepEqual(limited.map(event => event.kind), ['run.limited', 'run.ended']);
  assert.match(limited[0].text, /may not (make|write) more/);
  assert.ok(r.lines.length < 21_000);
});

test('the queue is in order of time, then of asking', () => {
  const queue = new Queue();
  const random = new Random(7, 1);
  const seen = [];
  const times = Array.from({length: 500}, () => random.below(50));
  times.forEach((time, i) => queue.at(time, () => seen.push([time, i])));
  const none = queue.at(3, () => seen.push('cancelled'));
  none.cancelled = true;
  for (let next = queue.next(); next !== null; next = queue.next()) next.run();
  assert.deepEqual(seen, times.map((time, i) => [time, i]).sort((a, b) => a[0] - b[0] || a[1] - b[1]));
});

test('random numbers follow the seed', () => {
  const take = (seed, stream) => Array.from({length: 8}, ((r) => () => r.word())(new Random(seed, stream)));
  assert.deepEqual(take(1, 1), take(1, 1));
  assert.notDeepEqual(take(1, 1), take(2, 1));
  assert.notDeepEqual(take(1, 1), take(1, 2));
  assert.notDeepEqual(take(1, 1), take(2 ** 32 + 1, 1));
});
