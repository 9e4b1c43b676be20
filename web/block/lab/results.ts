// The counts that move, the prediction held against the run, and the verdict.

import {html, nothing, svg} from 'lit';
import type {TemplateResult} from 'lit';
import type {Check, Refusal, Run} from '../../src/run/api.ts';
import type {Lang} from '../../src/shell/lang.ts';
import {seconds} from '../../src/timeline/axis.ts';
import type {Model} from '../../src/timeline/model.ts';
import {graceAt} from '../../src/timeline/process.ts';
import type {Held} from './predict.ts';
import type {Words} from './words.ts';

export function counts(m: Model, now: number, amqp: boolean, grace: string, lang: Lang, w: Words): TemplateResult {
  const c = m.counts;
  const cells: [string, number, string][] = amqp
    ? [['back', c.ready, w.counts.ready], ['drain', c.unacked, w.counts.unacked], ['done', c.acked, w.counts.acked]]
    : [['', c.open, w.counts.open], ['drain', c.flying, w.counts.flying], ['done', c.answered, w.counts.answered], ['lost', c.cut, w.counts.cut]];
  // The one that runs; of a run that has ended, that of the process it is about.
  const g = m.graces.find(x => x.end === undefined) ?? (m.ended ? m.first?.grace : m.graces.at(-1));
  const used = g ? graceAt(g, now).used : 0;
  const length = g ? seconds(g.length, g.length % 1000 === 0 ? 0 : 1, lang) : grace;
  return html`<div class="counts">
    ${cells.map(([tone, n, name]) => html`<div class=${tone}><b>${n}</b><span>${name}</span></div>`)}
    <div class=${`grace${g?.expired ? ' expired' : ''}`}><b>${g ? `${seconds(used, 1, lang)} ${w.s}` : w.notStopped}</b><span>${w.counts.of(length)}</span>
      <svg width="100%" height="3" aria-hidden="true">${svg`<rect width=${g ? `${(used / g.length) * 100}%` : '0'} height="3"/>`}</svg></div>
  </div>`;
}

/** What was said against what was. */
export function held(rows: readonly Held[], amqp: boolean, over: boolean, w: Words): TemplateResult {
  return html`<dl class="held" aria-label=${w.predicted}>${rows.map(r => {
    const name = r.what === 'code' ? w.predictExit : amqp ? w.predictBack : w.predictCut;
    const was = r.was === undefined ? (over ? w.never : w.open) : w.was(r.was);
    return html`<div class=${r.right === undefined ? 'waits' : r.right ? 'right' : 'wrong'}>
      <dt class=${r.right === undefined ? '' : r.right ? 'ok' : 'no'}>${name}</dt><dd><em>${w.said(r.said)}</em> <b>${was}</b></dd></div>`;
  })}</dl>`;
}

/** The checks as the server judged them, or as the events told when it cannot be asked. */
export function checksOf(run: Run | undefined, m: Model): readonly Check[] {
  if (run?.verdict) return run.verdict.checks;
  return m.events
    .filter(e => e.kind === 'check')
    .map(e => ({check: e.check ?? '', pass: e.pass === true, want: '', got: '', detail: e.text ?? '', detail_ru: e.text ?? ''}));
}

export function verdict(checks: readonly Check[], lang: Lang, w: Words): TemplateResult | typeof nothing {
  if (checks.length === 0) return nothing;
  return html`<section class="verdict" aria-label=${w.verdict}><h3>${w.verdict}</h3>
    <ul>${checks.map(c => html`<li class=${c.pass ? 'ok' : 'no'}>
      <span class="what"><span class="visually-hidden">${c.pass ? w.pass : w.fail}: </span>${w.checks[c.check] ?? c.check}</span>
      <span class="detail">${lang === 'ru' ? c.detail_ru : c.detail}</span></li>`)}</ul></section>`;
}

/** What was refused and what to do. The server speaks English; the page says at least what it is about. */
export function refused(r: Refusal, lang: Lang, w: Words): TemplateResult {
  const told = html`<b>${sentence(r.what)}</b> ${sentence(r.way)}`;
  if (r.status === 0 || lang === 'en') return told;
  return html`<b>${w.refused[r.status] ?? w.refusedOther}</b> <span lang="en">${sentence(r.what)} ${sentence(r.way)}</span>`;
}

function sentence(text: string): string {
  if (text === '') return '';
  const first = text[0] ?? '';
  return first.toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
}
