// A scene as SVG. Colours and strokes are classes (timeline.css); what is here
// are shapes and places. What no longer changes is drawn once: a lane's closed
// bars are drawn again only when its version, the window or its place changes.

import {nothing, svg} from 'lit';
import type {TemplateResult} from 'lit';
import {guard} from 'lit/directives/guard.js';
import {seconds, ticks} from './axis.ts';
import {AREA, BOLD, MARK_ROW, place, textWidth} from './layout.ts';
import type {Label, Lane, Placed, Style} from './layout.ts';
import type {Grace, Mark, Process} from './process.ts';
import {connBox, exitText, outside, plotWidth, requestBox, scaleOf, waitBox, waited, workBox, xOf} from './scene.ts';
import type {Box, Scene} from './scene.ts';
import {fate} from './work.ts';
import type {Fate, Work} from './work.ts';

type Drawn = TemplateResult | typeof nothing | unknown;

/** What becomes of work, as a sign: shape beside colour. */
export const SIGNS: Record<Fate, string> = {running: '', done: '✓', again: '✓↩', returned: '↩', lost: '✗', dead: '✗'};

export function draw(s: Scene): TemplateResult {
  const {layout} = s;
  return svg`
    <defs>
      <pattern id="dl-t-back" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="back-line" d="M0 0V6"/></pattern>
      <pattern id="dl-t-lost" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><path class="lost-line" d="M0 0V5"/></pattern>
      <pattern id="dl-t-drain" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="drain-line" d="M0 0V6"/></pattern>
      <clipPath id="dl-t-plot"><rect x=${layout.gutter} y="0" width=${plotWidth(s)} height=${layout.height}/></clipPath>
    </defs>
    ${axis(s)}
    ${layout.lanes.map(lane => drawLane(s, lane))}`;
}

function axis(s: Scene): Drawn {
  const {window: w, width, layout} = s;
  return guard([w.from, w.to, width, layout.axisY], () => {
    const all = ticks(w.from, w.to, scaleOf(s), 44);
    const unit = all.find(t => t.at > 0 && !t.label.includes(':'))?.at;
    return svg`<g class="axis">${all.map(t => {
      const x = xOf(s, t.at);
      const anchor = x < layout.gutter + 10 ? 'start' : x > width - 14 ? 'end' : 'middle';
      return svg`<path d=${`M${x} 2V${layout.axisY}`}/><text x=${x} y=${layout.axisY + 14} text-anchor=${anchor}>${t.label}${t.at === unit ? ` ${s.words.s}` : ''}</text>`;
    })}</g>`;
  });
}

function drawLane(s: Scene, lane: Lane): Drawn {
  const {model} = s;
  const key = [model.versions.get(lane.name) ?? 0, s.window.from, s.window.to, s.width, lane.y, lane.height, s.layout.lanes.length];
  const body = lane.kind === 'platform' ? platform(s, lane, key) : lane.kind === 'process' ? process(s, lane, key) : lane.kind === 'broker' ? broker(s, lane, key) : clients(s, lane, key);
  return svg`<g class=${`lane ${lane.kind}`}><rect class="ground" x="0" y=${lane.y} width=${s.width} height=${lane.height} rx="7"/><g clip-path="url(#dl-t-plot)">${body}</g>${head(s, lane)}</g>`;
}

function head(s: Scene, lane: Lane): Drawn {
  const {words: t} = s;
  const p = lane.process;
  const name = p?.name ?? (lane.kind === 'platform' ? t.platform : lane.kind === 'broker' ? t.broker : lane.kind === 'clients' ? t.clients : t.process);
  const more = p?.pid !== undefined ? t.pid(p.pid) : '';
  const c = s.model.counts;
  const beside = s.layout.gutter > 0;
  const y = lane.y + 15;
  const inferred = lane.kind === 'broker' && s.model.inferred ? t.inferred : '';
  if (lane.kind !== 'broker') {
    // Above the bars there is room for the name alone: signals and exits are there too.
    return svg`<text class="name" x="8" y=${y}>${name}</text>
      ${beside && more !== '' ? svg`<text class="more" x="8" y=${y + 14}>${more}</text>` : nothing}`;
  }
  const ready = svg`<tspan class="key-back">▬ </tspan>${t.ready} ${c.ready}`;
  const unacked = svg`<tspan class="key-drain">▨ </tspan>${t.unacked} ${c.unacked}`;
  return svg`<text class="name" x="8" y=${y}>${name}</text>
    ${beside
      ? svg`<text class="more" x="8" y=${y + 15}>${ready}</text><text class="more" x="8" y=${y + 29}>${unacked}</text>`
      : svg`<text class="more" x=${s.width - 8} y=${y} text-anchor="end">${ready}\u00a0\u00a0 ${unacked}</text>`}
    ${inferred === '' ? nothing : svg`<text class="more" x=${beside ? s.width - 6 : 62} y=${y} text-anchor=${beside ? 'end' : 'start'}>${inferred}</text>`}`;
}

const triangle = (x: number, y: number): string => `M${x} ${y}l5.5 9.5h-11z`;

const GRAVE = ['fault', 'gone', 'back'];

/** Small labelled ticks below a lane's bars. */
function labels(s: Scene, lane: Lane, rows: number, marks: readonly (Label & {tone: string})[], style: Style = {}): Drawn {
  const y = lane.y + lane.marksY;
  const placed = place([...marks].sort((a, b) => a.x - b.x), rows, s.width - 6, style);
  // Where several share a label, it has the gravest one's tone.
  const tone = (i: number): string => {
    const within = marks.filter(m => m.x >= (placed[i]?.x ?? 0) && m.x < (placed[i + 1]?.x ?? Infinity)).map(m => m.tone);
    return GRAVE.find(t => within.includes(t)) ?? within[0] ?? '';
  };
  return svg`<g class="marks">${marks.map(m => svg`<path class=${`tick ${m.tone}`} d=${`M${m.x} ${lane.y + lane.barsY}V${y + 2}`}/>`)}
    ${placed.map((p, i) => (p.row < 0 ? nothing : svg`<text class=${tone(i)} x=${p.x + (p.end ? 1 : -1)} y=${y + p.row * MARK_ROW + 10} text-anchor=${p.end ? 'end' : 'start'}>${p.text}</text>`))}</g>`;
}

function platform(s: Scene, lane: Lane, key: unknown[]): Drawn {
  const {model} = s;
  const y = lane.y + lane.marksY;
  const sent = model.platform.filter(m => m.kind === 'sent' && !outside(s, m.at, m.at));
  const several = model.processes.size > 1;
  return svg`${model.graces.map((g, i) => grace(s, lane, g, graceRow(model.graces, i)))}
    ${guard([...key, model.platform.length, several], () => {
      const named = (whom: boolean): Placed[] =>
        place(sent.map(m => ({x: xOf(s, m.at), text: whom ? `${m.text} ${m.about ?? ''}` : m.text})), 1, s.width - 14, {apart: 2, joint: ' ', char: BOLD});
      const whole = named(several);
      const placed = whole.some(p => p.row < 0) ? named(false) : whole;
      return svg`${sent.map(m => svg`<path class="sent" d=${triangle(xOf(s, m.at), y + 2)}/>`)}
        ${placed.map(p => (p.row < 0 ? nothing : svg`<text class="signal" x=${p.end ? p.x - 8 : p.x + 9} y=${y + 12} text-anchor=${p.end ? 'end' : 'start'}>${p.text}</text>`))}`;
    })}`;
}

function graceRow(all: readonly Grace[], i: number): number {
  const g = all[i];
  if (!g) return 0;
  return all.slice(0, i).filter(o => (o.end ?? Infinity) > g.start).length;
}

/** The grace period: what is spent is faint, what is left is hatched and shrinks. */
function grace(s: Scene, lane: Lane, g: Grace, row: number): Drawn {
  const deadline = g.start + g.length;
  if (outside(s, g.start, deadline)) return nothing;
  const y = lane.y + lane.barsY + row * lane.step;
  const x = xOf(s, g.start);
  const to = xOf(s, Math.min(deadline, s.window.to + 1000));
  const at = xOf(s, Math.min(g.end ?? s.now, deadline));
  const text = `${seconds(g.length, g.length % 1000 === 0 ? 0 : 1, s.lang)} ${s.words.s}`;
  const inside = to < s.width - textWidth(text);
  return svg`<g class=${`grace ${g.end === undefined ? 'runs' : g.expired ? 'expired' : 'over'}`}>
    <rect class="whole" x=${x} y=${y} width=${Math.max(to - x, 1)} height=${lane.bar} rx="2"/>
    <rect class="spent" x=${x} y=${y} width=${Math.max(at - x, 1)} height=${lane.bar} rx="2"/>
    ${g.end === undefined && to > at ? svg`<rect class="left" x=${at} y=${y} width=${to - at} height=${lane.bar} rx="2"/>` : nothing}
    ${inside ? svg`<text x=${to + 4} y=${y + 8}>${text}</text>` : nothing}</g>`;
}

/** A process that runs and has been told to stop is draining. */
function drains(p: Process | undefined): boolean {
  return p?.told !== undefined && p.end === undefined;
}

function bar(s: Scene, lane: Lane, w: Work): Drawn {
  const what = fate(w);
  const b = workBox(s, lane, w);
  const running = what === 'running';
  const state = running && drains(lane.process) ? 'draining' : what;
  const sign = SIGNS[what];
  const long = sign === '' ? w.id : `${sign} ${w.id}`;
  const small = lane.bar < 10;
  const text = small ? '' : b.w > textWidth(long) + 2 ? long : b.w > textWidth(w.id) ? w.id : '';
  // Where the sign does not fit in the bar it stands behind it, except done: that is a whole, full bar.
  const after = text !== long && what !== 'done' && !running && !small;
  return svg`<g class=${`bar ${state}`}>
    <rect x=${b.x} y=${b.y} width=${b.w} height=${b.h} rx=${small ? 1.5 : 3}/>
    ${w.delivery?.redelivered ? svg`<path class="again-edge" d=${`M${b.x + 1.5} ${b.y}v${b.h}`}/>` : nothing}
    ${text === '' ? nothing : svg`<text x=${b.x + 4} y=${b.y + b.h - 3.5}>${text}</text>`}
    ${after ? svg`<text class="after" x=${b.x + b.w + 2} y=${b.y + b.h - 3}>${sign}</text>` : nothing}</g>`;
}

function process(s: Scene, lane: Lane, key: unknown[]): Drawn {
  const p = lane.process;
  if (!p || p.start > s.window.to) return nothing;
  const open = p.works.filter(w => w.end === undefined);
  const waits = p.deliveries.filter(d => d.started === undefined && d.settled === undefined && p.end === undefined && waited(s, d));
  const from = xOf(s, p.start);
  const to = xOf(s, p.end ?? s.now);
  const y = lane.y + lane.barsY;
  const bottom = lane.y + lane.marksY - 1;
  const washTo = p.grace ? Math.min(p.end ?? s.now, p.grace.start + p.grace.length) : 0;
  return svg`
    ${p.grace && !outside(s, p.grace.start, washTo) ? svg`<rect class="wash" x=${xOf(s, p.grace.start)} y=${lane.y} width=${Math.max(xOf(s, washTo) - xOf(s, p.grace.start), 1)} height=${lane.height}/>` : nothing}
    <path class="alive" d=${`M${Math.max(from, s.layout.gutter - 5)} ${bottom}H${Math.max(Math.min(to, s.width + 5), from)}`}/>
    ${guard(key, () => svg`
      ${p.works.filter(w => w.end !== undefined && !outside(s, w.start, w.end)).map(w => bar(s, lane, w))}
      ${p.deliveries.filter(d => (d.started ?? d.settled ?? p.end) !== undefined && waited(s, d) && !outside(s, d.at, d.started ?? d.settled ?? p.end)).map(d => wait(waitBox(s, lane, d), d.inferred))}
      ${labels(s, lane, 2, phaseLabels(s, p))}
      ${p.marks.filter(m => m.kind === 'taken' && !outside(s, m.at, m.at)).map(m => svg`<path class="taken" d=${triangle(xOf(s, m.at), y - 9)}/>`)}
      ${exit(s, lane, p)}`)}
    ${open.map(w => bar(s, lane, w))}
    ${waits.map(d => wait(waitBox(s, lane, d), d.inferred))}`;
}

function wait(b: Box, inferred: boolean): Drawn {
  return svg`<path class=${inferred ? 'wait inferred' : 'wait'} d=${`M${b.x + .5} ${b.y - .5}v4M${b.x + .5} ${b.y + 1.5}H${b.x + b.w}`}/>`;
}

function phaseLabels(s: Scene, p: Process): (Label & {tone: string})[] {
  return p.marks
    .filter(m => (m.kind === 'phase' || m.kind === 'ack-failed') && !outside(s, m.at, m.at))
    .map(m => ({x: xOf(s, m.at), text: m.kind === 'phase' ? m.text.replaceAll('-', ' ') : `✗ ack ${m.about ?? ''}`, tone: m.kind === 'phase' ? 'phase' : 'fault'}));
}

function exit(s: Scene, lane: Lane, p: Process): Drawn {
  if (p.end === undefined || outside(s, p.end, p.end)) return nothing;
  const x = xOf(s, p.end);
  const text = exitText(s, p.code, p.signal);
  const left = x + textWidth(text) + 10 > s.width;
  const y = lane.y + lane.barsY - 7;
  // Right of it the lane is empty, but for its name.
  const below = !left && s.layout.gutter === 0 && x < textWidth(p.name, BOLD) + 8;
  return svg`<g class=${`exit ${p.code === 0 ? 'clean' : 'unclean'}`}><path d=${`M${x} ${y}V${lane.y + lane.marksY - 1}`}/><circle cx=${x} cy=${y} r="3.5"/>
    <text x=${left ? x - 8 : x + (below ? 20 : 8)} y=${below ? y + 19 : y + 4} text-anchor=${left ? 'end' : 'start'}>${text}</text></g>`;
}

function broker(s: Scene, lane: Lane, key: unknown[]): Drawn {
  const {model} = s;
  return svg`${guard([...key, model.levels.length], () => svg`
      ${labels(s, lane, 1, brokerLabels(s), {apart: 26, joint: ' · '})}`)}
    ${area(s, lane)}`;
}

function brokerLabels(s: Scene): (Label & {tone: string})[] {
  const text = (m: Mark): string => {
    if (m.kind === 'published') return `+${m.count}`;
    if (m.kind === 'back') return m.count > 1 ? `↩ ${m.count}` : `↩ ${m.text}`;
    if (m.kind === 'gone') return m.count > 1 ? `✗ ${m.count}` : `✗ ${m.text}`;
    return m.kind === 'fault' ? `✗ ${/^\d/.test(m.text) ? m.text : s.words.reset}` : m.text;
  };
  return s.model.broker
    .filter(m => m.kind !== 'cancelled' && !outside(s, m.at, m.at))
    .map(m => ({x: xOf(s, m.at), text: text(m).slice(0, 26), tone: m.kind}));
}

/** Unacked below, ready on top of it, as steps. */
function area(s: Scene, lane: Lane): Drawn {
  const {levels} = s.model;
  const base = lane.y + lane.barsY + AREA;
  const most = Math.max(4, ...levels.map(l => l.ready + l.unacked));
  const high = (n: number): number => Math.round(base - (Math.max(n, 0) / most) * (AREA - 4));
  const end = xOf(s, Math.min(s.now, s.window.to));
  const shape = (value: (l: {ready: number; unacked: number}) => number): string => {
    let d = '';
    let y = base;
    let lastX = -1;
    for (const l of levels) {
      const x = Math.max(xOf(s, l.at), s.layout.gutter - 2);
      if (l.at > s.window.to) break;
      const next = high(value(l));
      if (next === y && d !== '') continue;
      // Of what happens within a pixel, the last counts.
      d += d === '' ? `M${x} ${base}V${next}` : x === lastX ? `V${next}` : `H${x}V${next}`;
      y = next;
      lastX = x;
    }
    return d === '' ? '' : `${d}H${end}`;
  };
  const total = shape(l => l.ready + l.unacked);
  const out = shape(l => l.unacked);
  if (total === '') return svg`<path class="floor" d=${`M${s.layout.gutter} ${base}H${end}`}/>`;
  return svg`<g class=${s.model.inferred ? 'levels inferred' : 'levels'}>
    <path class="ready" d=${`${total}V${base}z`}/><path class="unacked" d=${`${out}V${base}z`}/>
    <path class="ready-line" d=${total}/><path class="unacked-line" d=${out}/></g>`;
}

function clients(s: Scene, lane: Lane, key: unknown[]): Drawn {
  const {model} = s;
  const conn = [...model.conns.values()].filter(c => !outside(s, c.start, c.end));
  const all = [...model.requests.values()].filter(r => r.how !== 'refused' && !outside(s, r.start, r.end));
  const one = (r: (typeof all)[number]): Drawn => {
    const bad = r.how === 'reset' || (r.status ?? 0) >= 500;
    const state = r.end === undefined ? 'running' : bad ? 'lost' : 'done';
    const b = requestBox(s, lane, r);
    const long = `${state === 'done' ? '✓ ' : state === 'lost' ? '✗ ' : ''}${r.status ?? r.id}`;
    const text = lane.bar < 10 ? '' : b.w > textWidth(long) + 2 ? long : '';
    return svg`<g class=${`bar request ${state}`}><rect x=${b.x} y=${b.y} width=${b.w} height=${b.h} rx="2.5"/>
      ${text === '' ? (bad ? svg`<text class="after" x=${b.x + b.w + 2} y=${b.y + b.h - 1}>✗</text>` : nothing) : svg`<text x=${b.x + 4} y=${b.y + b.h - 1.5}>${text}</text>`}</g>`;
  };
  const line = (c: (typeof conn)[number]): Drawn => {
    const b = connBox(s, lane, c);
    return svg`<path class=${c.reset ? 'conn reset' : 'conn'} d=${`M${b.x} ${b.y - 3}v8M${b.x} ${b.y + 1}h${b.w}${c.end === undefined ? '' : 'm0 -4v8'}`}/>`;
  };
  return svg`${guard(key, () => svg`${conn.filter(c => c.end !== undefined).map(line)}${all.filter(r => r.end !== undefined).map(one)}
      ${labels(s, {...lane, marksY: lane.barsY - 13, barsY: lane.barsY - 11}, 1, refusals(s))}`)}
    ${conn.filter(c => c.end === undefined).map(line)}${all.filter(r => r.end === undefined).map(one)}`;
}

function refusals(s: Scene): (Label & {tone: string})[] {
  return s.model.client
    .filter(m => !outside(s, m.at, m.at))
    .map(m => ({x: xOf(s, m.at), text: `✗ ${m.count > 1 ? `${m.count} ×` : m.text} ${s.lang === 'ru' ? 'отказ' : 'refused'}`, tone: 'gone'}));
}
