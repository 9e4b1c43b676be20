// Plays a program of an exercise on the simulated machine and prints the run.
//
//   node test/machine/run.mjs EXERCISE PROGRAM SCENARIO [SEED] [--quiet]

import {catalog, compile, failed, kernel} from './build.mjs';

const [slug, name, scenarioName, seed = '1'] = process.argv.slice(2).filter(a => !a.startsWith('--'));
const quiet = process.argv.includes('--quiet');
const e = (await catalog()).find(e => e.exercise.slug === slug);
const scenario = e?.scenarios.find(s => s.name === scenarioName);
const program = e?.programs.find(p => p.name === name);
if (scenario === undefined || program === undefined) {
  console.error('usage: node test/machine/run.mjs EXERCISE PROGRAM SCENARIO [SEED] [--quiet]');
  process.exit(2);
}
const system = './wasm/system';
const path = `./exercises/${slug}/${name}`;
const modules = await compile(system, path);
const {Run} = await kernel('play');
const began = performance.now();
const run = new Run({system: modules[system], program: modules[path]}, {exercise: e.exercise, scenario, program: name}, Number(seed));
const outcome = run.run();
const took = performance.now() - began;
if (!quiet) for (const line of run.lines) console.log(line);
if (run.complaint !== '') console.error(run.complaint);
if (run.verdict === null) {
  console.error('no verdict:', JSON.stringify(outcome));
  process.exit(1);
}
for (const c of run.verdict.checks) console.error(c.pass ? 'pass' : 'FAIL', c.check.padEnd(16), c.detail);
console.error(`${took.toFixed(0)} ms for ${(run.machine.queue.now / 1e9).toFixed(3)} s on the virtual clock, ${run.machine.steps} happenings`);
const want = program.fails?.[scenarioName] ?? [];
const got = failed(run);
if (String([...want].sort()) !== String([...got].sort())) {
  console.error(`exercise.yaml says that it fails by [${want}]`);
  process.exit(1);
}
