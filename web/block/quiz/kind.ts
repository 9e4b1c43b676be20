// <dl-quiz>: one right option or several, with a reason for each one chosen.

import {html, nothing, render} from 'lit';
import {progress, shuffle} from '../../src/progress/index.ts';
import type {Detail} from '../../src/progress/index.ts';
import {Question, authored} from '../../src/question/question.ts';
import type {Judged, Lacking} from '../../src/question/question.ts';
import {lang} from '../../src/shell/lang.ts';
import {judge} from './judge.ts';

const words = {
  en: {choose: 'Choose an answer first.', more: 'There is more that is right.', right: 'right', wrong: 'wrong'},
  ru: {choose: 'Сначала выберите ответ.', more: 'Верно и ещё кое-что.', right: 'верно', wrong: 'неверно'},
};

interface Key {
  readonly right: readonly number[];
  /** By the options' numbers in the author's order. */
  readonly why: readonly string[];
}

class Quiz extends Question<Key> {
  #fieldset!: HTMLFieldSetElement;
  #options: HTMLLabelElement[] = [];

  protected override start(): void {
    this.#fieldset = this.need('fieldset', HTMLFieldSetElement);
    this.#options = [...this.querySelectorAll('label.option')].filter(e => e instanceof HTMLLabelElement);
    this.#shuffle(this.name);
  }

  protected override read(): Detail | Lacking {
    const chosen = this.#options
      .map(input)
      .filter(i => i.checked)
      .map(i => i.value);
    return chosen.length > 0 ? chosen : {lacking: words[lang()].choose};
  }

  protected override judge(detail: Detail): Judged {
    const chosen = list(detail);
    const right = judge(this.key.right, chosen);
    const partly = !right && chosen.length > 0 && chosen.every(v => this.#isRight(v));
    const w = words[lang()];
    // Reasons stand beside the options; whoever listens hears them here.
    const heard = this.#options
      .filter(o => chosen.includes(input(o).value))
      .map(option => {
        const value = input(option).value;
        return html`<span>${option.querySelector('.text')?.textContent ?? ''}: ${this.#isRight(value) ? w.right : w.wrong}.
        ${authored(this.key.why[Number(value)] ?? '')}</span>`;
      });
    return {
      right,
      partly,
      detail: chosen,
      note: html`${partly ? w.more : nothing}<span class="visually-hidden">${heard}</span>`,
    };
  }

  protected override reveal(detail: Detail): void {
    const chosen = list(detail);
    for (const option of this.#options) {
      const i = input(option);
      i.checked = chosen.includes(i.value);
      i.disabled = true;
      if (!i.checked) continue;
      const right = this.#isRight(i.value);
      option.classList.add(right ? 'right' : 'wrong');
      const why = document.createElement('small');
      why.className = right ? 'why ok' : 'why no';
      render(authored(this.key.why[Number(i.value)] ?? ''), why);
      option.append(why);
    }
  }

  protected override reopen(): void {
    for (const option of this.#options) {
      const i = input(option);
      i.checked = false;
      i.disabled = false;
      option.classList.remove('right', 'wrong');
      option.querySelector('.why')?.remove();
    }
    this.#shuffle(`${this.name} ${this.tries}`);
    const first = this.#options[0];
    if (first !== undefined) input(first).focus();
  }

  #isRight(value: string): boolean {
    return this.key.right.some(n => String(n) === value);
  }

  #shuffle(salt: string): void {
    const inOrder = [...this.#options].sort((a, b) => Number(input(a).value) - Number(input(b).value));
    this.#options = shuffle(inOrder, progress.seed, salt);
    this.#fieldset.append(...this.#options);
  }
}

function input(option: HTMLLabelElement): HTMLInputElement {
  const i = option.querySelector('input');
  if (i === null) throw new Error('an option without its input');
  return i;
}

function list(detail: Detail): readonly string[] {
  return typeof detail === 'string' ? [detail] : detail;
}

customElements.define('dl-quiz', Quiz);
