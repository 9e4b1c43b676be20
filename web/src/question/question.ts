// What the questions of a lesson share: quiz, predict, blanks and order. Each
// is a form that the server wrote in full; this brings it to life, keeps what
// was answered, and says it so that everybody hears it.

import {html, nothing, render} from 'lit';
import type {TemplateResult} from 'lit';
import {unsafeHTML} from 'lit/directives/unsafe-html.js';
import {progress} from '../progress/index.ts';
import type {Detail} from '../progress/index.ts';
import {lang} from '../shell/lang.ts';

const words = {
  en: {
    check: 'Check',
    again: 'Try again',
    recall: 'Show my answer',
    right: 'Right.',
    wrong: 'Not quite.',
    partly: 'Partly right.',
    solved: 'One right answer.',
    xp: (n: number) => `+${n} XP`,
    markRight: 'right',
    markWrong: 'to try again',
    tries: (n: number) => (n === 1 ? 'one try' : `${n} tries`),
  },
  ru: {
    check: 'Проверить',
    again: 'Ещё раз',
    recall: 'Показать мой ответ',
    right: 'Верно.',
    wrong: 'Не совсем.',
    partly: 'Отчасти верно.',
    solved: 'Один из верных ответов.',
    xp: (n: number) => `+${n} XP`,
    markRight: 'верно',
    markWrong: 'попробовать ещё раз',
    tries: (n: number) => (n === 1 ? 'с одной попытки' : `попыток: ${n}`),
  },
};

/** What a kind makes of an answer. */
export interface Judged {
  readonly right: boolean;
  /** Some of it is right: "Partly right." */
  readonly partly?: boolean;
  /** What was answered, to be shown again by reveal. */
  readonly detail: Detail;
  /** Said after the verdict's word. */
  readonly note?: string | TemplateResult | typeof nothing | ReturnType<typeof authored>;
}

/** Why a form cannot be judged yet. */
export interface Lacking {
  readonly lacking: string;
}

function isLacking(read: Detail | Lacking): read is Lacking {
  return typeof read === 'object' && 'lacking' in read;
}

/** Key is the answer key that the server put beside the form. */
export abstract class Question<Key> extends HTMLElement {
  protected key!: Key;
  protected form!: HTMLFormElement;
  /** Whether an answer is on show, and the form waits for "Try again". */
  protected answered = false;
  /** Answers given since the page loaded. */
  protected tries = 0;
  #wrong = 0;
  #solve: HTMLButtonElement | null = null;
  #started = false;
  #button!: HTMLButtonElement;
  #recall!: HTMLButtonElement;
  #result!: HTMLElement;
  #mark!: HTMLElement;

  /** Called once, when the form, the key and progress are at hand. */
  protected abstract start(): void;
  /** Reads the form. */
  protected abstract read(): Detail | Lacking;
  /** Judges an answer. */
  protected abstract judge(detail: Detail): Judged;
  /** Shows an answer with its reasons in the form, which then takes no input. */
  protected abstract reveal(detail: Detail): void;
  /** Takes reasons away and makes the form ready for another try, with the focus in it. */
  protected abstract reopen(): void;

  /** A right answer, for kinds that have a button to show it. */
  protected solution(): Detail | null {
    return null;
  }

  connectedCallback(): void {
    if (this.#started) return;
    this.#started = true;
    this.form = this.need('form', HTMLFormElement);
    this.#button = this.need('button.check', HTMLButtonElement);
    this.#recall = this.need('button.recall', HTMLButtonElement);
    this.#result = this.need('.result', HTMLElement);
    this.#mark = this.need('.mark', HTMLElement);
    const solve = this.querySelector('button.solve');
    if (solve instanceof HTMLButtonElement) {
      this.#solve = solve;
      solve.addEventListener('click', () => this.#showSolution());
    }
    this.key = JSON.parse(this.need('script.key', HTMLScriptElement).textContent) as Key;
    this.form.addEventListener('submit', e => {
      e.preventDefault();
      if (this.answered) this.#again();
      else this.#check();
    });
    this.#recall.addEventListener('click', () => this.#showEarlier());
    this.start();
    this.#showMark();
    // In review the question is asked anew.
    if (!this.hasAttribute('data-again') && progress.answer(this.name)?.detail !== undefined) {
      this.#recall.textContent = words[lang()].recall;
      this.#recall.hidden = false;
    }
  }

  /** The name under which progress knows this question: "04-consumer/who-acks". */
  protected get name(): string {
    return this.dataset['key'] ?? this.id;
  }

  protected need<T extends Element>(selector: string, type: abstract new () => T): T {
    const found = this.querySelector(selector);
    if (!(found instanceof type)) throw new Error(`${this.localName} ${this.id}: no ${selector}`);
    return found;
  }

  protected check(): void {
    if (!this.answered) this.#check();
  }

  /** Says something in the live region, without an answer being taken. */
  protected say(text: string | TemplateResult | typeof nothing): void {
    render(text, this.#result);
  }

  #check(): void {
    const detail = this.read();
    if (isLacking(detail)) {
      this.say(html`<p class="lacking">${detail.lacking}</p>`);
      return;
    }
    this.tries++;
    const judged = this.judge(detail);
    const {gained} = progress.answered(this.name, {right: judged.right, detail: judged.detail});
    if (!judged.right) this.#wrong++;
    this.#show(judged, gained);
    if (this.#solve !== null) this.#solve.hidden = judged.right || this.#wrong < 2;
    this.dispatchEvent(new CustomEvent('dl-answered', {bubbles: true, detail: {right: judged.right}}));
  }

  #show(judged: Judged, gained: number): void {
    const w = words[lang()];
    this.answered = true;
    this.reveal(judged.detail);
    this.#recall.hidden = true;
    // The button stays, and with it the focus.
    this.#button.textContent = w.again;
    this.#button.classList.remove('primary');
    this.#showMark();
    const verdict = judged.right ? w.right : judged.partly ? w.partly : w.wrong;
    render(
      html`<p class=${judged.right ? 'verdict right' : 'verdict wrong'}>
        <strong>${verdict}</strong> ${judged.note ?? nothing}
        ${gained > 0 ? html`<span class="gained">${w.xp(gained)}</span>` : nothing}
      </p>`,
      this.#result,
    );
  }

  #showEarlier(): void {
    const earlier = progress.answer(this.name)?.detail;
    if (earlier === undefined) return;
    this.#show(this.judge(earlier), 0);
    this.#button.focus();
  }

  #showSolution(): void {
    const solution = this.solution();
    if (solution === null) return;
    this.answered = true;
    this.#button.textContent = words[lang()].again;
    this.#button.focus();
    if (this.#solve !== null) this.#solve.hidden = true;
    this.reveal(solution);
    const {note} = this.judge(solution);
    render(html`<p class="verdict"><strong>${words[lang()].solved}</strong> ${note ?? nothing}</p>`, this.#result);
  }

  #again(): void {
    this.answered = false;
    this.#button.textContent = words[lang()].check;
    this.#button.classList.add('primary');
    render(nothing, this.#result);
    this.reopen();
  }

  #showMark(): void {
    const w = words[lang()];
    const answer = progress.answer(this.name);
    if (answer === undefined) return;
    this.#mark.className = answer.right ? 'mark right' : 'mark wrong';
    this.#mark.textContent = `${answer.right ? w.markRight : w.markWrong} · ${w.tries(answer.tries)}`;
  }
}

/** An author's text, which the server made HTML of. */
export function authored(text: string): ReturnType<typeof unsafeHTML> {
  return unsafeHTML(text);
}
