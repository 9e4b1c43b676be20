// Which stretch of time the timeline shows. While a run goes on the window
// shows all of it, and grows in steps, so that things stay where they are for
// a while; past what fits it follows. When the run has ended it fits the whole.
// A learner may look closer at any time, and then it stays where it is put.
//
// Times are ms, lengths px, scales px per ms.

export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Lengths that a live window has, in ms. */
const LENGTHS = [10, 16, 25, 40, 60, 90, 130, 180, 260, 380].map(s => s * 1000);
/** A second is not drawn narrower than this while it happens. */
const LEAST_LIVE = 15 / 1000;
/** A second is not drawn wider than this. */
const MOST = 2400 / 1000;

/** While the run goes on: deadline is the end of a grace period that runs. */
export function live(now: number, width: number, deadline: number | undefined): Window {
  const least = width < 480 ? 0 : 1;
  const needed = Math.max(now * 1.04 + 500, deadline === undefined || deadline - now > 45_000 ? 0 : deadline + 700);
  const length = LENGTHS.find((l, i) => i >= least && l >= needed) ?? needed;
  const most = Math.max(width / LEAST_LIVE, 10_000);
  if (length <= most) return {from: 0, to: length};
  // Steps of an eighth, so that it does not creep.
  const step = most / 8;
  const to = Math.ceil((now + step) / step) * step;
  return {from: to - most, to};
}

/** The whole of a run that has ended. */
export function fit(end: number): Window {
  const length = Math.max(end, 200);
  return {from: 0, to: length * 1.02 + 60};
}

/** Closer by factor > 1, or away, with the moment at staying in its place; within the run. */
export function zoom(w: Window, factor: number, at: number, end: number, width: number): Window {
  const whole = fit(end);
  const length = Math.min(Math.max((w.to - w.from) / factor, width / MOST), whole.to - whole.from);
  const share = (at - w.from) / (w.to - w.from);
  return pan({from: at - share * length, to: at + (1 - share) * length}, 0, end);
}

/** Moved by an amount of time, but not past the run's ends. */
export function pan(w: Window, by: number, end: number): Window {
  const whole = fit(end);
  const length = w.to - w.from;
  const from = Math.min(Math.max(w.from + by, whole.from), Math.max(whole.to - length, whole.from));
  return {from, to: from + length};
}
