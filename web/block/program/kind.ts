// <dl-program>: copies the lines that it shows.

import {lang} from '../../src/shell/lang.ts';

const words = {
  en: {copied: 'Copied', select: 'Selected: copy it with the keyboard'},
  ru: {copied: 'Скопировано', select: 'Выделено: скопируйте с клавиатуры'},
};

const shownFor = 2000; // ms

class Program extends HTMLElement {
  #timer = 0;

  connectedCallback(): void {
    this.querySelector('button.copy')?.addEventListener('click', () => void this.#copy());
  }

  disconnectedCallback(): void {
    clearTimeout(this.#timer);
  }

  async #copy(): Promise<void> {
    const code = this.querySelector('pre code');
    if (!code) return;
    const w = words[lang()];
    try {
      await navigator.clipboard.writeText(code.textContent);
      this.#say(w.copied);
    } catch {
      // No permission, or a page that did not come over https or from here.
      getSelection()?.selectAllChildren(code);
      this.#say(w.select);
    }
  }

  #say(what: string): void {
    const said = this.querySelector('.said');
    if (!said) return;
    said.textContent = what;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      said.textContent = '';
    }, shownFor);
  }
}

customElements.define('dl-program', Program);
