// The machine in Chromium's Workers: the same runs as in Node, to the byte; a
// program that never yields; many seeds at once. It needs a Chromium (CHROMIUM
// names it, /usr/bin/chromium otherwise).

import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import http from 'node:http';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {chromium} from '@playwright/test';
import {build} from 'esbuild';
import {cache, catalog, compile, kernel, root} from './build.mjs';

const system = './wasm/system';
const busy = './wasm/testdata/machine/busy';
const exercises = await catalog();
const {Run} = await kernel('play');

function prepare(slug, program, scenario) {
  const e = exercises.find(e => e.exercise.slug === slug);
  return {path: `./exercises/${slug}/${program}`, play: {exercise: e.exercise, program, scenario: e.scenarios.find(s => s.name === scenario)}};
}

const load = prepare('consumer', 'solution', 'term-under-load');
const faulty = prepare('consumer', 'wrong-leaves-on-done', 'term-under-load');
const hung = prepare('http', 'wrong-no-forced-close', 'hung-request');
const modules = await compile(system, busy, load.path, faulty.path, hung.path);

let browser, server, page;

before(async () => {
  const bundle = async (name, format) => (await build({
    entryPoints: [join(root, `web/src/machine/${name}.ts`)], bundle: true, write: false, format, target: 'es2022', logLevel: 'warning',
  })).outputFiles[0].text;
  const scripts = {'/worker.js': await bundle('worker', 'iife'), '/tab.js': await bundle('tab', 'esm')};
  const wasm = new Set(Object.keys(modules).map(path => path.slice(1)));
  server = http.createServer(async (request, response) => {
    if (request.url === '/') {
      response.writeHead(200, {'content-type': 'text/html'}).end('<!doctype html><title>machine</title>');
    } else if (request.url in scripts) {
      response.writeHead(200, {'content-type': 'text/javascript'}).end(scripts[request.url]);
    } else if (wasm.has(request.url)) {
      response.writeHead(200, {'content-type': 'application/wasm'}).end(await readFile(join(cache, 'bin', request.url)));
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.evaluate(() => {
    globalThis.programs = async (system, program) => {
      const [s, p] = await Promise.all([system, program].map(path => WebAssembly.compileStreaming(fetch(path))));
      return {worker: '/worker.js', system: s, program: p};
    };
  });
});

after(async () => {
  await browser?.close();
  server?.close();
});

for (const c of [load, hung]) {
  test(`${c.path} runs as in Node`, async t => {
    const seeds = [1, 2, 3, 4, 5];
    const got = await page.evaluate(async ({system, program, play, seeds}) => {
      const {Tab} = await import('/tab.js');
      const began = performance.now();
      const tab = new Tab(await programs(system, program));
      const fetched = performance.now() - began;
      const runs = [];
      for (const seed of seeds) {
        const start = performance.now();
        const lines = [];
        const ending = await tab.play(play, seed, more => lines.push(...more));
        runs.push({lines, ending, took: performance.now() - start});
      }
      tab.close();
      return {fetched, runs};
    }, {system: system.slice(1), program: c.path.slice(1), play: c.play, seeds});
    t.diagnostic(`fetched and compiled in ${got.fetched.toFixed(0)} ms, runs of ${got.runs.map(r => r.took.toFixed(0)).join(', ')} ms`);
    for (const [i, seed] of seeds.entries()) {
      const here = new Run({system: modules[system], program: modules[c.path]}, c.play, seed);
      here.run();
      assert.ok(here.lines.length > 20);
      assert.equal(got.runs[i].lines.join('\n'), here.lines.join('\n'), `seed ${seed}`);
      assert.deepEqual(got.runs[i].ending, {verdict: here.verdict, why: ''});
    }
  });
}

test('a program that never yields is ended, by the watch and by stop', async t => {
  const got = await page.evaluate(async ({system, program, play}) => {
    const {Tab} = await import('/tab.js');
    const tab = new Tab(await programs(system, program), 1500);
    const watched = await tab.play(play, 1);
    const playing = tab.play(play, 1);
    await new Promise(done => setTimeout(done, 700));
    let turns = 0; // of the page's own loop, meanwhile
    const counting = setInterval(() => turns++, 1);
    await new Promise(done => setTimeout(done, 300));
    clearInterval(counting);
    const began = performance.now();
    tab.stop();
    const stopped = await playing;
    const took = performance.now() - began;
    tab.close();
    return {watched, stopped, took, turns};
  }, {system: system.slice(1), program: busy.slice(1), play: hung.play});
  t.diagnostic(`stopped in ${got.took.toFixed(1)} ms, the page's loop turned ${got.turns} times in 300 ms while it was busy`);
  assert.match(got.watched.why, /without ever waiting/);
  assert.deepEqual(got.stopped, {verdict: null, why: ''});
  assert.ok(got.took < 1000, `stop took ${got.took} ms`);
  assert.ok(got.turns > 3, 'the page stood still');
});

test('a driven run goes as far as the clock is moved', async () => {
  const got = await page.evaluate(async ({system, program, play}) => {
    const {Tab} = await import('/tab.js');
    const tab = new Tab(await programs(system, program));
    const kinds = [];
    await tab.drive({...play, scenario: {platform: play.scenario.platform}}, 3, lines => kinds.push(...lines.map(l => JSON.parse(l).kind)));
    const seen = [];
    const note = async time => seen.push({ending: await tab.until(time), count: kinds.filter(k => k === 'work.finished').length});
    await note(1e9);
    tab.act({do: 'publish', count: 4, work: 5e8});
    await note(1.2e9);
    await note(1.8e9);
    tab.act({do: 'term'});
    await note(4e9);
    tab.act('stop');
    await note(20e9);
    tab.close();
    return {seen, last: kinds.at(-1), exited: kinds.filter(k => k === 'process.exited').length};
  }, {system: system.slice(1), program: load.path.slice(1), play: load.play});
  assert.deepEqual(got.seen.map(s => s.count), [0, 0, 2, 4, 4]);
  assert.deepEqual(got.seen.map(s => s.ending), [null, null, null, null, {verdict: null, why: ''}]);
  assert.equal(got.last, 'run.ended');
  assert.equal(got.exited, 1);
});

test('many seeds in several Workers tell the same as in one', async t => {
  const count = 24;
  const got = await page.evaluate(async ({system, program, play, count}) => {
    const {schedules} = await import('/tab.js');
    const p = await programs(system, program);
    const out = [];
    for (const workers of [1, 2]) {
      const began = performance.now();
      let progress = 0;
      const s = await schedules(p, play, 1, count, {workers, onProgress: () => progress++});
      out.push({played: s.played, failed: [...s.failed].sort(), unfinished: s.unfinished, progress, took: performance.now() - began});
    }
    return out;
  }, {system: system.slice(1), program: faulty.path.slice(1), play: faulty.play, count});
  t.diagnostic(`${count} seeds: ${got.map(g => g.took.toFixed(0)).join(' ms in one Worker, ')} ms in two`);
  for (const g of got) {
    assert.equal(g.played, count);
    assert.equal(g.progress, count);
    assert.deepEqual(g.unfinished, []);
    assert.deepEqual(g.failed, [['redelivered', {count, first: 1}]]);
  }
});
