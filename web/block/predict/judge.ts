// How typed output is held against the true one. kind.go holds the same in
// Go, and both are run on testdata/judge.json.

export interface Verdict {
  readonly right: boolean;
  /** The first line that differs, from 1; 0 when none does. */
  readonly line: number;
  /** That line as it was typed and as the program writes it; null where there is none. */
  readonly typed: string | null;
  readonly written: string | null;
}

export function judge(output: string, answer: string): Verdict {
  const want = lines(output);
  const got = lines(answer);
  for (let i = 0; i < Math.max(want.length, got.length); i++) {
    if (want[i] !== got[i]) return {right: false, line: i + 1, typed: got[i] ?? null, written: want[i] ?? null};
  }
  return {right: true, line: 0, typed: null, written: null};
}

/** Whether two outputs are the same but for white space. */
export function same(a: string, b: string): boolean {
  return judge(a, b).right;
}

/** Lines without empty ones at the end, white space within them made one space each. */
function lines(text: string): string[] {
  const all = text.split('\n').map(line => line.replace(/[ \t\r\u00a0]+/g, ' ').replace(/^ | $/g, ''));
  while (all.at(-1) === '') all.pop();
  return all;
}
