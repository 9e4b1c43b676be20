// <dl-progress-menu>: what progress amounts to, and how to take it along, bring
// it in, forget it, and undo that. It also says when progress cannot be kept.

import {html, nothing, render} from 'lit';
import type {TemplateResult} from 'lit';
import {CHANGED, progress} from '../progress/index.ts';
import type {Summary} from '../progress/index.ts';
import {BadState, decode} from '../progress/state.ts';
import type {State} from '../progress/state.ts';
import {summarise} from '../progress/store.ts';
import {lang} from '../shell/lang.ts';

const words = {
  en: {
    progress: 'Progress',
    answered: 'Questions answered',
    right: 'of them right',
    tries: 'Tries',
    cards: 'Cards',
    xp: 'XP',
    where: 'Your progress is kept in this browser only.',
    export: 'Save as a file',
    import: 'Bring in a file',
    reset: 'Reset',
    askReset: 'Forget all answers, cards and XP in this browser? You can undo this for a week.',
    yesReset: 'Forget everything',
    no: 'Cancel',
    askImport: (file: string, what: string) =>
      `“${file}” holds ${what}. Add it to what is here, or put it in its place?`,
    merge: 'Add',
    replace: 'Replace',
    undone: 'Undone.',
    wasReset: 'Everything was reset.',
    wasImported: 'The file was brought in.',
    undoReset: 'Undo the reset',
    undoImport: 'Undo the import',
    notJson: (file: string) => `“${file}” is not a progress file: it is not JSON. Choose a file that was saved here.`,
    notProgress: (file: string, at: string) =>
      `“${file}” is not a progress file of Drainlab${at === '' ? '' : ` (it fails at “${at}”)`}. Choose a file that was saved here.`,
    newer: (file: string) => `“${file}” was saved by a newer version of Drainlab. Update this one, then bring it in.`,
    large: (file: string) => `“${file}” is too large to be a progress file.`,
    unreadable: (file: string) => `“${file}” could not be read.`,
    holds: (s: Summary) => `${s.answered} answers, ${s.cards} cards, ${s.xp} XP`,
    blocked:
      'This browser keeps nothing for this page. Your progress lasts until you close it: save it as a file to take it along.',
    full: 'There is no room left in this browser’s storage. Your progress lasts until you close this page: save it as a file to take it along.',
    broken: 'The progress that was stored here could not be read. It was moved aside, and you start afresh.',
    saveBroken: 'Save what could not be read',
    close: 'Close',
  },
  ru: {
    progress: 'Прогресс',
    answered: 'Вопросов отвечено',
    right: 'из них верно',
    tries: 'Попыток',
    cards: 'Карточек',
    xp: 'XP',
    where: 'Прогресс хранится только в этом браузере.',
    export: 'Сохранить в файл',
    import: 'Загрузить из файла',
    reset: 'Сбросить',
    askReset: 'Забыть все ответы, карточки и XP в этом браузере? Неделю это можно отменить.',
    yesReset: 'Забыть всё',
    no: 'Отмена',
    askImport: (file: string, what: string) => `В файле «${file}»: ${what}. Добавить к тому, что есть, или заменить?`,
    merge: 'Добавить',
    replace: 'Заменить',
    undone: 'Отменено.',
    wasReset: 'Всё сброшено.',
    wasImported: 'Файл загружен.',
    undoReset: 'Отменить сброс',
    undoImport: 'Отменить загрузку',
    notJson: (file: string) => `«${file}» — не файл прогресса: это не JSON. Выберите файл, сохранённый здесь.`,
    notProgress: (file: string, at: string) =>
      `«${file}» — не файл прогресса Drainlab${at === '' ? '' : ` (не подходит «${at}»)`}. Выберите файл, сохранённый здесь.`,
    newer: (file: string) => `«${file}» сохранён более новой версией Drainlab. Обновите эту и загрузите файл снова.`,
    large: (file: string) => `«${file}» слишком велик для файла прогресса.`,
    unreadable: (file: string) => `«${file}» не удалось прочитать.`,
    holds: (s: Summary) => `ответов: ${s.answered}, карточек: ${s.cards}, XP: ${s.xp}`,
    blocked:
      'Этот браузер ничего не хранит для этой страницы. Прогресс останется, пока она открыта: сохраните его в файл.',
    full: 'В хранилище браузера нет места. Прогресс останется, пока открыта эта страница: сохраните его в файл.',
    broken: 'Сохранённый здесь прогресс не удалось прочитать. Он отложен в сторону, и вы начинаете заново.',
    saveBroken: 'Сохранить нечитаемое',
    close: 'Закрыть',
  },
};

/** What the menu asks about. */
type Question = {readonly kind: 'reset'} | {readonly kind: 'import'; readonly file: string; readonly state: State};

/** More than any progress takes: half a million answers. */
const LARGEST = 20_000_000;

class ProgressMenu extends HTMLElement {
  #open = false;
  #question: Question | null = null;
  #said = '';
  /** Something that has to be told without being asked, at the page's edge. */
  #notice = '';
  #stop: AbortController | null = null;

  connectedCallback(): void {
    this.#stop = new AbortController();
    const {signal} = this.#stop;
    if (progress.unread !== null) this.#notice = words[lang()].broken;
    window.addEventListener(CHANGED, () => this.#changed(), {signal});
    document.addEventListener(
      'click',
      e => {
        if (this.#open && e.target instanceof Node && !e.composedPath().includes(this)) this.#toggle(false);
      },
      {signal},
    );
    this.addEventListener(
      'keydown',
      e => {
        if (e.key !== 'Escape' || !this.#open) return;
        e.stopPropagation();
        this.#toggle(false);
        this.#focus('button.menu');
      },
      {signal},
    );
    this.#show();
  }

  disconnectedCallback(): void {
    this.#stop?.abort();
  }

  #changed(): void {
    const w = words[lang()];
    const before = this.#notice;
    if (progress.health !== 'kept') this.#notice = w[progress.health];
    else if (before === w.full || before === w.blocked) this.#notice = '';
    this.#show();
  }

  #show(): void {
    const w = words[lang()];
    render(
      html`<button type="button" class="menu quiet" aria-expanded=${String(this.#open)} aria-controls="progress-panel" @click=${() => this.#toggle(!this.#open)}>
          ${w.progress}${progress.health === 'kept' ? nothing : html` <span class="no" role="img" aria-label=${w[progress.health]}></span>`}
        </button>
        <div id="progress-panel" class="panel" role="group" aria-label=${w.progress} ?hidden=${!this.#open}>
          ${this.#open ? this.#panel() : nothing}
        </div>
        <div class="progress-notice" role="status" ?hidden=${this.#notice === ''}>
          ${
            this.#notice === ''
              ? nothing
              : html`<p>${this.#notice}</p>
              ${
                progress.unread !== null
                  ? html`<button type="button" @click=${() => this.#saveBroken()}>${w.saveBroken}</button>`
                  : nothing
              }
              ${progress.health === 'kept' ? nothing : html`<button type="button" @click=${() => this.#export()}>${w.export}</button>`}
              <button type="button" class="quiet" @click=${() => this.#dismiss()}>${w.close}</button>`
          }
        </div>`,
      this,
    );
  }

  #panel(): TemplateResult {
    const w = words[lang()];
    const s = progress.summary;
    const undo = progress.undoable;
    return html`<dl class="sums">
        <div><dt>${w.xp}</dt><dd>${s.xp}</dd></div>
        <div><dt>${w.answered}</dt><dd>${s.answered}</dd></div>
        <div><dt>${w.right}</dt><dd>${s.right}</dd></div>
        <div><dt>${w.tries}</dt><dd>${s.tries}</dd></div>
        <div><dt>${w.cards}</dt><dd>${s.cards}</dd></div>
      </dl>
      <p class="where">${progress.health === 'kept' ? w.where : w[progress.health]}</p>
      ${
        this.#question === null
          ? html`<p class="actions">
            <button type="button" class="export" @click=${() => this.#export()}>${w.export}</button>
            <label class="button import"><input type="file" accept=".json,application/json" class="visually-hidden" @change=${(e: Event) => void this.#chosen(e)}>${w.import}</label>
            <button type="button" class="kill reset" @click=${() => this.#ask({kind: 'reset'})}>${w.reset}</button>
          </p>`
          : this.#asked(this.#question)
      }
      <p class="said" role="status">${this.#said}</p>
      ${
        undo === undefined || this.#question !== null
          ? nothing
          : html`<p><button type="button" class="undo" @click=${() => this.#undo()}>↩ ${undo === 'reset' ? w.undoReset : w.undoImport}</button></p>`
      }`;
  }

  #asked(q: Question): TemplateResult {
    const w = words[lang()];
    const no = html`<button type="button" class="quiet" @click=${() => this.#ask(null)}>${w.no}</button>`;
    if (q.kind === 'reset') {
      return html`<div class="ask" role="group" aria-labelledby="progress-ask"><p id="progress-ask" tabindex="-1">${w.askReset}</p>
        <p class="actions"><button type="button" class="kill" @click=${() => this.#reset()}>${w.yesReset}</button>${no}</p></div>`;
    }
    return html`<div class="ask" role="group" aria-labelledby="progress-ask"><p id="progress-ask" tabindex="-1">${w.askImport(q.file, w.holds(summarise(q.state)))}</p>
      <p class="actions"><button type="button" class="merge" @click=${() => this.#import(q.state, true)}>${w.merge}</button>
        <button type="button" class="kill" @click=${() => this.#import(q.state, false)}>${w.replace}</button>${no}</p></div>`;
  }

  #toggle(open: boolean): void {
    this.#open = open;
    this.#question = null;
    this.#said = '';
    this.#show();
  }

  #ask(q: Question | null): void {
    this.#question = q;
    this.#said = '';
    this.#show();
    this.#focus(q === null ? 'button.export' : '#progress-ask');
  }

  #done(said: string, focus: string): void {
    this.#question = null;
    this.#said = said;
    this.#show();
    this.#focus(focus);
  }

  #reset(): void {
    progress.reset();
    this.#done(words[lang()].wasReset, 'button.undo');
  }

  #import(state: State, merge: boolean): void {
    if (merge) progress.importMerge(state);
    else progress.importReplace(state);
    this.#done(words[lang()].wasImported, 'button.undo');
  }

  #undo(): void {
    progress.undo();
    this.#done(words[lang()].undone, 'button.export');
  }

  #dismiss(): void {
    this.#notice = '';
    this.#show();
  }

  #export(): void {
    save(`drainlab-progress-${new Date().toISOString().slice(0, 10)}.json`, progress.export());
  }

  #saveBroken(): void {
    save('drainlab-unreadable.txt', progress.unread ?? '');
  }

  async #chosen(e: Event): Promise<void> {
    const w = words[lang()];
    const input = e.target;
    if (!(input instanceof HTMLInputElement)) return;
    const file = input.files?.[0];
    input.value = ''; // the same file can be chosen again
    if (file === undefined) return;
    if (file.size > LARGEST) {
      this.#done(w.large(file.name), 'input');
      return;
    }
    let text: string;
    try {
      text = await file.text();
    } catch {
      this.#done(w.unreadable(file.name), 'input');
      return;
    }
    try {
      this.#ask({kind: 'import', file: file.name, state: decode(text)});
    } catch (err) {
      if (!(err instanceof BadState)) throw err;
      const said = {'not-json': w.notJson, 'not-progress': w.notProgress, newer: w.newer}[err.reason];
      this.#done(said(file.name, err.where), 'input');
    }
  }

  #focus(selector: string): void {
    const to = this.querySelector(selector);
    if (to instanceof HTMLElement) to.focus({preventScroll: true});
  }
}

/** Gives the learner a text as a file. */
function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], {type: 'application/json'}));
  const a = document.createElement('a');
  a.href = url;
  a.download = name;
  a.click();
  // The browser has taken hold of the blob by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}

customElements.define('dl-progress-menu', ProgressMenu);
