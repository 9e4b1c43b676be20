// The buttons that drive a run: what each does, to whom, by which key, and
// when it makes sense.

import type {Action, Do} from '../../src/run/api.ts';
import type {Model} from '../../src/timeline/model.ts';
import type {Process} from '../../src/timeline/process.ts';
import type {Words} from './words.ts';

export interface Control {
  readonly do: Do;
  readonly label: string;
  readonly title: string;
  readonly enabled: boolean;
  /** KeyboardEvent.code, so that it is the same key in every layout. */
  readonly code: string;
  readonly key: string;
  readonly action: Action;
}

export interface Situation {
  readonly model: Model;
  readonly amqp: boolean;
  /** No run, a run that plays by itself, or one that the learner drives. */
  readonly phase: 'idle' | 'played' | 'driven';
  /** The process chosen; '' is the newest. */
  readonly target: string;
  /** The platform's grace period as it was asked for, in seconds. */
  readonly grace: string;
}

const KEYS: Readonly<Record<Do, string>> = {term: 'T', kill: 'K', int: 'I', publish: 'P', hang: 'H', cut: 'C', restart: 'R'};

/** How many messages or requests one press makes. */
export const LOAD = 20;

/** Whom the buttons act on: the chosen process, else the newest that runs, else the newest. */
export function targetOf(s: Situation): Process | undefined {
  const chosen = s.target === '' ? undefined : s.model.processes.get(s.target);
  return chosen ?? s.model.newest(true) ?? s.model.newest();
}

export function controls(s: Situation, w: Words): Control[] {
  const to = targetOf(s);
  const who = to?.name ?? (s.amqp ? w.laneNames.process : w.laneNames.server);
  const alive = to !== undefined && to.end === undefined;
  const next = `${s.amqp ? 'worker' : 'server'}-${s.model.processes.size + 1}`;
  const blocked = s.phase === 'idle' ? w.why.idle : s.phase === 'played' ? w.why.played : '';
  const make = (what: Do, label: string, title: string, needsAlive: boolean, action: Action, wait = ''): Control => {
    const why = blocked || (needsAlive && !alive ? w.why.gone : wait);
    return {
      do: what, label, title: why === '' ? title : `${title}. ${why}.`, enabled: why === '', code: `Key${KEYS[what]}`, key: KEYS[what], action,
    };
  };
  const target = to ? {target: to.name} : {};
  // Before the first process is ready there is no queue and nobody listens.
  const wait = [...s.model.processes.values()].some(p => p.ready !== undefined) ? '' : w.why.wait;
  const {labels: l, titles: t} = w;
  return [
    make('term', l.term, t.term(who, s.grace), true, {do: 'term', ...target}),
    make('kill', l.kill, t.kill(who), true, {do: 'kill', ...target}),
    make('int', l.int, t.int(who), true, {do: 'int', ...target}),
    make('publish', s.amqp ? l.publish : l.request, s.amqp ? t.publish() : t.request(who), !s.amqp, {do: 'publish', count: LOAD, ...(s.amqp ? {} : target)}, wait),
    make('hang', s.amqp ? l.hang : l.hangHttp, s.amqp ? t.hang() : t.hangHttp(who), !s.amqp, {do: 'hang', count: 1, ...(s.amqp ? {} : target)}, wait),
    make('cut', l.cut, t.cut(who), true, {do: 'cut', ...target}),
    make('restart', l.restart, t.restart(next), false, {do: 'restart'}),
  ];
}

/** A key press that is for the page, not for something that takes text or has keys of its own. */
export function forThePage(e: KeyboardEvent): boolean {
  if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || e.shiftKey || e.repeat || e.isComposing) return false;
  return !isEditable(e);
}

export function isEditable(e: KeyboardEvent): boolean {
  const at = e.composedPath()[0];
  if (!(at instanceof HTMLElement)) return false;
  return at.isContentEditable || at.closest('input:not([type="radio"], [type="checkbox"]), textarea, select, dialog') !== null;
}
