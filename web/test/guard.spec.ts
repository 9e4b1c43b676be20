// A page of another origin can neither drive the lab, nor read it, nor frame it.

import type {Page} from '@playwright/test';
import {elsewhere} from './support/elsewhere.ts';
import type {Elsewhere} from './support/elsewhere.ts';
import {expect, test} from './support/test.ts';

const RUN = {exercise: 'consumer', program: 'solution', platform: {preset: 'docker-stop', grace: '10s'}, play: false};

let other: Elsewhere;
test.beforeAll(async () => {
  other = await elsewhere('<!doctype html><meta charset="utf-8"><title>Elsewhere</title><h1>Elsewhere</h1>');
});
test.afterAll(() => other.close());

/** A run that the visitor has going on, as the victim of the attempts below. */
async function begin(page: Page): Promise<string> {
  const response = await page.request.post('/api/runs', {data: RUN});
  expect(response.status()).toBe(201);
  return ((await response.json()) as {id: string}).id;
}

/** What a page's script gets for a request: a status, "opaque" or "refused". */
function ask(page: Page, url: string, init: RequestInit): Promise<string> {
  return page.evaluate(
    ([u, i]) => fetch(u, i).then(r => (r.type === 'opaque' ? 'opaque' : String(r.status)), () => 'refused'),
    [url, init] as const,
  );
}

/** The statuses of all that the page asks the API for from now on, also of what the browser keeps from it. */
async function answers(page: Page): Promise<number[]> {
  const statuses: number[] = [];
  const devtools = await page.context().newCDPSession(page);
  const api = new Set<string>();
  const early = new Map<string, number>();
  devtools.on('Network.requestWillBeSent', e => {
    if (!new URL(e.request.url).pathname.startsWith('/api/')) return;
    api.add(e.requestId);
    const status = early.get(e.requestId);
    if (status !== undefined) statuses.push(status);
  });
  devtools.on('Network.responseReceivedExtraInfo', e => {
    if (api.has(e.requestId)) statuses.push(e.statusCode);
    else early.set(e.requestId, e.statusCode);
  });
  await devtools.send('Network.enable');
  return statuses;
}

/** "open" or "refused". */
function socket(page: Page, url: string): Promise<string> {
  return page.evaluate(
    u =>
      new Promise<string>(resolve => {
        const ws = new WebSocket(u);
        ws.onopen = () => {
          resolve('open');
          ws.close();
        };
        ws.onerror = () => resolve('refused');
      }),
    url.replace(/^http/, 'ws'),
  );
}

for (const host of ['127.0.0.1', 'localhost'] as const) {
  test(`a page at ${host} cannot begin, read or drive a run`, async ({page, baseURL}) => {
    const id = await begin(page);
    const statuses = await answers(page);
    const there = async (path: string, init: RequestInit = {}): Promise<string> => ask(page, `${baseURL}${path}`, init);
    const body = JSON.stringify(RUN);

    await page.goto(other.origin(host));
    // What a browser sends without asking first: no-cors, with a body of plain text.
    expect(await there('/api/runs', {method: 'POST', mode: 'no-cors', body})).not.toBe('201');
    expect(await there('/api/runs', {method: 'POST', body, headers: {'Content-Type': 'application/json'}})).toBe('refused');
    expect(await there(`/api/runs/${id}/actions`, {method: 'POST', mode: 'no-cors', body: '{"do":"kill"}'})).not.toBe('202');
    expect(await there(`/api/runs/${id}/stop`, {method: 'POST', mode: 'no-cors'})).not.toBe('202');
    for (const path of [`/api/runs/${id}`, `/api/runs/${id}/events`, '/api/exercises/consumer']) {
      expect(await there(path)).toBe('refused');
    }
    expect(await socket(page, `${baseURL}/api/runs/${id}/stream`)).toBe('refused');
    // It was the server that turned them away, not only the browser.
    await expect.poll(() => statuses).toEqual(Array(7).fill(403));
    // The run lives, and nobody did anything to it.
    expect(await (await page.request.get(`/api/runs/${id}`)).json()).toMatchObject({state: 'running'});
    const events = await (await page.request.get(`/api/runs/${id}/events`)).text();
    expect(events).toContain('"kind":"process.started"');
    expect(events).not.toContain('"kind":"signal.sent"');

    // The same from the lab's own page goes through: the refusals above are about the origin.
    await page.goto('/en/');
    expect(await ask(page, `/api/runs/${id}`, {})).toBe('200');
    expect(await socket(page, `${baseURL}/api/runs/${id}/stream`)).toBe('open');
    expect(await ask(page, `/api/runs/${id}/stop`, {method: 'POST'})).toBe('202');
  });

  test(`a page at ${host} cannot have a form sent here, nor frame a page`, async ({page, baseURL}) => {
    await page.goto(other.origin(host));
    const framed = async (src: string): Promise<string> => {
      const element = await page.evaluateHandle(u => {
        const frame = document.createElement('iframe');
        frame.src = u;
        const loaded = new Promise<HTMLIFrameElement>(resolve => {
          frame.onload = () => resolve(frame);
        });
        document.body.append(frame);
        return loaded;
      }, src);
      const frame = await element.asElement()?.contentFrame();
      return frame?.url() ?? 'no frame';
    };
    for (const path of ['/en/', '/en/lessons/04-consumer', '/frame/diagram']) {
      expect(await framed(baseURL + path)).toMatch(/^chrome-error:/);
    }
    expect(await framed(`${other.origin(host)}/`)).toBe(`${other.origin(host)}/`);

    const answered = page.waitForResponse(r => r.url().endsWith('/api/runs'));
    await page.evaluate(action => {
      const form = document.createElement('form');
      form.method = 'post';
      form.enctype = 'text/plain';
      form.action = action;
      const field = document.createElement('input');
      field.name = '{"exercise":"consumer","program":"solution","play":false,"scenario":"';
      field.value = '"}';
      form.append(field);
      document.body.append(form);
      form.submit();
    }, `${baseURL}/api/runs`);
    expect((await answered).status()).toBe(403);
  });
}

test('a name that somebody made point here is not ours', async ({request, baseURL}) => {
  const {port} = new URL(baseURL ?? '');
  const response = await request.get('/en/', {headers: {Host: `rebound.example:${port}`}});
  expect(response.status()).toBe(421);
  expect(await response.text()).not.toContain('<main');
  expect((await request.get('/en/', {headers: {Host: `localhost:${port}`}})).status()).toBe(200);
});

test('no page has anything inline, and the policy allows none', async ({page}) => {
  const refused: string[] = [];
  page.on('console', message => {
    if (/Content Security Policy/i.test(message.text())) refused.push(message.text());
  });
  for (const path of ['/en/', '/ru/lessons/04-consumer', '/en/cards', '/en/nowhere']) {
    const response = await page.goto(path);
    const policy = response?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("frame-ancestors 'none'");
    await expect(page.locator('main')).toBeVisible();
  }
  expect(refused).toEqual([]);
  // It is in force: a script in the markup does not run.
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "inline"';
    document.body.append(script);
  });
  expect(await page.title()).not.toBe('inline');
});
