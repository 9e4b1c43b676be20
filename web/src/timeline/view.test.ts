// What of a model is in the window, and where: axis, window, lanes, labels.

import assert from 'node:assert/strict';
import test from 'node:test';
import type {Event} from '../event.gen.ts';
import {seconds, ticks} from './axis.ts';
import {layout, place, textWidth} from './layout.ts';
import {life} from './life.ts';
import {Model} from './model.ts';
import {itemAt, items, summary} from './scene.ts';
import type {Scene} from './scene.ts';
import httpInFlight from './testdata/http-in-flight.json';
import kill from './testdata/kill.json';
import {fit, live, pan, zoom} from './window.ts';
import {wordsIn} from './words.ts';

function sceneOf(events: readonly object[], needs: readonly string[], width: number): Scene {
  const model = new Model();
  for (const e of events as readonly Event[]) model.add(e);
  return {model, layout: layout(model, needs, width), window: fit(model.now), width, now: model.now, words: wordsIn('en'), lang: 'en'};
}

test('ticks are round, far enough apart, and say minutes when there are any', () => {
  assert.deepEqual(ticks(0, 3000, 0.06, 44).map(t => t.label), ['0', '1', '2', '3']);
  assert.deepEqual(ticks(0, 400, 0.5, 44).map(t => t.label), ['0.0', '0.1', '0.2', '0.3', '0.4']);
  assert.deepEqual(ticks(100_000, 190_000, 0.002, 44).map(t => t.label), ['2:00', '2:30', '3:00']);
  assert.deepEqual(ticks(100_000, 140_000, 0.004, 44).map(t => t.label), ['1:45', '2:00', '2:15']);
  for (const scale of [0.001, 0.01, 0.05, 0.2, 1, 2.4]) {
    const all = ticks(0, 600 / scale, scale, 44);
    all.slice(1).forEach((t, i) => assert.ok((t.at - (all[i]?.at ?? 0)) * scale >= 43.9, `scale ${scale}`));
  }
  assert.equal(seconds(3149, 1, 'ru'), '3,1');
});

test('a live window shows the present and the end of the grace period, and moves in steps', () => {
  let last = live(0, 600, undefined);
  let changes = 0;
  for (let now = 0; now < 120_000; now += 16) {
    const w = live(now, 600, now > 3000 && now < 13_000 ? 13_000 : undefined);
    assert.ok(w.from <= now && now <= w.to, `now ${now}`);
    if (now > 3000 && now < 13_000) assert.ok(w.to >= 13_000);
    if (w.from !== last.from || w.to !== last.to) changes++;
    last = w;
  }
  assert.ok(changes < 30, `${changes} changes in two minutes`);
  // A second stays wide enough to be seen.
  assert.ok(600 / (live(170_000, 600, undefined).to - live(170_000, 600, undefined).from) >= 0.0149);
});

test('zooming keeps the moment in its place, and neither it nor panning leaves the run', () => {
  const whole = fit(10_000);
  const near = zoom(whole, 4, 5000, 10_000, 600);
  const share = (5000 - whole.from) / (whole.to - whole.from);
  assert.ok(Math.abs((5000 - near.from) / (near.to - near.from) - share) < 1e-9);
  assert.equal(pan(near, 1e9, 10_000).to, whole.to);
  assert.equal(pan(near, -1e9, 10_000).from, whole.from);
  assert.deepEqual(zoom(near, 1 / 1000, 5000, 10_000, 600), whole);
});

test('lanes do not overlap, and every bar lies in its own', () => {
  for (const [events, needs] of [[kill, ['amqp']], [httpInFlight, ['http']]] as const) {
    for (const width of [340, 640]) {
      const s = sceneOf(events, needs, width);
      s.layout.lanes.slice(1).forEach((lane, i) => {
        const above = s.layout.lanes[i];
        assert.ok(above && above.y + above.height <= lane.y);
      });
      const all = items(s);
      assert.ok(all.length >= 8);
      for (const i of all) {
        const lane = s.layout.lanes.find(l => i.y >= l.y && i.y + i.h <= l.y + l.height);
        assert.ok(lane, `${i.key} at ${i.y}`);
        assert.ok(i.x >= s.layout.gutter - 1 && i.x + i.w <= width + 1, `${i.key}: ${i.x} + ${i.w} of ${width}`);
      }
    }
  }
});

test('before anything happened the lanes have their place', () => {
  const names = (needs: readonly string[]): string => layout(new Model(), needs, 600).lanes.map(l => l.kind).join();
  assert.equal(names(['amqp']), 'platform,process,broker');
  assert.equal(names(['http']), 'platform,process,clients');
});

test('the nearest bar is found within reach, and none beyond it', () => {
  const s = sceneOf(kill, ['amqp'], 640);
  const all = items(s);
  const [first] = all;
  assert.ok(first);
  assert.equal(itemAt(all, first.x + 1, first.y + 1, 6)?.key, first.key);
  assert.equal(itemAt(all, 0, 0, 6), undefined);
});

test('labels never run into each other or out of the chart', () => {
  const labels = Array.from({length: 40}, (_, i) => ({x: i * 13, text: 'channel closed'}));
  const placed = place(labels, 2, 520).filter(p => p.row >= 0);
  assert.ok(placed.length > 4);
  for (const row of [0, 1]) {
    let end = -Infinity;
    for (const p of placed.filter(q => q.row === row)) {
      const from = p.end ? p.x - textWidth(p.text) : p.x;
      assert.ok(from >= end, `${p.text} at ${p.x}`);
      end = from + textWidth(p.text);
      assert.ok(end <= 520.5 && from >= -0.5);
    }
  }
  assert.equal(place([{x: 10, text: 'drained'}, {x: 12, text: 'channel closed'}], 1, 400)[0]?.text, 'drained → channel closed');
  assert.ok(place([{x: 150, text: 'a'.repeat(100)}], 1, 300)[0]?.text.endsWith('…'));
});

test('a life is told from delivery to redelivery, in both languages', () => {
  const s = sceneOf(kill, ['amqp'], 640);
  const events = s.model.messages.get('3')?.events ?? [];
  assert.deepEqual(life(events, 'en').map(m => m.what), [
    'published', 'delivered to worker-1', 'work begun in worker-1', 'back in the queue: connection reset',
    'delivered again, marked redelivered, to worker-2', 'work begun in worker-2', 'acked', 'work done in worker-2',
  ]);
  assert.equal(life(events, 'ru').length, 8);
  assert.equal(life(events, 'ru')[1]?.what, 'доставлено в worker-1');
});

test('the picture has words', () => {
  assert.equal(
    summary(sceneOf(kill, ['amqp'], 640)),
    'worker-1 started at 0.0 s, KILL at 1.1 s, 137 KILL at 1.1 s. worker-2 started at 1.1 s, TERM at 5.1 s, exit 0 at 5.1 s. 12 messages published, 12 acked, 3 came back.',
  );
});
