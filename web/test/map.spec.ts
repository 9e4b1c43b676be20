// The course map: the first thing that a newcomer sees.

import {Lab} from './support/lab.ts';
import {expect, test} from './support/test.ts';

const TITLES = {en: 'Stop a Go service. Lose nothing.', ru: 'Остановить сервис на Go и ничего не потерять'};

for (const [asked, lang] of [
  ['ru-RU,ru;q=0.9,en;q=0.8', 'ru'],
  ['en-GB,en;q=0.9,ru;q=0.5', 'en'],
  ['de-DE,de', 'en'],
  ['uk;q=0.9, ru;q=0.7, en;q=0.3', 'ru'],
  ['nonsense;;q=', 'en'],
] as const) {
  test(`the front door leads to ${lang} for ${asked}`, async ({browser, baseURL}) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    // The locale of a context cannot say all of these, and goes before other headers.
    await page.route(`${baseURL}/`, route => route.continue({headers: {...route.request().headers(), 'accept-language': asked}}));
    await page.goto(`${baseURL}/`);
    await expect(page).toHaveURL(`${baseURL}/${lang}/`);
    await expect(page.locator('html')).toHaveAttribute('lang', lang);
    await expect(page.locator('h1')).toHaveText(TITLES[lang]);
    await context.close();
  });
}

for (const lang of ['en', 'ru'] as const) {
  test(`the ${lang} map says what is there, and what is planned`, async ({page}) => {
    await page.goto(`/${lang}/`);
    const lessons = page.locator('ol.lessons > li');
    await expect(lessons).toHaveCount(14);
    const slugs = await lessons.evaluateAll(all => all.map(e => e.getAttribute('data-lesson') ?? ''));
    expect(slugs).toEqual(slugs.toSorted());
    for (const lesson of await lessons.all()) {
      const slug = await lesson.getAttribute('data-lesson');
      const written = slug === '04-consumer' || slug === '06-http';
      await expect(lesson, slug ?? '').toHaveAttribute('data-state', written ? 'ready' : 'planned');
      await expect(lesson.locator('h3 a')).toHaveCount(written ? 1 : 0);
      await expect(lesson.locator('.state')).toHaveText({en: ['planned', 'ready'], ru: ['в планах', 'готов']}[lang][written ? 1 : 0] ?? '');
      await expect(lesson.locator('h3 + p')).not.toBeEmpty();
    }
    await page.locator('[data-lesson="06-http"] h3 a').click();
    await expect(page).toHaveURL(new RegExp(`/${lang}/lessons/06-http$`));
    // A lesson that is not written has no page.
    expect((await page.request.get(`/${lang}/lessons/01-signals`)).status()).toBe(404);
  });
}

test('the language switch stays on the place', async ({page}) => {
  const titles: string[] = [];
  await page.goto('/en/lessons/04-consumer#closing');
  const heading = page.locator('h2#closing');
  await expect(heading).toBeInViewport();
  titles.push(await heading.innerText());
  await page.locator('.langs a').click();
  await expect(page).toHaveURL(/\/ru\/lessons\/04-consumer#closing$/);
  await expect(heading).toBeInViewport();
  titles.push(await heading.innerText());
  expect(titles[0]).not.toBe(titles[1]);

  // Also where one has read on, and the address names another place.
  await page.locator('h2#publishers').evaluate(e => e.scrollIntoView({block: 'start', behavior: 'instant'}));
  await expect(page.locator('.langs a')).toHaveAttribute('href', /#publishers$/);
  await page.locator('.langs a').click();
  await expect(page).toHaveURL(/\/en\/lessons\/04-consumer#publishers$/);
  await expect(page.locator('h2#publishers')).toBeInViewport();

  await page.goto('/en/cards');
  await page.locator('.langs a').click();
  await expect(page).toHaveURL(/\/ru\/cards$/);
  await page.goto('/ru/');
  await page.locator('.langs a').click();
  await expect(page).toHaveURL(/\/en\/$/);
});

test('a page that is not there says so in its language, and leads back', async ({page}) => {
  for (const [path, words] of [['/ru/lessons/nowhere', 'Такой страницы нет'], ['/en/nothing', 'no such page']] as const) {
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page.locator('main.error h1')).toContainText(new RegExp(words, 'i'));
    await page.locator('main.error a.button').click();
    await expect(page.locator('main.map')).toBeVisible();
  }
});

test('a newcomer stops a real consumer from the map', async ({page}) => {
  test.slow(); // a real stop
  await page.goto('/en/');
  const lab = new Lab(page);
  await lab.run({code: '143', back: '0'});
  await lab.says('start 3');
  await expect(lab.count('unacked')).toHaveText('3');
  await lab.press('term');
  await lab.exited('worker-1', 0);
  // What was said, and what was: the exit code was another, and nothing came back.
  await expect(lab.held.locator('.wrong')).toContainText('it was 0');
  await expect(lab.held.locator('.right')).toContainText('it was 0');
  const events = await lab.events();
  const taken = events.filter(e => e.kind === 'message.delivered').map(e => e.message);
  expect(taken.length).toBeGreaterThanOrEqual(3);
  expect(events.filter(e => e.kind === 'message.acked').map(e => e.message).toSorted()).toEqual(taken.toSorted());
  expect(events.filter(e => e.kind === 'message.requeued')).toEqual([]);
  await expect(lab.count('acked')).toHaveText(String(taken.length));
  await expect(lab.count('ready')).toHaveText(String(20 - taken.length));
});
