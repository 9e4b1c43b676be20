// How long it takes from when an event happens until it is on the screen. It
// is measured and printed, and not judged: a busy machine proves nothing.

import {Lab, recordPainted} from './support/lab.ts';
import {expect, test} from './support/test.ts';

test('an event is on the screen within 50 ms (p95) of happening', async ({page}) => {
  test.slow();
  const painted = await recordPainted(page);
  await page.goto('/en/lessons/04-consumer');
  const lab = new Lab(page);
  await lab.run();
  await lab.press('publish'); // 20 more
  await expect.poll(async () => (await painted()).length, {timeout: 40_000}).toBeGreaterThanOrEqual(240);
  await lab.press('term');
  await lab.exited('worker-1', 0);
  await lab.stop();

  const events = await lab.events();
  await expect.poll(async () => (await painted()).length).toBe(events.length);
  const seen = await painted();
  expect(seen.map(e => e.seq)).toEqual(events.map(e => e.seq)); // each once, in order
  const began = since1970((await lab.info()).began);
  const took = seen.map(e => e.when - (began + e.at / 1e6)).toSorted((a, b) => a - b);
  expect(took.length).toBeGreaterThanOrEqual(200);
  expect(took[0]).toBeGreaterThan(-5); // one clock: nothing is seen before it happens
  const part = (of: number): string => (took[Math.ceil(took.length * of) - 1] ?? NaN).toFixed(1);
  console.log(`latency p50 ${part(0.5)} p95 ${part(0.95)} max ${part(1)} ms of ${took.length} (goal p95 50 ms)`);
});

/** ms, with the fractions that Date leaves out. */
function since1970(rfc3339: string): number {
  const fraction = /\.(\d+)/.exec(rfc3339)?.[1] ?? '0';
  return Date.parse(rfc3339.replace(/\.\d+/, '')) + Number(`0.${fraction}`) * 1000;
}
