// What the shapes mean: only those that the lanes of this exercise can have.

import {html, svg} from 'lit';
import type {TemplateResult} from 'lit';
import type {Scene} from './scene.ts';

export function legend(s: Scene, needs: readonly string[]): TemplateResult {
  const t = s.words;
  const amqp = needs.includes('amqp');
  const bar = (state: string, sign: string): TemplateResult =>
    svg`<g class=${`bar ${state}`}><rect x="1" y="2" width="18" height="11" rx="3"/>${sign === '' ? '' : svg`<text x="5.5" y="11">${sign}</text>`}</g>`;
  const entries: [TemplateResult, string][] = [
    [svg`<path class="sent" d="M10 3l5.5 9.5h-11z"/>`, t.legends.sent],
    [svg`<path class="taken" d="M10 3l5.5 9.5h-11z"/>`, t.legends.taken],
    [svg`<g class="grace runs"><rect class="left" x="1" y="4" width="18" height="8" rx="2"/></g>`, t.legends.grace],
    [bar('running', ''), t.legends.running],
    [bar('done', '✓'), t.legends.done],
    ...(amqp
      ? ([
          [bar('again', '↩'), t.legends.again],
          [bar('returned', '↩'), t.legends.returned],
          [svg`${bar('done', '')}<path class="again-edge" d="M2.5 2v11"/>`, t.legends.redelivered],
          [bar('lost', '✗'), t.legends.lost],
          [svg`<path class="wait" d="M3 5v5M3 7.5h15"/>`, t.legends.waiting],
        ] satisfies [TemplateResult, string][])
      : ([
          [bar('lost', '✗'), t.legends.cut],
          [svg`<path class="conn" d="M3 4v8M3 8h15"/>`, t.legends.open],
        ] satisfies [TemplateResult, string][])),
    [svg`<g class="exit clean"><path d="M10 4V14"/><circle cx="10" cy="4" r="3.2"/></g>`, t.legends.exit],
    ...(s.model.inferred ? ([[svg`<path class="wait inferred" d="M1 5v5M1 7.5h18"/>`, t.legends.inferred]] satisfies [TemplateResult, string][]) : []),
  ];
  return html`<ul class="legend" aria-label=${t.legend}>${entries.map(([sign, name]) =>
    html`<li><svg width="20" height="15" viewBox="0 0 20 15" aria-hidden="true">${sign}</svg>${name}</li>`)}</ul>`;
}
