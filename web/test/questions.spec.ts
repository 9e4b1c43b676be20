// The questions and cards of a lesson, as a learner meets them. What is right
// is read from the page's own answer keys, so that the lesson can be rewritten
// without a change here.

import {expect, test} from '@playwright/test';
import type {Locator, Page} from '@playwright/test';

const LESSON = '/en/lessons/04-consumer';

/** The first block of a kind once its script has begun, and its answer key. */
async function block<Key>(page: Page, selector: string): Promise<{at: Locator; key: Key}> {
  const at = page.locator(`${selector}:defined`).first();
  const key = JSON.parse(await at.locator('script.key').innerText()) as Key;
  return {at, key};
}

const choose = (at: Locator, value: number): Promise<void> => at.locator(`input[value="${value}"]`).check();
const check = (at: Locator): Promise<void> => at.locator('button.check').click();
const xp = (page: Page): Locator => page.locator('dl-xp');

test('a quiz gives a reason for what was chosen, and another try', async ({page}) => {
  await page.goto(LESSON);
  const {at, key} = await block<{right: number[]; why: string[]}>(page, 'dl-quiz:has([type="radio"])');
  await check(at);
  await expect(at.locator('.result')).toContainText('Choose an answer first');

  const wrong = key.why.findIndex((_, i) => !key.right.includes(i));
  await choose(at, wrong);
  await check(at);
  await expect(at.locator('.option.wrong .why')).toHaveCount(1);
  await expect(at.locator('.option.right')).toHaveCount(0);
  await expect(at.locator('.result')).toContainText('Not quite');
  await expect(at.locator('button.check')).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(at.locator('input').first()).toBeFocused();
  await choose(at, key.right[0] ?? 0);
  await check(at);
  await expect(at.locator('.result')).toContainText('Right.');
  await expect(xp(page)).toHaveText('4 XP');

  await page.reload();
  await expect(at.locator('.mark')).toContainText('2 tries');
  await at.locator('button.recall').click();
  await expect(at.locator('.option.right .why')).toBeVisible();
  await expect(xp(page)).toHaveText('4 XP');
});

test('options stay where they are for one learner', async ({page}) => {
  const orders = async (): Promise<string[]> =>
    page.locator('dl-quiz').evaluateAll(all => all.map(q => [...q.querySelectorAll('input')].map(i => i.value).join()));
  await page.goto(LESSON);
  await expect(xp(page)).toHaveText('0 XP');
  const first = await orders();
  await page.reload();
  await expect(xp(page)).toHaveText('0 XP');
  expect(await orders()).toEqual(first);
});

test('the true output is hidden until there is an answer', async ({page}) => {
  await page.goto(LESSON);
  const {at, key} = await block<{output: string; typed: {text: string; why: string}[]}>(
    page,
    'dl-predict:has(textarea)',
  );
  await expect(at.locator('.truth')).toBeHidden();
  expect(await at.innerText()).not.toContain(key.output);
  await at.locator('textarea').fill(`${key.typed[0]?.text ?? 'nothing'}\n\n`);
  await check(at);
  await expect(at.locator('.result')).toContainText('Line 1:');
  await expect(at.locator('.result .why')).not.toBeEmpty();
  await expect(at.locator('.truth .output')).toHaveText(key.output);
  await check(at); // try again
  await expect(at.locator('.truth')).toBeHidden();
  await at.locator('textarea').fill(`  ${key.output.replaceAll(' ', '   ')}  \n`);
  await check(at);
  await expect(at.locator('.result')).toContainText('Right.');
});

test('gaps are gone through with Enter, and the answer is shown after two tries', async ({page}) => {
  await page.goto(LESSON);
  const {at, key} = await block<{gaps: {accept: string[]; wrong: {answer: string}[]}[]}>(page, 'dl-blanks');
  const gaps = at.locator('input.gap');
  await expect(gaps).toHaveCount(key.gaps.length);
  const fill = async (answers: string[]): Promise<void> => {
    await gaps.first().focus();
    for (const answer of answers) {
      await page.keyboard.press('Control+A');
      await page.keyboard.type(answer);
      await page.keyboard.press('Enter');
    }
  };
  const known = key.gaps.findIndex(gap => gap.wrong.length > 0);
  await fill(key.gaps.map((gap, i) => (i === known ? (gap.wrong[0]?.answer ?? '') : `  ${gap.accept[0] ?? ''} `)));
  await expect(at.locator('.reasons .ok')).toHaveCount(key.gaps.length - 1);
  await expect(at.locator('.reasons .no')).toHaveCount(1);
  await expect(gaps.nth(known)).toHaveAttribute('aria-invalid', 'true');
  await expect(at.locator('button.solve')).toBeHidden();
  await check(at); // try again
  await expect(gaps.nth(known)).toBeFocused();
  await check(at);
  await at.locator('button.solve').click();
  await expect(at.locator('.reasons .ok')).toHaveCount(key.gaps.length);
});

interface Order {
  readonly solution: string[];
  readonly distractors: string[];
}

const step = (at: Locator, id: string): Locator => at.locator(`li.step[data-step="${id}"]`);
const sequence = (at: Locator): Promise<string[]> =>
  at.locator('ol.sequence > li.step').evaluateAll(all => all.map(e => e.getAttribute('data-step') ?? ''));

test('an order is arranged with keys alone', async ({page}) => {
  await page.goto(LESSON);
  const {at, key} = await block<Order>(page, 'dl-order');
  for (const id of key.solution) {
    await step(at, id).focus();
    await page.keyboard.press('Enter');
  }
  expect(await sequence(at)).toEqual(key.solution);
  await expect(at.locator('.said')).toContainText(`added as number ${key.solution.length}`);

  const [first = '', second = ''] = key.solution;
  await step(at, first).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(step(at, first)).toBeFocused();
  expect((await sequence(at)).slice(0, 2)).toEqual([second, first]);
  await check(at);
  await expect(at.locator('.step.wrong')).toHaveCount(1);
  await expect(at.locator('.step.wrong .why')).not.toBeEmpty();

  await check(at); // try again
  await step(at, first).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await step(at, key.distractors[0] ?? '').focus();
  await page.keyboard.press('ArrowRight');
  await check(at);
  await expect(at.locator('.result')).toContainText('Partly right.');
  await expect(at.locator('.step.wrong')).toHaveAttribute('data-step', key.distractors[0] ?? '');

  await check(at); // try again
  await step(at, key.distractors[0] ?? '').focus();
  await page.keyboard.press('Delete');
  await check(at);
  await expect(at.locator('.result')).toContainText('Right.');
  await expect(xp(page)).toHaveText('4 XP');
});

test('an order is arranged with a mouse', async ({page}) => {
  await page.goto(LESSON);
  const {at, key} = await block<Order>(page, 'dl-order');
  const [a = '', b = ''] = key.solution;
  const drag = async (from: Locator, to: Locator, above: boolean): Promise<void> => {
    await from.evaluate(e => e.scrollIntoView({block: 'center', behavior: 'instant'}));
    const f = await from.boundingBox();
    const t = await to.boundingBox();
    if (f === null || t === null) throw new Error('nothing to drag');
    await page.mouse.move(f.x + 50, f.y + 10);
    await page.mouse.down();
    // Straight across, as far as the other list reaches.
    const y = above ? t.y + 3 : Math.min(f.y + 20, t.y + t.height - 5);
    await page.mouse.move(t.x + 50, y, {steps: 6});
    await page.mouse.up();
  };
  await drag(step(at, b), at.locator('ol.sequence'), false);
  await drag(step(at, a), at.locator('ol.sequence'), false);
  expect((await sequence(at)).toSorted()).toEqual([a, b].toSorted());
  const [first = '', second = ''] = await sequence(at);
  await drag(step(at, second), step(at, first), true);
  expect(await sequence(at)).toEqual([second, first]);
  await drag(step(at, first), at.locator('ul.tray'), false);
  expect(await sequence(at)).toEqual([second]);
});

test.describe('on a phone', () => {
  test.use({viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true});

  test('a finger drags a step by its handle, and scrolls by its text', async ({page}) => {
    await page.goto(LESSON);
    const {at} = await block<Order>(page, 'dl-order');
    const touch = await page.context().newCDPSession(page);
    const swipe = async (from: Locator): Promise<void> => {
      await at.locator('ol.sequence').evaluate(e => e.scrollIntoView({block: 'center', behavior: 'instant'}));
      const f = await from.boundingBox();
      const t = await at.locator('ol.sequence').boundingBox();
      if (f === null || t === null) throw new Error('nothing to drag');
      const point = (part: number) => ({
        x: f.x + 8 + part * (t.x + 60 - f.x),
        y: f.y + 8 + part * (t.y + 30 - f.y - 8),
      });
      await touch.send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: [point(0)]});
      for (let i = 1; i <= 6; i++)
        await touch.send('Input.dispatchTouchEvent', {type: 'touchMove', touchPoints: [point(i / 6)]});
      await touch.send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
    };
    await swipe(at.locator('ul.tray > li.step').last().locator('.handle'));
    await expect(at.locator('ol.sequence > li.step')).toHaveCount(1);
    await swipe(at.locator('ul.tray > li.step').last().locator('.label'));
    await expect(at.locator('ol.sequence > li.step')).toHaveCount(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});

test('cards are rated in the lesson, reviewed when due, and a rating can be undone', async ({page}) => {
  await page.clock.install({time: new Date('2026-03-02T09:00:00Z')});
  await page.goto(LESSON);
  const deck = page.locator('dl-cards').first();
  const size = await deck.locator('li.flash').count();
  await expect(deck.locator('li.flash.current .back')).toBeHidden();
  await deck.locator('.flip').focus();
  await page.keyboard.press('Space');
  await expect(deck.locator('li.flash.current .back')).toBeVisible();
  await expect(deck.locator('.rate')).toHaveCount(4);
  await page.keyboard.press('3');
  await expect(deck.locator('.mark')).toContainText('card 2 of');

  await page.goto('/en/cards');
  const review = page.locator('dl-review');
  await expect(review).toContainText('Nothing is due');
  await expect(review).toContainText('in 10 minutes');
  await page.clock.fastForward('11:00');
  await expect(review).toContainText('One card is due');
  await page.keyboard.press('Space');
  await page.keyboard.press('4');
  await expect(review).toContainText('Nothing is due');
  await page.keyboard.press('u');
  await expect(review).toContainText('One card is due');

  await page.goto(LESSON);
  await deck.locator('.add').click();
  await expect(deck.locator('.mark')).toContainText('all in your cards');
  await page.goto('/en/cards');
  await expect(review).toContainText(`${size} cards are due`);
});

test('without cards, the page of cards leads to the lessons', async ({page}) => {
  await page.goto('/en/cards');
  await expect(page.locator('dl-review')).toContainText('No cards yet');
  await page.locator('dl-review a.button').click();
  await expect(page).toHaveURL(/\/en\/$/);
});

test('a question answered wrong is asked again on the page of cards', async ({page}) => {
  await page.goto(LESSON);
  const {at, key} = await block<{right: number[]; why: string[]}>(page, 'dl-quiz:has([type="radio"])');
  await choose(
    at,
    key.why.findIndex((_, i) => !key.right.includes(i)),
  );
  await check(at);
  const id = await at.getAttribute('data-key');

  await page.goto('/en/cards');
  const again = page.locator(`dl-review dl-quiz[data-key="${id}"]`);
  await choose(again, key.right[0] ?? 0);
  await check(again);
  await expect(again.locator('.result')).toContainText('Right.');
  await page.getByRole('button', {name: 'Done'}).click();
  await expect(page.locator('dl-review')).toContainText('No question is left');
  await page.reload();
  await expect(page.locator('dl-review .due')).toBeVisible();
  await expect(page.locator('dl-review .retry')).toHaveCount(0);
});

test.describe('without a script', () => {
  test.use({javaScriptEnabled: false});

  test('questions and cards can be read, with their answers', async ({page}) => {
    await page.goto(LESSON);
    await page.locator('dl-quiz summary').first().click();
    await expect(page.locator('dl-quiz details .ok').first()).toBeVisible();
    await expect(page.locator('dl-cards .back').last()).toBeVisible();
    await expect(page.locator('button.check').first()).toBeHidden();
  });
});
