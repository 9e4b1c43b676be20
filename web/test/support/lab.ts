// The lab of a page, as a learner's hands and eyes have it.

import {expect} from '@playwright/test';
import type {Locator, Page} from '@playwright/test';
import type {Event, Kind} from '../../src/event.gen.ts';

export type Do = 'term' | 'kill' | 'int' | 'publish' | 'hang' | 'cut' | 'restart';

/** What GET /api/runs/{id} says, as far as tests read it. */
export interface Run {
  readonly id: string;
  readonly state: 'running' | 'ended';
  readonly began: string;
  readonly broker?: string;
  readonly verdict?: {readonly pass: boolean; readonly checks: readonly {readonly check: string; readonly pass: boolean}[]};
}

/** A run takes seconds, also on a busy machine. */
const PATIENCE = {timeout: 20_000};

export class Lab {
  readonly at: Locator;
  readonly status: Locator;
  readonly held: Locator;
  readonly checks: Locator;
  readonly log: Locator;
  readonly start: Locator;
  readonly #page: Page;
  #id = '';

  constructor(page: Page) {
    this.#page = page;
    this.at = page.locator('dl-lab');
    this.status = this.at.locator('.status');
    this.held = this.at.locator('dl.held');
    this.checks = this.at.locator('.verdict li');
    this.log = this.at.locator('dl-lab-log .lines');
    this.start = this.at.locator('button.run');
  }

  /** The run that this lab began last. */
  get id(): string {
    return this.#id;
  }

  button(what: Do): Locator {
    return this.at.locator(`.controls button.${what}`);
  }

  /** One of the numbers above the timeline, by its name. */
  count(name: string): Locator {
    return this.at.locator('.counts > div', {has: this.#page.locator('span', {hasText: new RegExp(`^${name}$`)})}).locator('b');
  }

  async choose(what: {program?: string; scenario?: string; preset?: string; grace?: string}): Promise<void> {
    if (what.program !== undefined) await this.at.locator('.program select').selectOption(what.program);
    if (what.scenario !== undefined) await this.at.locator('.scenario select').selectOption(what.scenario);
    if (what.preset !== undefined) await this.at.locator('.platform select').selectOption(what.preset);
    if (what.grace !== undefined) {
      await this.at.locator('.grace input').fill(what.grace);
      await this.at.locator('.grace input').press('Tab');
    }
  }

  /** Foretells, and presses Run; without a prediction, just runs. It returns once the run goes on. */
  async run(prediction?: {code: string; back: string}): Promise<void> {
    await this.begins(async () => {
      if (prediction) {
        await this.foretell(prediction);
        await this.start.click();
      } else {
        await this.at.locator('button.just').click();
      }
    });
  }

  async foretell(prediction: {code: string; back: string}): Promise<void> {
    await this.at.locator('input[name="code"]').fill(prediction.code);
    await this.at.locator('input[name="back"]').fill(prediction.back);
  }

  /** Waits for the run that press begins; it looks at nothing in the page. */
  async begins(press: () => Promise<void>): Promise<void> {
    const began = this.#page.waitForResponse(r => r.request().method() === 'POST' && new URL(r.url()).pathname === '/api/runs');
    await press();
    const response = await began;
    expect(response.status()).toBe(201);
    this.#id = (response.headers()['location'] ?? '').replace('/api/runs/', '');
  }

  /** Presses one of the buttons as soon as it can be pressed. */
  async press(what: Do): Promise<void> {
    await expect(this.button(what)).toBeEnabled();
    await this.button(what).click();
  }

  /** Waits until a line of output, a signal or an exit is in the log. */
  async says(text: string | RegExp, times = 1): Promise<void> {
    await expect.poll(() => this.log.locator('> div', {hasText: text}).count(), {message: `the log says ${text}`, ...PATIENCE}).toBeGreaterThanOrEqual(times);
  }

  async exited(process: string, code: number): Promise<void> {
    const exits = this.log.locator('> div.note', {hasText: process}).filter({hasText: /exit|выход/});
    await expect(exits.last()).toHaveText(new RegExp(`(exit|выход\\S*) ${code}\\b`), PATIENCE);
  }

  /** Ends the run, and waits until its end is shown. */
  async stop(): Promise<void> {
    await this.start.click();
    await this.ended();
  }

  async ended(): Promise<void> {
    await expect(this.start).not.toHaveAttribute('aria-keyshortcuts', 'S', {timeout: 40_000});
  }

  /** All that happened so far, as the server has it. */
  async events(kind?: Kind): Promise<Event[]> {
    const text = await (await this.#page.request.get(new URL(`/api/runs/${this.#id}/events`, this.#page.url()).href)).text();
    const all = text.split('\n').filter(l => l !== '').map(l => JSON.parse(l) as Event);
    return kind === undefined ? all : all.filter(e => e.kind === kind);
  }

  async info(): Promise<Run> {
    return (await (await this.#page.request.get(new URL(`/api/runs/${this.#id}`, this.#page.url()).href)).json()) as Run;
  }
}

/** An event as the lab told that it is on the screen. */
export interface Painted {
  readonly seq: number;
  /** ns since the run began, when it happened */
  readonly at: number;
  /** ms since 1970, when it was on the screen */
  readonly when: number;
}

/** Records what the labs of the page paint from now on, also on the pages that it goes to. */
export async function recordPainted(page: Page): Promise<() => Promise<Painted[]>> {
  await page.addInitScript(() => {
    const all: object[] = [];
    Object.defineProperty(window, 'painted', {value: all});
    const take = (e: globalThis.Event): void => {
      all.push({...(e as CustomEvent<{seq: number; at: number}>).detail, when: performance.timeOrigin + performance.now()});
    };
    document.addEventListener('dl-painted', take, true);
  });
  return () => page.evaluate(() => (window as unknown as {painted: Painted[]}).painted);
}
