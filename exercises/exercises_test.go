package exercises

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"drainlab/exercises/scenario"
)

const good = `title: {en: Consumer, ru: Consumer}
needs: [amqp]
queue: tasks
marks:
  - {event: work.started, match: '^start (\S+)'}
  - {event: phase.reached, phase: stopping, match: '^stopping'}
hints: {en: [think], ru: [думай]}
scenarios:
  - name: term
    title: {en: TERM, ru: TERM}
    platform: {preset: docker-stop, grace: 10s}
    steps:
      - start: worker-1
      - publish: 12
        work: 600ms
      - await: work.started
        count: 5
        within: 20s
      - sleep: 250ms
      - restart:
      - settle: 30s
    checks:
      - exit: 0
      - within-grace: true
      - redelivered: {min: 1, max: 3}
      - lost: 0
      - order: [stopping]
programs:
  start:
    title: {en: Start, ru: Начало}
    fails: {term: [exit, order]}
`

func tree(yaml string) fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"consumer/exercise.yaml":    file(yaml),
		"consumer/en.md":            file("Do it."),
		"consumer/ru.md":            file("Сделай."),
		"consumer/start/main.go":    file("package main\n\n//region all\nfunc main() {\n\t//region inner\n\tprintln()\n\t//endregion inner\n}\n\n//endregion all\n"),
		"consumer/solution/main.go": file("package main\n\nfunc main() {}\n//region open\n"),
		"event/event.go":            file("package event\n"),
	}
}

func TestLoad(t *testing.T) {
	c, problems, err := Load(tree(good))
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	e := c.Exercise("consumer")
	if e == nil || e.Default != "term" || len(e.Programs) != 2 || e.Programs[0].Name != "solution" {
		t.Fatalf("exercise = %+v", e)
	}
	sc := e.Scenario("term")
	want := []scenario.Step{
		{Do: scenario.DoStart, Target: "worker-1"},
		{Do: scenario.DoPublish, Count: 12, Work: 600 * time.Millisecond},
		{Do: scenario.DoAwait, Kind: "work.started", Count: 5, Within: 20 * time.Second},
		{Do: scenario.DoSleep, For: 250 * time.Millisecond},
		{Do: scenario.DoRestart},
		{Do: scenario.DoSettle, For: 30 * time.Second},
	}
	for i, s := range sc.Steps {
		if s != want[i] {
			t.Errorf("step %d = %+v, want %+v", i, s, want[i])
		}
	}
	if c := sc.Checks[2]; c.Name != scenario.CheckRedelivered || c.Min != 1 || c.Max != 3 {
		t.Errorf("redelivered = %+v", c)
	}
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	tests := []struct{ name, from, to, want string }{
		{"broken YAML", "needs: [amqp]", "needs: [amqp", "exercises/consumer/exercise.yaml:3:1: "},
		{"unknown key", "queue: tasks", "queu: tasks", `exercises/consumer/exercise.yaml:3:1: unknown key "queu"; use one of: title,`},
		{"unknown check", "      - lost: 0", "      - losst: 0", `:26:9: no check is named "losst"`},
		{"two actions", "        work: 600ms", "        hang: 3", `:15:9: a step does one thing, and this one has publish and hang`},
		{"no duration", "sleep: 250ms", "sleep: soon", `:19:16: "soon" is not a duration`},
		{"bad expression", `'^start (\S+)'`, `'^start ('`, ":5:34: error parsing regexp"},
		{"one language", "title: {en: Consumer, ru: Consumer}", "title: {en: Consumer}", "the title is not in both languages"},
		{"unknown failing check", "fails: {term: [exit, order]}", "fails: {term: [exit, duplicates]}", `:31:26: scenario term has no check "duplicates"`},
		{"a program that is not there", "  start:\n", "  begin:\n", "there is no program begin"},
		{"a folder that is not told of", "  start:\n", "  begin:\n", "programs says nothing of the folder start"},
		{"count", "publish: 12", "publish: 1200", ":14:18: 1200 is out of bounds; use 1 to 500"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(good, tt.from) {
				t.Fatalf("the good file has no %q", tt.from)
			}
			_, problems, err := Load(tree(strings.Replace(good, tt.from, tt.to, 1)))
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, p := range problems {
				all = append(all, p.String())
			}
			if !strings.Contains(strings.Join(all, "\n"), tt.want) {
				t.Errorf("problems:\n%s\nwant one with %q", strings.Join(all, "\n"), tt.want)
			}
		})
	}
}

func TestRegion(t *testing.T) {
	c, _, err := Load(tree(good))
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Region("consumer", "start", "all")
	if err != nil || r.Start != 4 || strings.Join(r.Lines, "|") != "func main() {|\tprintln()|}" {
		t.Errorf("region all = %+v, %v", r, err)
	}
	if r, err := c.Region("consumer", "start", "inner"); err != nil || r.Start != 6 || len(r.Lines) != 1 {
		t.Errorf("region inner = %+v, %v", r, err)
	}
	if r, err := c.Region("consumer", "start", ""); err != nil || r.Start != 1 || len(r.Lines) != 6 {
		t.Errorf("whole file = %+v, %v", r, err)
	}
	for _, tt := range [][4]string{
		{"nobody", "start", "all", `there is no exercise "nobody"`},
		{"consumer", "nobody", "all", "it has solution, start"},
		{"consumer", "start", "nowhere", "it has all, inner"},
		{"consumer", "solution", "open", "does not end"},
	} {
		if _, err := c.Region(tt[0], tt[1], tt[2]); err == nil || !strings.Contains(err.Error(), tt[3]) {
			t.Errorf("%v: %v", tt[:3], err)
		}
	}
}

// Whatever an author writes must make problems, never a panic.
func FuzzLoad(f *testing.F) {
	f.Add(good)
	f.Add("a: [")
	f.Add("scenarios: 3\nprograms: [1]\nmarks: {}")
	f.Fuzz(func(t *testing.T, yaml string) {
		c, problems, err := Load(tree(yaml))
		if err != nil {
			t.Fatal(err)
		}
		if len(problems) == 0 && c.Exercise("consumer") == nil {
			t.Error("no problem and no exercise")
		}
	})
}
