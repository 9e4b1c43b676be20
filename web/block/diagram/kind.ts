// <dl-diagram>: draws its Mermaid source in the colours of the page, again when
// these change. The place is there before; until it is drawn, and if it cannot
// be, the text alternative says the same.

import {lang} from '../../src/shell/lang.ts';
import {styleKept, type Asked, type Drawn, type Theme} from './drawn.ts';

const words = {
  en: {failed: 'The diagram could not be drawn; its text says the same.'},
  ru: {failed: 'Диаграмму не удалось нарисовать, но её текст говорит то же самое.'},
};

function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  return {
    dark: style.colorScheme === 'dark' || (style.colorScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches),
    paper: colour('--paper'), card: colour('--card'), ink: colour('--ink'), soft: colour('--soft'), line: colour('--line'),
    edge: colour('--edge'), drain: colour('--drain'), wash: colour('--drain-wash'), font: colour('--sans'),
  };
}

let loading: Promise<HTMLIFrameElement> | undefined;

/** The frame that draws for all diagrams of the page. */
function frame(): Promise<HTMLIFrameElement> {
  loading ??= new Promise((resolve, reject) => {
    const element = document.createElement('iframe');
    element.className = 'diagram-frame';
    element.tabIndex = -1;
    element.setAttribute('aria-hidden', 'true');
    element.addEventListener('load', () => {
      if (element.contentDocument?.documentElement.dataset['draws'] === undefined) reject(new Error('the frame that draws did not come'));
      else resolve(element);
    });
    element.src = '/frame/diagram';
    document.body.append(element);
  });
  return loading;
}

const patience = 20_000; // ms: the frame loads Mermaid first

async function ask(asked: Asked): Promise<Drawn> {
  const {contentWindow} = await frame();
  if (!contentWindow) throw new Error('the frame that draws is gone');
  const {port1, port2} = new MessageChannel();
  try {
    return await new Promise<Drawn>((resolve, reject) => {
      setTimeout(() => reject(new Error('the frame that draws does not answer')), patience);
      port1.onmessage = (event: MessageEvent<Drawn>): void => resolve(event.data);
      contentWindow.postMessage(asked, location.origin, [port2]);
    });
  } finally {
    port1.close();
  }
}

class Diagram extends HTMLElement {
  readonly #sheet = new CSSStyleSheet();
  #stop: AbortController | null = null;
  #wanted = 0;

  connectedCallback(): void {
    this.#stop = new AbortController();
    document.adoptedStyleSheets.push(this.#sheet);
    const again = (): void => void this.#draw();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again, {signal: this.#stop.signal});
    const chosen = new MutationObserver(again);
    chosen.observe(document.documentElement, {attributeFilter: ['data-theme']});
    this.#stop.signal.addEventListener('abort', () => chosen.disconnect());
    // What scrolls must be within reach of the keyboard.
    const place = this.querySelector<HTMLElement>('.drawing');
    if (place) {
      const fits = new ResizeObserver(() => {
        if (place.scrollWidth > place.clientWidth + 1) place.tabIndex = 0;
        else place.removeAttribute('tabindex');
      });
      fits.observe(place);
      this.#stop.signal.addEventListener('abort', () => fits.disconnect());
    }
    again();
  }

  disconnectedCallback(): void {
    this.#stop?.abort();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
  }

  async #draw(): Promise<void> {
    const wanted = ++this.#wanted;
    const source = this.querySelector('.source code')?.textContent ?? '';
    try {
      const drawn = await ask({id: this.id, source, theme: theme()});
      if (wanted !== this.#wanted) return; // the colours have changed meanwhile
      if ('failed' in drawn) throw new Error(drawn.failed);
      this.#show(drawn.svg, drawn.css);
    } catch (error) {
      console.error(`diagram ${this.id}:`, error);
      this.#fail();
    }
  }

  #show(svg: string, css: string): void {
    const place = this.querySelector('.drawing > svg');
    const drawing = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    if (!place || drawing.localName !== 'svg') throw new Error('the drawing is no SVG');
    for (const attribute of ['width', 'height']) drawing.setAttribute(attribute, '100%');
    const inserted = document.importNode(drawing, true);
    this.#sheet.replaceSync(css);
    place.replaceChildren(inserted);
    for (const element of inserted.querySelectorAll<SVGElement>(`[${styleKept}]`)) {
      element.style.cssText = element.getAttribute(styleKept) ?? '';
    }
    this.classList.remove('failed');
    this.classList.add('drawn');
  }

  #fail(): void {
    if (this.classList.contains('drawn') || this.classList.contains('failed')) return;
    this.classList.add('failed');
    const note = document.createElement('p');
    note.className = 'block-failed';
    note.setAttribute('role', 'status');
    note.textContent = words[lang()].failed;
    this.querySelector('.drawing')?.after(note);
  }
}

customElements.define('dl-diagram', Diagram);
