// Whether what was written into a gap is accepted. kind.go holds the same in
// Go, and both are run on testdata/judge.json.

export interface Gap {
  readonly accept: readonly string[];
  readonly wrong: readonly {readonly answer: string}[];
}

export interface Verdict {
  readonly right: boolean;
  /** Which of the author's wrong answers it is; -1 when it is none of them. */
  readonly wrong: number;
}

export function judge(gap: Gap, answer: string): Verdict {
  const got = squeeze(answer);
  if (gap.accept.some(a => squeeze(a) === got)) return {right: true, wrong: -1};
  return {right: false, wrong: gap.wrong.findIndex(w => squeeze(w.answer) === got)};
}

/** Takes out the white space that a program does not need: all but that between two words. */
function squeeze(code: string): string {
  return code
    .replace(/[\s\u00a0]+/g, ' ')
    .replace(/^ | $/g, '')
    .replace(/ (?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_]) /gu, '');
}
