// How an arrangement is scored. kind.go holds the same in Go, and both are
// run on testdata/score.json.
//
// The truth is a partial order: "a before b" for some pairs of steps. Every
// total order that keeps all of them (a linear extension) is right. The
// credit is the length of the longest common subsequence of what the learner
// arranged and the linear extension that suits it best, over the number of
// steps and of distractors used.
//
// There can be factorially many linear extensions, so none is written down.
// Instead:
//
//   A set A of arranged steps is a common subsequence with some linear
//   extension exactly if no pair in A is violated, that is, if no step of A
//   stands before one that must precede it.
//
//   If some linear extension holds A in the learner's order, it keeps all
//   pairs, so none in A is violated. Now let no pair in A be violated. Take
//   the relation "x must precede y, or both are in A and x stands before y".
//   Were there a cycle in it, it would not be of precedences alone, which
//   have none. So it goes through A, and between two visits to A it either
//   follows the learner's order, or takes precedences from x in A to y in A;
//   then x must precede y, and since the pair is not violated, x stands
//   before y. Then every part of the cycle goes forward in the learner's
//   order, and it cannot return to where it began. Without cycles the
//   relation has a total order that keeps it: a linear extension that holds
//   A in the learner's order.
//
// So the best is the largest set without a violated pair. "x stands before y
// and y must precede x" is itself a partial order (both halves are
// transitive), and such a set is an antichain of it. By Dilworth's theorem
// the largest antichain is as large as the number of chains needed to cover
// all, which is the number of elements less a maximum matching of the
// violated pairs. Where several sets are largest, the one with the earliest
// steps is taken.

/** The truth: steps, each with those that must come directly or indirectly before it. */
export interface Order {
  readonly steps: readonly {readonly id: string; readonly after: readonly string[]}[];
  readonly distractors: readonly string[];
}

export interface Score {
  /** Steps in a right place, in the learner's order. */
  readonly kept: readonly string[];
  /** Steps in a wrong place, in the learner's order. */
  readonly misplaced: readonly string[];
  /** Distractors that were used, and whatever else does not belong there. */
  readonly used: readonly string[];
  /** Steps that were not used, in the author's order. */
  readonly missing: readonly string[];
  /** Credit is points of the possible ones; full credit is a right answer. */
  readonly points: number;
  readonly possible: number;
}

export function score(order: Order, sequence: readonly string[]): Score {
  const before = precedence(order);
  const real: string[] = [];
  const used: string[] = [];
  for (const id of sequence) (before.has(id) && !real.includes(id) ? real : used).push(id);

  // violated[i] holds the positions j > i whose step must precede that at i.
  const violated = real.map((x, i) => real.flatMap((y, j) => (j > i && before.get(x)?.has(y) ? [j] : [])));
  const kept = new Set(largest(violated));
  return {
    kept: real.filter((_, i) => kept.has(i)),
    misplaced: real.filter((_, i) => !kept.has(i)),
    used,
    missing: order.steps.map(s => s.id).filter(id => !real.includes(id)),
    points: kept.size,
    possible: order.steps.length + used.length,
  };
}

/** For each step, all that must come before it. */
function precedence(order: Order): Map<string, Set<string>> {
  const direct = new Map(order.steps.map(s => [s.id, s.after]));
  const all = new Map<string, Set<string>>();
  for (const {id} of order.steps) {
    const seen = new Set<string>();
    const walk = (at: string) => {
      for (const b of direct.get(at) ?? []) {
        if (seen.has(b)) continue;
        seen.add(b);
        walk(b);
      }
    };
    walk(id);
    all.set(id, seen);
  }
  return all;
}

/** The largest set of positions without a violated pair, the earliest of them where there are several. */
function largest(violated: readonly (readonly number[])[]): number[] {
  let left = violated.map((_, i) => i);
  const chosen: number[] = [];
  const size = antichain(violated, left);
  for (let i = 0; i < violated.length; i++) {
    if (!left.includes(i)) continue;
    // Take i if a largest set remains possible with it.
    const rest = left.filter(j => j > i && !violated[i]?.includes(j));
    if (chosen.length + 1 + antichain(violated, rest) === size) {
      chosen.push(i);
      left = [...left.filter(j => j <= i), ...rest];
    }
  }
  return chosen;
}

/** How large the largest antichain among the positions is: their number less a maximum matching. */
function antichain(violated: readonly (readonly number[])[], among: readonly number[]): number {
  const matchOf = new Map<number, number>();
  const augment = (i: number, seen: Set<number>): boolean => {
    for (const j of violated[i] ?? []) {
      if (seen.has(j) || !among.includes(j)) continue;
      seen.add(j);
      const other = matchOf.get(j);
      if (other === undefined || augment(other, seen)) {
        matchOf.set(j, i);
        return true;
      }
    }
    return false;
  };
  return among.length - among.filter(i => augment(i, new Set())).length;
}
