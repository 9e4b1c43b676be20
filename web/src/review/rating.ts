// The part that a deck in a lesson and the page of cards share: turning a card
// over, and saying how well it was known.

import {html, nothing} from 'lit';
import type {TemplateResult} from 'lit';
import {GRADES, interval, intervals} from '../progress/schedule.ts';
import type {GradeName} from '../progress/schedule.ts';
import type {Memory} from '../progress/index.ts';
import {lang} from '../shell/lang.ts';

const words = {
  en: {
    flip: 'Show the answer',
    how: 'How well did you know it?',
    again: 'Again',
    hard: 'Hard',
    good: 'Good',
    easy: 'Easy',
  },
  ru: {
    flip: 'Показать ответ',
    how: 'Насколько хорошо вы это знали?',
    again: 'Снова',
    hard: 'Трудно',
    good: 'Хорошо',
    easy: 'Легко',
  },
};

/** anywhere: the keys work wherever the focus is, so they belong to the page's list of keys. */
export function flipButton(flip: () => void, anywhere = false): TemplateResult {
  return html`<button type="button" class="flip primary" aria-keyshortcuts=${anywhere ? 'Space' : nothing} @click=${flip}>${words[lang()].flip} <kbd aria-hidden="true">␣</kbd></button>`;
}

/** The four answers, each with the time after which the card would come back. */
export function ratingButtons(
  memory: Memory | undefined,
  now: number,
  rate: (grade: GradeName) => void,
  anywhere = false,
): TemplateResult {
  const w = words[lang()];
  const after = intervals(memory, now);
  return html`<div class="ratings" role="group" aria-label=${w.how} tabindex="-1">
    ${GRADES.map(
      (
        grade,
        i,
      ) => html`<button type="button" class=${`rate ${grade}`} aria-keyshortcuts=${anywhere ? i + 1 : nothing} @click=${() => rate(grade)}>
      <span>${w[grade]} <kbd aria-hidden="true">${i + 1}</kbd></span> <small>${interval(after[grade], lang())}</small>
    </button>`,
    )}
  </div>`;
}

/** What a key means to a card; undefined where it means nothing. */
export function cardKey(e: KeyboardEvent, flipped: boolean): 'flip' | GradeName | undefined {
  if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing || e.defaultPrevented) return undefined;
  const on = e.target;
  if (on instanceof Element && on.closest('input, textarea, select, [contenteditable], dialog, summary') !== null)
    return undefined;
  // On a button or a link, space is the button's own.
  if (e.key === ' ') return flipped || (on instanceof Element && on.closest('button, a') !== null) ? undefined : 'flip';
  return flipped ? GRADES[['1', '2', '3', '4'].indexOf(e.key)] : undefined;
}
