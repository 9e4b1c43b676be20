// What is to be run: program, scenario and platform, as a form.

import {html} from 'lit';
import type {TemplateResult} from 'lit';
import type {Exercise, RunRequest} from '../../src/run/api.ts';
import type {Lang} from '../../src/shell/lang.ts';
import type {Words} from './words.ts';

export interface Choice {
  readonly program: string;
  /** '' is free play. */
  readonly scenario: string;
  readonly preset: Preset;
  /** Seconds, as typed. */
  readonly grace: string;
}

/** The platforms' own grace periods in seconds; a custom one starts with what was there. */
const PRESETS = {'docker-stop': 10, kubernetes: 30, systemd: 90, custom: undefined} as const;
export type Preset = keyof typeof PRESETS;
const presets = Object.keys(PRESETS) as Preset[];

/** The server takes no longer ones. */
const MOST_GRACE = 180;

export function initial(ex: Exercise): Choice {
  const program = ex.programs.find(p => p.name === 'solution')?.name ?? ex.programs[0]?.name ?? '';
  return {program, scenario: '', preset: 'docker-stop', grace: '10'};
}

/** Another scenario brings its own platform along. */
export function withScenario(c: Choice, ex: Exercise, scenario: string): Choice {
  const s = ex.scenarios.find(x => x.name === scenario);
  if (!s) return {...c, scenario: ''};
  const preset = presets.find(p => p === s.platform.preset) ?? 'custom';
  return {...c, scenario, preset, grace: String(s.platform.grace / 1e9)};
}

export function withPreset(c: Choice, preset: string): Choice {
  const known = presets.find(p => p === preset) ?? 'custom';
  return {...c, preset: known, grace: String(PRESETS[known] ?? c.grace)};
}

export function withGrace(c: Choice, grace: string): Choice {
  return {...c, grace, preset: presets.find(p => String(PRESETS[p]) === grace.trim()) ?? 'custom'};
}

/** The grace period in seconds; undefined when it is none. */
export function graceOf(c: Choice): number | undefined {
  const n = Number(c.grace.trim().replace(',', '.'));
  return c.grace.trim() !== '' && Number.isFinite(n) && n > 0 && n <= MOST_GRACE ? n : undefined;
}

export function requestOf(c: Choice, ex: Exercise): RunRequest {
  const grace = graceOf(c) ?? 10;
  return {
    exercise: ex.slug, program: c.program, play: c.scenario !== '',
    ...(c.scenario === '' ? {} : {scenario: c.scenario}),
    platform: {preset: c.preset, grace: `${Math.round(grace * 1000)}ms`},
  };
}

export function programTitle(ex: Exercise, name: string, lang: Lang): string {
  const p = ex.programs.find(x => x.name === name);
  const title = p?.title[lang] ?? '';
  return title === '' || title.toLowerCase() === name ? name : `${name}: ${title}`;
}

export function scenarioTitle(ex: Exercise, name: string, lang: Lang, w: Words): string {
  return name === '' ? w.free : (ex.scenarios.find(s => s.name === name)?.title[lang] ?? name);
}

/** The form; set is called with what was chosen. It can be changed while a run goes on, for the next one. */
export function setup(ex: Exercise, c: Choice, lang: Lang, w: Words, set: (c: Choice) => void): TemplateResult {
  const value = (e: Event): string => (e.currentTarget as HTMLSelectElement | HTMLInputElement).value;
  const bad = graceOf(c) === undefined;
  return html`<div class="setup">
    <label class="program"><span>${w.program}</span>
      <select @change=${(e: Event) => set({...c, program: value(e)})}>
        ${ex.programs.map(p => html`<option value=${p.name} ?selected=${p.name === c.program} .selected=${p.name === c.program}>${programTitle(ex, p.name, lang)}</option>`)}
      </select></label>
    <label class="scenario"><span>${w.scenario}</span>
      <select @change=${(e: Event) => set(withScenario(c, ex, value(e)))}>
        <option value="" .selected=${c.scenario === ''}>${w.free}</option>
        ${ex.scenarios.map(s => html`<option value=${s.name} .selected=${s.name === c.scenario}>${s.title[lang]}</option>`)}
      </select></label>
    <div class="platform"><label><span>${w.platform}</span>
      <select @change=${(e: Event) => set(withPreset(c, value(e)))}>
        ${presets.map(p => html`<option value=${p} .selected=${p === c.preset}>${w.presets[p]}</option>`)}
      </select></label>
      <label class="grace"><span class="visually-hidden">${w.grace}</span>
        <input type="text" inputmode="decimal" size="3" maxlength="5" autocomplete="off" .value=${c.grace} aria-invalid=${bad ? 'true' : 'false'} title=${w.grace}
          @change=${(e: Event) => set(withGrace(c, value(e)))}><span aria-hidden="true">${w.s}</span></label></div>
  </div>`;
}
