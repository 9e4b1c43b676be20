package order

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"
)

func TestScore(t *testing.T) {
	data, err := os.ReadFile("testdata/score.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Name     string
		Steps    []Step
		Sequence []string
		Want     Result
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		if got := Score(v.Steps, v.Sequence); !reflect.DeepEqual(got, v.Want) {
			t.Errorf("%s:\n got %+v\nwant %+v", v.Name, got, v.Want)
		}
	}
}

// randomOrder returns up to six steps, whose names say nothing of their order.
func randomOrder(r *rand.Rand) []Step {
	ids := []string{"a", "b", "c", "d", "e", "f"}[:1+r.IntN(6)]
	r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	dense := r.IntN(5)
	var steps []Step
	for i, id := range ids {
		s := Step{ID: id}
		for _, before := range ids[:i] {
			if r.IntN(5) < dense {
				s.After = append(s.After, before)
			}
		}
		steps = append(steps, s)
	}
	return steps
}

// extensions calls yield with every linear extension.
func extensions(steps []Step, done []string, yield func([]string)) {
	if len(done) == len(steps) {
		yield(done)
		return
	}
	for _, s := range steps {
		ready := !slices.ContainsFunc(s.After, func(b string) bool { return !slices.Contains(done, b) })
		if ready && !slices.Contains(done, s.ID) {
			extensions(steps, append(slices.Clone(done), s.ID), yield)
		}
	}
}

func lcs(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

func TestEveryLinearExtensionScoresFull(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tried := 0
	for range 200 {
		steps := randomOrder(r)
		extensions(steps, nil, func(ext []string) {
			tried++
			if got := Score(steps, ext); got.Points != len(steps) || got.Possible != len(steps) {
				t.Fatalf("%v of %v: %+v", ext, steps, got)
			}
		})
	}
	if tried < 2000 {
		t.Errorf("only %d were tried", tried)
	}
}

func TestScoreIsTheLongestCommonSubsequenceWithTheBestExtension(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		steps := randomOrder(r)
		pool := []string{"x", "y"}
		for _, s := range steps {
			pool = append(pool, s.ID)
		}
		r.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
		sequence := pool[:r.IntN(len(pool)+1)]
		best := 0
		extensions(steps, nil, func(ext []string) { best = max(best, lcs(sequence, ext)) })
		if got := Score(steps, sequence); got.Points != best {
			t.Fatalf("%v of %v: %+v, want %d points", sequence, steps, got, best)
		}
	}
}

func TestSolutionScoresFull(t *testing.T) {
	source, err := os.ReadFile("testdata/block.yaml")
	if err != nil {
		t.Fatal(err)
	}
	o, problems := parse(source)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if got := Score(o.Steps(), o.Solution()); got.Points != 3 || got.Possible != 3 {
		t.Errorf("%v: %+v", o.Solution(), got)
	}
}
