// Runs every *.test.ts below web/src and web/block with node's test runner.
// Each is bundled first, since node reads no TypeScript.
//
//   node test/unit.mjs [part of a path …]

import {spawn} from 'node:child_process';
import {mkdtemp, readdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const wanted = process.argv.slice(2);
const tests = [];
for (const top of ['src', 'block']) {
  for (const name of await readdir(join(web, top), {recursive: true})) {
    const path = join(web, top, name);
    if (path.endsWith('.test.ts') && (wanted.length === 0 || wanted.some(w => path.includes(w)))) tests.push(path);
  }
}
if (tests.length === 0) {
  console.error('no *.test.ts found');
  process.exit(1);
}

const out = await mkdtemp(join(tmpdir(), 'drainlab-unit-'));
let code = 1;
try {
  await build({
    entryPoints: tests.map(path => ({in: path, out: relative(web, path).replace(/\.ts$/, '')})),
    outdir: out,
    outExtension: {'.js': '.mjs'},
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  const files = tests.map(path => join(out, relative(web, path).replace(/\.ts$/, '.mjs')));
  const child = spawn(process.execPath, ['--enable-source-maps', '--test', '--test-reporter=spec', ...files], {stdio: 'inherit'});
  code = await new Promise(done => child.on('exit', c => done(c ?? 1)));
} finally {
  await rm(out, {recursive: true, force: true});
}
process.exit(code);
