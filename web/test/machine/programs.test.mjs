// Small programs that run natively and on the machine, and must say the same:
// stdout, how they end, and the beginning of stderr. A program may say in
// lines "//machine:run ARGS" with which arguments it is run.

import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {mkdir, readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {isDeepStrictEqual} from 'node:util';
import {cache, compile, go, kernel, root} from './build.mjs';

const seeds = [1, 2, 3];
const attempts = 3;
const base = 'wasm/testdata/programs';
const names = (await readdir(join(root, base))).sort();
const paths = names.map(name => `./${base}/${name}`);
const native = join(cache, 'native');
await mkdir(native, {recursive: true});
await go(['build', '-o', native + '/', ...paths]);
const modules = await compile(...paths);
const {Machine} = await kernel('machine');

const signals = {SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGTERM: 15};

/** What is the same everywhere: no trace of goroutines, no addresses. */
function head(stderr) {
  const lines = [];
  for (const line of stderr.split('\n')) {
    if (line.startsWith('goroutine ') || line.startsWith('PC=')) break;
    lines.push(line.replace(/ code=\S+ addr=\S+ pc=\S+\]/, ']'));
  }
  return lines.join('\n').trimEnd();
}

function runNative(name, args) {
  return new Promise((done, fail) => {
    const child = spawn(join(native, name), args, {env: {PATH: '/bin', TZ: '', TMPDIR: cache}, stdio: ['ignore', 'pipe', 'pipe']});
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', b => (stdout += b));
    child.stderr.on('data', b => (stderr += b));
    child.on('error', fail);
    child.on('close', (code, signal) => {
      done({stdout, stderr: head(stderr), code: code ?? 128 + signals[signal]});
    });
  });
}

function runHere(path, args, seed) {
  const said = {1: '', 2: ''};
  const decoder = new TextDecoder();
  const machine = new Machine({
    seed, hosts: ['main'], programs: {main: modules[path]},
    onOutput: (_, fd, bytes) => (said[fd] += decoder.decode(bytes)),
  });
  machine.start({name: 'main', program: 'main', argv: ['main', ...args]});
  const outcome = machine.run();
  assert.equal(outcome.kind, 'exited', JSON.stringify({outcome, said}));
  assert.equal(outcome.exit.reason, '');
  return {stdout: said[1], stderr: head(said[2]), code: outcome.exit.code};
}

for (const [i, name] of names.entries()) {
  const source = await readFile(join(root, base, name, 'main.go'), 'utf8');
  const runs = [...source.matchAll(/^\/\/machine:run (.*)$/gm)].map(m => m[1].split(' '));
  for (const args of runs.length > 0 ? runs : [[]]) {
    test([name, ...args].join(' '), async () => {
      const here = runHere(paths[i], args, seeds[0]);
      for (const seed of seeds.slice(1)) assert.deepEqual(runHere(paths[i], args, seed), here, `seed ${seed}`);
      // A busy machine wakes real programs late: what they say is right once it
      // was said at all.
      let native = await runNative(name, args);
      for (let again = 0; again < attempts - 1 && !isDeepStrictEqual(native, here); again++) native = await runNative(name, args);
      assert.deepEqual(here, native);
    });
  }
}
