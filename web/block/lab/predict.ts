// What a learner foretells before a run, and how it is held against the run.

import type {Model} from '../../src/timeline/model.ts';

/** As typed; '' is no prediction. */
export interface Prediction {
  readonly code: string;
  /** Messages that come back, or requests that are cut off. */
  readonly back: string;
}

export const NOTHING: Prediction = {code: '', back: ''};

export interface Held {
  readonly what: 'code' | 'back';
  readonly said: string;
  /** Undefined while it is not known. */
  readonly was: string | undefined;
  readonly right: boolean | undefined;
}

/** A whole number from 0 up, without sign or spaces; undefined for anything else. */
export function number(text: string): number | undefined {
  const t = text.trim();
  return /^\d{1,5}$/.test(t) ? Number(t) : undefined;
}

/** What a prediction lacks to be one: the first field that is empty or no number. */
export function lacking(p: Prediction): 'code' | 'back' | undefined {
  if (number(p.code) === undefined) return 'code';
  return number(p.back) === undefined ? 'back' : undefined;
}

/** The prediction is about the process that was started first. */
export function hold(p: Prediction, m: Model, amqp: boolean): Held[] {
  const first = m.first;
  const code = first?.code === undefined ? undefined : String(first.code);
  const back = isSettled(m, amqp) ? String(amqp ? m.cameBack().length : m.cutOff().length) : undefined;
  return [held('code', p.code, code), held('back', p.back, back)];
}

function held(what: Held['what'], said: string, was: string | undefined): Held {
  return {what, said: said.trim(), was, right: was === undefined ? undefined : number(said) === Number(was)};
}

/** Whether what came back from the first process cannot change any more. */
function isSettled(m: Model, amqp: boolean): boolean {
  const first = m.first;
  if (m.ended) return true;
  if (first?.end === undefined) return false;
  if (amqp) return first.deliveries.every(d => d.settled !== undefined);
  return [...m.requests.values()].every(r => r.peer !== first.name || r.how !== undefined);
}
