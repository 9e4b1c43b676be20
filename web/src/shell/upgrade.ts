// Brings the page's custom elements to life. Each loads by itself and fails by
// itself: the rest of the page, and the text of the failed block, stay.

import {elements} from 'drainlab:elements';
import {lang} from './lang.ts';

const words = {
  en: {failed: 'This block did not start. The text is all here; reload the page to try again.'},
  ru: {failed: 'Этот блок не запустился. Текст весь здесь; перезагрузите страницу, чтобы попробовать ещё раз.'},
};

/** Puts a readable notice into an element that does not work, once. */
function notice(element: Element): void {
  if (element.querySelector(':scope > .block-failed')) return;
  const p = document.createElement('p');
  p.className = 'block-failed';
  p.setAttribute('role', 'status');
  p.textContent = words[lang()].failed;
  element.append(p);
}

function failed(element: Element, error: unknown): void {
  console.error(`<${element.localName}${element.id ? ` id="${element.id}"` : ''}> did not start:`, error);
  notice(element);
}

interface Lifecycle extends HTMLElement {
  connectedCallback?(): void;
}

/**
 * Makes every dl- element that is defined from now on answer for its own start:
 * an exception there would otherwise reach window.onerror, which cannot tell
 * whose it is.
 */
function guardStarts(): void {
  const define = customElements.define.bind(customElements);
  customElements.define = (name, constructor, options) => {
    if (name.startsWith('dl-')) {
      const prototype = constructor.prototype as Lifecycle;
      const connected = prototype.connectedCallback;
      if (connected) {
        prototype.connectedCallback = function (this: Lifecycle): void {
          try {
            connected.call(this);
          } catch (error) {
            failed(this, error);
          }
        };
      }
    }
    define(name, constructor, options);
  };
}

/** Loads what the page has. It resolves when all have loaded or failed. */
export async function upgrade(root: ParentNode): Promise<void> {
  guardStarts();
  const byTag = new Map<string, Element[]>();
  for (const element of root.querySelectorAll('*')) {
    const tag = element.localName;
    if (!tag.startsWith('dl-')) continue;
    const list = byTag.get(tag);
    if (list) list.push(element);
    else byTag.set(tag, [element]);
  }
  await Promise.all([...byTag].map(async ([tag, list]) => {
    const load = elements[tag];
    if (!load) return; // a kind that needs no script
    try {
      await load();
    } catch (error) {
      for (const element of list) failed(element, error);
    }
  }));
}
