// The keys of a page. `?` lists them: those of the shell, and those that the
// page's own controls name in aria-keyshortcuts, so that the list is never
// another than what works.

import {lang} from './lang.ts';
import {openSearch} from './search.ts';

const words = {
  en: {title: 'Keyboard', close: 'Close', shortcuts: 'this list', search: 'search in the course'},
  ru: {title: 'Клавиши', close: 'Закрыть', shortcuts: 'этот список', search: 'поиск по курсу'},
};

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const symbols: Readonly<Record<string, string>> = {
  Enter: '↵', Escape: 'Esc', ArrowUp: '↑', ArrowDown: '↓', Meta: '⌘', Control: mac ? '⌃' : 'Ctrl', Alt: mac ? '⌥' : 'Alt',
};

/** A key press that is meant for the page, not for a field in it. */
function forThePage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return true;
  return !target.isContentEditable && !target.closest('input:not([type="radio"], [type="checkbox"]), textarea, select, dialog');
}

/** "Control+Enter" as key caps. */
function caps(shortcut: string): HTMLElement[] {
  return shortcut.split('+').map(part => {
    const kbd = document.createElement('kbd');
    kbd.textContent = symbols[part] ?? part.toUpperCase();
    return kbd;
  });
}

/** What a control is called, without the key that is printed on it. */
function label(control: Element): string {
  const named = control.getAttribute('aria-label') ?? control.getAttribute('title');
  if (named) return named;
  const copy = control.cloneNode(true) as Element;
  for (const kbd of copy.querySelectorAll('kbd')) kbd.remove();
  return copy.textContent.trim();
}

function rows(): Map<string, string> {
  const w = words[lang()];
  const found = new Map([['/', w.search], ['?', w.shortcuts]]);
  for (const control of document.querySelectorAll('[aria-keyshortcuts]')) {
    for (const shortcut of (control.getAttribute('aria-keyshortcuts') ?? '').split(/\s+/)) {
      // Where both are named, a Mac shows the one with ⌘, all others the one with Ctrl.
      if (shortcut === '' || (mac ? shortcut.startsWith('Control+') : shortcut.startsWith('Meta+'))) continue;
      if (!found.has(shortcut)) found.set(shortcut, label(control));
    }
  }
  return found;
}

function list(): HTMLDialogElement {
  const w = words[lang()];
  const dialog = document.createElement('dialog');
  dialog.className = 'shell';
  dialog.setAttribute('aria-labelledby', 'shortcuts-title');
  const header = document.createElement('header');
  const title = document.createElement('h2');
  title.id = 'shortcuts-title';
  title.textContent = w.title;
  const close = document.createElement('button');
  close.type = 'button';
  close.className = 'quiet';
  close.textContent = w.close;
  close.addEventListener('click', () => dialog.close());
  header.append(title, close);
  const dl = document.createElement('dl');
  for (const [shortcut, what] of rows()) {
    const dt = document.createElement('dt');
    dt.append(...caps(shortcut));
    const dd = document.createElement('dd');
    dd.textContent = what;
    dl.append(dt, dd);
  }
  dialog.append(header, dl);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', event => {
    if (event.target === dialog) dialog.close(); // on the backdrop
  });
  return dialog;
}

export function shortcuts(): void {
  addEventListener('keydown', event => {
    if (!forThePage(event)) return;
    if (event.key === '?') {
      event.preventDefault();
      const dialog = list();
      document.body.append(dialog);
      dialog.showModal();
    } else if (event.key === '/') {
      event.preventDefault();
      // At once: what is typed next is for the search, and no command to the page.
      openSearch();
    }
  });
  for (const button of document.querySelectorAll('button.search')) button.addEventListener('click', openSearch);
}
