// <dl-review>: all cards that are due, from all lessons, and below them the
// questions that were last answered wrong.

import {html, nothing, render} from 'lit';
import type {TemplateResult} from 'lit';
import {unsafeHTML} from 'lit/directives/unsafe-html.js';
import {CHANGED, progress} from '../progress/index.ts';
import type {Card} from '../progress/index.ts';
import {inTime, rate} from '../progress/schedule.ts';
import type {GradeName} from '../progress/schedule.ts';
import {lang} from '../shell/lang.ts';
import {cardKey, flipButton, ratingButtons} from './rating.ts';
import {questions} from './retry.ts';
import type {Retry} from './retry.ts';

const words = {
  en: {
    due: (n: number) => (n === 1 ? 'One card is due' : `${n} cards are due`),
    none: 'Nothing is due',
    next: (when: string) => `The next card comes back ${when}.`,
    ahead: 'Review it now',
    empty: 'No cards yet',
    emptyText:
      'Cards come from lessons: answer a lesson’s cards, or add them there, and they come back here when it is time.',
    map: 'To the lessons',
    undo: 'Undo the last answer',
    count: (n: number, of: number) => `${n} of ${of} reviewed`,
    done: (n: number) => (n === 1 ? 'One card reviewed just now.' : `${n} cards reviewed just now.`),
    retry: 'Questions to try again',
    retryAt: (n: number) =>
      n === 1 ? 'One answer was wrong the last time.' : `${n} answers were wrong the last time.`,
    nextQuestion: 'Next question',
    finished: 'Done',
    lesson: 'In the lesson',
    failed: 'The question could not be loaded. It is in its lesson:',
    loading: 'Loading the question …',
    allRight: 'No question is left to try again.',
    from: 'From the lesson',
  },
  ru: {
    due: (n: number) => `Пора повторить, карточек: ${n}`,
    none: 'Повторять пока нечего',
    next: (when: string) => `Следующая карточка вернётся ${when}.`,
    ahead: 'Повторить сейчас',
    empty: 'Карточек пока нет',
    emptyText:
      'Карточки приходят из уроков: ответьте на карточки урока или добавьте их там, и они вернутся сюда в свой срок.',
    map: 'К урокам',
    undo: 'Отменить последний ответ',
    count: (n: number, of: number) => `повторено ${n} из ${of}`,
    done: (n: number) => `Только что повторено карточек: ${n}.`,
    retry: 'Вопросы, к которым стоит вернуться',
    retryAt: (n: number) => `В прошлый раз были ошибки, вопросов: ${n}.`,
    nextQuestion: 'Следующий вопрос',
    finished: 'Готово',
    lesson: 'В уроке',
    failed: 'Вопрос не загрузился. Он есть в уроке:',
    loading: 'Вопрос загружается …',
    allRight: 'Вопросов, к которым стоит вернуться, не осталось.',
    from: 'Из урока',
  },
};

/** A card as the server lists it for the whole course. */
interface Listed {
  readonly key: string;
  readonly lesson: string;
  readonly front: string;
  readonly back: string;
}

/** How far ahead of its time a card may be reviewed when none is due. */
const AHEAD = 20 * 60_000;

class Review extends HTMLElement {
  readonly #course = new Map<string, Listed>();
  #current: Listed | undefined;
  #flipped = false;
  #ahead = false;
  #done: {readonly key: string; readonly before: Card}[] = [];
  #timer = 0;
  #retry: Retry | undefined;
  #stop: AbortController | null = null;
  #ratedHere = false;

  connectedCallback(): void {
    const data = document.getElementById('cards')?.textContent ?? '[]';
    for (const card of (JSON.parse(data) as Listed[] | null) ?? []) this.#course.set(card.key, card);
    this.#retry = questions(() => this.#show());
    this.#stop = new AbortController();
    const {signal} = this.#stop;
    document.addEventListener('keydown', e => this.#pressed(e), {signal});
    window.addEventListener(
      CHANGED,
      () => {
        if (!this.#ratedHere) this.#show();
      },
      {signal},
    );
    this.#show();
  }

  disconnectedCallback(): void {
    this.#stop?.abort();
    clearTimeout(this.#timer);
  }

  /** Cards of the course that were taken up, the longest due first. */
  #mine(): string[] {
    return progress.cardKeys().filter(key => this.#course.has(key));
  }

  #queue(): string[] {
    const until = Date.now() + (this.#ahead ? AHEAD : 0);
    return this.#mine().filter(key => (progress.card(key)?.due ?? Infinity) <= until);
  }

  #show(): void {
    const w = words[lang()];
    const queue = this.#queue();
    if (this.#current === undefined || !queue.includes(this.#current.key)) {
      this.#current = this.#course.get(queue[0] ?? '');
      this.#flipped = false;
    }
    if (queue.length === 0) this.#ahead = false;
    const mine = this.#mine();
    render(
      html`<section class="due" aria-labelledby="due">
        <div class="due-head">
          <h2 id="due" tabindex="-1">${queue.length > 0 ? w.due(queue.length) : mine.length === 0 ? w.empty : w.none}</h2>
          ${
            queue.length > 0
              ? html`<progress max=${this.#done.length + queue.length} value=${this.#done.length}
                aria-label=${w.count(this.#done.length, this.#done.length + queue.length)}></progress>`
              : nothing
          }
        </div>
        ${this.#current === undefined ? this.#rest(mine) : this.#card(this.#current)}
        ${
          this.#done.length > 0
            ? html`<p class="undo"><button type="button" class="quiet" aria-keyshortcuts="U" @click=${() => this.#undo()}>${w.undo} <kbd aria-hidden="true">U</kbd></button></p>`
            : nothing
        }
      </section>
      ${this.#retry?.template(w) ?? nothing}`,
      this,
    );
    this.#wake(mine);
  }

  #card(card: Listed): TemplateResult {
    const w = words[lang()];
    const slug = card.key.split('/')[0] ?? '';
    return html`<div class=${this.#flipped ? 'flash current flipped' : 'flash current'} aria-live="polite">
        <p class="from"><a href=${`/${lang()}/lessons/${slug}`} aria-label=${`${w.from} ${card.lesson}`}>${card.lesson}</a></p>
        <div class="front">${unsafeHTML(card.front)}</div>
        ${this.#flipped ? html`<div class="back">${unsafeHTML(card.back)}</div>` : nothing}
      </div>
      <div class="controls">
        ${
          this.#flipped
            ? ratingButtons(progress.card(card.key)?.memory, Date.now(), grade => this.#rate(grade), true)
            : flipButton(() => this.#flip(), true)
        }
      </div>`;
  }

  /** What is there when no card is. */
  #rest(mine: readonly string[]): TemplateResult {
    const w = words[lang()];
    const next = progress.card(mine[0] ?? '')?.due;
    if (next === undefined) {
      return html`<div class="nothing"><p>${w.emptyText}</p><p><a class="button primary" href=${`/${lang()}/`}>${w.map}</a></p></div>`;
    }
    const wait = next - Date.now();
    return html`<div class="nothing" role="status">
      ${this.#done.length > 0 ? html`<p>${w.done(this.#done.length)}</p>` : nothing}
      <p>${w.next(inTime(wait, lang()))}</p>
      <p>${
        wait <= AHEAD
          ? html`<button type="button" class="flip" @click=${() => this.#goAhead()}>${w.ahead}</button>`
          : html`<a class="button" href=${`/${lang()}/`}>${w.map}</a>`
      }</p>
    </div>`;
  }

  #flip(): void {
    this.#flipped = true;
    this.#show();
    this.#focus('.ratings');
  }

  #goAhead(): void {
    this.#ahead = true;
    this.#show();
    this.#focus('.flip');
  }

  #rate(grade: GradeName): void {
    const key = this.#current?.key;
    const before = progress.card(key ?? '');
    if (key === undefined || before === undefined) return;
    this.#done.push({key, before});
    this.#current = undefined;
    this.#quietly(() => progress.putCard(key, rate(before.memory, grade, Date.now())));
    this.#focus('.flip, .nothing a, .nothing button');
  }

  #undo(): void {
    const last = this.#done.pop();
    if (last === undefined) return;
    this.#current = this.#course.get(last.key);
    this.#flipped = false;
    // Reviewed ahead of its time, it is not due yet.
    if (last.before.due > Date.now()) this.#ahead = true;
    this.#quietly(() => {
      const {due, memory} = last.before;
      progress.putCard(last.key, memory === undefined ? {due} : {due, memory});
    });
    this.#focus('.flip');
  }

  /** Makes a change of this element's own, and shows the outcome once. */
  #quietly(change: () => void): void {
    this.#ratedHere = true;
    try {
      change();
    } finally {
      this.#ratedHere = false;
    }
    this.#show();
  }

  /** Shows the next card when its time comes while the page is open. */
  #wake(mine: readonly string[]): void {
    clearTimeout(this.#timer);
    const now = Date.now();
    const next = mine.flatMap(key => progress.card(key)?.due ?? []).find(due => due > now);
    if (next === undefined) return;
    // No further than a timer can count, and often enough for "in 5 minutes".
    this.#timer = window.setTimeout(() => this.#show(), Math.min(next - now + 50, 30_000));
  }

  #focus(selector: string): void {
    const to = this.querySelector(selector) ?? this.querySelector('h2');
    if (to instanceof HTMLElement) to.focus({preventScroll: true});
  }

  #pressed(e: KeyboardEvent): void {
    if (e.target instanceof Element && e.target.closest('.block') !== null) return;
    if (e.code === 'KeyU' && this.#done.length > 0 && !e.ctrlKey && !e.metaKey && !e.altKey && !typing(e.target)) {
      e.preventDefault();
      this.#undo();
      return;
    }
    if (this.#current === undefined) return;
    const key = cardKey(e, this.#flipped);
    if (key === undefined) return;
    e.preventDefault();
    if (key === 'flip') this.#flip();
    else this.#rate(key);
  }
}

function typing(on: EventTarget | null): boolean {
  return on instanceof Element && on.closest('input, textarea, select, [contenteditable], dialog') !== null;
}

customElements.define('dl-review', Review);
