// <dl-timeline>: a run's events as lanes over time. Whoever has the events
// sets model and calls events() after adding some; clock is the run's time
// while it goes on. It draws once a frame, and only when something changed.

import {LitElement, html, nothing, svg} from 'lit';
import type {PropertyValues, TemplateResult} from 'lit';
import type {Event} from '../event.gen.ts';
import {lang} from '../shell/lang.ts';
import {seconds} from './axis.ts';
import {draw} from './draw.ts';
import {layout} from './layout.ts';
import {legend} from './legend.ts';
import {life} from './life.ts';
import {Model} from './model.ts';
import {itemAt, items, plotWidth, scaleOf, summary} from './scene.ts';
import type {Item, Scene} from './scene.ts';
import {table} from './table.ts';
import {fit, live, pan, zoom} from './window.ts';
import type {Window} from './window.ts';
import {wordsIn} from './words.ts';

/** Where motion is unwelcome, and where a frame would be wasted, ms between drawings without news. */
const CALM = 250;

export class Timeline extends LitElement {
  /** Which lanes there are before anything happened: "amqp", "http". */
  needs: readonly string[] = ['amqp'];
  model = new Model();
  /** The run's time in ms, while it goes on; undefined when there is no run. */
  clock: (() => number) | undefined;

  #width = 600;
  #window: Window = {from: 0, to: 16_000};
  /** The learner looks at a stretch of their own. */
  #held = false;
  #pinned: Item | undefined;
  #pointed: Item | undefined;
  #frame = 0;
  #drawn = 0;
  #tableOpen = false;
  #drag: {readonly id: number; x: number; moved: boolean} | undefined;
  readonly #resize = new ResizeObserver(entries => {
    const width = Math.round(entries[0]?.contentRect.width ?? 0);
    if (width === 0 || width === this.#width) return;
    this.#width = width;
    this.requestUpdate();
  });

  protected override createRenderRoot(): this {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const chart = this.querySelector('.chart');
    if (chart) this.#resize.observe(chart);
    this.#animate();
  }

  /** Shows another run, or none. */
  reset(model: Model, clock: (() => number) | undefined): void {
    this.model = model;
    this.clock = clock;
    this.#held = false;
    this.#pinned = this.#pointed = undefined;
    this.requestUpdate();
    this.#animate();
  }

  /** Says that the model has changed; it is drawn before the next paint when called in a frame. */
  events(): void {
    this.requestUpdate();
    this.#animate();
  }

  /** Looks at the message's or request's life, as if it had been pointed at. */
  get pointedAt(): string | undefined {
    return (this.#pointed ?? this.#pinned)?.about;
  }

  #animate(): void {
    if (this.#frame !== 0 || !this.isConnected || !this.clock || this.model.ended) return;
    const least = matchMedia('(prefers-reduced-motion: reduce)').matches ? CALM : (this.#window.to - this.#window.from) / this.#width;
    const step = (time: number): void => {
      this.#frame = 0;
      // The bars that grow have grown by a pixel.
      if (time - this.#drawn >= least) this.requestUpdate();
      this.#animate();
    };
    this.#frame = requestAnimationFrame(step);
  }

  protected override firstUpdated(): void {
    const chart = this.querySelector('.chart');
    if (!chart) return;
    this.#resize.observe(chart);
    chart.addEventListener('wheel', e => this.#wheel(e as WheelEvent), {passive: false});
  }

  protected override updated(_: PropertyValues): void {
    this.#drawn = performance.now();
  }

  #scene(): Scene {
    const l = lang();
    const now = this.model.ended || !this.clock ? this.model.now : Math.max(this.clock(), this.model.now);
    const lanes = layout(this.model, this.needs, this.#width);
    if (!this.#held) {
      const running = this.model.graces.filter(g => g.end === undefined).map(g => g.start + g.length);
      const empty = this.model.events.length === 0;
      this.#window = this.model.ended
        ? fit(now)
        : live(empty ? 0 : now, this.#width - lanes.gutter, running.length > 0 ? Math.max(...running) : undefined);
    }
    return {model: this.model, layout: lanes, window: this.#window, width: this.#width, now, words: wordsIn(l), lang: l};
  }

  protected override render(): TemplateResult {
    const s = this.#scene();
    const t = s.words;
    const shown = this.#pointed ?? this.#pinned;
    const can = this.model.events.length > 0;
    return html`
      <div class="chart" tabindex="0" role="group" aria-roledescription=${lang() === 'ru' ? 'ход событий' : 'timeline'} aria-label=${t.chart}
        @keydown=${this.#key} @pointermove=${this.#move} @pointerleave=${this.#leave} @pointerdown=${this.#down}
        @pointerup=${this.#up} @pointercancel=${this.#cancel} @dblclick=${this.#double}>
        <svg width=${s.width} height=${s.layout.height} role="img" aria-label=${summary(s)}>
          ${draw(s)}${shown ? this.#ring(s, shown) : nothing}
        </svg>
      </div>
      <div class="under">${this.#life(s, shown)}
        <div class="zoom">
          <button type="button" class="quiet" title=${t.closer} aria-label=${t.closer} ?disabled=${!can} @click=${() => this.#zoom(1.7)}>+</button>
          <button type="button" class="quiet" title=${t.away} aria-label=${t.away} ?disabled=${!this.#held} @click=${() => this.#zoom(1 / 1.7)}>−</button>
          <button type="button" class="quiet" title=${t.whole} aria-label=${t.whole} ?disabled=${!this.#held} @click=${() => this.#follow()}>↔</button>
        </div>
      </div>
      ${legend(s, this.needs)}
      ${table(this.model, s, this.#tableOpen, open => {
        this.#tableOpen = open;
        this.requestUpdate();
      })}`;
  }

  /** Rings around everything that belongs to the life that is told. */
  #ring(s: Scene, shown: Item): TemplateResult {
    return svg`<g class="rings">${items(s).filter(i => i.about === shown.about).map(i =>
      svg`<rect class=${i.key === shown.key ? 'here' : ''} x=${i.x - 2} y=${i.y - 2} width=${i.w + 4} height=${i.h + 4} rx="4"/>`)}</g>`;
  }

  #life(s: Scene, shown: Item | undefined): TemplateResult {
    const t = s.words;
    const http = !this.needs.includes('amqp');
    if (!shown) return html`<div class="life"><p class="hint">${http ? t.hintHttp : t.hint}</p></div>`;
    const conn = shown.about.startsWith('c') ? this.model.conns.get(shown.about.slice(1)) : undefined;
    const told = conn ? [] : life(this.#eventsOf(shown), s.lang);
    const name = shown.about.startsWith('m') ? t.message(shown.about.slice(1)) : shown.about.startsWith('r') ? t.request(shown.about.slice(1)) : t.connection(shown.about.slice(1));
    return html`<div class="life" aria-live="polite"><p><b>${name}</b>
      ${conn ? t.connLife(seconds(conn.start, 2, s.lang), conn.end === undefined ? undefined : seconds(conn.end, 2, s.lang), conn.peer) : nothing}
      ${told.map(m => html`<span class=${`moment ${m.tone}${m.inferred ? ' inferred' : ''}`} title=${m.inferred ? t.seen : nothing}><i>${m.at}</i> ${m.what}</span>`)}</p></div>`;
  }

  #eventsOf(item: Item): readonly Event[] {
    const id = item.about.slice(1);
    return (item.about.startsWith('m') ? this.model.messages.get(id)?.events : this.model.requests.get(id)?.events) ?? [];
  }

  // Pointing.

  #point(item: Item | undefined): void {
    if (item?.key === this.#pointed?.key) return;
    this.#pointed = item;
    this.requestUpdate();
  }

  #under(e: PointerEvent): Item | undefined {
    const chart = this.querySelector('.chart');
    if (!chart) return undefined;
    const box = chart.getBoundingClientRect();
    return itemAt(items(this.#scene()), e.clientX - box.left, e.clientY - box.top + chart.scrollTop, e.pointerType === 'mouse' ? 6 : 18);
  }

  readonly #move = (e: PointerEvent): void => {
    const d = this.#drag;
    if (d && d.id === e.pointerId) {
      const by = e.clientX - d.x;
      if (!d.moved && Math.abs(by) < 5) return;
      d.moved = true;
      d.x = e.clientX;
      this.#pan(-by / scaleOf(this.#scene()));
      return;
    }
    if (e.pointerType === 'mouse') this.#point(this.#under(e));
  };

  readonly #leave = (): void => this.#point(undefined);

  readonly #down = (e: PointerEvent): void => {
    if (e.button !== 0) return;
    this.#drag = {id: e.pointerId, x: e.clientX, moved: false};
    if (this.#held && e.currentTarget instanceof Element) e.currentTarget.setPointerCapture(e.pointerId);
  };

  readonly #up = (e: PointerEvent): void => {
    const moved = this.#drag?.moved === true;
    this.#drag = undefined;
    if (moved) return;
    const item = this.#under(e);
    this.#pinned = item?.key === this.#pinned?.key ? undefined : item;
    this.#pointed = undefined;
    this.requestUpdate();
  };

  readonly #cancel = (): void => {
    this.#drag = undefined;
  };

  readonly #double = (e: MouseEvent): void => {
    this.#zoom(2, e.offsetX);
  };

  #wheel(e: WheelEvent): void {
    if (e.ctrlKey) {
      e.preventDefault();
      const box = (e.currentTarget as Element).getBoundingClientRect();
      this.#zoom(Math.exp(-e.deltaY / 200), e.clientX - box.left);
    } else if (this.#held && Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
      e.preventDefault();
      this.#pan(e.deltaX / scaleOf(this.#scene()));
    }
  }

  // The window.

  #zoom(factor: number, x = this.#width / 2): void {
    if (this.model.events.length === 0) return;
    const scene = this.#scene();
    const {now} = scene;
    const at = this.#window.from + Math.max(x - scene.layout.gutter, 0) / scaleOf(scene);
    const end = this.model.ended ? now : Math.max(now, this.#window.to);
    this.#held = true;
    this.#window = zoom(this.#window, factor, at, end, plotWidth(scene));
    const whole = fit(end);
    if (factor < 1 && this.#window.to - this.#window.from >= whole.to - whole.from - 1) this.#held = false;
    this.requestUpdate();
  }

  #pan(by: number): void {
    if (!this.#held) return;
    const {now} = this.#scene();
    this.#window = pan(this.#window, by, this.model.ended ? now : Math.max(now, this.#window.to));
    this.requestUpdate();
  }

  #follow(): void {
    this.#held = false;
    this.requestUpdate();
    this.#animate();
  }

  readonly #key = (e: KeyboardEvent): void => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const all = items(this.#scene());
    const at = all.findIndex(i => i.key === this.#pinned?.key);
    const go = (to: number): void => {
      this.#pinned = all[Math.min(Math.max(to, 0), all.length - 1)];
      this.#pointed = undefined;
    };
    switch (e.key) {
      case 'ArrowRight': go(at + 1); break;
      case 'ArrowLeft': go(at < 0 ? all.length - 1 : at - 1); break;
      case 'ArrowDown': go(nextBelow(all, at, 1)); break;
      case 'ArrowUp': go(nextBelow(all, at, -1)); break;
      case 'Home': go(0); break;
      case 'End': go(all.length - 1); break;
      case 'Escape': this.#pinned = undefined; break;
      case '+': case '=': this.#zoom(1.7, middle(this.#pinned, this.#width)); break;
      case '-': this.#zoom(1 / 1.7, middle(this.#pinned, this.#width)); break;
      case '0': this.#follow(); break;
      default: return;
    }
    e.preventDefault();
    this.requestUpdate();
  };
}

function middle(item: Item | undefined, width: number): number {
  return item ? item.x + item.w / 2 : width / 2;
}

/** The item in the nearest row below (or above) that is closest in time. */
function nextBelow(all: readonly Item[], at: number, way: 1 | -1): number {
  const here = all[at];
  if (!here) return 0;
  let best = at;
  let least = Infinity;
  all.forEach((i, n) => {
    const dy = (i.y - here.y) * way;
    if (dy <= 1) return;
    const d = dy * 1000 + Math.abs(i.x - here.x);
    if (d < least) {
      least = d;
      best = n;
    }
  });
  return best;
}

customElements.define('dl-timeline', Timeline);
