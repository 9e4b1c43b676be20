// Builds what the tests of the simulated machine run, into a directory that is
// kept between runs: the overlay, programs for js/wasm, the kernel as a module.
// The files of tests share it, so they run one after another:
//
//   node --test --test-concurrency=1 test/machine/*.test.mjs

import {execFile} from 'node:child_process';
import {mkdir, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {promisify} from 'node:util';
import {build} from 'esbuild';

const exec = promisify(execFile);

export const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
export const cache = process.env['DRAINLAB_WASM_CACHE'] ?? join(tmpdir(), 'drainlab-wasm');

/** Runs the go command in the module's root. */
export async function go(args, env = {}) {
  const {stdout} = await exec('go', args, {cwd: root, env: {...process.env, ...env}, maxBuffer: 64 << 20});
  return stdout;
}

let overlay;

/** The overlay's index, made once. */
export function overlayIndex() {
  overlay ??= (async () => {
    await mkdir(cache, {recursive: true});
    await go(['run', './wasm/std', '-out', join(cache, 'overlay')]);
    return join(cache, 'overlay', 'overlay.json');
  })();
  return overlay;
}

/** Builds main packages for the machine, together; returns module by package path. */
export async function compile(...packages) {
  const index = await overlayIndex();
  const modules = {};
  // The go command names a program by its folder, so folders of one name are
  // kept apart by their parents.
  const groups = new Map();
  for (const p of packages) groups.set(dirname(p), [...(groups.get(dirname(p)) ?? []), p]);
  for (const [parent, list] of groups) {
    const out = join(cache, 'bin', parent);
    await mkdir(out, {recursive: true});
    await go(['build', '-trimpath', '-overlay', index, '-ldflags=-s -w', '-o', out + '/', ...list], {GOOS: 'js', GOARCH: 'wasm'});
    for (const p of list) {
      const file = join(out, basename(p));
      modules[p] = await WebAssembly.compile(await readFile(file));
    }
  }
  return modules;
}

/** What exercises there are, as wasm/catalog tells it. */
export async function catalog() {
  return JSON.parse(await go(['run', './wasm/catalog']));
}

/** Bundles a module of web/src/machine and imports it. */
export async function kernel(name) {
  const outfile = join(cache, `${name}.${process.pid}.mjs`);
  await mkdir(cache, {recursive: true});
  await build({
    entryPoints: [join(root, 'web/src/machine', `${name}.ts`)],
    outfile, bundle: true, format: 'esm', target: 'es2022', logLevel: 'warning',
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(outfile);
  }
}

/** The checks that a run did not pass; 'unfinished' when it has no verdict. */
export function failed(run) {
  if (run.verdict === null) return ['unfinished'];
  return run.verdict.checks.filter(c => !c.pass).map(c => c.check);
}
