// The same events as a table: for those who would rather read, and for ears.

import {html, nothing} from 'lit';
import type {TemplateResult} from 'lit';
import type {Event} from '../event.gen.ts';
import {seconds} from './axis.ts';
import type {Model} from './model.ts';
import type {Scene} from './scene.ts';

/** More rows than this help nobody. */
const MOST = 1000;

export function table(model: Model, s: Scene, open: boolean, toggle: (open: boolean) => void): TemplateResult {
  const t = s.words;
  const rows = open ? model.events.slice(-MOST) : [];
  const earlier = open ? model.events.length - rows.length : 0;
  const heard = (e: globalThis.Event): void => toggle((e.currentTarget as HTMLDetailsElement).open);
  return html`<details class="events" @toggle=${heard}><summary>${t.table(model.events.length)}</summary>
    ${open
      ? html`${earlier > 0 ? html`<p>${t.earlier(earlier)}</p>` : nothing}<div class="scroll" tabindex="0" role="region" aria-label=${t.table(model.events.length)}><table>
          <thead><tr>${t.columns.slice(0, 5).map(c => html`<th scope="col">${c}</th>`)}</tr></thead>
          <tbody>${rows.map(e => html`<tr><td>${e.seq}</td><td>${seconds(e.at / 1e6, 3, s.lang)}</td><td>${e.from}</td><td>${e.kind}</td><td>${about(e)}${e.inferred ? html` <em>(${t.seen})</em>` : nothing}</td></tr>`)}</tbody>
        </table></div>`
      : nothing}</details>`;
}

/** The fields that an event carries, as a person would say them. */
export function about(e: Event): string {
  const parts: string[] = [];
  const say = (name: string, value: string | number | undefined): void => {
    if (value !== undefined && value !== '') parts.push(name === '' ? String(value) : `${name} ${value}`);
  };
  say('', e.signal);
  say('→', e.target);
  say('', e.program);
  say('pid', e.pid);
  say('message', e.message);
  say('request', e.request);
  say('', e.status);
  if (e.redelivered) parts.push('redelivered');
  say('', e.peer);
  say('tag', e.tag);
  say('code', e.code);
  if (e.grace !== undefined) say('', `${e.grace / 1e9} s`);
  say('', e.check);
  if (e.pass !== undefined) parts.push(e.pass ? '✓' : '✗');
  say('', e.text);
  return parts.join(' · ');
}
