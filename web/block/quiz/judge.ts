// Whether the chosen options are the right ones. kind.go holds the same in
// Go, and both are run on testdata/judge.json.

/** Options are named by their number in the author's order, as text: "0". */
export function judge(right: readonly number[], chosen: readonly string[]): boolean {
  const want = new Set(right.map(String));
  const got = new Set(chosen);
  return want.size === got.size && [...want].every(v => got.has(v));
}
