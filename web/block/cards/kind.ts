// <dl-cards>: a lesson's flashcards, to be gone through one by one. A card that
// is answered here, or added, is reviewed from then on when it is due.

import {html, nothing, render} from 'lit';
import type {TemplateResult} from 'lit';
import {CHANGED, progress} from '../../src/progress/index.ts';
import {inTime, rate} from '../../src/progress/schedule.ts';
import type {GradeName} from '../../src/progress/schedule.ts';
import {cardKey, flipButton, ratingButtons} from '../../src/review/rating.ts';
import {lang} from '../../src/shell/lang.ts';

const words = {
  en: {
    add: 'Add to my cards',
    at: (n: number, of: number) => `card ${n} of ${of}`,
    next: 'Next card',
    mine: (n: number, of: number) => (n === of ? 'all in your cards' : `${n} of ${of} in your cards`),
    later: (when: string) => `You know this one: it comes back ${when}.`,
    done: 'That was the last one. The cards come back when they are due.',
    review: 'To my cards',
    again: 'Go through them again',
    added: (n: number) => (n === 1 ? 'One card added.' : `${n} cards added.`),
  },
  ru: {
    add: 'Добавить в мои карточки',
    at: (n: number, of: number) => `карточка ${n} из ${of}`,
    next: 'Следующая карточка',
    mine: (n: number, of: number) => (n === of ? 'все в ваших карточках' : `в ваших карточках: ${n} из ${of}`),
    later: (when: string) => `Эту вы знаете: она вернётся ${when}.`,
    done: 'Это была последняя. Карточки вернутся, когда придёт их срок.',
    review: 'К моим карточкам',
    again: 'Пройти ещё раз',
    added: (n: number) => `Добавлено карточек: ${n}.`,
  },
};

class Cards extends HTMLElement {
  #cards: HTMLElement[] = [];
  #mark!: HTMLElement;
  #controls!: HTMLElement;
  #said!: HTMLElement;
  #at = 0;
  #flipped = false;
  #stop: AbortController | null = null;

  connectedCallback(): void {
    this.#cards = [...this.querySelectorAll('li.flash')].filter(e => e instanceof HTMLElement);
    this.#mark = need(this, '.mark');
    this.#controls = need(this, '.controls');
    this.#said = need(this, '.said');
    // The server's buttons held the place of what is rendered from here on.
    if (this.#stop === null) this.#controls.replaceChildren();
    this.#stop = new AbortController();
    const {signal} = this.#stop;
    this.addEventListener('keydown', e => this.#pressed(e), {signal});
    window.addEventListener(CHANGED, () => this.#show(), {signal});
    this.#show();
  }

  disconnectedCallback(): void {
    this.#stop?.abort();
  }

  #keyOf(card: HTMLElement): string {
    return `${this.dataset['key'] ?? this.id}/${card.dataset['card'] ?? ''}`;
  }

  #show(): void {
    const w = words[lang()];
    for (const [i, card] of this.#cards.entries()) {
      card.classList.toggle('current', i === this.#at);
      card.classList.toggle('flipped', i === this.#at && this.#flipped);
    }
    const mine = this.#cards.filter(card => progress.card(this.#keyOf(card)) !== undefined).length;
    this.#mark.textContent = [
      this.#at < this.#cards.length ? w.at(this.#at + 1, this.#cards.length) : '',
      mine > 0 ? w.mine(mine, this.#cards.length) : '',
    ]
      .filter(s => s !== '')
      .join(' · ');
    render(
      html`${this.#buttons()}
        ${
          mine < this.#cards.length && !this.#flipped
            ? html`<button type="button" class="add quiet" @click=${() => this.#add()}>${w.add}</button>`
            : nothing
        }`,
      this.#controls,
    );
  }

  #buttons(): TemplateResult {
    const w = words[lang()];
    const card = this.#cards[this.#at];
    if (card === undefined) {
      return html`<a class="button primary" href=${`/${lang()}/cards`}>${w.review}</a>
        <button type="button" class="quiet" @click=${() => this.#go(0)}>${w.again}</button>`;
    }
    if (!this.#flipped) return flipButton(() => this.#flip());
    const now = Date.now();
    const kept = progress.card(this.#keyOf(card));
    if (kept !== undefined && kept.due > now) {
      return html`<button type="button" class="next primary" @click=${() => this.#go(this.#at + 1)}>${w.next}</button>
        <span class="later">${w.later(inTime(kept.due - now, lang()))}</span>`;
    }
    return ratingButtons(kept?.memory, now, grade => this.#rate(grade));
  }

  #flip(): void {
    this.#flipped = true;
    this.#show();
    this.#hear();
    this.#focus('.ratings, .next');
  }

  #rate(grade: GradeName): void {
    const card = this.#cards[this.#at];
    if (card === undefined) return;
    const key = this.#keyOf(card);
    const next = rate(progress.card(key)?.memory, grade, Date.now());
    // The event of this change shows the card that comes after.
    this.#at++;
    this.#flipped = false;
    progress.putCard(key, next);
    this.#go(this.#at);
  }

  #go(to: number): void {
    this.#at = to;
    this.#flipped = false;
    this.#show();
    if (to >= this.#cards.length) render(words[lang()].done, this.#said);
    else this.#hear();
    this.#focus('button, a');
  }

  #add(): void {
    const added = progress.addCards(this.#cards.map(card => this.#keyOf(card)));
    render(words[lang()].added(added), this.#said);
    this.#focus('button, a');
  }

  /** Reads what is on show to those who listen. */
  #hear(): void {
    const side = this.#cards[this.#at]?.querySelector(this.#flipped ? '.back' : '.front');
    render(html`<span class="visually-hidden">${side?.textContent ?? ''}</span>`, this.#said);
  }

  #focus(selector: string): void {
    const to = this.#controls.querySelector(selector);
    if (to instanceof HTMLElement) to.focus({preventScroll: true});
  }

  #pressed(e: KeyboardEvent): void {
    const card = this.#cards[this.#at];
    if (card === undefined) return;
    const key = cardKey(e, this.#flipped);
    if (key === undefined) return;
    const kept = progress.card(this.#keyOf(card));
    if (key !== 'flip' && kept !== undefined && kept.due > Date.now()) return;
    e.preventDefault();
    if (key === 'flip') this.#flip();
    else this.#rate(key);
  }
}

function need(root: Element, selector: string): HTMLElement {
  const found = root.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`${root.localName} ${root.id}: no ${selector}`);
  return found;
}

customElements.define('dl-cards', Cards);
