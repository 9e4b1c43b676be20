// Search in the course. There is no index to keep in step: the lessons' own
// pages are read when the first search begins.

import {excerpt, find, plain, type Place} from './find.ts';
import {lang} from './lang.ts';

const words = {
  en: {
    title: 'Search in the course', reading: 'Reading the lessons…', failed: 'The lessons could not be read. Is the server still there?',
    none: 'Nothing found.', found: (n: number) => (n === 1 ? '1 place' : `${n} places`), hint: 'Titles, sections and text of all lessons.',
  },
  ru: {
    title: 'Поиск по курсу', reading: 'Читаю уроки…', failed: 'Не удалось прочитать уроки. Сервер ещё работает?',
    none: 'Ничего не нашлось.', found: (n: number) => `Нашлось мест: ${n}`, hint: 'Заголовки, разделы и текст всех уроков.',
  },
};

function wordsOf(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const other of copy.querySelectorAll('script, noscript, .anchor, .visually-hidden')) other.remove();
  for (const end of copy.querySelectorAll('p, li, td, th, dt, dd, pre, div, legend, label, small')) end.append(' ');
  return copy.textContent.replace(/\s+/g, ' ').trim();
}

async function page(href: string): Promise<Document> {
  const response = await fetch(href);
  if (!response.ok) throw new Error(`${href}: ${response.status}`);
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

function places(href: string, doc: Document): Place[] {
  const article = doc.querySelector('main article');
  const lesson = doc.querySelector('h1');
  if (!article || !lesson) return [];
  const found: {href: string; lesson: string; section: string; text: string}[] = [];
  let place = {href, lesson: wordsOf(lesson), section: '', text: ''};
  found.push(place);
  for (const element of article.children) {
    if (element.matches('h1, nav')) continue;
    if (element.matches('h2[id], h3[id]')) {
      place = {href: `${href}#${element.id}`, lesson: place.lesson, section: wordsOf(element), text: ''};
      found.push(place);
    } else {
      place.text += ` ${wordsOf(element)}`;
    }
  }
  return found;
}

async function readCourse(): Promise<Place[]> {
  const map = await page(`/${lang()}/`);
  const hrefs = new Set<string>();
  for (const link of map.querySelectorAll('main a[href*="/lessons/"]')) {
    hrefs.add((link.getAttribute('href') ?? '').replace(/#.*/, ''));
  }
  const read = await Promise.all([...hrefs].map(async href => places(href, await page(href))));
  return read.flat();
}

let course: Promise<Place[]> | undefined;

function hit(place: Place, query: string): HTMLLIElement {
  const li = document.createElement('li');
  const a = document.createElement('a');
  a.href = place.href;
  const title = document.createElement('b');
  title.textContent = place.section || place.lesson;
  const where = document.createElement('small');
  where.textContent = place.section ? place.lesson : '';
  const text = document.createElement('span');
  text.textContent = excerpt(place, query);
  a.append(title, where, text);
  li.append(a);
  return li;
}

export function openSearch(): void {
  const w = words[lang()];
  const dialog = document.createElement('dialog');
  dialog.className = 'shell search';
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = w.title;
  input.setAttribute('aria-label', w.title);
  input.autocomplete = 'off';
  input.spellcheck = false;
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  status.textContent = w.hint;
  const list = document.createElement('ol');
  dialog.append(input, status, list);

  const show = async (): Promise<void> => {
    const query = input.value;
    if (plain(query) === '') {
      list.replaceChildren();
      status.textContent = w.hint;
      return;
    }
    try {
      course ??= readCourse();
      status.textContent = list.childElementCount > 0 ? status.textContent : w.reading;
      const found = find(await course, query);
      if (query !== input.value) return; // the reader typed on
      list.replaceChildren(...found.map(place => hit(place, query)));
      status.textContent = found.length > 0 ? w.found(found.length) : w.none;
    } catch (error) {
      course = undefined; // the next key tries again
      console.error(error);
      status.textContent = w.failed;
    }
  };
  input.addEventListener('input', () => void show());
  dialog.addEventListener('keydown', event => {
    const stops = [input, ...list.querySelectorAll('a')];
    const at = stops.findIndex(stop => stop === document.activeElement);
    if (event.key === 'ArrowDown') stops[Math.min(at + 1, stops.length - 1)]?.focus();
    else if (event.key === 'ArrowUp') stops[Math.max(at - 1, 0)]?.focus();
    else if (event.key === 'Enter' && at === 0) list.querySelector('a')?.click();
    else if (event.key === 'Escape' && !event.isComposing) dialog.close(); // the field would only be emptied
    else return;
    event.preventDefault();
  });
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', event => {
    // On the backdrop, or on a place in this very page.
    if (event.target === dialog || (event.target as Element).closest('a')) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}
