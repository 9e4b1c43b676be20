// <dl-lab>: the lab of a page. It begins real runs, drives them, and shows what
// happens while it happens. A page has one.

import {LitElement, html, nothing} from 'lit';
import type {TemplateResult} from 'lit';
import {progress} from '../../src/progress/index.ts';
import {Api, Refusal} from '../../src/run/api.ts';
import type {Exercise} from '../../src/run/api.ts';
import {Session} from '../../src/run/session.ts';
import {lang} from '../../src/shell/lang.ts';
import {Model} from '../../src/timeline/model.ts';
import '../../src/timeline/timeline.ts';
import type {Timeline} from '../../src/timeline/timeline.ts';
import {Announcer} from './announce.ts';
import {controls, forThePage, isEditable} from './controls.ts';
import type {Control, Situation} from './controls.ts';
import {empty} from './empty.ts';
import './log.ts';
import type {Log} from './log.ts';
import {NOTHING, hold, lacking} from './predict.ts';
import type {Prediction} from './predict.ts';
import {checksOf, counts, held, refused, verdict} from './results.ts';
import {graceOf, initial, programTitle, requestOf, scenarioTitle, setup, withScenario} from './setup.ts';
import type {Choice} from './setup.ts';
import {wordsIn} from './words.ts';

/** How often what only the clock moves is written anew, in ms. */
const TICK = 100;

class Lab extends LitElement {
  #exercise!: Exercise;
  #choice!: Choice;
  /** Of the run on show; those of the next run are in #next. */
  #prediction: Prediction | undefined;
  #next: Prediction = NOTHING;
  /** The form that asks for a prediction is open. */
  #asks = true;
  /** The field that lacks something, once Run was pressed without it. */
  #lacks: 'code' | 'back' | undefined;
  #session: Session | undefined;
  #model = new Model();
  #refusal: Refusal | undefined;
  /** What Run would begin was refused, rather than an action. */
  #refusedRun = false;
  #target = '';
  /** Free play begins with some work, so that there is something to stop. */
  #loaded = false;
  #gained = 0;
  #frame: number | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #api = new Api(lang());
  readonly #announcer = new Announcer();

  protected override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    if (!this.hasUpdated) {
      const data = this.querySelector('script.exercise');
      if (!data) throw new Error('the lab has no exercise');
      this.#exercise = JSON.parse(data.textContent ?? '') as Exercise;
      this.#choice = initial(this.#exercise);
      this.replaceChildren(); // the server's drawing of the same
    }
    super.connectedCallback();
    document.addEventListener('keydown', this.#key);
    window.addEventListener('pagehide', this.#leave);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.#key);
    window.removeEventListener('pagehide', this.#leave);
    this.#leave();
    clearInterval(this.#timer);
  }

  /** Sets the lab to a program and a scenario, of another exercise if need be. */
  async open(exercise: string, program: string, scenario: string): Promise<void> {
    if (exercise !== this.#exercise.slug) {
      try {
        const ex = await this.#api.exercise(exercise);
        this.#leave();
        this.#exercise = ex;
        this.#choice = initial(ex);
        this.#show(undefined);
      } catch (e) {
        this.#fail(e, false);
        return;
      }
    }
    const known = this.#exercise.programs.some(p => p.name === program);
    this.#choice = withScenario(known ? {...this.#choice, program} : this.#choice, this.#exercise, scenario);
    if (this.#going) {
      this.#announcer.say(wordsIn(lang()).setLater);
    } else {
      this.#ask();
      const w = wordsIn(lang());
      this.#announcer.say(w.set(this.#choice.program, scenarioTitle(this.#exercise, this.#choice.scenario, lang(), w)));
    }
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector<HTMLElement>(this.#going ? 'button.run' : '.predict input')?.focus({preventScroll: true});
  }

  get #going(): boolean {
    return this.#session !== undefined && this.#session.state !== 'ended';
  }

  get #amqp(): boolean {
    return this.#exercise.needs.includes('amqp');
  }

  get #situation(): Situation {
    const s = this.#session;
    const phase = s?.state !== 'running' ? 'idle' : s.request.play ? 'played' : 'driven';
    return {model: this.#model, amqp: this.#amqp, phase, target: this.#target, grace: this.#choice.grace};
  }

  // A run's life.

  #ask(): void {
    this.#asks = true;
    this.#next = NOTHING;
    this.#lacks = undefined;
    this.requestUpdate();
  }

  async #predictAndRun(): Promise<void> {
    if (!this.#asks) this.#ask();
    this.#lacks = lacking(this.#next);
    this.requestUpdate();
    await this.updateComplete;
    if (this.#lacks === undefined) await this.#run(this.#next);
    else this.querySelector<HTMLInputElement>(`input[name="${this.#lacks}"]`)?.focus();
  }

  async #run(prediction: Prediction | undefined): Promise<void> {
    if (this.#going) return;
    if (graceOf(this.#choice) === undefined) {
      this.querySelector<HTMLInputElement>('.grace input')?.focus();
      return;
    }
    this.#prediction = prediction;
    this.#asks = false;
    const session = new Session(this.#api, requestOf(this.#choice, this.#exercise), {
      arrived: () => this.#arrived(),
      changed: () => this.#changed(session),
    });
    this.#show(session);
    this.#toView();
    try {
      await session.begin();
    } catch (e) {
      if (this.#session !== session) return;
      this.#show(undefined);
      this.#asks = true;
      this.#fail(e, true);
    }
  }

  /** On a phone what is run would take the room in which it is to be seen. */
  #toView(): void {
    const start = this.querySelector('.start');
    if (!start || matchMedia('(min-width: 62rem)').matches) return;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    start.scrollIntoView({block: 'start', behavior: calm ? 'instant' : 'smooth'});
  }

  /** Puts a run on show, or none. */
  #show(session: Session | undefined): void {
    this.#session = session;
    this.#model = new Model();
    this.#refusal = undefined;
    this.#target = '';
    this.#loaded = false;
    this.#gained = 0;
    this.querySelector<Log>('dl-lab-log')?.clear();
    this.requestUpdate();
    void this.updateComplete.then(() => this.#timeline?.reset(this.#model, session ? () => session.clock.read() : undefined));
    this.#tick();
  }

  get #timeline(): Timeline | null {
    return this.querySelector<Timeline>('dl-timeline');
  }

  async #stop(): Promise<void> {
    try {
      await this.#session?.stop();
    } catch (e) {
      this.#fail(e, false);
    }
  }

  async #act(c: Control): Promise<void> {
    this.#refusal = undefined;
    this.requestUpdate();
    try {
      await this.#session?.act(c.action);
    } catch (e) {
      this.#fail(e, false);
    }
  }

  #fail(e: unknown, run: boolean): void {
    this.#refusal = e instanceof Refusal ? e : new Refusal(0, String(e), '');
    this.#refusedRun = run;
    this.requestUpdate();
  }

  readonly #leave = (): void => {
    if (this.#going) this.#session?.leave();
  };

  #changed(session: Session): void {
    if (session !== this.#session) return;
    // The end is shown when the last events are.
    if (session.state === 'ended') this.#arrived();
    this.requestUpdate();
    this.#tick();
  }

  // Events, a frame at a time.

  #arrived(): void {
    if (this.#frame !== undefined) return;
    // A hidden page has no frames, but its counts must be right when it is seen again.
    if (document.hidden) this.#frame = window.setTimeout(() => this.#flush(), 200);
    else this.#frame = requestAnimationFrame(() => this.#flush());
  }

  #flush(): void {
    this.#frame = undefined;
    const batch = this.#session?.take() ?? [];
    for (const e of batch) this.#model.add(e);
    this.querySelector<Log>('dl-lab-log')?.add(batch);
    this.#timeline?.events();
    this.#announcer.events(batch);
    this.requestUpdate();
    this.#tick();
    this.#load();
    if (batch.some(e => e.kind === 'run.ended')) this.#ended();
    if (batch.length === 0) return;
    // A message comes after the frame has been painted.
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      for (const {seq, at} of batch) this.dispatchEvent(new CustomEvent('dl-painted', {detail: {seq, at}}));
    };
    port2.postMessage(null);
  }

  #load(): void {
    if (this.#loaded || this.#situation.phase !== 'driven') return;
    const publish = controls(this.#situation, wordsIn(lang())).find(c => c.do === 'publish');
    if (!publish?.enabled) return;
    this.#loaded = true;
    void this.#act(publish);
  }

  #ended(): void {
    const s = this.#session;
    // A program that was only started and never told to stop was no run.
    if (!s || !this.#model.first?.told) return;
    const {exercise, program, scenario = 'free'} = s.request;
    this.#gained = progress.award('run', `${exercise}/${program}/${scenario}`);
    const rows = this.#prediction ? hold(this.#prediction, this.#model, this.#amqp) : [];
    this.dispatchEvent(new CustomEvent('dl-run-ended', {
      bubbles: true, detail: {exercise, program, scenario, right: rows.length > 0 && rows.every(r => r.right === true)},
    }));
  }

  /** While a grace period runs or a reconnect is awaited, numbers change without events. */
  #tick(): void {
    const moves = this.isConnected && this.#going && (this.#session?.retryAt !== undefined || this.#model.graces.some(g => g.end === undefined));
    if (moves && this.#timer === undefined) this.#timer = setInterval(() => this.requestUpdate(), TICK);
    if (!moves && this.#timer !== undefined) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  // Keys.

  readonly #key = (e: KeyboardEvent): void => {
    const inside = e.composedPath().includes(this);
    if (e.key === 'Enter' && (e.ctrlKey || e.metaKey) && !e.repeat && (inside || !isEditable(e))) {
      e.preventDefault();
      if (!this.#going) void this.#predictAndRun();
      return;
    }
    if (!forThePage(e) || !this.#going) return;
    const w = wordsIn(lang());
    const c = controls(this.#situation, w).find(x => x.code === e.code && x.enabled);
    if (c) void this.#act(c);
    else if (e.code === 'KeyS') void this.#stop();
    else return;
    e.preventDefault();
  };

  // Drawing.

  protected override render(): TemplateResult {
    const l = lang();
    const w = wordsIn(l);
    const s = this.#session;
    const now = s && !this.#model.ended ? Math.max(s.clock.read(), this.#model.now) : this.#model.now;
    const checks = this.#model.ended ? checksOf(s?.run, this.#model) : [];
    return html`
      ${setup(this.#exercise, this.#choice, l, w, c => {
        this.#choice = c;
        this.requestUpdate();
      })}
      ${this.#startForm()}
      ${this.#controls()}
      ${this.#status(checks.length, checks.filter(c => !c.pass).length)}
      ${counts(this.#model, now, this.#amqp, this.#choice.grace, l, w)}
      <div class="stage">
        ${s ? nothing : empty(this.#amqp, w)}
        <dl-timeline ?hidden=${!s} .needs=${this.#exercise.needs}></dl-timeline>
      </div>
      <dl-lab-log></dl-lab-log>
      ${verdict(checks, l, w)}
      <p class="visually-hidden" role="status">${this.#announcer.element}</p>`;
  }

  #startForm(): TemplateResult {
    const w = wordsIn(lang());
    const going = this.#going;
    const button = going
      ? html`<button type="button" class="run" title=${w.stopTitle} aria-keyshortcuts="S" ?disabled=${this.#session?.state === 'starting'}
          @click=${() => void this.#stop()}>${this.#session?.state === 'starting' ? w.starting : w.stop}<kbd>S</kbd></button>`
      : html`<button type="submit" class="run" title=${w.runTitle} aria-keyshortcuts="Control+Enter Meta+Enter">${this.#asks ? w.run : w.again}<kbd>${MAC ? '⌘' : 'Ctrl'} ↵</kbd></button>`;
    const submit = (e: Event): void => {
      e.preventDefault();
      if (!this.#going) void this.#predictAndRun();
    };
    return html`<form class="start" novalidate @submit=${submit}>
      ${this.#asks && !going ? this.#predictFields() : html`<div class="said">${this.#prediction
        ? held(hold(this.#prediction, this.#model, this.#amqp), this.#amqp, this.#model.ended, w)
        : html`<p>${w.unsaid}</p>`}</div>`}
      <div class="go">${button}${going ? nothing : html`<button type="button" class="just quiet" @click=${() => void this.#run(undefined)}>${w.justRun}</button>`}</div>
    </form>`;
  }

  #predictFields(): TemplateResult {
    const w = wordsIn(lang());
    const field = (name: 'code' | 'back', label: string): TemplateResult => html`<label>${label}
      <input name=${name} type="text" inputmode="numeric" autocomplete="off" size="4" maxlength="5" placeholder="?" .value=${this.#next[name]}
        aria-invalid=${this.#lacks === name ? 'true' : 'false'} aria-describedby=${this.#lacks === name ? 'lab-lacks' : nothing}
        @input=${(e: Event) => {
          this.#next = {...this.#next, [name]: (e.currentTarget as HTMLInputElement).value};
          this.#lacks = undefined;
          this.requestUpdate();
        }}></label>`;
    const lack = this.#lacks;
    return html`<fieldset class="predict"><legend>${w.predict}</legend>
      ${field('code', w.predictExit)}${field('back', this.#amqp ? w.predictBack : w.predictCut)}
      ${lack ? html`<p class="lacks" id="lab-lacks">${this.#next[lack] === '' ? w.predictFirst : w.notNumber}</p>` : nothing}</fieldset>`;
  }

  #controls(): TemplateResult {
    const w = wordsIn(lang());
    const situation = this.#situation;
    const running = this.#model.running();
    const newest = this.#model.newest(true) ?? this.#model.newest();
    const buttons = controls(situation, w).map(c => html`<button type="button" class=${c.do} title=${c.title} aria-keyshortcuts=${c.key} ?disabled=${!c.enabled}
        @click=${() => void this.#act(c)}>${c.label}<kbd>${c.key}</kbd></button>`);
    // The signals and whom they go to in a row, the rest in the next.
    return html`<div class="controls" role="group" aria-label=${w.actions}>
      ${buttons.slice(0, 3)}
      <select class="target" aria-label=${w.target} title=${w.target} ?disabled=${situation.phase !== 'driven' || running.length < 2}
        @change=${(e: Event) => {
          this.#target = (e.currentTarget as HTMLSelectElement).value;
          this.requestUpdate();
        }}>
        <option value="" .selected=${this.#target === ''}>${newest ? w.newest(newest.name) : w.newestNone}</option>
        ${running.map(p => html`<option value=${p.name} .selected=${this.#target === p.name}>${p.name}</option>`)}
      </select>
      ${buttons.slice(3)}</div>`;
  }

  /** One line that is always there: what goes on, or what went wrong and what to do. */
  #status(checks: number, failed: number): TemplateResult {
    const w = wordsIn(lang());
    const s = this.#session;
    const r = this.#refusal;
    if (r) {
      return html`<div class="status bad" role="alert"><span class="no">${refused(r, lang(), w)}</span>
        ${this.#refusedRun ? html`<button type="button" class="quiet" @click=${() => void this.#run(this.#prediction)}>${w.retry}</button>` : nothing}</div>`;
    }
    if (!s) {
      const {scenario} = this.#choice;
      return html`<div class="status">${scenario !== '' ? w.willPlay(scenarioTitle(this.#exercise, scenario, lang(), w)) : this.#amqp ? w.willDrive : w.willDriveHttp}</div>`;
    }
    if (s.retryAt !== undefined) {
      const wait = Math.max(1, Math.ceil((s.retryAt - performance.now()) / 1000));
      return html`<div class="status bad" role="status"><span>${w.lost(String(wait))}</span><button type="button" class="quiet" @click=${() => s.reconnect()}>${w.retryNow}</button></div>`;
    }
    if (s.vanished) return html`<div class="status bad" role="alert"><span class="no">${w.vanished}</span></div>`;
    const m = this.#model;
    if (m.limited || m.failed) return html`<div class="status bad" role="alert"><span class="no"><b>${m.limited ? w.limited : w.runFailed}:</b> ${m.limited || m.failed}</span></div>`;
    const where = s.run?.broker === 'rabbitmq' ? w.rabbit : s.run?.broker === 'embedded' ? w.embedded : '';
    if (m.ended) {
      return html`<div class="status">${checks === 0 ? w.ended : html`<span class=${failed > 0 ? 'no' : 'ok'}>${failed > 0 ? w.failed(failed, checks) : w.passed(checks)}</span>`}
        ${this.#gained > 0 ? html`<span class="gained">${w.xp(this.#gained)}</span>` : nothing}</div>`;
    }
    const what = s.request.play ? w.playing(scenarioTitle(this.#exercise, s.request.scenario ?? '', lang(), w)) : this.#hint();
    return html`<div class="status"><span><b>${programTitle(this.#exercise, s.request.program, lang())}</b> ${where} · ${what}</span></div>`;
  }

  /** What a learner who drives could do now. */
  #hint(): string {
    const w = wordsIn(lang());
    const m = this.#model;
    if (m.newest(true)?.ready === undefined) return w.driving;
    if (this.#amqp && m.counts.ready + m.counts.unacked === 0) return w.queueEmpty;
    return !this.#amqp && m.counts.flying === 0 ? w.noneYet : w.driving;
  }
}

const MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

customElements.define('dl-lab', Lab);

export type {Lab};
