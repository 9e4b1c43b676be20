// <dl-xp>: what the learner has earned, in the bar.

import {CHANGED, progress} from '../progress/index.ts';
import {lang} from '../shell/lang.ts';

const words = {
  en: {xp: (n: string) => `${n} XP`, title: 'Points for answers and runs'},
  ru: {xp: (n: string) => `${n} XP`, title: 'Очки за ответы и запуски'},
};

class Xp extends HTMLElement {
  #stop: AbortController | null = null;

  connectedCallback(): void {
    this.#stop = new AbortController();
    window.addEventListener(CHANGED, () => this.#show(), {signal: this.#stop.signal});
    this.title = words[lang()].title;
    this.#show();
  }

  disconnectedCallback(): void {
    this.#stop?.abort();
  }

  #show(): void {
    this.textContent = words[lang()].xp(progress.xp.toLocaleString(lang()));
  }
}

customElements.define('dl-xp', Xp);
