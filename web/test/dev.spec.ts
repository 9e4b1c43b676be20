// serve -dev: an author saves a lesson, and the page shows it.

import {cp, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {root} from './support/server.ts';
import {expect, test} from './support/test.ts';

const LESSON = '/en/lessons/04-consumer';

let folder = '';
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'drainlab-dev-'));
  for (const part of ['lessons', 'exercises', join('web', 'dist')]) {
    await cp(join(root, part), join(folder, part), {recursive: true});
  }
});
test.afterAll(() => rm(folder, {recursive: true, force: true}));

test('a lesson that is saved is on the page, at the same place', async ({page, ownServer}) => {
  const server = await ownServer(['-dev', '-programs', join(root, 'bin', 'exercises')], folder);
  await page.goto(server.url + LESSON);
  await expect(page.locator('dl-xp')).not.toBeEmpty();
  const file = join(folder, 'lessons', '04-consumer', 'en.md');
  const text = await readFile(file, 'utf8');
  await page.locator('#closing').evaluate(e => e.scrollIntoView({block: 'start', behavior: 'instant'}));
  const before = await page.evaluate(() => scrollY);

  const took: number[] = [];
  for (const title of ['A title in the making', 'A title that is done', 'Once more']) {
    // The page waits for news before a save can be any.
    const reloaded = page.waitForEvent('framenavigated');
    const began = Date.now();
    await writeFile(file, text.replace(/^title: .*$/m, `title: ${title}`));
    await reloaded;
    took.push(Date.now() - began);
    await expect(page.locator('h1')).toHaveText(title);
    await expect.poll(() => page.evaluate(() => Math.abs(scrollY)), {message: 'the place is kept'}).toBeGreaterThan(before - 200);
    await expect(page.locator('dl-xp')).not.toBeEmpty();
  }
  const sorted = took.toSorted((a, b) => a - b);
  console.log(`reload after a save: ${sorted.join(', ')} ms (goal 150 ms)`);
});

test('a lesson with a mistake still shows, and a mended one comes back', async ({page, ownServer}) => {
  const server = await ownServer(['-dev', '-programs', join(root, 'bin', 'exercises')], folder);
  await page.goto(server.url + LESSON);
  const file = join(folder, 'lessons', '04-consumer', 'en.md');
  const text = await readFile(file, 'utf8');
  await expect(page.locator('h2#phases')).toBeVisible();
  await writeFile(file, text.replace('```quiz\n', '```quiz\ntpyo: 1\n'));
  await expect(page.locator('main')).toContainText('tpyo');
  await writeFile(file, text);
  await expect(page.locator('main')).not.toContainText('tpyo');
  await expect(page.locator('dl-quiz').first()).toBeVisible();
});
