// Says the main things of a run aloud: signals and exits, a few words each.
// What a page reader is told at once must not be every line of output.

import type {Event} from '../../src/event.gen.ts';
import {lang} from '../../src/shell/lang.ts';
import {wordsIn} from './words.ts';

export class Announcer {
  /** Goes into a live region. */
  readonly element = document.createElement('span');

  say(text: string): void {
    this.element.textContent = text;
  }

  events(batch: readonly Event[]): void {
    const w = wordsIn(lang());
    const said: string[] = [];
    for (const e of batch) {
      if (e.kind === 'signal.sent') said.push(w.signalSaid(e.signal ?? '', e.target ?? ''));
      if (e.kind === 'process.exited') said.push(w.exitSaid(e.from, e.code ?? -1));
    }
    if (said.length > 0) this.say(`${said.join('. ')}.`);
  }
}
