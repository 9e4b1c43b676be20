// What is kept in the browser, and what becomes of it.

import {expect, test} from '@playwright/test';
import type {Page} from '@playwright/test';

const LESSON = '/en/lessons/04-consumer';

/** Answers the n-th question with one right option, right at the first try. */
async function answer(page: Page, n: number): Promise<void> {
  const quiz = page.locator('dl-quiz:has([type="radio"]):defined').nth(n);
  const {right} = JSON.parse(await quiz.locator('script.key').innerText()) as {right: number[]};
  await quiz.locator(`input[value="${right[0]}"]`).check();
  await quiz.locator('button.check').click();
  await expect(quiz.locator('.result')).toContainText('Right.');
}

const xp = (page: Page) => page.locator('dl-xp');
const menu = async (page: Page) => {
  await page.locator('dl-progress-menu button.menu').click();
  return page.locator('dl-progress-menu .panel');
};

test('two tabs that are open at once lose no answer', async ({page, context}) => {
  const other = await context.newPage();
  await page.goto(LESSON);
  await other.goto(LESSON);
  await answer(page, 0);
  await answer(other, 1);
  await expect(xp(page)).toHaveText('20 XP');
  await expect(xp(other)).toHaveText('20 XP');
});

test('a reset asks, and can be undone after a reload', async ({page}) => {
  await page.goto(LESSON);
  await answer(page, 0);
  let panel = await menu(page);
  await panel.locator('.reset').click();
  await expect(xp(page)).toHaveText('10 XP');
  await panel.getByRole('button', {name: 'Forget everything'}).click();
  await expect(xp(page)).toHaveText('0 XP');
  await page.reload();
  panel = await menu(page);
  await panel.locator('.undo').click();
  await expect(xp(page)).toHaveText('10 XP');
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
});

test('progress goes out as a file and comes in elsewhere', async ({page, browser}) => {
  await page.goto(LESSON);
  await answer(page, 0);
  const panel = await menu(page);
  const download = page.waitForEvent('download');
  await panel.locator('.export').click();
  const file = await (await download).path();

  const elsewhere = await browser.newContext();
  const there = await elsewhere.newPage();
  await there.goto(new URL(LESSON, page.url()).href);
  await answer(there, 1);
  const its = await menu(there);
  await its.locator('input[type="file"]').setInputFiles(file);
  await expect(its).toContainText('1 answers, 0 cards, 10 XP');
  await its.locator('.merge').click();
  await expect(xp(there)).toHaveText('20 XP');
  await its.locator('.undo').click();
  await expect(xp(there)).toHaveText('10 XP');
  await elsewhere.close();
});

test('a file that is something else is refused with a reason', async ({page}) => {
  await page.goto(LESSON);
  await answer(page, 0);
  const panel = await menu(page);
  const give = (text: string) =>
    panel.locator('input[type="file"]').evaluate((input: HTMLInputElement, content) => {
      const files = new DataTransfer();
      files.items.add(new File([content], 'x.json'));
      input.files = files.files;
      input.dispatchEvent(new Event('change', {bubbles: true}));
    }, text);
  await give('{');
  await expect(panel.locator('.said')).toContainText('not JSON');
  await give('{"version": 1, "epoch": 0, "seed": 0, "answers": {"a": 1}}');
  await expect(panel.locator('.said')).toContainText('answers.a');
  await give('{"version": 2}');
  await expect(panel.locator('.said')).toContainText('newer version');
  await expect(xp(page)).toHaveText('10 XP');
});

test('stored progress that cannot be read is moved aside and told', async ({page}) => {
  await page.goto(LESSON);
  await page.evaluate(() => localStorage.setItem('drainlab.v1', '{"version":1,'));
  await page.reload();
  await expect(page.locator('.progress-notice')).toContainText('could not be read');
  expect(await page.evaluate(() => localStorage.getItem('drainlab.v1.broken'))).toBe('{"version":1,');
  await answer(page, 0);
  await page.reload();
  await expect(xp(page)).toHaveText('10 XP');
  await expect(page.locator('.progress-notice')).toBeHidden();
});

test('a browser that keeps nothing still counts, and says that it forgets', async ({page}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('forbidden', 'SecurityError');
      },
    });
  });
  await page.goto(LESSON);
  await answer(page, 0);
  await expect(xp(page)).toHaveText('10 XP');
  await expect(page.locator('.progress-notice')).toContainText('keeps nothing');
});

test('reading is resumed where it stopped', async ({page}) => {
  await page.goto(LESSON);
  const heading = page.locator('article h2[id]').nth(4);
  const id = await heading.getAttribute('id');
  await page.mouse.move(300, 400);
  const top = (await heading.boundingBox())?.y ?? 0;
  await page.mouse.wheel(0, top - 100);
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('drainlab.v1')), {timeout: 8000})
    .toContain(`"section":"${id}"`);
  await page.goto('/en/');
  await page.locator('[data-lesson="04-consumer"] .progress a').click();
  await expect(page).toHaveURL(new RegExp(`${LESSON}#${id}$`));
  await page.goto(LESSON);
  await expect(page.locator('.crumb a.resume')).toHaveAttribute('href', `#${id}`);
});
