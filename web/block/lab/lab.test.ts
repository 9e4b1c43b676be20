// What the lab decides without a page: predictions, the form, the buttons.

import assert from 'node:assert/strict';
import test from 'node:test';
import type {Event} from '../../src/event.gen.ts';
import type {Exercise} from '../../src/run/api.ts';
import {Model} from '../../src/timeline/model.ts';
import httpKill from '../../src/timeline/testdata/http-kill.json';
import kill from '../../src/timeline/testdata/kill.json';
import {controls} from './controls.ts';
import type {Situation} from './controls.ts';
import {hold, lacking} from './predict.ts';
import {graceOf, initial, programTitle, requestOf, withGrace, withPreset, withScenario} from './setup.ts';
import {wordsIn} from './words.ts';

function fold(events: readonly object[], until = Infinity): Model {
  const m = new Model();
  for (const e of (events as readonly Event[]).filter(x => x.seq <= until)) m.add(e);
  return m;
}

const said = (m: Model, code: string, back: string, amqp = true): string =>
  hold({code, back}, m, amqp).map(h => `${h.said}/${h.was ?? '?'} ${h.right ?? '-'}`).join(', ');

test('a prediction is held against the first process, as soon as it is known', () => {
  const exited = (kill as readonly Event[]).find(e => e.kind === 'process.exited')?.seq ?? 0;
  assert.equal(said(fold(kill, exited - 1), '137', '2'), '137/? -, 2/? -');
  assert.equal(said(fold(kill, exited), '137', '2'), '137/137 true, 2/3 false');
  assert.equal(said(fold(kill), '0', '3'), '0/137 false, 3/3 true');
  assert.equal(said(fold(httpKill), '137', '4', false), '137/137 true, 4/4 true');
});

test('a prediction is two whole numbers', () => {
  assert.equal(lacking({code: '', back: '1'}), 'code');
  assert.equal(lacking({code: '0', back: ''}), 'back');
  assert.equal(lacking({code: '-1', back: '0'}), 'code');
  assert.equal(lacking({code: '1.5', back: '0'}), 'code');
  assert.equal(lacking({code: ' 137 ', back: '0'}), undefined);
});

const exercise: Exercise = {
  slug: 'consumer', title: {en: '', ru: ''}, needs: ['amqp'], default: 'term',
  programs: [{name: 'solution', title: {en: 'Solution', ru: 'Решение'}}, {name: 'start', title: {en: 'No stop', ru: 'Без остановки'}}],
  scenarios: [{name: 'term', title: {en: 'TERM', ru: 'TERM'}, platform: {preset: 'kubernetes', grace: 30e9}}],
};

test('scenario, preset and grace period follow one another', () => {
  const free = initial(exercise);
  assert.deepEqual(requestOf(free, exercise), {exercise: 'consumer', program: 'solution', play: false, platform: {preset: 'docker-stop', grace: '10000ms'}});
  const played = withScenario(free, exercise, 'term');
  assert.deepEqual(requestOf(played, exercise), {exercise: 'consumer', program: 'solution', scenario: 'term', play: true, platform: {preset: 'kubernetes', grace: '30000ms'}});
  assert.equal(withScenario(played, exercise, 'no-such').scenario, '');
  assert.equal(withPreset(free, 'systemd').grace, '90');
  assert.equal(withGrace(free, '2.5').preset, 'custom');
  assert.equal(withGrace(free, '30').preset, 'kubernetes');
  assert.equal(withPreset(withGrace(free, '7'), 'custom').grace, '7');
  assert.deepEqual(['2,5', '0', '', 'x', '181', '180'].map(g => graceOf({...free, grace: g})), [2.5, undefined, undefined, undefined, undefined, 180]);
  assert.equal(programTitle(exercise, 'solution', 'en'), 'solution');
  assert.equal(programTitle(exercise, 'start', 'ru'), 'start: Без остановки');
});

function enabled(s: Partial<Situation>): string {
  return controls({model: new Model(), amqp: true, phase: 'driven', target: '', grace: '10', ...s}, wordsIn('en')).filter(c => c.enabled).map(c => c.do).join();
}

test('buttons can be pressed when what they do can be done', () => {
  assert.equal(enabled({phase: 'idle'}), '');
  assert.equal(enabled({phase: 'played', model: fold(kill, 30)}), '');
  const started = fold(kill, 2);
  assert.equal(enabled({model: started}), 'term,kill,int,cut,restart');
  assert.equal(enabled({model: fold(kill, 30)}), 'term,kill,int,publish,hang,cut,restart');
  const exited = (kill as readonly Event[]).find(e => e.kind === 'process.exited')?.seq ?? 0;
  assert.equal(enabled({model: fold(kill, exited)}), 'publish,hang,restart');
  const httpExited = (httpKill as readonly Event[]).find(e => e.kind === 'process.exited')?.seq ?? 0;
  assert.equal(enabled({model: fold(httpKill, httpExited), amqp: false}), 'restart');
});

test('buttons act on the chosen process, else on the newest that runs', () => {
  const model = fold(kill);
  const target = (t: string): string | undefined =>
    controls({model, amqp: true, phase: 'driven', target: t, grace: '10'}, wordsIn('en')).find(c => c.do === 'term')?.action.target;
  assert.equal(target(''), 'worker-2');
  assert.equal(target('worker-1'), 'worker-1');
  const keys = controls({model, amqp: true, phase: 'driven', target: '', grace: '10'}, wordsIn('en')).map(c => c.code);
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(keys.includes('KeyS'), false); // stops the run
});
