// Builds the pages' scripts, styles and fonts into web/dist.
//
//   node build.mjs            once, minified and compressed, for the binary
//   node build.mjs --watch    again on every change, for `drainlab serve -dev`
//
// Nothing is listed here. A custom element is found by the tag that its file
// defines, a style sheet by its folder, so that adding a block kind touches
// only the kind's own folder. Names carry a hash of the content: a file in
// dist never changes, and one that is there already need not be written again.
// Types are checked apart from this, by `tsc -p web`.

import * as esbuild from 'esbuild';
import {createHash} from 'node:crypto';
import {existsSync, watch as watchFiles} from 'node:fs';
import {mkdir, readFile, readdir, rename, rm, writeFile} from 'node:fs/promises';
import {basename, dirname, extname, join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {brotliCompress, constants, gzip} from 'node:zlib';

const web = dirname(fileURLToPath(import.meta.url));
const dist = join(web, 'dist');
const watch = process.argv.includes('--watch');

// Which fonts a page in a language needs at once, by logical name.
const firstFonts = {
  en: ['inter-latin.woff2', 'jetbrains-mono-latin.woff2'],
  ru: ['inter-cyrillic.woff2', 'inter-latin.woff2', 'jetbrains-mono-latin.woff2'],
};

/** Every file below dir whose name passes, sorted, tests and test data left out. */
async function filesBelow(dir, passes) {
  if (!existsSync(dir)) return [];
  const found = [];
  for (const entry of await readdir(dir, {withFileTypes: true})) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'testdata') found.push(...await filesBelow(path, passes));
    } else if (passes(entry.name)) {
      found.push(path);
    }
  }
  return found.sort();
}

const isScript = name => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.endsWith('.test.ts');

/** Tag → file, from customElements.define('dl-…') and @customElement('dl-…'). */
async function elements() {
  const files = [
    ...await filesBelow(join(web, 'block'), isScript),
    ...await filesBelow(join(web, 'src'), isScript),
  ];
  const byTag = new Map();
  const errors = [];
  for (const file of files) {
    const source = await readFile(file, 'utf8');
    for (const [, tag] of source.matchAll(/\b(?:customElements\.define|@?customElement)\(\s*['"`](dl-[a-z-]+)['"`]/g)) {
      const other = byTag.get(tag);
      if (other) errors.push({text: `<${tag}> is defined in ${relative(web, other)} and in ${relative(web, file)}`});
      byTag.set(tag, file);
    }
  }
  // A kind's entry is kind.ts, also where the class sits in a file beside it.
  for (const file of files) {
    if (basename(file) === 'kind.ts') byTag.set(`dl-${basename(dirname(file))}`, file);
  }
  return {byTag, errors};
}

/** The style sheets in the order of the cascade. */
async function styles() {
  const isStyle = name => name.endsWith('.css');
  const own = await filesBelow(join(web, 'src'), isStyle);
  const kinds = await filesBelow(join(web, 'block'), isStyle);
  const named = name => own.filter(path => relative(web, path) === `src/style/${name}.css`);
  const first = [...named('fonts'), ...named('tokens'), ...named('base'), ...named('layout')];
  const last = named('print');
  return [...first, ...[...own, ...kinds].filter(path => !first.includes(path) && !last.includes(path)), ...last];
}

/** Two modules that are made of what the folders hold. */
const found = {
  name: 'found',
  setup(build) {
    build.onResolve({filter: /^drainlab:(elements|styles)$/}, args => ({path: args.path, namespace: 'found'}));
    build.onLoad({filter: /^drainlab:elements$/, namespace: 'found'}, async () => {
      const {byTag, errors} = await elements();
      const lines = [...byTag].sort().map(([tag, file]) =>
        `  ${JSON.stringify(tag)}: () => import(${JSON.stringify(`./${relative(web, file)}`)}),`);
      return {
        contents: `export const elements = {\n${lines.join('\n')}\n};\n`,
        loader: 'ts', resolveDir: web, errors,
      };
    });
    build.onLoad({filter: /^drainlab:styles$/, namespace: 'found'}, async () => ({
      contents: (await styles()).map(path => `@import ${JSON.stringify(`./${relative(web, path)}`)};`).join('\n'),
      loader: 'css', resolveDir: web,
    }));
  },
};

const shared = {
  absWorkingDir: web,
  bundle: true,
  minify: !watch,
  target: ['chrome123', 'firefox121', 'safari17.5'],
  outdir: dist,
  entryNames: '[name]-[hash]',
  chunkNames: 'chunk-[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: {'.woff2': 'file'},
  sourcemap: false,
  legalComments: watch ? 'none' : 'external',
  metafile: true,
  write: false,
  logLevel: 'warning',
};

const page = {
  ...shared,
  entryPoints: [
    {in: 'src/main.ts', out: 'main'},
    // What a kind runs in a frame of its own, /frame/KIND.
    ...(await filesBelow(join(web, 'block'), name => name === 'frame.ts'))
      .map(path => ({in: relative(web, path), out: `frame-${basename(dirname(path))}`})),
  ],
  format: 'esm',
  splitting: true,
  plugins: [found],
};

// Apart from the scripts, so that a change of style is on the page at once.
const style = {
  ...shared,
  entryPoints: [{in: 'drainlab:styles', out: 'main'}],
  plugins: [found],
};

// Runs before the page is painted, so it is a plain script of its own.
const theme = {
  ...shared,
  entryPoints: [{in: 'src/theme/theme.ts', out: 'theme'}],
  format: 'iife',
};

const parts = [page, style, theme];

/** What the server asks for by name, and the file that it gets. */
function manifest(results) {
  const entries = {};
  for (const {metafile} of results) {
    for (const [path, output] of Object.entries(metafile.outputs)) {
      const file = basename(path);
      if (output.entryPoint && /^(main|theme|frame)-/.test(file)) {
        const imports = output.imports.filter(i => i.kind === 'import-statement').map(i => basename(i.path));
        const name = file.replace(/-[A-Z0-9]{8}\./, '.');
        entries[name] = imports.length ? {file, imports} : {file};
      } else if (extname(file) === '.woff2') {
        const [input] = Object.keys(output.inputs);
        const name = basename(input).replace('-wght-normal', '');
        const first = Object.keys(firstFonts).filter(lang => firstFonts[lang].includes(name));
        entries[name] = first.length ? {file, preload: first} : {file};
      }
    }
  }
  for (const name of ['main.js', 'main.css', 'theme.js', ...Object.values(firstFonts).flat()]) {
    if (!entries[name]) throw new Error(`the build made no ${name}`);
  }
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

/** Writes the file and, beside it, what the server sends to those who take it compressed. */
async function put(name, contents) {
  const path = join(dist, name);
  if (!existsSync(path)) await writeWhole(path, contents);
  if (watch || !/\.(js|css)$/.test(name) || contents.length < 1024) return [name];
  if (!existsSync(`${path}.br`)) {
    const params = {[constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: contents.length};
    await writeWhole(`${path}.br`, await brotli(contents, {params}));
  }
  if (!existsSync(`${path}.gz`)) await writeWhole(`${path}.gz`, await gz(contents, {level: 9}));
  return [name, `${name}.br`, `${name}.gz`];
}

/** A file appears whole or not at all: a build that was interrupted leaves no half of one. */
async function writeWhole(path, contents) {
  await writeFile(`${path}.part`, contents);
  await rename(`${path}.part`, path);
}

/** The fonts' licence asks to be where the fonts are. */
async function licences() {
  const texts = [];
  for (const font of ['inter', 'jetbrains-mono']) {
    texts.push(await readFile(join(web, 'node_modules/@fontsource-variable', font, 'LICENSE'), 'utf8'));
  }
  return Buffer.from(texts.join('\n\n'));
}

async function publish(results) {
  await mkdir(dist, {recursive: true});
  const outputs = results.flatMap(result => result.outputFiles).filter(file => file.contents.length > 0);
  const kept = new Set(['.keep', 'manifest.json']);
  const puts = outputs.map(file => put(basename(file.path), file.contents));
  const licence = await licences();
  puts.push(put(`fonts-${createHash('sha256').update(licence).digest('hex').slice(0, 8)}.LICENSE.txt`, licence));
  for (const names of await Promise.all(puts)) for (const name of names) kept.add(name);
  await writeWhole(join(dist, 'manifest.json'), JSON.stringify(manifest(results), null, 1) + '\n');
  for (const name of await readdir(dist)) {
    if (!kept.has(name)) await rm(join(dist, name), {recursive: true});
  }
  const size = outputs.reduce((sum, file) => sum + file.contents.length, 0);
  console.log(`web/dist: ${outputs.length} files, ${(size / 1024).toFixed(0)} KiB`);
}

if (!watch) {
  try {
    await publish(await Promise.all(parts.map(part => esbuild.build(part))));
  } catch (err) {
    // esbuild has printed what is wrong in a source; anything else is ours to print.
    if (!err.errors) console.error(err);
    process.exitCode = 1;
  }
} else {
  const contexts = await Promise.all(parts.map(part => esbuild.context(part)));
  const results = new Map();
  const build = async asked => {
    const began = performance.now();
    try {
      await Promise.all(contexts.map(async (context, i) => {
        if (!results.has(i) || asked.has(parts[i])) results.set(i, await context.rebuild());
      }));
      await publish([...results.values()]);
      console.log(`built in ${(performance.now() - began).toFixed(0)} ms`);
    } catch (err) {
      if (!err.errors) console.error(err);
    }
  };
  // esbuild's own watching looks at files in turns and can take a second or
  // two; the system tells at once. What changes during a build asks for another.
  let building = build(new Set(parts));
  let asked = new Set();
  const ask = changed => {
    if (asked.size === 0) {
      building = building.then(() => {
        const now = asked;
        asked = new Set();
        return build(now);
      });
    }
    for (const part of changed) asked.add(part);
  };
  for (const folder of ['src', 'block']) {
    watchFiles(join(web, folder), {recursive: true}, (_, name) => {
      if (name?.endsWith('.css')) ask([style]);
      if (name?.endsWith('.ts')) ask([page, theme]);
    });
  }
}
