package lab

import (
	"strings"
	"testing"

	"drainlab/web/block/blocktest"
)

// course has one exercise.
type course struct {
	blocktest.Course
}

func (course) Programs(exercise string) []string {
	if exercise != "consumer" {
		return nil
	}
	return []string{"solution", "start"}
}

func (course) Scenarios(string) []string { return []string{"term-under-load"} }

func TestTask(t *testing.T) {
	b, problems := Kind().Parse([]byte("id: run\nexercise: consumer\nprogram: start\ntask: Stop it."), course{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var page strings.Builder
	if err := b.Render(&page, course{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<dl-lab-task id="run" data-key="04-consumer/run" data-exercise="consumer" data-program="start" class=`, "<p>Stop it.</p>", `href="#lab"`} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %q in\n%s", want, page.String())
		}
	}
}

func TestProblems(t *testing.T) {
	tests := []struct{ yaml, want string }{
		{"exercise: consumer\ntask: Run it.", `:1:1: "id" is missing; name it: id: run-term`},
		{"id: run\nexercise: nobody\ntask: Run it.", `:2:1: there is no exercise "nobody"; name a folder of exercises/ that has an exercise.yaml without mistakes`},
		{"id: run\nexercise: consumer\nprogram: strat\ntask: Run it.", `:3:1: exercise consumer has no program "strat"; did you mean "start"?`},
		{"id: run\nexercise: consumer\nscenario: term-under-laod\ntask: Run it.", `:3:1: exercise consumer has no scenario "term-under-laod"; did you mean "term-under-load"?`},
	}
	for _, tt := range tests {
		_, problems := Kind().Parse([]byte(tt.yaml), course{})
		if len(problems) != 1 || problems[0].String() != tt.want {
			t.Errorf("%q: %v, want %s", tt.yaml, problems, tt.want)
		}
	}
}

// The exercise is data in the page, whatever its title holds.
func TestAside(t *testing.T) {
	var page strings.Builder
	if err := Aside(&page, "ru", "consumer", []byte(`{"title":"\u003c/script\u003e"}`)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<dl-lab data-exercise="consumer"`, `<script type="application/json" class="exercise">{"title":"\u003c/script\u003e"}</script>`, "<noscript>"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %q in\n%s", want, page.String())
		}
	}
}
