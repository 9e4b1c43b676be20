// axe finds nothing wrong: pages, languages, widths, light and dark, and while
// a run goes on.

import type {Page} from '@playwright/test';
import {violations} from './support/axe.ts';
import {Lab} from './support/lab.ts';
import {expect, test} from './support/test.ts';

test.beforeEach(() => test.slow());

const WIDTHS = [1440, 390];
const pages = ['/', '/lessons/04-consumer', '/lessons/06-http', '/cards', '/nowhere'];

/** axe finds nothing in the page, in light and dark. */
async function clean(page: Page, where: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({colorScheme});
    await expect(page.locator('dl-diagram:not(.drawn)')).toHaveCount(0, {timeout: 20_000});
    expect.soft(await settledViolations(page, 'html'), `${where}, ${colorScheme}`).toEqual([]);
  }
}

/** And in the lab alone, at all widths: it is the part that has changed. */
async function labClean(page: Page, where: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({width, height: 900});
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({colorScheme});
      expect.soft(await settledViolations(page, 'dl-lab'), `${where}, ${width} pixels, ${colorScheme}`).toEqual([]);
    }
  }
}

async function settledViolations(page: Page, part: string): Promise<string[]> {
  // No colour is half-way to the other when it is looked at.
  await page.evaluate(async () => {
    const changing = document.getAnimations().filter(a => a instanceof CSSTransition);
    await Promise.allSettled(changing.map(a => a.finished));
  });
  return violations(page, part);
}

for (const width of WIDTHS) {
  test.describe(`at ${width} pixels`, () => {
    test.use({viewport: {width, height: 900}});

    for (const lang of ['en', 'ru']) {
      test(`the pages in ${lang}`, async ({page}) => {
        for (const path of pages) {
          await page.goto(`/${lang}${path}`);
          await expect(page.locator('dl-xp')).not.toBeEmpty();
          await clean(page, `/${lang}${path}`);
        }
      });
    }

    test('a lesson whose questions were answered', async ({page}) => {
      await page.goto('/en/lessons/04-consumer');
      await expect(page.locator('dl-quiz:not(:defined)')).toHaveCount(0);
      for (const quiz of await page.locator('dl-quiz').all()) {
        await quiz.locator('input').first().check();
        await quiz.locator('button.check').click();
        await expect(quiz.locator('.option .why').first()).toBeVisible();
      }
      await page.locator('dl-cards .flip').first().click();
      await page.locator('dl-progress-menu button.menu').click();
      await clean(page, 'answered');
    });
  });
}

test('the lab, before, in and after a run', async ({page}) => {
  await page.goto('/en/lessons/04-consumer');
  const lab = new Lab(page);
  await lab.start.click(); // which asks for a prediction
  await expect(lab.at.locator('#lab-lacks')).toBeVisible();
  await lab.run({code: '0', back: '3'});
  await lab.press('hang');
  await lab.at.locator('details.events summary').click();
  await clean(page, 'under way');
  await lab.at.locator('details.events summary').click();
  await lab.says('start 21'); // the one that hangs
  await lab.press('term');
  await lab.says('signal received');
  await labClean(page, 'in its grace period');
  await lab.exited('worker-1', 1);
  await lab.stop();
  await labClean(page, 'ended');
});

test('the HTTP lab in Russian, in a run', async ({page}) => {
  await page.goto('/ru/lessons/06-http');
  const lab = new Lab(page);
  await lab.run();
  await lab.says('start', 3);
  await labClean(page, 'under way');
  await lab.press('term');
  await lab.exited('server-1', 0);
  await lab.stop();
  await clean(page, 'ended');
});
