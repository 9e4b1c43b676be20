import test from 'node:test';
import assert from 'node:assert/strict';
import {decode, encode} from './state.ts';
import {BROKEN, Progress, STATE, UNDO} from './store.ts';
import type {World} from './store.ts';

/** One browser: a storage and a clock shared by its tabs, which hear of each other when told to. */
class Browser {
  readonly kept = new Map<string, string>();
  now = 1_000;
  refuse: Error | null = null;
  readonly tabs: {progress: Progress; inbox: [string, string | null][]}[] = [];

  world(mine?: [string, string | null][]): World {
    const write = (key: string, value: string | null) => {
      if (this.refuse !== null) throw this.refuse;
      if (value === null) this.kept.delete(key);
      else this.kept.set(key, value);
      for (const tab of this.tabs) if (tab.inbox !== mine) tab.inbox.push([key, value]);
    };
    return {
      storage: {
        getItem: key => this.kept.get(key) ?? null,
        setItem: (key, value) => write(key, value),
        removeItem: key => write(key, null),
      },
      now: () => this.now,
      random: () => 0.25,
    };
  }

  open(): Progress {
    const inbox: [string, string | null][] = [];
    const progress = new Progress(this.world(inbox), () => {});
    this.tabs.push({progress, inbox});
    return progress;
  }

  /** Delivers storage events until all is quiet. */
  settle(): void {
    for (let round = 0; ; round++) {
      assert.ok(round < 20, 'tabs go on answering each other');
      const waiting = this.tabs.flatMap(tab => tab.inbox.splice(0).map(event => ({tab, event})));
      if (waiting.length === 0) return;
      for (const {tab, event} of waiting) tab.progress.heard(...event);
    }
  }
}

test('a first right answer brings more than a later one, and none brings it twice', () => {
  const p = new Browser().open();
  assert.deepEqual(p.answered('l/a', {right: true}), {gained: 10, tries: 1});
  assert.deepEqual(p.answered('l/a', {right: true}), {gained: 0, tries: 2});
  assert.deepEqual(p.answered('l/b', {right: false}), {gained: 0, tries: 1});
  assert.deepEqual(p.answered('l/b', {right: true}), {gained: 4, tries: 2});
  assert.equal(p.award('run', 'consumer/solution'), 2);
  assert.equal(p.award('run', 'consumer/solution'), 0);
  assert.equal(p.xp, 16);
});

test('progress survives a reload', () => {
  const b = new Browser();
  const p = b.open();
  p.answered('l/a', {right: false, detail: ['1', '2']});
  p.resume('04-consumer', 'phases', 'Five phases', 'en');
  p.addCards(['l/cards/x']);
  const again = b.open();
  assert.deepEqual(again.answer('l/a')?.detail, ['1', '2']);
  assert.equal(again.place('04-consumer')?.section, 'phases');
  assert.equal(again.due, 1);
  assert.equal(again.seed, p.seed);
  assert.deepEqual(again.summary, {answered: 1, right: 0, tries: 1, xp: 0, cards: 1});
});

test('what was answered wrong is offered again until it is right, oldest first', () => {
  const b = new Browser();
  const p = b.open();
  for (const key of ['l/b', 'l/a', 'l/c']) {
    b.now++;
    p.answered(key, {right: false});
  }
  p.answered('l/a', {right: true});
  assert.deepEqual(p.toRetry(), ['l/b', 'l/c']);
});

test('two tabs that do not hear of each other in time lose nothing', () => {
  const b = new Browser();
  const [x, y] = [b.open(), b.open()];
  x.answered('l/a', {right: true});
  y.answered('l/b', {right: false});
  b.now++;
  x.answered('l/b', {right: true});
  b.settle();
  for (const p of [x, y]) {
    assert.equal(p.answer('l/a')?.tries, 1);
    assert.equal(p.answer('l/b')?.tries, 2);
    assert.equal(p.xp, 14);
  }
});

test('a write that went over another one is put right by the event', () => {
  const b = new Browser();
  const [x, y] = [b.open(), b.open()];
  const before = b.kept.get(STATE);
  assert.ok(before !== undefined);
  x.answered('l/a', {right: true});
  // The second tab's process has not seen the first one's write yet.
  b.kept.set(STATE, before);
  y.answered('l/b', {right: true});
  assert.equal(decode(b.kept.get(STATE) ?? '').answers.size, 1);
  b.settle();
  assert.equal(decode(b.kept.get(STATE) ?? '').answers.size, 2);
  assert.equal(x.xp, 20);
  assert.equal(y.xp, 20);
});

test('a reset in one tab reaches the other, and its old state does not come back', () => {
  const b = new Browser();
  const [x, y] = [b.open(), b.open()];
  x.answered('l/a', {right: true});
  b.settle();
  b.now++;
  x.reset();
  y.answered('l/b', {right: true}); // before it heard
  b.settle();
  for (const p of [x, y]) {
    assert.equal(p.answer('l/a'), undefined);
    assert.equal(p.answer('l/b')?.right, true);
  }
});

test('a reset can be undone after a reload, keeps what was done since, and expires', () => {
  const b = new Browser();
  const p = b.open();
  p.answered('l/a', {right: true});
  b.now++;
  p.reset();
  assert.equal(p.xp, 0);
  assert.equal(p.undoable, 'reset');
  const again = b.open();
  assert.equal(again.undoable, 'reset');
  b.now++;
  again.answered('l/b', {right: true});
  again.undo();
  assert.equal(again.xp, 20);
  assert.equal(again.undoable, undefined);
  assert.equal(b.kept.has(UNDO), false);

  again.reset();
  b.now += 8 * 24 * 3600 * 1000;
  assert.equal(again.undoable, undefined);
  again.undo();
  assert.equal(again.xp, 0);
});

test('an import merges or replaces, and undo takes it out again', () => {
  const other = new Browser().open();
  other.answered('l/theirs', {right: true});
  const file = decode(other.export());

  const b = new Browser();
  b.now = 5_000;
  const p = b.open();
  p.answered('l/mine', {right: true});
  b.now++;
  p.importMerge(file);
  assert.equal(p.xp, 20);
  b.now++;
  p.answered('l/since', {right: true});
  p.undo();
  assert.deepEqual([p.answer('l/theirs'), p.answer('l/since')?.right, p.xp], [undefined, true, 20]);

  p.importReplace(file);
  assert.deepEqual([p.answer('l/mine'), p.xp], [undefined, 10]);
  const back = b.open();
  back.undo();
  assert.deepEqual([back.answer('l/theirs'), back.xp], [undefined, 20]);
});

test('what cannot be read is moved aside and told', () => {
  for (const bad of [
    'not json',
    '[]',
    '{}',
    '{"version":2}',
    '{"version":1,"epoch":0,"seed":1,"answers":{"a":[]},"awards":{},"cards":{},"places":{}}',
    '{"version":1,"epoch":0,"seed":1,"answers":{"a":[{"at":1e99,"right":true}]},"awards":{},"cards":{},"places":{}}',
    '{"version":1,"epoch":0,"seed":1,"answers":{},"awards":{"a b":1},"cards":{},"places":{}}',
    '{"version":1,"epoch":0,"seed":1,"answers":{},"awards":{},"cards":{"a":{"due":1,"edited":1,"memory":{}}},"places":{}}',
  ]) {
    const b = new Browser();
    b.kept.set(STATE, bad);
    const p = b.open();
    assert.equal(p.unread, bad);
    assert.equal(b.kept.get(BROKEN), bad);
    p.answered('l/a', {right: true});
    assert.equal(b.open().xp, 10);
  }
});

test('a text from another tab that cannot be read changes nothing', () => {
  const b = new Browser();
  const p = b.open();
  p.answered('l/a', {right: true});
  p.heard(STATE, '{"version":1}');
  p.heard(null, null);
  p.heard('other', 'x');
  assert.equal(p.xp, 10);
});

test('storage that is full or forbidden leaves progress in memory, and says so', () => {
  const b = new Browser();
  const p = b.open();
  b.refuse = Object.assign(new Error('no'), {name: 'QuotaExceededError'});
  p.answered('l/a', {right: true});
  assert.equal(p.health, 'full');
  assert.equal(p.xp, 10);
  b.refuse = null;
  p.answered('l/b', {right: true});
  assert.equal(p.health, 'kept');
  assert.equal(b.open().xp, 20);

  const none = new Progress({storage: null, now: () => 1, random: () => 0}, () => {});
  none.answered('l/a', {right: true});
  assert.deepEqual([none.health, none.xp], ['blocked', 10]);

  b.refuse = Object.assign(new Error('no'), {name: 'SecurityError'});
  p.answered('l/c', {right: true});
  assert.deepEqual([p.health, p.xp], ['blocked', 30]);
});

test('a question holds its first try and the newest, however often it is tried', () => {
  const b = new Browser();
  const p = b.open();
  for (let i = 0; i < 80; i++) {
    b.now++;
    p.answered('l/a', {right: i % 2 === 0, detail: `${i}`});
  }
  const log = decode(p.export()).answers.get('l/a');
  assert.equal(log?.length, 50);
  assert.equal(log?.[0]?.at, 1_001);
  assert.equal(p.answer('l/a')?.detail, '79');
  assert.equal(log?.filter(t => t.detail !== undefined).length, 1);
});

test('merging is commutative, associative and idempotent', () => {
  let n = 0;
  const rand = () => (n = (n * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
  for (let round = 0; round < 60; round++) {
    const b = new Browser();
    const tabs = [b.open(), b.open(), b.open()];
    for (let i = 0; i < 30; i++) {
      b.now += Math.floor(rand() * 2);
      const p = tabs[Math.floor(rand() * 3)];
      if (p === undefined) continue;
      // Each tab writes to a storage of its own: nobody hears anybody.
      b.kept.clear();
      const key = `l/${Math.floor(rand() * 3)}`;
      const kind = Math.floor(rand() * 5);
      if (kind === 0) p.answered(key, {right: rand() < 0.5, detail: `${i}`});
      else if (kind === 1) p.putCard(key, {due: i});
      else if (kind === 2) p.resume(key, `s${i}`, '', 'en');
      else if (kind === 3) p.addCards([key]);
      else if (rand() < 0.1) p.reset();
    }
    const texts = tabs.map(p => p.export());
    const join = (order: readonly number[]) => {
      const p = new Progress({storage: null, now: () => 0, random: () => 0.25}, () => {});
      for (const i of order) p.heard(STATE, texts[i] ?? '');
      return p.export();
    };
    const all = join([0, 1, 2]);
    for (const order of [
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
      [2, 1, 0, 0, 1, 2],
    ]) {
      assert.equal(join(order), all, `round ${round}, order ${order.join()}`);
    }
    assert.equal(encode(decode(all)), all);
  }
});
