// The learner's progress: what was answered, how often, what it was worth,
// where reading stopped, and which cards are due. Everything in the page asks
// the one store below, and hears of changes by the event "dl-progress" on
// window.

import {Progress} from './store.ts';
import type {Storage} from './store.ts';

export type {Card, Detail, Memory, Place} from './state.ts';
export type {Health, Outcome, Progress, Record, Summary} from './store.ts';
export {shuffle} from './shuffle.ts';

/** Named on window after every change, also one from another tab. */
export const CHANGED = 'dl-progress';

export const progress = new Progress({storage: browserStorage(), now: Date.now, random: Math.random}, () =>
  window.dispatchEvent(new CustomEvent(CHANGED)),
);

window.addEventListener('storage', e => {
  if (e.storageArea === browserStorage()) progress.heard(e.key, e.newValue);
});

/** Reading the property alone throws where a browser forbids storage. */
function browserStorage(): (Storage & globalThis.Storage) | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
