// The lab, with real processes: predicted, run, stopped, killed, and held
// against what was predicted. Tests share a run where a learner would. A run
// that the learner drives begins with 20 messages, or requests, of 0.6 s each.

import {Lab, recordPainted} from './support/lab.ts';
import {expect, test} from './support/test.ts';

const LESSON = '/en/lessons/04-consumer';

test.beforeEach(() => test.slow()); // real time passes in a run

test('TERM: what was predicted comes true, and the next one goes on where it stopped', async ({page}) => {
  await page.goto(LESSON);
  const lab = new Lab(page);
  await lab.run({code: '0', back: '0'});
  await expect(lab.held).toContainText('you said 0');
  await expect(lab.held.locator('.right, .wrong')).toHaveCount(0); // nothing is known yet

  await lab.says('start 3');
  await expect(lab.count('unacked')).toHaveText('3');
  await lab.press('term');
  await lab.exited('worker-1', 0);
  await expect(lab.held.locator('.right')).toHaveCount(2);
  await expect(lab.at.locator('.counts .grace')).not.toHaveClass(/expired/);
  await lab.says('signal received');

  const grace = (await lab.events()).filter(e => e.kind.startsWith('grace.'));
  expect(grace.map(e => e.text ?? '')).toEqual(['', 'exited']);
  expect((grace[1]?.at ?? 0) - (grace[0]?.at ?? 0)).toBeLessThan(10e9);
  expect(await lab.events('message.requeued')).toEqual([]);
  const done = (await lab.events('message.acked')).map(e => e.message);

  // Nothing was lost: another one does the rest, and none of it twice.
  await lab.press('restart');
  await expect(lab.count('acked')).toHaveText('20', {timeout: 20_000});
  const acked = (await lab.events('message.acked')).map(e => e.message);
  expect(acked.slice(0, done.length)).toEqual(done);
  expect(new Set(acked).size).toBe(20);
  await expect(lab.count('ready')).toHaveText('0');
  await expect(lab.count('unacked')).toHaveText('0');

  await lab.stop();
  await expect(lab.status).toContainText('+2 XP');
  await expect(page.locator('dl-xp')).toHaveText('2 XP');
  await expect(lab.held.locator('.right')).toHaveCount(2);
});

test('KILL: exit 137, what it held comes back, and the next one does it', async ({page}) => {
  await page.goto(LESSON);
  const lab = new Lab(page);
  await lab.run({code: '0', back: '20'});
  await lab.says('start 3');
  await expect(lab.count('unacked')).toHaveText('3');
  await lab.press('kill');
  await lab.exited('worker-1', 137);

  const wrong = lab.held.locator('.wrong');
  await expect(wrong).toHaveCount(2);
  await expect(wrong.first()).toContainText('it was 137');
  const back = [...new Set((await lab.events('message.requeued')).map(e => e.message))];
  expect(back.length).toBeGreaterThanOrEqual(1);
  expect(back.length).toBeLessThanOrEqual(3);
  await expect(wrong.last()).toContainText(`it was ${back.length}`);
  await expect(lab.count('unacked')).toHaveText('0');

  await lab.press('restart');
  await expect
    .poll(async () => (await lab.events('message.acked')).filter(e => e.peer === 'worker-2').map(e => e.message), {timeout: 20_000})
    .toEqual(expect.arrayContaining(back));
  const again = (await lab.events('message.delivered')).filter(e => e.peer === 'worker-2');
  expect(again.filter(e => e.redelivered).map(e => e.message).toSorted()).toEqual(back.toSorted());
  // They are at the head of the queue again, in their order.
  expect(again.slice(0, back.length).every(e => e.redelivered)).toBe(true);

  // Two of a program at once, and the learner chooses whom to stop.
  await lab.press('restart');
  await expect(lab.at.locator('select.target')).toBeEnabled();
  await lab.at.locator('select.target').selectOption('worker-2');
  await lab.press('int');
  await lab.exited('worker-2', 0);
  const exits = await lab.events('process.exited');
  expect(exits.map(e => e.from)).toEqual(['worker-1', 'worker-2']);
  // INT is Ctrl-C: no platform waits.
  expect((await lab.events('grace.begun')).length).toBe(0);
  await lab.stop();
});

test('a worker that hangs: the drain gives up before the platform does, and says so with exit 1', async ({page}) => {
  await page.goto(LESSON);
  const lab = new Lab(page);
  await lab.run({code: '1', back: '1'});
  await lab.press('hang');
  await lab.says('start 21'); // the one that hangs is behind the others
  await lab.press('term');
  await expect(lab.at.locator('.counts .grace b')).not.toHaveText('–');
  await lab.says('abandoning');
  await lab.exited('worker-1', 1);
  await expect(lab.held.locator('.right')).toHaveCount(2);
  const at = async (kind: 'signal.sent' | 'process.exited'): Promise<number> => ((await lab.events(kind))[0]?.at ?? 0) / 1e9;
  const took = (await at('process.exited')) - (await at('signal.sent'));
  expect(took).toBeGreaterThanOrEqual(8);
  expect(took).toBeLessThan(10);
  await expect(lab.count('ready')).toHaveText('1');
  await lab.stop();
});

test('a grace period of the learner\'s own is shorter than the drain, and KILL ends it', async ({page}) => {
  await page.goto(LESSON);
  const lab = new Lab(page);
  await lab.choose({grace: 'soon'});
  await expect(lab.at.locator('.grace input')).toHaveAttribute('aria-invalid', 'true');
  await lab.at.locator('button.just').click();
  await expect(lab.at.locator('.grace input')).toBeFocused();
  await lab.choose({grace: '1.5'});
  await expect(lab.at.locator('.platform select')).toHaveValue('custom');
  await lab.run({code: '137', back: '1'});
  await lab.press('hang');
  await lab.says('done 20');
  await lab.says('start 21');
  await lab.press('term');
  await lab.exited('worker-1', 137);
  await expect(lab.at.locator('.counts .grace')).toHaveClass(/expired/);
  await expect(lab.held.locator('.right')).toHaveCount(2);
  const [begun] = await lab.events('grace.begun');
  const [ended] = await lab.events('grace.ended');
  expect(begun?.grace).toBe(1.5e9);
  expect(ended?.text).toBe('expired');
  expect((await lab.events('signal.sent')).map(e => `${e.signal} from ${e.from}`)).toEqual(['TERM from platform', 'KILL from platform']);
  await lab.stop();
});

test('a connection that is cut: the consumer says why it leaves, and its messages come back', async ({page}) => {
  await page.goto(LESSON);
  const lab = new Lab(page);
  await lab.run();
  await expect(lab.at).toContainText('You made no prediction');
  await lab.says('start 2');
  await lab.press('cut');
  await lab.says('connection lost');
  await lab.exited('worker-1', 1);
  expect((await lab.events('conn.reset')).length).toBeGreaterThanOrEqual(1);
  expect((await lab.events('message.requeued')).length).toBeGreaterThanOrEqual(1);
  await expect(lab.button('term')).toBeDisabled();
  await expect(lab.button('term')).toHaveAttribute('title', /restart it first/);
  await lab.stop();
});

test.describe('a scenario, from its card in the text to the verdict', () => {
  test('the solution passes every check', async ({page}) => {
    await page.goto(LESSON);
    await page.locator('dl-lab-task#lab-term a.open').click();
    const lab = new Lab(page);
    await expect(lab.at.locator('.scenario select')).toHaveValue('term-under-load');
    await expect(lab.at.locator('input[name="code"]')).toBeFocused();
    await lab.run({code: '0', back: '0'});
    await expect(lab.status).toContainText('TERM under load');
    await expect(lab.button('term')).toBeDisabled(); // it plays by itself
    await lab.ended();
    await expect(lab.status).toContainText('All 8 checks passed');
    await expect(lab.checks).toHaveCount(8);
    await expect(lab.at.locator('.verdict li.ok')).toHaveCount(8);
    await expect(lab.held.locator('.right')).toHaveCount(2);
    await expect(page.locator('dl-lab-task#lab-term .mark')).toContainText('your prediction was right');
    expect((await lab.info()).verdict?.pass).toBe(true);
  });

  test('the one that closes the channel first fails, by the checks that it is to fail', async ({page}) => {
    await page.goto(LESSON);
    await page.locator('dl-lab-task#lab-closes-first a.open').click();
    const lab = new Lab(page);
    await expect(lab.at.locator('.program select')).toHaveValue('wrong-closes-channel-first');
    await lab.run();
    await lab.ended();
    await expect(lab.status).toContainText('4 of 8 checks failed');
    await expect(lab.at.locator('.verdict li.no .what')).toHaveText([
      /messages that come back/, /done work that comes again/, /failed acks/, /order of the stop/,
    ]);
    const failed = (await lab.info()).verdict?.checks.filter(c => !c.pass).map(c => c.check);
    expect(failed).toEqual(['redelivered', 'duplicates', 'ack-errors', 'order']);
    for (const detail of await lab.at.locator('.verdict li .detail').all()) await expect(detail).not.toBeEmpty();
  });
});

test('two learners at once do not see each other\'s messages', async ({page, browser, baseURL}) => {
  const context = await browser.newContext();
  const other = await context.newPage();
  await page.goto(LESSON);
  await other.goto(baseURL + LESSON);
  const mine = new Lab(page);
  const theirs = new Lab(other);
  await mine.run();
  await theirs.run();
  await theirs.says('start 2');
  await theirs.press('kill');
  await theirs.exited('worker-1', 137);
  const left = await theirs.count('ready').innerText();
  expect(Number(left)).toBeGreaterThanOrEqual(10);
  // My consumer listens to a queue of the same name, and has time for more.
  await expect(mine.count('acked')).toHaveText('20', {timeout: 20_000});
  await expect(mine.count('ready')).toHaveText('0');
  const delivered = (await mine.events('message.delivered')).map(e => e.message);
  expect(delivered.length).toBe(20);
  expect(new Set(delivered).size).toBe(20);
  await expect(theirs.count('ready')).toHaveText(left);
  await mine.press('term');
  await mine.exited('worker-1', 0);
  expect((await theirs.events('process.exited')).map(e => e.code)).toEqual([137]);
  await theirs.stop();
  await context.close();
});

test.describe('when something is in the way', () => {
  test('too many runs: the lab says so, and what to do', async ({page, request, ownServer}) => {
    const {url} = await ownServer();
    const ids: string[] = [];
    for (;;) {
      const response = await request.post(`${url}/api/runs`, {data: {exercise: 'consumer', program: 'solution'}});
      if (response.status() !== 201) {
        expect(response.status()).toBe(429);
        expect(Number(response.headers()['retry-after'])).toBeGreaterThan(0);
        break;
      }
      ids.push(((await response.json()) as {id: string}).id);
      expect(ids.length).toBeLessThan(50);
    }
    await page.goto(url + LESSON);
    const lab = new Lab(page);
    await lab.foretell({code: '0', back: '0'});
    await lab.start.click();
    const alert = lab.at.getByRole('alert');
    await expect(alert).toContainText(`${ids.length} runs are going on`);
    await expect(alert).toContainText('wait until one ends');
    await expect(lab.button('term')).toBeDisabled();

    await request.post(`${url}/api/runs/${ids[0]}/stop`);
    await expect.poll(async () => ((await (await request.get(`${url}/api/runs/${ids[0]}`)).json()) as {state: string}).state).toBe('ended');
    await lab.begins(() => alert.getByRole('button').click());
    await lab.says('ready');
    await expect(lab.held).toContainText('you said 0'); // the prediction was kept
  });

  test('the server does not answer: the lab says so, and works once it does', async ({page}) => {
    await page.goto(LESSON);
    const lab = new Lab(page);
    await page.route('**/api/**', route => route.abort('connectionrefused'));
    await lab.at.locator('button.just').click();
    const alert = lab.at.getByRole('alert');
    await expect(alert).toContainText('The server does not answer');
    await expect(alert).toContainText('make run');
    await page.unroute('**/api/**');
    await lab.begins(() => alert.getByRole('button').click());
    await lab.says('ready');
    await page.route('**/api/**', route => route.abort('connectionrefused'));
    await lab.button('term').click();
    await expect(alert).toContainText('The server does not answer');
    await page.unroute('**/api/**');
    await lab.press('term');
    await lab.exited('worker-1', 0);
  });

  test('the stream breaks in mid-run: it comes back, and no event is missed or doubled', async ({page}) => {
    const painted = await recordPainted(page);
    let sockets = 0;
    let refuse = false;
    let cut = (): void => {
      throw new Error('there is no socket yet');
    };
    await page.routeWebSocket(/\/stream/, ws => {
      sockets++;
      if (refuse) {
        void ws.close({code: 1013, reason: 'made to fail'});
        return;
      }
      const server = ws.connectToServer();
      let open = true;
      cut = () => {
        open = false;
        void ws.close({code: 1011, reason: 'made to break'});
        void server.close();
      };
      // The first two break in the middle of a burst.
      let left = [40, 1][sockets - 1] ?? Infinity;
      server.onMessage(message => {
        if (!open) return;
        ws.send(message);
        if (--left === 0) cut();
      });
    });
    await page.goto(LESSON);
    const lab = new Lab(page);
    await lab.run();
      await expect.poll(() => sockets, {timeout: 20_000}).toBeGreaterThanOrEqual(3);
    await lab.says('start 4');

    // When it is away for longer, the learner is told, and can do something.
    refuse = true;
    cut();
    await expect(lab.status).toContainText('The connection to the run is lost. The run goes on');
    refuse = false;
    await lab.status.getByRole('button', {name: 'Try now'}).click();
    await expect(lab.status).not.toContainText('lost');
    await lab.press('term');
    await lab.exited('worker-1', 0);
    await lab.stop();
    const events = await lab.events();
    expect(events.at(-1)?.kind).toBe('run.ended');
    await expect.poll(async () => (await painted()).map(e => e.seq)).toEqual(events.map(e => e.seq));
    expect(sockets).toBeGreaterThanOrEqual(4);

    // The same in the table of events, which is made of what came.
    await lab.at.locator('details.events summary').click();
    const rows = lab.at.locator('details.events tbody tr');
    await expect(rows).toHaveCount(events.length);
    expect(await rows.evaluateAll(all => all.map(r => Number(r.firstElementChild?.textContent)))).toEqual(events.map(e => e.seq));
  });

  test('the server stops in mid-run: in order, within 10 s, and the page says that it is gone', async ({page, ownServer}) => {
    const server = await ownServer();
    await page.goto(server.url + LESSON);
    const lab = new Lab(page);
    await lab.run();
      await lab.says('start 2');
    const [started] = await lab.events('process.started');
    const began = Date.now();
    expect(await server.stop()).toBe(0);
    expect(Date.now() - began).toBeLessThan(10_000);
    await expect(lab.status).toContainText(/connection to the run is lost|run has ended|no longer knows/);
    expect(started?.pid).toBeGreaterThan(1);
  });
});

test('who leaves the page ends the run', async ({page}) => {
  await page.goto(LESSON);
  const lab = new Lab(page);
  await lab.run();
  await lab.says('ready');
  expect((await lab.info()).state).toBe('running');
  await page.locator('header.bar a', {hasText: 'Cards'}).click();
  await expect(page).toHaveURL(/\/cards$/);
  await expect.poll(async () => (await lab.info()).state).toBe('ended');
  expect((await lab.events()).at(-1)?.kind).toBe('run.ended');
});

test('the lab is driven with keys alone', async ({page}) => {
  await page.goto(LESSON);
  const lab = new Lab(page);
  await expect(lab.start).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  // Run without a prediction asks for one, in its place.
  await expect(lab.at.locator('input[name="code"]')).toBeFocused();
  await expect(lab.at.locator('#lab-lacks')).toContainText('Say first what you expect');
  await page.keyboard.type('0');
  await page.keyboard.press('Tab');
  await page.keyboard.type('x');
  await page.keyboard.press('Enter');
  await expect(lab.at.locator('#lab-lacks')).toContainText('A whole number');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('0');
  await lab.begins(() => page.keyboard.press('Control+Enter'));
  await lab.says('ready');
  await page.locator('h1').click(); // the keys work from anywhere on the page
  await lab.says('start 2');
  await page.keyboard.press('p');
  await expect.poll(async () => (await lab.events('message.published')).length).toBe(40);
  // A letter that is typed into a field, or with a modifier, is no command.
  await page.keyboard.press('/');
  await page.keyboard.type('kill');
  await expect(page.locator('dialog.search a').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+K');
  await page.keyboard.press('t');
  await lab.exited('worker-1', 0);
  await page.keyboard.press('r');
  await lab.says('start', 4);
  await page.keyboard.press('?');
  const keys = page.locator('dialog dl');
  for (const name of ['TERM', 'KILL', 'once more']) await expect(keys).toContainText(name);
  await page.keyboard.press('Escape');
  await page.keyboard.press('s');
  await lab.ended();
  expect((await lab.events('signal.sent')).filter(e => e.target === 'worker-1').map(e => e.signal)).toEqual(['TERM']);
});

test('HTTP: a request in flight is answered after TERM', async ({page}) => {
  await page.goto('/en/lessons/06-http');
  const lab = new Lab(page);
  await lab.choose({scenario: 'in-flight'});
  await lab.run({code: '0', back: '0'});
  await lab.ended();
  await expect(lab.at.locator('.verdict li.ok')).toHaveCount(await lab.checks.count());
  await expect(lab.checks).toHaveCount(5);
  await expect(lab.held.locator('.right')).toHaveCount(2);
  const told = (await lab.events('signal.taken'))[0]?.at ?? Infinity;
  const answered = await lab.events('request.finished');
  expect(answered.length).toBe(4);
  expect(answered.every(e => e.status === 200 && e.at > told)).toBe(true);
  // The two that came after it found nobody.
  expect((await lab.events('request.refused')).length).toBe(2);
  await expect(lab.count('answered')).toHaveText('4');
});

test('HTTP: what hangs is cut off by KILL', async ({page}) => {
  await page.goto('/en/lessons/06-http');
  const lab = new Lab(page);
  await lab.run({code: '137', back: '1'});
  await expect(lab.count('answered')).toHaveText('20', {timeout: 20_000});
  await expect(lab.count('in flight')).toHaveText('0');
  await lab.press('hang');
  await expect(lab.count('in flight')).toHaveText('1');
  await lab.press('kill');
  await lab.exited('server-1', 137);
  await expect(lab.count('cut off')).toHaveText('1');
  await expect(lab.held.locator('.right')).toHaveCount(2);
  await lab.press('restart');
  await lab.says('ready', 2);
  await lab.press('publish');
  await expect(lab.count('answered')).toHaveText('40', {timeout: 20_000});
  await lab.press('term');
  await lab.exited('server-2', 0);
  await lab.stop();
});

test('the lab speaks Russian too', async ({page}) => {
  await page.goto('/ru/lessons/04-consumer');
  const lab = new Lab(page);
  await lab.run({code: '0', back: '3'});
  await lab.says('start 2');
  await lab.press('term');
  await expect(lab.held.locator('.right')).toHaveCount(1);
  await expect(lab.held.locator('.wrong')).toContainText('вышло 0');
  await lab.stop();
  await expect(lab.status).toContainText('Прогон');
  // Nothing of the lab's own is in English: names, units and the program's output are.
  const words = await lab.at.locator('.controls, .status, .counts, .setup label > span, .held').allInnerTexts();
  expect(words.join(' ').replace(/\b(TERM|KILL|INT|ack|XP|solution)\b/g, '')).not.toMatch(/\b(ready|publish|restart|hang|cut|ended|you|was)\b/);
});
