package order

import "slices"

// Step is one step of the truth: After names those that come before it, and
// so do, through them, those before these.
type Step struct {
	ID    string   `json:"id"`
	After []string `json:"after"`
}

// Result is how an arrangement was scored.
type Result struct {
	// Kept are the steps in a right place and Misplaced those in a wrong one,
	// in the learner's order.
	Kept      []string `json:"kept"`
	Misplaced []string `json:"misplaced"`
	// Used are distractors, and whatever else does not belong there.
	Used []string `json:"used"`
	// Missing are the steps that were not used, in the author's order.
	Missing []string `json:"missing"`
	// The credit is Points of the Possible ones; a right answer has them all.
	Points   int `json:"points"`
	Possible int `json:"possible"`
}

// Score scores a sequence of ids. The points are the length of the longest
// common subsequence of the sequence and that linear extension of the steps
// which suits it best; score.ts, which does the same for the page, says why
// that is the largest set of steps without a violated pair, and how Dilworth's
// theorem finds it. Both are tested with testdata/score.json.
func Score(steps []Step, sequence []string) Result {
	before := precedence(steps)
	r := Result{Kept: []string{}, Misplaced: []string{}, Used: []string{}, Missing: []string{}}
	var real []string
	for _, id := range sequence {
		if before[id] != nil && !slices.Contains(real, id) {
			real = append(real, id)
		} else {
			r.Used = append(r.Used, id)
		}
	}
	// violated[i] holds the positions j > i whose step must precede that at i.
	violated := make([][]int, len(real))
	for i, x := range real {
		for j := i + 1; j < len(real); j++ {
			if before[x][real[j]] {
				violated[i] = append(violated[i], j)
			}
		}
	}
	kept := largest(violated)
	for i, id := range real {
		if slices.Contains(kept, i) {
			r.Kept = append(r.Kept, id)
		} else {
			r.Misplaced = append(r.Misplaced, id)
		}
	}
	for _, s := range steps {
		if !slices.Contains(real, s.ID) {
			r.Missing = append(r.Missing, s.ID)
		}
	}
	r.Points, r.Possible = len(kept), len(steps)+len(r.Used)
	return r
}

// precedence holds for each step all that must come before it.
func precedence(steps []Step) map[string]map[string]bool {
	direct := map[string][]string{}
	for _, s := range steps {
		direct[s.ID] = s.After
	}
	all := map[string]map[string]bool{}
	for _, s := range steps {
		seen := map[string]bool{}
		var walk func(string)
		walk = func(at string) {
			for _, b := range direct[at] {
				if !seen[b] {
					seen[b] = true
					walk(b)
				}
			}
		}
		walk(s.ID)
		all[s.ID] = seen
	}
	return all
}

// largest returns the largest set of positions without a violated pair, the
// earliest of them where there are several.
func largest(violated [][]int) []int {
	var left, chosen []int
	for i := range violated {
		left = append(left, i)
	}
	size := antichain(violated, left)
	for len(left) > 0 {
		i := left[0]
		// Take i if a largest set remains possible with it.
		var rest []int
		for _, j := range left[1:] {
			if !slices.Contains(violated[i], j) {
				rest = append(rest, j)
			}
		}
		if len(chosen)+1+antichain(violated, rest) == size {
			chosen, left = append(chosen, i), rest
		} else {
			left = left[1:]
		}
	}
	return chosen
}

// antichain returns the size of the largest antichain among the positions:
// their number less a maximum matching of the violated pairs.
func antichain(violated [][]int, among []int) int {
	matched := map[int]int{}
	var augment func(i int, seen map[int]bool) bool
	augment = func(i int, seen map[int]bool) bool {
		for _, j := range violated[i] {
			if seen[j] || !slices.Contains(among, j) {
				continue
			}
			seen[j] = true
			if other, taken := matched[j]; !taken || augment(other, seen) {
				matched[j] = i
				return true
			}
		}
		return false
	}
	n := len(among)
	for _, i := range among {
		if augment(i, map[int]bool{}) {
			n--
		}
	}
	return n
}
