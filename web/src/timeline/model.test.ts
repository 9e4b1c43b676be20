// The model against recordings of real runs (testdata), and against what no
// recording of ours has.

import assert from 'node:assert/strict';
import test from 'node:test';
import type {Event, Kind} from '../event.gen.ts';
import closesChannelFirst from './testdata/closes-channel-first.json';
import httpInFlight from './testdata/http-in-flight.json';
import httpKill from './testdata/http-kill.json';
import hung from './testdata/hung.json';
import kill from './testdata/kill.json';
import nacks from './testdata/nacks.json';
import term from './testdata/term.json';
import {Model} from './model.ts';
import {graceAt} from './process.ts';
import {fate} from './work.ts';

function fold(events: readonly object[]): Model {
  const m = new Model();
  for (const e of events as readonly Event[]) m.add(e);
  return m;
}

/** Fates of a process's works, by id. */
function fates(m: Model, process: string): string {
  return (m.processes.get(process)?.works ?? []).map(w => `${w.id} ${fate(w)}`).sort((a, b) => parseInt(a) - parseInt(b)).join(', ');
}

test('TERM under load: everything is done once, nothing comes back', () => {
  const m = fold(term);
  assert.equal(m.first?.name, 'worker-1');
  assert.equal(m.first?.code, 0);
  assert.equal(m.first?.told?.signal, 'TERM');
  assert.deepEqual(m.cameBack(), []);
  assert.deepEqual(m.counts, {ready: 0, unacked: 0, acked: 12, open: 0, flying: 0, answered: 0, cut: 0});
  assert.equal(fates(m, 'worker-1'), '1 done, 2 done, 3 done, 4 done, 5 done, 6 done, 7 done');
  assert.deepEqual(m.first?.marks.filter(x => x.kind === 'phase').map(x => x.text), ['stopping', 'drained', 'channel-closed', 'connection-closed']);
  const g = m.first?.grace;
  assert.ok(g);
  assert.equal(g.expired, false);
  assert.equal(Math.round(graceAt(g, 1e9).used), 1302);
  assert.equal(m.ended, true);
});

test('KILL under load: what was in hand comes back, from the first process only', () => {
  const m = fold(kill);
  assert.equal(m.first?.code, 137);
  assert.equal(m.first?.signal, 'KILL');
  assert.deepEqual(m.cameBack().toSorted(), ['3', '4', '5']);
  assert.equal(fates(m, 'worker-1'), '1 done, 2 done, 3 returned, 4 returned');
  // 5 waited in the client and was never begun.
  const five = m.messages.get('5');
  assert.deepEqual(five?.deliveries.map(d => [d.peer, d.redelivered, d.how]), [['worker-1', false, 'requeued'], ['worker-2', true, 'acked']]);
  assert.equal(five?.deliveries[0]?.started, undefined);
  assert.equal(m.broker.filter(x => x.kind === 'back').map(x => x.count).join(), '3');
});

test('a channel closed under the workers: done work comes again', () => {
  const m = fold(closesChannelFirst);
  assert.equal(fates(m, 'worker-1'), '1 done, 2 done, 3 done, 4 done, 5 again, 6 again');
  assert.equal(m.cameBack().length, 3);
  // They went on working after the messages had been taken back.
  const five = m.first?.works.find(w => w.id === '5');
  assert.ok(five?.end !== undefined && five.delivery?.settled !== undefined && five.end > five.delivery.settled);
});

test('a rejected job ends when it is rejected, and is put aside', () => {
  const m = fold(nacks);
  assert.equal(fates(m, 'worker-1'), '1 done, 2 done, 3 done, 4 done, 5 dead, 6 dead, 7 dead');
  for (const w of m.first?.works.filter(x => fate(x) === 'dead') ?? []) assert.ok(w.end !== undefined && w.end < (m.first?.end ?? 0));
  assert.equal(m.counts.ready, 0);
});

test('what the scenario collects at the end was left in the queue', () => {
  const m = fold(hung);
  assert.equal(m.counts.ready, 5);
  assert.equal(m.counts.unacked, 0);
  assert.deepEqual(m.cameBack(), ['1']);
  assert.equal(fate(m.first?.works.find(w => w.id === '1') ?? assert.fail('no work')), 'returned');
});

test('requests: answered, cut off, refused', () => {
  const cut = fold(httpKill);
  assert.deepEqual(cut.cutOff().toSorted(), ['1', '2', '3', '4']);
  assert.equal(cut.counts.cut, 4);
  assert.equal(cut.counts.answered, 2);
  assert.equal(cut.counts.flying, 0);
  assert.equal(cut.counts.open, 0);
  assert.equal(fates(cut, 'server-1'), '1 lost, 2 lost, 3 lost, 4 lost');
  const whole = fold(httpInFlight);
  assert.deepEqual(whole.cutOff(), []);
  assert.equal([...whole.requests.values()].filter(r => r.how === 'refused').length, 2);
  assert.equal(whole.counts.answered, 4);
});

test('bars that overlap in time never share a row', () => {
  for (const events of [term, kill, closesChannelFirst, nacks, hung, httpKill, httpInFlight]) {
    for (const p of fold(events).processes.values()) {
      for (const a of p.works) {
        for (const b of p.works) {
          if (a === b || a.row !== b.row) continue;
          assert.ok((a.end ?? Infinity) <= b.start || (b.end ?? Infinity) <= a.start, `${p.name}: ${a.id} and ${b.id}`);
        }
      }
    }
  }
});

test('at every moment what is ready, out and settled adds up to what was published', () => {
  for (const events of [term, kill, closesChannelFirst, nacks, hung]) {
    const m = new Model();
    for (const e of events as readonly Event[]) {
      m.add(e);
      const all = [...m.messages.values()].filter(x => x.published);
      const gone = all.filter(x => x.deliveries.some(d => d.how === 'acked' || d.how === 'dead' || d.how === 'dropped')).length;
      assert.equal(m.counts.ready + m.counts.unacked + gone, all.length, `after event ${e.seq}`);
      assert.ok(m.counts.ready >= 0 && m.counts.unacked >= 0, `after event ${e.seq}`);
    }
  }
});

let seq = 0;
function event(kind: Kind, from: string, at: number, more: Partial<Event> = {}): Event {
  return {seq: ++seq, at: at * 1e6, from, kind, ...more};
}

test('an ack before the work makes an interrupted job a lost one', () => {
  const m = fold([
    event('process.started', 'worker-1', 0),
    event('message.published', 'broker', 1, {message: '1', queue: 'tasks', peer: 'you'}),
    event('message.delivered', 'broker', 2, {message: '1', queue: 'tasks', tag: 1, peer: 'worker-1'}),
    event('message.acked', 'broker', 3, {message: '1', queue: 'tasks', tag: 1, peer: 'worker-1'}),
    event('work.started', 'worker-1', 3, {message: '1'}),
    event('process.exited', 'worker-1', 9, {code: 137, signal: 'KILL'}),
  ]);
  assert.equal(fates(m, 'worker-1'), '1 lost');
});

test('copies in the dead-letter queue, and messages from the queue that expire, are counted once', () => {
  const m = fold([
    event('message.published', 'broker', 1, {message: '1', queue: 'tasks', peer: 'you'}),
    event('message.published', 'broker', 1, {message: '2', queue: 'tasks', peer: 'you'}),
    event('message.deadletter', 'broker', 2, {message: '1', queue: 'tasks', text: 'expired'}),
    event('message.published', 'broker', 2, {message: '1', queue: 'tasks.dead', peer: 'broker'}),
  ]);
  assert.equal(m.counts.ready, 1);
});

test('what another process lost does not count for the first', () => {
  const m = fold([
    event('process.started', 'worker-1', 0),
    event('process.started', 'worker-2', 0),
    event('message.published', 'broker', 1, {message: '1', queue: 'tasks', peer: 'you'}),
    event('message.delivered', 'broker', 2, {message: '1', queue: 'tasks', tag: 1, peer: 'worker-2'}),
    event('message.requeued', 'broker', 3, {message: '1', queue: 'tasks', peer: 'worker-2', text: 'connection reset'}),
    event('message.delivered', 'broker', 4, {message: '1', queue: 'tasks', tag: 1, peer: 'worker-1', redelivered: true}),
  ]);
  assert.deepEqual(m.cameBack(), []);
});
