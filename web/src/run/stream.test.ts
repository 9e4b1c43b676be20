// The stream against a server that breaks, repeats and forgets.

import assert from 'node:assert/strict';
import test from 'node:test';
import type {Event} from '../event.gen.ts';
import {refusalOf} from './api.ts';
import {RunClock} from './clock.ts';
import {Stream} from './stream.ts';
import type {Socket} from './stream.ts';

interface Fake extends Socket {
  readonly url: string;
  closed: boolean;
}

class World {
  readonly sockets: Fake[] = [];
  readonly events: number[] = [];
  readonly said: string[] = [];
  timers: {f: () => void; ms: number}[] = [];
  known = true;
  readonly stream: Stream;

  constructor() {
    this.stream = new Stream(after => `/stream?after=${after}`, {
      open: url => {
        const s: Fake = {url, closed: false, onmessage: null, onclose: null, onerror: null, onopen: null, close: () => { s.closed = true; }};
        this.sockets.push(s);
        return s;
      },
      later: (f, ms) => {
        const t = {f, ms};
        this.timers.push(t);
        return () => { this.timers = this.timers.filter(x => x !== t); };
      },
      random: () => 0.5,
      known: () => Promise.resolve(this.known),
    }, {
      event: e => this.events.push(e.seq),
      state: s => this.said.push(s.up ? 'up' : `wait ${s.wait}`),
      end: complete => this.said.push(complete ? 'complete' : 'incomplete'),
    });
  }
  get socket(): Fake {
    return this.sockets.at(-1) ?? assert.fail('no socket');
  }
  send(seq: number, kind: Event['kind'] = 'log'): void {
    this.socket.onmessage?.({data: JSON.stringify({seq, at: seq, from: 'x', kind})});
  }
  elapse(): void {
    const due = this.timers;
    this.timers = [];
    for (const t of due) t.f();
  }
}

const settled = (): Promise<void> => Promise.resolve().then(() => {}).then(() => {});

test('a broken stream goes on after its last event; nothing is missed or doubled', () => {
  const w = new World();
  w.socket.onopen?.();
  w.send(1);
  w.send(2);
  w.socket.onclose?.({code: 1006});
  assert.equal(w.said.join(', '), 'up, wait 188');
  w.elapse();
  assert.equal(w.socket.url, '/stream?after=2');
  w.socket.onopen?.();
  w.send(2); // once more
  w.send(3);
  w.send(4, 'run.ended');
  assert.deepEqual(w.events, [1, 2, 3, 4]);
  assert.equal(w.said.join(', '), 'up, wait 188, up, complete');
  assert.ok(w.socket.closed);
  assert.equal(w.timers.length, 0);
});

test('a gap is not believed: what is missing is asked for', () => {
  const w = new World();
  w.socket.onopen?.();
  w.send(1);
  w.send(3);
  assert.ok(w.socket.closed);
  assert.deepEqual(w.events, [1]);
  w.elapse();
  assert.equal(w.socket.url, '/stream?after=1');
});

test('what a socket says after it was given up is not heard', () => {
  const w = new World();
  const old = w.socket;
  const {onmessage} = old;
  w.send(1);
  old.onclose?.({code: 1006});
  w.elapse();
  w.send(2);
  assert.equal(old.onmessage, null);
  onmessage?.({data: JSON.stringify({seq: 2, at: 2, from: 'x', kind: 'log'})});
  assert.deepEqual(w.events, [1, 2]);
});

test('waits grow to a bound, and shrink again when something came', async () => {
  const w = new World();
  for (let i = 0; i < 9; i++) {
    w.socket.onclose?.({code: 1006});
    await settled();
    w.elapse();
  }
  const waits = w.said.map(s => Number(s.split(' ')[1]));
  waits.slice(1).forEach((n, i) => assert.ok(n >= (waits[i] ?? 0)));
  assert.equal(waits.at(-1), 6000);
  w.socket.onopen?.();
  w.send(1);
  w.socket.onclose?.({code: 1006});
  assert.equal(w.said.at(-1), 'wait 188');
});

test('a socket that never opens is given up', () => {
  const w = new World();
  w.elapse();
  assert.ok(w.sockets[0]?.closed);
  assert.equal(w.said.at(-1), 'wait 188');
});

test('a server that does not know the run ends the stream', async () => {
  const w = new World();
  w.known = false;
  w.socket.onclose?.({code: 1006});
  w.elapse();
  w.socket.onclose?.({code: 1006});
  await settled();
  assert.equal(w.said.at(-1), 'incomplete');
  assert.equal(w.timers.length, 0);
});

test('a server that goes on purpose is tried again; one that has sent all is not', () => {
  const going = new World();
  going.socket.onopen?.();
  going.send(1);
  going.socket.onclose?.({code: 1001});
  assert.equal(going.said.at(-1), 'wait 188');
  const done = new World();
  done.socket.onopen?.();
  done.socket.onclose?.({code: 1000});
  assert.equal(done.said.at(-1), 'incomplete');
});

test('after close nothing is said', () => {
  const w = new World();
  w.socket.onopen?.();
  w.stream.close();
  assert.ok(w.socket.closed);
  assert.equal(w.timers.length, 0);
  assert.equal(w.said.join(), 'up');
});

test('the clock takes the shortest way that an event ever had', () => {
  let now = 1000;
  const c = new RunClock(() => now);
  assert.equal(c.read(), 0);
  c.heard(100); // came after 900
  now = 1050;
  c.heard(190); // after 860
  now = 1100;
  c.heard(200); // after 900: slower
  assert.equal(c.read(), 240);
});

test('a refusal is told in the words of the server, or by its status', () => {
  const r = refusalOf(429, '{"error":"8 runs are going on","do":"stop one"}');
  assert.equal(`${r.status} ${r.what}; ${r.way}`, '429 8 runs are going on; stop one');
  assert.equal(refusalOf(502, '<html>').what, 'HTTP 502');
  assert.equal(refusalOf(500, '{"error":7}').what, 'HTTP 500');
});
