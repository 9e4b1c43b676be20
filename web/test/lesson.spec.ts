// A lesson as a page: read, searched, coloured, printed without a script, and
// still there when a part of it breaks.

import type {Locator, Page} from '@playwright/test';
import {expect, test} from './support/test.ts';

const LESSON = '/en/lessons/04-consumer';

/** The page's scripts have run, and what they drew is painted. */
async function alive(page: Page): Promise<void> {
  await expect(page.locator('dl-xp')).not.toBeEmpty();
  await expect(page.locator('dl-lab button.just[disabled]')).toHaveCount(0);
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Everything is in its place: blocks are alive, diagrams drawn, fonts there. */
async function settled(page: Page): Promise<void> {
  await alive(page);
  await expect(page.locator('dl-diagram:not(.drawn)')).toHaveCount(0, {timeout: 20_000});
  await page.evaluate(() => document.fonts.ready.then(() => true));
}

test('every kind of block is there and within reach of the keyboard', async ({page}) => {
  await page.goto(LESSON);
  await settled(page);
  const kinds = ['dl-quiz', 'dl-predict', 'dl-blanks', 'dl-order', 'dl-cards', 'dl-program', 'dl-diagram', 'dl-lab-task', 'dl-lab', '.block-note'];
  for (const kind of kinds) await expect(page.locator(kind).first(), kind).toBeVisible();

  // Tab through the page, from its start to its end, and see where it stops.
  const reached = new Set<string>();
  await page.evaluate(() => document.body.focus());
  for (let i = 0; i < 400; i++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      if (e === null || e === document.body) return null;
      const {outlineStyle, boxShadow} = getComputedStyle(e);
      const own = e.closest('dl-quiz, dl-predict, dl-blanks, dl-order, dl-cards, dl-program, dl-diagram, dl-lab-task, dl-lab');
      return {kind: own?.localName ?? 'page', shown: outlineStyle !== 'none' || boxShadow !== 'none', what: e.outerHTML.slice(0, 80)};
    });
    if (at === null) break;
    expect(at.shown, `focus can be seen on ${at.what}`).toBe(true);
    reached.add(at.kind);
  }
  for (const kind of kinds.filter(k => k !== '.block-note')) expect([...reached], kind).toContain(kind);
});

test('the skip link and the list of sections lead to their places', async ({page}) => {
  await page.goto(LESSON);
  await page.keyboard.press('Tab');
  await expect(page.locator('a.skip')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
  for (const link of await page.locator('nav.toc a').all()) {
    const id = (await link.getAttribute('href'))?.slice(1) ?? '';
    await expect(page.locator(`h2[id="${id}"]`)).toHaveText(new RegExp(`^${escape(await link.innerText())}`));
  }
  await page.locator('nav.toc a').nth(3).click();
  await expect(page.locator('article h2').nth(3)).toBeInViewport();
  await expect(page.locator('nav.toc a[aria-current]')).toHaveCount(1);
});

const escape = (s: string): string => s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

test.describe('without JavaScript', () => {
  test.use({javaScriptEnabled: false});

  for (const path of ['/en/lessons/04-consumer', '/ru/lessons/04-consumer', '/en/lessons/06-http', '/ru/lessons/06-http']) {
    test(`${path} can be read whole, with the answers`, async ({page}) => {
      await page.goto(path);
      for (const heading of await page.locator('article h2').all()) await expect(heading).toBeVisible();
      for (const p of await page.locator('article > p').all()) await expect(p).toBeVisible();
      for (const kind of ['dl-quiz', 'dl-predict', 'dl-blanks', 'dl-order']) {
        for (const block of await page.locator(kind).all()) {
          await expect(block.locator('legend, .question').first()).toBeVisible();
          const answers = block.locator('details').last();
          await expect(answers).not.toHaveAttribute('open');
          await answers.locator('summary').first().click();
          await expect(answers).toHaveAttribute('open');
          await expect(answers).toHaveText(/\S+\s+\S+\s+\S+/);
        }
      }
      for (const alt of await page.locator('dl-diagram .alt').all()) await expect(alt).toBeVisible();
      await expect(page.locator('dl-cards .back').first()).toBeVisible();
      await expect(page.locator('aside.lab noscript code .line')).toHaveText(/^bin\/drainlab run (consumer|http) -program solution/);
      await expect(page.locator('p.noscript')).toBeVisible();
      // No button that can do nothing.
      for (const button of await page.locator('article button, header button').all()) await expect(button).toBeHidden();
    });
  }

  test('the map and the cards can be read too', async ({page}) => {
    await page.goto('/en/');
    await expect(page.locator('ol.lessons > li')).toHaveCount(14);
    await page.goto('/en/cards');
    await expect(page.locator('main.cards dd').first()).toBeVisible();
  });
});

test('a diagram is drawn, and says the same in words', async ({page}) => {
  await page.goto(LESSON);
  await settled(page);
  for (const diagram of await page.locator('dl-diagram').all()) {
    const drawing = diagram.getByRole('img');
    await drawing.scrollIntoViewIfNeeded();
    await expect(drawing.locator('svg text').first()).toBeVisible();
    const alt = diagram.locator(`[id="${await drawing.getAttribute('aria-describedby')}"]`);
    expect((await alt.textContent())?.split(/\s+/).length ?? 0).toBeGreaterThan(15);
  }
  // It is drawn again in the colours of the other theme.
  const text = page.locator('dl-diagram svg text').first();
  const colour = (): Promise<string> => text.evaluate(e => getComputedStyle(e).fill);
  const before = await colour();
  await page.emulateMedia({colorScheme: 'dark'});
  await expect.poll(colour).not.toBe(before);
});

test('a page without a diagram loads no Mermaid', async ({page}) => {
  const asked: string[] = [];
  page.on('request', r => asked.push(new URL(r.url()).pathname));
  await page.goto('/en/');
  await settled(page);
  await page.goto('/en/cards');
  await settled(page);
  expect(asked.filter(p => /frame/.test(p))).toEqual([]);
  await page.goto(LESSON);
  await settled(page);
  expect(asked).toContain('/frame/diagram');
});

test('a program shows its lines with their numbers, as in the file', async ({page}) => {
  await page.goto(LESSON);
  const program = page.locator('dl-program', {hasText: 'solution/main.go · drain'});
  const lines = program.locator('.line');
  const numbers = await lines.evaluateAll(all => all.map(e => Number(e.getAttribute('data-n'))));
  expect(numbers.length).toBeGreaterThan(5);
  expect(numbers).toEqual(numbers.map((_, i) => (numbers[0] ?? 0) + i));
  expect(await lines.first().evaluate(e => getComputedStyle(e, '::before').content)).toMatch(/attr\(data-n\)|"\d+"/);
  await expect(program.locator('.line.hl').first()).toBeVisible();
  // The numbers are not among what is copied.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await program.locator('button.copy').click();
  await expect(program.locator('.said')).toHaveText('Copied');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^var unfinished error\nselect {\n/);
  expect(copied).not.toContain(String(numbers[0]));
});

test('the course is searched from anywhere', async ({page}) => {
  await page.goto('/en/cards');
  await expect(page.locator('dl-xp')).not.toBeEmpty();
  await page.keyboard.press('/');
  const search = page.locator('dialog.search');
  await page.keyboard.type('order of closing');
  const hits = search.locator('ol a');
  await expect(hits.first()).toContainText('The order of closing');
  await expect(search.getByRole('status')).toContainText(/\d+ place/);
  await page.keyboard.press('ArrowDown');
  await expect(hits.first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/en\/lessons\/04-consumer#closing$/);
  await expect(page.locator('h2#closing')).toBeInViewport();

  await page.locator('button.search').click();
  await page.keyboard.type('zzzyx');
  await expect(search.getByRole('status')).toHaveText('Nothing found.');
  await page.keyboard.press('Escape');
  await expect(search).toHaveCount(0);
  await page.keyboard.press('?');
  await expect(page.locator('dialog dt')).not.toHaveCount(0);
});

/** Colour of the page's ground as it was at the first paint. */
const ground = (page: Page): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test('the theme that was chosen stays, and never flashes', async ({page}) => {
  await page.emulateMedia({colorScheme: 'light'});
  await page.goto(LESSON);
  await settled(page);
  const light = await ground(page);
  const toggle = page.locator('button.theme');
  await expect(toggle).toHaveAttribute('aria-label', /as the system/);
  await toggle.click();
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-label', /dark/);
  const dark = await ground(page);
  expect(dark).not.toBe(light);

  // What each of the first frames of the next page is painted on.
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.defineProperty(window, 'grounds', {value: seen});
    const look = (): void => {
      if (document.body) seen.push(getComputedStyle(document.body).backgroundColor);
      if (seen.length < 30) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  for (const path of [LESSON, '/ru/', '/en/cards']) {
    await page.goto(path);
    await page.waitForFunction(() => (window as unknown as {grounds: string[]}).grounds.length >= 30);
    const grounds = await page.evaluate(() => (window as unknown as {grounds: string[]}).grounds);
    expect([...new Set(grounds)]).toEqual([dark]);
  }
  // Another page that is open follows.
  const other = await page.context().newPage();
  await other.goto('/en/');
  await page.locator('button.theme').click();
  await expect.poll(() => ground(other)).toBe(light);
});

test.describe('a part that breaks', () => {
  test('a block that throws as it starts leaves the rest working', async ({page}) => {
    await page.route(`**${LESSON}`, async route => {
      const response = await route.fetch();
      const html = await response.text();
      const at = html.indexOf('<dl-order');
      // Its answer key is not what its script can read.
      await route.fulfill({response, body: html.slice(0, at) + html.slice(at).replace('class="key">{', 'class="key">{{')});
    });
    await page.goto(LESSON);
    await expect(page.locator('dl-order .block-failed').first()).toBeVisible();
    await expect(page.locator('dl-order .step').first()).toBeVisible();
    await works(page);
  });

  test('a script that does not come leaves the rest working', async ({page}) => {
    const names: string[] = [];
    await page.route(/\/assets\/chunk-kind-.*\.js$/, async route => {
      const response = await route.fetch();
      if (!/define\(["`]dl-blanks/.test(await response.text())) return route.fulfill({response});
      names.push(route.request().url());
      return route.abort();
    });
    await page.goto(LESSON);
    await expect(page.locator('dl-blanks .block-failed').first()).toBeVisible();
    expect(names.length).toBe(1);
    await works(page);
    await page.unrouteAll({behavior: 'ignoreErrors'}); // some script may be under way
  });

  /** A question can be answered, and the lab can be used. */
  async function works(page: Page): Promise<void> {
    const quiz: Locator = page.locator('dl-quiz:has([type="radio"])').first();
    const {right} = JSON.parse(await quiz.locator('script.key').innerText()) as {right: number[]};
    await quiz.locator(`input[value="${right[0]}"]`).check();
    await quiz.locator('button.check').click();
    await expect(quiz.locator('.result')).toContainText('Right.');
    await expect(page.locator('dl-lab button.run')).toBeEnabled();
  }
});

for (const width of [1440, 390]) {
  test.describe(`at ${width} pixels`, () => {
    test.use({viewport: {width, height: 900}});

    for (const path of ['/en/', LESSON, '/ru/lessons/04-consumer', '/en/cards']) {
      test(`${path} does not jump while it loads, nor is it too wide`, async ({page}) => {
        await page.addInitScript(() => {
          const shifts: {value: number; of: string}[] = [];
          Object.defineProperty(window, 'shifts', {value: shifts});
          new PerformanceObserver(list => {
            for (const entry of list.getEntries() as (PerformanceEntry & {value: number; sources: {node: Element | null}[]})[]) {
              const of = entry.sources.map(s => (s.node instanceof Element ? s.node.outerHTML.slice(0, 80) : String(s.node)));
              shifts.push({value: entry.value, of: of.join(' | ')});
            }
          }).observe({type: 'layout-shift', buffered: true});
        });
        // The hardest case: the fonts come when all else has been painted.
        let release = (): void => {};
        const late = new Promise<void>(resolve => {
          release = resolve;
        });
        await page.route('**/*.woff2', async route => {
          await late;
          await route.continue();
        });
        await page.goto(path, {waitUntil: 'commit'});
        await alive(page);
        expect(await page.evaluate(() => document.fonts.status)).toBe('loading');
        release();
        await settled(page);
        await alive(page); // what the last change moved has been counted
        const shifts = await page.evaluate(() => (window as unknown as {shifts: {value: number; of: string}[]}).shifts);
        const sum = shifts.reduce((a, s) => a + s.value, 0);
        expect(sum, shifts.map(s => `${s.value.toFixed(4)} ${s.of}`).join('\n')).toBeLessThan(0.02);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      });
    }
  });
}
