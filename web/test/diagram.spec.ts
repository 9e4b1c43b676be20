// Diagrams and programs of a lesson, under the page's own policy.

import {expect, test} from './support/test.ts';

const lesson = '/en/lessons/04-consumer';

test('a diagram is drawn, keeps its place, and follows the theme', async ({page}) => {
  const errors: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.emulateMedia({colorScheme: 'light'});
  await page.goto(lesson);
  const diagram = page.locator('dl-diagram').first();
  const before = await diagram.boundingBox();
  await expect(diagram).toHaveClass(/drawn/);
  expect((await diagram.boundingBox())?.height).toBe(before?.height);
  await expect(diagram.locator('.drawing')).toContainText('basic.cancel');

  // Its lines have the page's colours, though no markup holds a style.
  const line = diagram.locator('.messageLine0').first();
  const stroke = () => line.evaluate(element => getComputedStyle(element).stroke);
  const soft = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--soft'));
  expect(await stroke()).toBe(await soft());
  const light = await stroke();
  await page.emulateMedia({colorScheme: 'dark'});
  await expect.poll(stroke).not.toBe(light);
  expect(await stroke()).toBe(await soft());
  expect(errors).toEqual([]);
});

test('a diagram that cannot be drawn leaves its words', async ({page}) => {
  await page.route('**/frame/diagram', route => route.abort());
  await page.goto(lesson);
  const diagram = page.locator('dl-diagram').first();
  await expect(diagram).toHaveClass(/failed/);
  expect((await diagram.locator('.alt').boundingBox())?.height).toBeGreaterThan(20);
});

test('a program is copied as it stands in the file', async ({page, context}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(lesson);
  const program = page.locator('dl-program').first();
  await program.getByRole('button', {name: 'Copy'}).click();
  await expect(program.locator('.said')).toHaveText('Copied');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/signal\.NotifyContext\(.*\)\n/);
  expect(copied).not.toMatch(/^\d/m);
});

test.describe('without JavaScript', () => {
  test.use({javaScriptEnabled: false});

  test('a lesson can be read to its end', async ({page}) => {
    await page.goto(lesson);
    await expect(page.locator('dl-diagram .alt').first()).toBeVisible();
    expect((await page.locator('dl-diagram .alt').first().boundingBox())?.height).toBeGreaterThan(20);
    await expect(page.locator('dl-program .line').first()).toBeVisible();
    await page.locator('dl-quiz details summary').first().click();
    await expect(page.locator('dl-quiz details .ok').first()).toBeVisible();
    await page.getByRole('link', {name: 'RU', exact: true}).click();
    await expect(page).toHaveURL(/\/ru\/lessons\/04-consumer$/);
  });
});
