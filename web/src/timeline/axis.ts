// Ticks of the time axis, and times as people read them.

const SECOND = 1000;
const STEPS = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300].map(s => s * SECOND);

export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Ticks within [from, to] ms, at least gap px apart at a scale of px per ms. */
export function ticks(from: number, to: number, scale: number, gap: number): Tick[] {
  const step = STEPS.find(s => s * scale >= gap) ?? 600 * SECOND;
  // One axis, one way of writing.
  const minutes = step >= 60 * SECOND || to >= 120 * SECOND;
  const out: Tick[] = [];
  for (let i = Math.ceil(Math.max(from, 0) / step); i * step <= to; i++) {
    const at = i * step;
    out.push({at, label: axisLabel(at, step, minutes)});
  }
  return out;
}

function axisLabel(at: number, step: number, minutes: boolean): string {
  if (minutes && step >= SECOND) {
    const s = Math.round(at / SECOND);
    return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`;
  }
  const digits = step >= SECOND ? 0 : step >= 100 ? 1 : 2;
  return (at / SECOND).toFixed(digits);
}

/** "3.1", with a decimal comma in Russian. */
export function seconds(ms: number, digits: number, lang: 'en' | 'ru'): string {
  const text = (ms / SECOND).toFixed(digits);
  return lang === 'ru' ? text.replace('.', ',') : text;
}
