// <dl-blanks>: a program with gaps to fill in.

import {html, nothing, render} from 'lit';
import type {Detail} from '../../src/progress/index.ts';
import {Question, authored} from '../../src/question/question.ts';
import type {Judged, Lacking} from '../../src/question/question.ts';
import {lang} from '../../src/shell/lang.ts';
import {judge} from './judge.ts';
import type {Gap} from './judge.ts';

const words = {
  en: {
    fill: 'Fill in every gap first.',
    count: (n: number, of: number) => `${n} of ${of} gaps.`,
    right: 'right',
    wrong: 'not accepted here',
    gap: (n: number) => `Gap ${n}`,
    hint: 'Hint:',
  },
  ru: {
    fill: 'Сначала заполните все пропуски.',
    count: (n: number, of: number) => `Пропусков заполнено верно: ${n} из ${of}.`,
    right: 'верно',
    wrong: 'здесь не подходит',
    gap: (n: number) => `Пропуск ${n}`,
    hint: 'Подсказка:',
  },
};

interface Key {
  readonly why: string;
  /** In the order in which the program has them. */
  readonly gaps: readonly (Gap & {
    readonly hint: string;
    readonly wrong: readonly {readonly answer: string; readonly why: string}[];
  })[];
}

class Blanks extends Question<Key> {
  #inputs: HTMLInputElement[] = [];
  #reasons!: HTMLElement;

  protected override start(): void {
    this.#inputs = [...this.querySelectorAll('input.gap')].filter(e => e instanceof HTMLInputElement);
    this.#reasons = this.need('.reasons', HTMLElement);
    this.#inputs.forEach((gap, i) => {
      gap.addEventListener('keydown', e => {
        if (e.key !== 'Enter' || e.isComposing || this.answered) return;
        e.preventDefault();
        const next = this.#inputs[i + 1];
        if (next === undefined) this.form.requestSubmit();
        else next.select();
      });
    });
  }

  protected override read(): Detail | Lacking {
    const empty = this.#inputs.find(gap => gap.value.trim() === '');
    if (empty !== undefined) {
      empty.focus();
      return {lacking: words[lang()].fill};
    }
    return this.#inputs.map(gap => gap.value);
  }

  protected override judge(detail: Detail): Judged {
    const answers = list(detail);
    const right = this.key.gaps.filter((gap, i) => judge(gap, answers[i] ?? '').right).length;
    const all = this.key.gaps.length;
    return {
      right: right === all,
      partly: right > 0,
      detail: answers,
      note: right === all ? (this.key.why === '' ? nothing : authored(this.key.why)) : words[lang()].count(right, all),
    };
  }

  protected override reveal(detail: Detail): void {
    const answers = list(detail);
    const w = words[lang()];
    const lines = this.key.gaps.map((gap, i) => {
      const answer = answers[i] ?? '';
      const verdict = judge(gap, answer);
      const input = this.#inputs[i];
      if (input !== undefined) {
        input.value = answer;
        input.readOnly = true;
        input.classList.add(verdict.right ? 'right' : 'wrong');
        input.setAttribute('aria-invalid', String(!verdict.right));
        input.setAttribute('aria-describedby', `${this.id}-reason-${i}`);
      }
      const why = gap.wrong[verdict.wrong]?.why ?? '';
      return html`<li class=${verdict.right ? 'ok' : 'no'} id=${`${this.id}-reason-${i}`}>
        <span class="visually-hidden">${w.gap(i + 1)}: </span><code>${answer.trim()}</code>
        ${
          verdict.right
            ? w.right
            : why !== ''
              ? authored(why)
              : html`${w.wrong}.${gap.hint === '' ? nothing : html` ${w.hint} ${authored(gap.hint)}`}`
        }
      </li>`;
    });
    render(html`<ol>${lines}</ol>`, this.#reasons);
    this.#reasons.hidden = false;
  }

  protected override reopen(): void {
    render(nothing, this.#reasons);
    this.#reasons.hidden = true;
    let first: HTMLInputElement | undefined;
    for (const [i, input] of this.#inputs.entries()) {
      const gap = this.key.gaps[i];
      // What is right stays, so that only the rest is written again.
      const right = gap !== undefined && judge(gap, input.value).right;
      if (!right) first ??= input;
      input.readOnly = false;
      input.classList.remove('right', 'wrong');
      input.removeAttribute('aria-invalid');
      input.removeAttribute('aria-describedby');
    }
    if (first === undefined) {
      // All were right: once more from the beginning.
      for (const input of this.#inputs) input.value = '';
      first = this.#inputs[0];
    }
    first?.select();
  }

  protected override solution(): Detail {
    return this.key.gaps.map(gap => gap.accept[0] ?? '');
  }
}

function list(detail: Detail): readonly string[] {
  return typeof detail === 'string' ? [detail] : detail;
}

customElements.define('dl-blanks', Blanks);
