// The server's API for runs, as functions. Each fails with a Refusal, which
// says in a learner's words what is wrong and what to do.

import type {Lang} from '../shell/lang.ts';

export interface Text {
  readonly en: string;
  readonly ru: string;
}

/** What a page must know of an exercise. */
export interface Exercise {
  readonly slug: string;
  readonly title: Text;
  readonly needs: readonly string[];
  /** The scenario played when none is named. */
  readonly default: string;
  readonly programs: readonly {readonly name: string; readonly title: Text; readonly fault?: string}[];
  /** Grace periods are in nanoseconds. */
  readonly scenarios: readonly {readonly name: string; readonly title: Text; readonly platform: {readonly preset: string; readonly grace: number}}[];
}

export interface RunRequest {
  readonly exercise: string;
  readonly program: string;
  readonly scenario?: string;
  readonly platform: {readonly preset: string; readonly grace: string};
  /** Plays the scenario to its verdict; otherwise the learner drives. */
  readonly play: boolean;
}

export type Do = 'term' | 'kill' | 'int' | 'publish' | 'hang' | 'cut' | 'restart';

export interface Action {
  readonly do: Do;
  readonly target?: string;
  readonly count?: number;
}

export interface Check {
  readonly check: string;
  readonly pass: boolean;
  readonly want: string;
  readonly got: string;
  readonly detail: string;
  readonly detail_ru: string;
  readonly messages?: readonly string[];
}

export interface Run {
  readonly id: string;
  readonly exercise: string;
  readonly program: string;
  readonly scenario?: string;
  readonly state: 'running' | 'ended';
  /** When it began, as a date that Date can read. */
  readonly began: string;
  readonly broker?: 'embedded' | 'rabbitmq';
  readonly verdict?: {readonly scenario: string; readonly pass: boolean; readonly checks: readonly Check[]};
  readonly error?: string;
}

/** Why something was not done. status 0: the server did not answer at all. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly what: string,
    readonly way: string,
  ) {
    super(way === '' ? what : `${what}; ${way}`);
  }
}

const unreachable: Record<Lang, {what: string; way: string}> = {
  en: {what: 'The server does not answer.', way: 'Is it still running? Start it with make run, and try again.'},
  ru: {what: 'Сервер не отвечает.', way: 'Он ещё запущен? Запустите его командой make run и попробуйте снова.'},
};

export class Api {
  readonly #lang: Lang;
  readonly #fetch: typeof fetch;

  constructor(lang: Lang, fetcher: typeof fetch = (...args) => fetch(...args)) {
    this.#lang = lang;
    this.#fetch = fetcher;
  }

  exercise(slug: string): Promise<Exercise> {
    return this.#ask<Exercise>(`/api/exercises/${encodeURIComponent(slug)}`);
  }

  async start(request: RunRequest): Promise<string> {
    const {id} = await this.#ask<{id: string}>('/api/runs', request);
    return id;
  }

  run(id: string): Promise<Run> {
    return this.#ask<Run>(`/api/runs/${encodeURIComponent(id)}`);
  }

  async act(id: string, action: Action): Promise<void> {
    await this.#ask(`/api/runs/${encodeURIComponent(id)}/actions`, action);
  }

  /** Ends the run. It is sent even when the page is being left. */
  async stop(id: string): Promise<void> {
    await this.#ask(`/api/runs/${encodeURIComponent(id)}/stop`, {});
  }

  async #ask<T>(path: string, body?: object): Promise<T> {
    let answer: Response;
    try {
      answer = await this.#fetch(path, body === undefined ? {} : {
        method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body), keepalive: true,
      });
    } catch {
      const {what, way} = unreachable[this.#lang];
      throw new Refusal(0, what, way);
    }
    const text = await answer.text().catch(() => '');
    if (!answer.ok) throw refusalOf(answer.status, text);
    try {
      return JSON.parse(text) as T;
    } catch {
      throw new Refusal(answer.status, `${path}: this is no answer of the lab`, '');
    }
  }
}

/** Reads {"error", "do"}; what is no such answer (a proxy's page) is told by its status. */
export function refusalOf(status: number, text: string): Refusal {
  try {
    const v: unknown = JSON.parse(text);
    if (typeof v === 'object' && v !== null && 'error' in v && typeof v.error === 'string') {
      return new Refusal(status, v.error, 'do' in v && typeof v.do === 'string' ? v.do : '');
    }
  } catch {
    // Not JSON: below.
  }
  return new Refusal(status, `HTTP ${status}`, '');
}
