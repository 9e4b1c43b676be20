package lab

import (
	"context"
	"fmt"
	"log/slog"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"drainlab/exercises"
	"drainlab/exercises/scenario"
)

// playsAtOnce bounds how many scenarios are played at the same time: they
// mostly wait, but each has a program that must be on time.
const playsAtOnce = 6

// TestPrograms plays every program of every exercise in every scenario, on
// each broker. It must fail by exactly the checks that exercise.yaml names for
// it, and the solution by none. With -v it prints a table.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("plays every scenario, which takes minutes")
	}
	catalog, problems, err := exercises.Load(exercises.Files)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
	programs := t.TempDir()
	for _, ex := range catalog.Exercises {
		dir := filepath.Join(programs, ex.Slug) + string(filepath.Separator)
		build := exec.Command("go", "build", "-o", dir, "./"+ex.Slug+"/...")
		build.Dir = filepath.Join("..", "..", "..", "exercises")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("build %s: %v\n%s", ex.Slug, err, out)
		}
	}
	for broker, url := range brokers() {
		t.Run(broker, func(t *testing.T) {
			m, err := New(Options{Programs: programs, Catalog: catalog, AMQPURL: url, StateDir: t.TempDir(),
				Limits: Limits{Runs: playsAtOnce}, Logger: slog.New(slog.NewTextHandler(testWriter{t}, nil))})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
				defer cancel()
				if err := m.Shutdown(ctx); err != nil {
					t.Errorf("Shutdown: %v", err)
				}
			}()
			var plays []*play
			for _, ex := range catalog.Exercises {
				if url != "" && !needs(ex.Exercise, "amqp") {
					continue // it is the same again
				}
				for _, p := range ex.Programs {
					for _, sc := range ex.Scenarios {
						plays = append(plays, &play{exercise: ex.Slug, program: p, scenario: sc})
					}
				}
			}
			slots := make(chan struct{}, playsAtOnce)
			var all sync.WaitGroup
			for _, p := range plays {
				slots <- struct{}{}
				all.Go(func() {
					defer func() { <-slots }()
					p.run(t, m)
				})
			}
			all.Wait()
			table(t, plays)
		})
	}
}

// play is one program in one scenario, and what came of it.
type play struct {
	exercise string
	program  exercises.Program
	scenario scenario.Scenario
	took     time.Duration
	failed   []string
}

func (p *play) run(t *testing.T, m *Manager) {
	name := p.exercise + "/" + p.program.Name + " in " + p.scenario.Name
	began := time.Now()
	r, err := m.Start(t.Context(), Request{Exercise: p.exercise, Program: p.program.Name, Scenario: p.scenario.Name, Play: true})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	<-r.Done() // by the run's own limit at the latest
	p.took = time.Since(began)
	s := r.Status()
	if s.Verdict == nil {
		t.Errorf("%s: no verdict: %s\n%s", name, s.Failure, transcript(all(r)))
		return
	}
	detail := ""
	for _, c := range s.Verdict.Checks {
		if !c.Pass {
			p.failed = append(p.failed, string(c.Check))
			detail += fmt.Sprintf("\n  %s: %s", c.Check, c.Detail)
		}
	}
	var want []string
	for _, c := range p.program.Fails[p.scenario.Name] {
		want = append(want, string(c))
	}
	slices.Sort(want)
	slices.Sort(p.failed)
	if !slices.Equal(p.failed, want) {
		t.Errorf("%s fails by %v, want %v%s\n%s", name, p.failed, want, detail, transcript(all(r)))
	}
	if s.Verdict.Pass != (len(want) == 0) {
		t.Errorf("%s: the verdict is %v", name, s.Verdict.Pass)
	}
}

// table prints what each play failed by.
func table(t *testing.T, plays []*play) {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, p := range plays {
		verdict := "passes"
		if len(p.failed) > 0 {
			verdict = strings.Join(p.failed, " ")
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%.1f s\t%s\n", p.exercise, p.program.Name, p.scenario.Name, p.took.Seconds(), verdict)
	}
	w.Flush()
	t.Log("\n" + b.String())
}
