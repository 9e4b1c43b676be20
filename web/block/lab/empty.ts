// What the lab shows before its first run: the lanes, and what each will tell.
// The server writes the same (aside.go), so nothing moves when this comes.

import {html, svg} from 'lit';
import type {TemplateResult} from 'lit';
import type {Words} from './words.ts';

export function empty(amqp: boolean, w: Words): TemplateResult {
  const rows: [TemplateResult, string, string][] = [
    [platform, w.laneNames.platform, w.lanes.platform],
    [amqp ? worker : server, amqp ? w.laneNames.process : w.laneNames.server, w.lanes.process],
    amqp ? [broker, w.laneNames.broker, w.lanes.broker] : [clients, w.laneNames.clients, w.lanes.clients],
  ];
  return html`<div class="empty"><h3>${w.emptyTitle}</h3><p>${w.emptyLead}</p>
    <dl>${rows.map(([picture, name, what]) => html`<div>
      <svg width="132" height="46" viewBox="0 0 132 46" aria-hidden="true">${picture}</svg><dt>${name}</dt><dd>${what}</dd></div>`)}</dl></div>`;
}

const platform = svg`<path class="signal" d="M34 7l6 10.5h-12z"/><text class="signal" x="46" y="17">TERM</text>
  <rect class="spent" x="34" y="26" width="38" height="10" rx="2"/><rect class="left" x="34" y="26" width="90" height="10" rx="2"/>`;
const worker = svg`<rect class="done" x="4" y="6" width="40" height="13" rx="3"/><rect class="done" x="48" y="6" width="52" height="13" rx="3"/>
  <rect class="done" x="10" y="24" width="46" height="13" rx="3"/><rect class="back" x="60" y="24" width="40" height="13" rx="3"/>
  <text class="on" x="68" y="16">✓</text><text class="back" x="76" y="34">↩</text><path class="exit" d="M104 3V43"/><circle cx="104" cy="4" r="3"/>`;
const server = svg`<rect class="done" x="10" y="6" width="66" height="13" rx="3"/><rect class="done" x="16" y="24" width="72" height="13" rx="3"/>
  <text class="on" x="40" y="16">✓</text><text class="on" x="48" y="34">✓</text><path class="exit" d="M104 3V43"/><circle cx="104" cy="4" r="3"/>`;
const broker = svg`<path class="level" d="M4 40V10H40V17H60V24H82V31H100V24H128V40z"/><path class="line" d="M4 40V10H40V17H60V24H82V31H100V24H128"/>
  <text class="back" x="95" y="18">↩</text>`;
const clients = svg`<path class="conn" d="M6 12.5H90M10 30.5H104"/><rect class="done" x="14" y="7" width="66" height="11" rx="2.5"/><rect class="lost" x="18" y="25" width="84" height="11" rx="2.5"/>
  <text class="on" x="40" y="16">✓</text><text class="lost" x="106" y="35">✗</text>`;
