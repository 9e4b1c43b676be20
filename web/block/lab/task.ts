// <dl-lab-task>: the card in the text that says what to run. Its button sets
// the lab beside the text and takes the learner there.

import {lang} from '../../src/shell/lang.ts';
import type {Lab} from './kind.ts';
import {wordsIn} from './words.ts';

interface RunEnded {
  readonly exercise: string;
  readonly program: string;
  readonly scenario: string;
  readonly right: boolean;
}

/** On a wide screen the lab is in view already; on a phone it is far below. */
function toView(lab: Lab): void {
  lab.closest('aside')?.scrollTo({top: 0});
  const {top} = lab.getBoundingClientRect();
  if (top >= 0 && top <= innerHeight * 0.5) return;
  // Smooth only where the eye can follow.
  const near = Math.abs(top) < 3 * innerHeight && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  lab.scrollIntoView({behavior: near ? 'smooth' : 'instant', block: 'start'});
}

class Task extends HTMLElement {
  connectedCallback(): void {
    this.querySelector('a.open')?.addEventListener('click', this.#open);
    document.addEventListener('dl-run-ended', this.#ended);
  }

  disconnectedCallback(): void {
    this.querySelector('a.open')?.removeEventListener('click', this.#open);
    document.removeEventListener('dl-run-ended', this.#ended);
  }

  readonly #open = (e: Event): void => {
    const lab = document.querySelector<Lab>('dl-lab');
    // Without the lab's script the link goes to its place, which says what to do.
    if (!lab || customElements.get('dl-lab') === undefined) return;
    e.preventDefault();
    const {exercise = '', program = 'solution', scenario = ''} = this.dataset;
    void lab.open(exercise, program, scenario).then(() => toView(lab));
  };

  readonly #ended = (e: Event): void => {
    const d = (e as CustomEvent<RunEnded>).detail;
    const {exercise, program = 'solution', scenario = 'free'} = this.dataset;
    const mark = this.querySelector('.mark');
    if (!mark || d.exercise !== exercise || d.program !== program || d.scenario !== scenario) return;
    const w = wordsIn(lang());
    mark.className = 'mark right';
    mark.textContent = d.right ? `${w.taskDone} · ${w.taskRight}` : w.taskDone;
  };
}

customElements.define('dl-lab-task', Task);
