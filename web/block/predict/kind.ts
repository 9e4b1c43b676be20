// <dl-predict>: what does this program print? The truth is shown after an
// answer, with the first line in which the answer differs.

import {html, nothing, render} from 'lit';
import type {TemplateResult} from 'lit';
import {progress, shuffle} from '../../src/progress/index.ts';
import type {Detail} from '../../src/progress/index.ts';
import {Question, authored} from '../../src/question/question.ts';
import type {Judged, Lacking} from '../../src/question/question.ts';
import {lang} from '../../src/shell/lang.ts';
import {judge, same} from './judge.ts';

const words = {
  en: {
    choose: 'Choose an output first.',
    type: 'Type what you expect first.',
    prints: 'The program prints',
    line: (n: number) => `Line ${n}:`,
    you: 'you have',
    it: 'the program prints',
    none: 'nothing',
    blank: 'an empty line',
  },
  ru: {
    choose: 'Сначала выберите вывод.',
    type: 'Сначала напишите, чего ждёте.',
    prints: 'Программа печатает',
    line: (n: number) => `Строка ${n}:`,
    you: 'у вас',
    it: 'программа печатает',
    none: 'ничего',
    blank: 'пустая строка',
  },
};

interface Key {
  readonly output: string;
  readonly why: string;
  /** Outputs to choose from, in the author's order; empty when it is typed. */
  readonly options: readonly {readonly text: string; readonly why: string}[];
  /** Wrong outputs that the author foresaw. */
  readonly typed: readonly {readonly text: string; readonly why: string}[];
}

class Predict extends Question<Key> {
  #truth!: HTMLElement;
  #options: HTMLLabelElement[] = [];
  #textarea: HTMLTextAreaElement | null = null;

  protected override start(): void {
    this.#truth = this.need('.truth', HTMLElement);
    this.#options = [...this.querySelectorAll('label.option')].filter(e => e instanceof HTMLLabelElement);
    this.#textarea = this.querySelector('textarea');
    this.#shuffle(this.name);
  }

  /** An answer is the output's text itself, chosen or typed. */
  protected override read(): Detail | Lacking {
    const w = words[lang()];
    if (this.#textarea !== null) {
      return this.#textarea.value.trim() === '' && this.key.output.trim() !== ''
        ? {lacking: w.type}
        : this.#textarea.value;
    }
    const chosen = this.#options.map(input).find(i => i.checked);
    const option = chosen === undefined ? undefined : this.key.options[Number(chosen.value)];
    return option?.text ?? {lacking: w.choose};
  }

  protected override judge(detail: Detail): Judged {
    const answer = text(detail);
    const verdict = judge(this.key.output, answer);
    const foreseen = [...this.key.typed, ...this.key.options].find(t => same(t.text, answer));
    const why = foreseen === undefined ? nothing : html`<span class="why">${authored(foreseen.why)}</span>`;
    if (verdict.right) return {right: true, detail: answer, note: why};
    const w = words[lang()];
    return {
      right: false,
      detail: answer,
      note: html`<span class="differs">${w.line(verdict.line)} ${w.you} ${this.#line(verdict.typed)},
        ${w.it} ${this.#line(verdict.written)}.</span>${why}`,
    };
  }

  protected override reveal(detail: Detail): void {
    const answer = text(detail);
    if (this.#textarea !== null) {
      this.#textarea.value = answer;
      this.#textarea.readOnly = true;
    }
    for (const option of this.#options) {
      const i = input(option);
      const its = this.key.options[Number(i.value)]?.text ?? '';
      i.checked = same(its, answer);
      i.disabled = true;
      if (i.checked) option.classList.add(same(its, this.key.output) ? 'right' : 'wrong');
    }
    render(
      html`<p class="prints">${words[lang()].prints}</p>
        <pre class="output" tabindex="0">${this.key.output}</pre>
        ${this.key.why === '' ? nothing : html`<div class="explained">${authored(this.key.why)}</div>`}`,
      this.#truth,
    );
    this.#truth.hidden = false;
  }

  protected override reopen(): void {
    render(nothing, this.#truth);
    this.#truth.hidden = true;
    for (const option of this.#options) {
      const i = input(option);
      i.checked = false;
      i.disabled = false;
      option.classList.remove('right', 'wrong');
    }
    this.#shuffle(`${this.name} ${this.tries}`);
    if (this.#textarea !== null) {
      this.#textarea.readOnly = false;
      this.#textarea.value = '';
      this.#textarea.focus();
    } else if (this.#options[0] !== undefined) input(this.#options[0]).focus();
  }

  #line(line: string | null): TemplateResult | string {
    const w = words[lang()];
    if (line === null) return w.none;
    return line === '' ? w.blank : html`<code>${line}</code>`;
  }

  #shuffle(salt: string): void {
    const inOrder = [...this.#options].sort((a, b) => Number(input(a).value) - Number(input(b).value));
    this.#options = shuffle(inOrder, progress.seed, salt);
    this.#options[0]?.parentElement?.append(...this.#options);
  }
}

function input(option: HTMLLabelElement): HTMLInputElement {
  const i = option.querySelector('input');
  if (i === null) throw new Error('an option without its input');
  return i;
}

function text(detail: Detail): string {
  return typeof detail === 'string' ? detail : detail.join('\n');
}

customElements.define('dl-predict', Predict);
