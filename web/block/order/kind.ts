// <dl-order>: steps to be taken from a tray and arranged into a sequence, by
// pointer, by buttons or by keys.
//
// Keys on an item, of which one in each list can be reached with Tab: arrows
// up and down go to its neighbours; with Alt they move it. Enter adds it to the
// sequence, Delete takes it out, arrows right and left do the same.

import {html, nothing, render} from 'lit';
import type {TemplateResult} from 'lit';
import {progress, shuffle} from '../../src/progress/index.ts';
import type {Detail} from '../../src/progress/index.ts';
import {Question, authored} from '../../src/question/question.ts';
import type {Judged, Lacking} from '../../src/question/question.ts';
import {lang} from '../../src/shell/lang.ts';
import {draggable} from './drag.ts';
import {score} from './score.ts';
import type {Order} from './score.ts';

const words = {
  en: {
    nothing: 'Put at least one step into the sequence first.',
    credit: (points: number, possible: number) => `${points} of ${possible} points.`,
    missing: (n: number) => (n === 1 ? 'One step is missing.' : `${n} steps are missing.`),
    misplaced: 'out of place',
    used: 'does not belong here',
    kept: 'in place',
    added: (what: string, at: number, of: number) => `${what}: added as number ${at} of ${of}.`,
    moved: (what: string, at: number, of: number) => `${what}: now number ${at} of ${of}.`,
    removed: (what: string) => `${what}: taken out.`,
  },
  ru: {
    nothing: 'Сначала поставьте в последовательность хотя бы один шаг.',
    credit: (points: number, possible: number) => `Баллы: ${points} из ${possible}.`,
    missing: (n: number) => (n === 1 ? 'Одного шага не хватает.' : `Не хватает шагов: ${n}.`),
    misplaced: 'не на своём месте',
    used: 'здесь лишнее',
    kept: 'на месте',
    added: (what: string, at: number, of: number) => `${what}: добавлено под номером ${at} из ${of}.`,
    moved: (what: string, at: number, of: number) => `${what}: теперь под номером ${at} из ${of}.`,
    removed: (what: string) => `${what}: убрано.`,
  },
};

interface Key extends Order {
  /** By the ids of steps and distractors. */
  readonly why: {readonly [id: string]: string};
  /** One right order. */
  readonly solution: readonly string[];
}

class OrderBlock extends Question<Key> {
  #tray!: HTMLElement;
  #sequence!: HTMLElement;
  #said!: HTMLElement;
  #items: HTMLElement[] = [];

  protected override start(): void {
    this.#tray = this.need('ul.tray', HTMLElement);
    this.#sequence = this.need('ol.sequence', HTMLElement);
    this.#said = this.need('.said', HTMLElement);
    this.#items = [...this.querySelectorAll('li.step')].filter(e => e instanceof HTMLElement);
    this.#shuffle(this.name);
    this.addEventListener('click', e => this.#clicked(e));
    this.addEventListener('keydown', e => this.#pressed(e));
    this.addEventListener('focusin', e => {
      const item = e.target instanceof Element ? e.target.closest('li.step') : null;
      if (item instanceof HTMLElement) this.#rove(item);
    });
    draggable(this, {
      lists: [this.#tray, this.#sequence],
      item: 'li.step',
      handle: '.handle',
      allowed: () => !this.answered,
      drop: (item, list, before) => this.#put(item, list, before),
    });
  }

  protected override read(): Detail | Lacking {
    const ids = steps(this.#sequence).map(id);
    return ids.length > 0 ? ids : {lacking: words[lang()].nothing};
  }

  protected override judge(detail: Detail): Judged {
    const w = words[lang()];
    const sequence = list(detail);
    const s = score(this.key, sequence);
    const right = s.points === s.possible;
    const heard = [
      ...s.misplaced.map(step => this.#reason(step, w.misplaced)),
      ...s.used.map(step => this.#reason(step, w.used)),
    ];
    return {
      right,
      partly: s.points > 0,
      detail: sequence,
      note: right
        ? nothing
        : html`${w.credit(s.points, s.possible)} ${s.missing.length > 0 ? w.missing(s.missing.length) : nothing}
            <span class="visually-hidden">${heard}</span>`,
    };
  }

  protected override reveal(detail: Detail): void {
    const w = words[lang()];
    const sequence = list(detail);
    this.#arrange(sequence);
    const s = score(this.key, sequence);
    for (const item of steps(this.#sequence)) {
      const kept = s.kept.includes(id(item));
      item.classList.add(kept ? 'right' : 'wrong');
      const why = document.createElement('small');
      why.className = kept ? 'why ok' : 'why no';
      if (kept) why.textContent = w.kept;
      else
        render(
          html`<b>${s.used.includes(id(item)) ? w.used : w.misplaced}.</b> ${authored(this.key.why[id(item)] ?? '')}`,
          why,
        );
      item.querySelector('.text')?.append(why);
    }
    this.classList.add('judged');
    this.#enable(false);
  }

  protected override reopen(): void {
    for (const item of this.#items) {
      item.classList.remove('right', 'wrong');
      item.querySelector('.why')?.remove();
    }
    this.classList.remove('judged');
    this.#enable(true);
    // A right order is tried again from the beginning, a wrong one mended.
    const {points, possible} = score(this.key, steps(this.#sequence).map(id));
    if (points === possible) {
      this.#items = shuffle(this.#items, progress.seed, `${this.name} ${this.tries}`);
      this.#tray.append(...this.#items);
    }
    (steps(this.#sequence)[0] ?? steps(this.#tray)[0])?.focus();
  }

  protected override solution(): Detail {
    return this.key.solution;
  }

  #reason(step: string, verdict: string): TemplateResult {
    const item = this.#items.find(i => id(i) === step);
    return html`<span>${item === undefined ? step : name(item)}: ${verdict}. ${authored(this.key.why[step] ?? '')} </span>`;
  }

  #arrange(sequence: readonly string[]): void {
    const byId = new Map(this.#items.map(item => [id(item), item]));
    this.#tray.append(...this.#items.filter(item => !sequence.includes(id(item))));
    this.#sequence.append(...sequence.flatMap(step => byId.get(step) ?? []));
    this.#rove();
  }

  #shuffle(salt: string): void {
    const byId = [...this.#items].sort((a, b) => (id(a) < id(b) ? -1 : 1));
    this.#items = shuffle(byId, progress.seed, salt);
    this.#tray.append(...this.#items);
    this.#rove();
  }

  /** Puts an item before another one in a list, or at its end, and says so. */
  #put(item: HTMLElement, into: HTMLElement, before: HTMLElement | null): void {
    const w = words[lang()];
    const from = item.parentElement;
    const had = from !== null && from.contains(document.activeElement);
    if (before !== item) into.insertBefore(item, before);
    this.#rove(item);
    if (had) item.focus();
    const now = steps(this.#sequence);
    const at = now.indexOf(item) + 1;
    if (at === 0) this.#said.textContent = from === into ? '' : w.removed(name(item));
    else this.#said.textContent = (from === into ? w.moved : w.added)(name(item), at, now.length);
    this.say(nothing);
  }

  #move(item: HTMLElement, by: -1 | 1): void {
    const all = steps(this.#sequence);
    const to = all.indexOf(item) + by;
    if (to < 0 || to >= all.length) return;
    this.#put(item, this.#sequence, (by < 0 ? all[to] : all[to + 1]) ?? null);
  }

  #clicked(e: MouseEvent): void {
    if (this.answered || !(e.target instanceof Element)) return;
    const button = e.target.closest('button[data-do]');
    const item = e.target.closest('li.step');
    if (!(button instanceof HTMLButtonElement) || !(item instanceof HTMLElement)) return;
    const next = neighbour(item);
    switch (button.dataset['do']) {
      case 'add':
        this.#put(item, this.#sequence, null);
        // The tray is worked through from where one was.
        (next ?? item).focus();
        break;
      case 'remove':
        this.#put(item, this.#tray, null);
        (next ?? item).focus();
        break;
      case 'up':
      case 'down':
        this.#move(item, button.dataset['do'] === 'up' ? -1 : 1);
        button.focus();
    }
  }

  #pressed(e: KeyboardEvent): void {
    const item = e.target;
    if (!(item instanceof HTMLElement) || !item.matches('li.step') || e.ctrlKey || e.metaKey) return;
    const inTray = item.parentElement === this.#tray;
    const next = neighbour(item);
    const all = steps(item.parentElement ?? this.#tray);
    const go = (by: -1 | 1): void => all[all.indexOf(item) + by]?.focus();
    let act: (() => void) | undefined;
    if (e.key === 'ArrowUp' || e.key === 'ArrowDown') {
      const by = e.key === 'ArrowUp' ? -1 : 1;
      act = () => (!e.altKey ? go(by) : inTray || this.answered ? undefined : this.#move(item, by));
    } else if (e.key === 'Home') act = () => all[0]?.focus();
    else if (e.key === 'End') act = () => all.at(-1)?.focus();
    else if (inTray && (e.key === 'Enter' || e.key === 'ArrowRight' || e.key === ' ')) {
      act = () => {
        if (this.answered) return;
        this.#put(item, this.#sequence, null);
        (next ?? item).focus();
      };
    } else if (!inTray && (e.key === 'Delete' || e.key === 'Backspace' || e.key === 'ArrowLeft')) {
      act = () => {
        if (this.answered) return;
        this.#put(item, this.#tray, null);
        (next ?? item).focus();
      };
    }
    if (act === undefined) return;
    e.preventDefault();
    act();
  }

  /** Leaves one item of each list in the order of Tab, at best this one, and only its buttons. */
  #rove(active?: HTMLElement): void {
    for (const at of [this.#tray, this.#sequence]) {
      const all = steps(at);
      const before = all.find(item => item.tabIndex === 0);
      const one = active !== undefined && all.includes(active) ? active : (before ?? all[0]);
      for (const item of all) {
        item.tabIndex = item === one ? 0 : -1;
        for (const button of item.querySelectorAll('button')) button.tabIndex = item === one ? 0 : -1;
      }
    }
  }

  #enable(on: boolean): void {
    for (const item of this.#items) for (const button of item.querySelectorAll('button')) button.disabled = !on;
  }
}

function steps(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll(':scope > li.step')].filter(e => e instanceof HTMLElement);
}

function neighbour(item: HTMLElement): HTMLElement | undefined {
  const all = steps(item.parentElement ?? item);
  const at = all.indexOf(item);
  return all[at + 1] ?? all[at - 1];
}

function id(item: HTMLElement): string {
  return item.dataset['step'] ?? '';
}

function name(item: HTMLElement): string {
  return item.querySelector('.label')?.textContent.trim() ?? '';
}

function list(detail: Detail): readonly string[] {
  return typeof detail === 'string' ? [detail] : detail;
}

customElements.define('dl-order', OrderBlock);
