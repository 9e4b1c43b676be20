// Questions whose newest answer was wrong, to be tried again away from their
// lesson. The question is taken as it is out of the lesson's page, which the
// server writes in full anyway, so that nothing lists questions twice.

import {html, nothing} from 'lit';
import type {TemplateResult} from 'lit';
import {elements} from 'drainlab:elements';
import {progress} from '../progress/index.ts';
import {lang} from '../shell/lang.ts';

export interface RetryWords {
  readonly retry: string;
  readonly retryAt: (n: number) => string;
  readonly nextQuestion: string;
  readonly finished: string;
  readonly lesson: string;
  readonly failed: string;
  readonly loading: string;
  readonly allRight: string;
}

export interface Retry {
  template(words: RetryWords): TemplateResult | typeof nothing;
}

/** Tags of what can be asked again. */
const ASKED = ['dl-quiz', 'dl-predict', 'dl-blanks', 'dl-order'];

type On =
  | {readonly state: 'loading'; readonly key: string}
  | {readonly state: 'ready'; readonly key: string; readonly block: Element; answered: boolean}
  | {readonly state: 'failed'; readonly key: string};

/** changed is called when the template has something new to show. */
export function questions(changed: () => void): Retry {
  const pages = new Map<string, Promise<Document>>();
  /** Questions that the lesson no longer has, and those already tried here. */
  const past = new Set<string>();
  let on: On | undefined;

  const left = (): string[] => progress.toRetry().filter(key => /^[\w-]+\/[\w-]+$/.test(key) && !past.has(key));

  const load = async (key: string): Promise<void> => {
    on = {state: 'loading', key};
    const slug = key.split('/')[0] ?? '';
    try {
      const page = await (pages.get(slug) ?? fetchLesson(slug, pages));
      const found = [...page.querySelectorAll(ASKED.join())].find(e => e.getAttribute('data-key') === key);
      if (found === undefined) {
        past.add(key);
        on = undefined;
      } else {
        await elements[found.localName]?.();
        found.setAttribute('data-again', '');
        // The parser of another document reads what stands in noscript.
        for (const e of found.querySelectorAll('noscript')) e.remove();
        const block = document.importNode(found, true);
        const ready: On = {state: 'ready', key, block, answered: false};
        block.addEventListener('dl-answered', () => {
          ready.answered = true;
          changed();
        });
        on = ready;
      }
    } catch (err) {
      console.error(err);
      on = {state: 'failed', key};
    }
    changed();
  };

  const next = (): void => {
    if (on !== undefined) past.add(on.key);
    on = undefined;
    changed();
  };

  return {
    template(w) {
      const keys = left();
      const first = keys[0];
      if (on === undefined && first !== undefined) void load(first);
      if (on === undefined)
        return past.size > 0
          ? html`<section class="retry"><h2>${w.retry}</h2><p role="status">${w.allRight}</p></section>`
          : nothing;
      const [slug, id] = on.key.split('/');
      const more = keys.some(key => key !== on?.key);
      return html`<section class="retry" aria-labelledby="retry">
        <h2 id="retry">${w.retry}</h2>
        ${keys.length > 0 ? html`<p class="soft">${w.retryAt(keys.length)}</p>` : nothing}
        ${
          on.state === 'loading'
            ? html`<p class="loading" role="status">${w.loading}</p>`
            : on.state === 'ready'
              ? on.block
              : html`<p role="status">${w.failed}</p>`
        }
        <p class="after">
          <a href=${`/${lang()}/lessons/${slug ?? ''}#${id ?? ''}`}>${w.lesson}</a>
          ${
            (on.state === 'ready' && on.answered) || on.state === 'failed'
              ? html`<button type="button" @click=${next}>${more ? w.nextQuestion : w.finished}</button>`
              : nothing
          }
        </p>
      </section>`;
    },
  };
}

async function fetchLesson(slug: string, pages: Map<string, Promise<Document>>): Promise<Document> {
  const page = (async () => {
    const answer = await fetch(`/${lang()}/lessons/${encodeURIComponent(slug)}`);
    if (!answer.ok) throw new Error(`lesson ${slug}: ${answer.status}`);
    return new DOMParser().parseFromString(await answer.text(), 'text/html');
  })();
  pages.set(slug, page);
  page.catch(() => pages.delete(slug));
  return page;
}
