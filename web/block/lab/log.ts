// <dl-lab-log>: what the processes printed, with signals and exits between the
// lines, so that cause stands before effect. Lines are added to the page one by
// one; past a bound the oldest go, from the page and from memory.

import type {Event} from '../../src/event.gen.ts';
import {lang} from '../../src/shell/lang.ts';
import {seconds} from '../../src/timeline/axis.ts';
import {wordsIn} from './words.ts';

interface Line {
  readonly at: number;
  readonly who: string;
  readonly text: string;
  readonly tone: 'out' | 'err' | 'note';
}

/** Lines that are kept. */
const MOST = 1500;

class Log extends HTMLElement {
  #lines: Line[] = [];
  #dropped = 0;
  #filter = '';
  #names: string[] = [];
  #following = true;
  #list: HTMLElement | undefined;
  #select: HTMLSelectElement | undefined;
  #newest: HTMLButtonElement | undefined;

  connectedCallback(): void {
    if (this.#list) return;
    const w = wordsIn(lang());
    const head = document.createElement('div');
    head.className = 'head';
    const title = document.createElement('h3');
    title.textContent = w.log;
    this.#select = document.createElement('select');
    this.#select.setAttribute('aria-label', w.logFilter);
    this.#select.addEventListener('change', () => {
      this.#filter = this.#select?.value ?? '';
      this.#refill();
    });
    head.append(title, this.#select);
    this.#list = document.createElement('div');
    this.#list.className = 'lines';
    this.#list.tabIndex = 0;
    this.#list.setAttribute('role', 'log');
    // The lab says the main things aloud; every line would be noise.
    this.#list.setAttribute('aria-live', 'off');
    this.#list.setAttribute('aria-label', w.log);
    this.#list.addEventListener('scroll', () => this.#scrolled(), {passive: true});
    this.#newest = document.createElement('button');
    this.#newest.type = 'button';
    this.#newest.className = 'newest';
    this.#newest.hidden = true;
    this.#newest.textContent = `↓ ${w.logNewest}`;
    this.#newest.addEventListener('click', () => {
      this.#following = true;
      this.#toEnd();
      this.#list?.focus();
    });
    this.append(head, this.#list, this.#newest);
    this.clear();
  }

  clear(): void {
    this.#lines = [];
    this.#dropped = 0;
    this.#filter = '';
    this.#names = [];
    this.#following = true;
    this.#options();
    this.#refill();
  }

  add(events: readonly Event[]): void {
    const before = this.#names.length;
    const added: Line[] = [];
    for (const e of events) {
      if (e.kind === 'process.started') this.#names.push(e.from);
      const line = lineOf(e);
      if (line) added.push(line);
    }
    if (this.#names.length !== before) this.#options();
    if (added.length === 0 || !this.#list) return;
    const first = this.#lines.length === 0;
    this.#lines.push(...added);
    const over = this.#lines.length - MOST;
    if (over > 0) {
      this.#lines.splice(0, over);
      this.#dropped += over;
    }
    if (first || added.length > MOST) {
      this.#refill();
      return;
    }
    this.#list.append(...added.filter(l => this.#passes(l)).map(row));
    if (over > 0) this.#trim();
    if (this.#following) this.#toEnd();
    else if (this.#newest) this.#newest.hidden = false;
  }

  #passes(l: Line): boolean {
    return this.#filter === '' || l.who === this.#filter;
  }

  #options(): void {
    if (!this.#select) return;
    const w = wordsIn(lang());
    this.#select.replaceChildren(new Option(w.logAll, ''), ...this.#names.map(n => new Option(n, n)));
    this.#select.value = this.#filter;
    this.#select.disabled = this.#names.length < 2;
  }

  #refill(): void {
    if (!this.#list) return;
    const w = wordsIn(lang());
    const rows = this.#lines.filter(l => this.#passes(l)).map(row);
    if (rows.length === 0) {
      const p = document.createElement('p');
      p.textContent = w.logEmpty;
      this.#list.replaceChildren(p);
    } else {
      this.#list.replaceChildren(...rows);
    }
    this.#trim();
    this.#following = true;
    this.#toEnd();
  }

  #trim(): void {
    const list = this.#list;
    if (!list || this.#dropped === 0) return;
    list.querySelector('.earlier')?.remove();
    while (list.childElementCount > MOST) list.firstElementChild?.remove();
    const p = document.createElement('p');
    p.className = 'earlier';
    p.textContent = wordsIn(lang()).logEarlier(this.#dropped);
    list.prepend(p);
  }

  #scrolled(): void {
    const list = this.#list;
    if (!list) return;
    this.#following = list.scrollHeight - list.scrollTop - list.clientHeight < 24;
    if (this.#following && this.#newest) this.#newest.hidden = true;
  }

  #toEnd(): void {
    if (this.#list) this.#list.scrollTop = this.#list.scrollHeight;
    if (this.#newest) this.#newest.hidden = true;
  }
}

function lineOf(e: Event): Line | undefined {
  const w = wordsIn(lang());
  const at = e.at / 1e6;
  switch (e.kind) {
    case 'log':
      return {at, who: e.from, text: e.text ?? '', tone: e.stream === 'stderr' ? 'err' : 'out'};
    case 'log.dropped':
      return {at, who: e.from, text: e.text ?? w.logDropped, tone: 'note'};
    case 'signal.sent':
      return {at, who: e.target ?? '', text: w.logSent(e.signal ?? '', e.target ?? '', e.from), tone: 'note'};
    case 'process.exited':
      return {at, who: e.from, text: [w.logExit(e.code ?? -1), e.text ?? ''].filter(t => t !== '').join(' · '), tone: 'note'};
    default:
      return undefined;
  }
}

function row(l: Line): HTMLElement {
  const div = document.createElement('div');
  div.className = l.tone;
  const at = document.createElement('i');
  at.textContent = seconds(l.at, 3, lang());
  const who = document.createElement('b');
  who.textContent = l.who;
  const text = document.createElement('span');
  text.textContent = l.text;
  div.append(at, who, text);
  return div;
}

customElements.define('dl-lab-log', Log);

export type {Log};
