// The Worker in which runs live, one at a time: played as fast as it can, or
// in step with a clock that the page moves. It blocks while it runs and tells
// the page every now and then how far it is; what ends a program that never
// yields is the end of the Worker (tab.ts).

import {Run, type Play, type Verdict} from './play.ts';
import type {Outcome} from './machine.ts';

export type Request =
  | {do: 'load'; system: WebAssembly.Module; program: WebAssembly.Module}
  | {do: 'play'; play: Play; seed: number; drive: boolean; events: boolean}
  | {do: 'until'; time: number}
  | {do: 'act'; step: object | 'stop'};

/** The answers to one request: how far it is, as often as need be, then `idle` or the end of the run. */
export type Answer =
  | {is: 'under way'; lines: string[]; now: number}
  | {is: 'idle'; lines: string[]; now: number}
  | {is: 'ended'; lines: string[]; now: number; outcome: Outcome; verdict: Verdict | null; complaint: string}
  | {is: 'broken'; why: string};

// How many happenings go by between two words to the page.
const stride = 200;

let modules: {system: WebAssembly.Module; program: WebAssembly.Module} | null = null;
let run: Run | null = null;
let tells = true;
let told = 0;

function answer(a: Answer): void {
  // In a Worker postMessage has no target, unlike the window's.
  (postMessage as (message: Answer) => void)(a);
}

/** The events that the page has not seen. */
function news(r: Run): string[] {
  if (!tells) return [];
  const lines = r.lines.slice(told);
  told = r.lines.length;
  return lines;
}

function go(until: number): void {
  const r = run;
  if (r === null) {
    answer({is: 'idle', lines: [], now: 0});
    return;
  }
  for (;;) {
    const outcome = r.run(stride, until);
    const {now} = r.machine.queue;
    if (outcome.kind === 'paused' && now < until) {
      answer({is: 'under way', lines: news(r), now});
    } else if (outcome.kind === 'paused') {
      answer({is: 'idle', lines: news(r), now});
      return;
    } else {
      run = null;
      answer({is: 'ended', lines: news(r), now, outcome, verdict: r.verdict, complaint: r.complaint});
      return;
    }
  }
}

addEventListener('message', (message: MessageEvent<Request>) => {
  const request = message.data;
  try {
    switch (request.do) {
      case 'load':
        modules = {system: request.system, program: request.program};
        break;
      case 'play':
        if (modules === null) throw new Error('no programs were loaded');
        run = new Run(modules, request.play, request.seed);
        tells = request.events;
        told = 0;
        go(request.drive ? 0 : Infinity);
        break;
      case 'until':
        go(request.time);
        break;
      case 'act':
        run?.act(request.step);
    }
  } catch (thrown) {
    run = null;
    answer({is: 'broken', why: thrown instanceof Error ? thrown.message : String(thrown)});
  }
});
