// Progress on pages that the server wrote: where to resume, how far a lesson
// on the map is, how many cards are due.

import {CHANGED, progress} from './index.ts';
import {lang} from '../shell/lang.ts';

const words = {
  en: {
    resume: (title: string) => `resume at “${title}”`,
    goOn: 'resume',
    due: (n: number) => `${n} due`,
    part: (right: number, of: number) => `${right} of ${of} right`,
    all: 'all right',
  },
  ru: {
    resume: (title: string) => `продолжить с «${title}»`,
    goOn: 'продолжить',
    due: (n: number) => `к повтору: ${n}`,
    part: (right: number, of: number) => `верно ${right} из ${of}`,
    all: 'всё верно',
  },
};

/** How long a section must be on the screen before it counts as read, in milliseconds. */
const DWELL = 1500;

export function progressOnPage(): void {
  const slug = /\/lessons\/([\w-]+)\/?$/.exec(location.pathname)?.[1];
  if (slug !== undefined) {
    offerResume(slug);
    watchSections(slug);
  }
  const show = (): void => {
    showDue();
    showLessons();
  };
  show();
  window.addEventListener(CHANGED, show);
}

/** Offers the place at which a lesson was left, in the line above its title. */
function offerResume(slug: string): void {
  const place = progress.place(slug);
  const crumb = document.querySelector('main .crumb');
  if (place === undefined || crumb === null || location.hash !== '') return;
  const heading = document.getElementById(place.section);
  const first = document.querySelector('main article h2[id]');
  if (heading === null || heading === first) return;
  const link = document.createElement('a');
  link.href = `#${place.section}`;
  link.className = 'resume';
  // The title as it is now, in the page's language.
  link.textContent = words[lang()].resume(titleOf(heading));
  crumb.append(' · ', link);
}

/** Remembers the section that is read, once the reader has begun to move. */
function watchSections(slug: string): void {
  const headings = [...document.querySelectorAll('main article h2[id]')];
  if (headings.length === 0) return;
  /** Headings above the lower part of the screen; the last of them is being read. */
  const passed = new Set<Element>();
  let moved = false;
  let timer = 0;
  const settle = (): void => {
    clearTimeout(timer);
    const now = headings.filter(h => passed.has(h)).at(-1);
    if (!moved || now === undefined) return;
    timer = window.setTimeout(() => {
      if (progress.place(slug)?.section !== now.id) progress.resume(slug, now.id, titleOf(now), lang());
    }, DWELL);
  };
  const observer = new IntersectionObserver(
    entries => {
      for (const entry of entries) {
        const above = entry.isIntersecting || entry.boundingClientRect.top < 0;
        if (above) passed.add(entry.target);
        else passed.delete(entry.target);
      }
      settle();
    },
    {rootMargin: '0px 0px -55% 0px'},
  );
  for (const h of headings) observer.observe(h);
  // A page opened at its top is no reason to forget where its reader was.
  const begin = (): void => {
    moved = true;
    settle();
  };
  for (const sign of ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const) {
    window.addEventListener(sign, begin, {once: true, passive: true});
  }
}

function titleOf(heading: Element): string {
  const copy = heading.cloneNode(true);
  if (copy instanceof Element) for (const a of copy.querySelectorAll('.anchor')) a.remove();
  return copy.textContent?.trim() ?? '';
}

/** "Cards · 6 due" in the bar. */
function showDue(): void {
  const link = document.querySelector(`header.bar nav a[href="/${lang()}/cards"]`);
  if (link === null) return;
  const due = progress.due;
  let small = link.querySelector('small.due-count');
  if (small === null) {
    small = document.createElement('small');
    small.className = 'due-count';
    link.append(small);
  }
  small.textContent = due > 0 ? ` · ${words[lang()].due(due)}` : '';
}

/**
 * How far each lesson of the map is: an element with data-lesson (the slug) and
 * data-questions (the blocks' ids) has a place for it with the class progress.
 */
function showLessons(): void {
  const w = words[lang()];
  const lastRead = progress.lastRead()?.slug;
  for (const lesson of document.querySelectorAll<HTMLElement>('[data-lesson]')) {
    const slug = lesson.dataset['lesson'] ?? '';
    const ids = (lesson.dataset['questions'] ?? '').split(/\s+/).filter(id => id !== '');
    const slot = lesson.querySelector('.progress');
    if (!(slot instanceof HTMLElement)) continue;
    const {answered, right} = progress.count(ids.map(id => `${slug}/${id}`));
    const place = progress.place(slug);
    const parts: (string | Node)[] = [];
    if (answered > 0) parts.push(right === ids.length ? `✓ ${w.all}` : w.part(right, ids.length));
    if (place !== undefined && right < ids.length) {
      const link = document.createElement('a');
      link.href = `/${lang()}/lessons/${slug}#${place.section}`;
      link.textContent = place.lang === lang() ? w.resume(place.title) : w.goOn;
      parts.push(link);
    }
    slot.replaceChildren(...parts.flatMap((part, i) => (i === 0 ? [part] : [' · ', part])));
    lesson.classList.toggle('begun', answered > 0 || place !== undefined);
    lesson.classList.toggle('complete', ids.length > 0 && right === ids.length);
    lesson.classList.toggle('last-read', slug === lastRead);
  }
}
