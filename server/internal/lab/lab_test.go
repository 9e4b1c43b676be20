package lab

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"drainlab/exercises"
	"drainlab/exercises/event"
	"drainlab/exercises/scenario"
)

// scratch is a directory for the whole test binary.
var scratch string

func TestMain(m *testing.M) {
	if os.Getenv(serverEnv) != "" {
		serverMain()
		return
	}
	code := func() int {
		var err error
		if scratch, err = os.MkdirTemp("", "lab-test-"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(scratch)
		return m.Run()
	}()
	os.Exit(code)
}

// behaviours are the names of testdata/actor that a request can ask for.
var behaviours = []string{"polite", "stubborn", "chatty", "forks", "panics", "environment", "streams", "remembers", "listens", "consumes"}

// stage is a catalog whose exercises are played by testdata/actor.
type stage map[string]*exercises.Exercise

func (s stage) Exercise(slug string) *exercises.Exercise { return s[slug] }

func newStage() stage {
	s := stage{}
	for slug, needs := range map[string][]string{"plain": nil, "amqp": {"amqp"}, "http": {"http"}} {
		e := &exercises.Exercise{Exercise: scenario.Exercise{Slug: slug, Needs: needs, Marks: []scenario.Mark{
			{Event: event.ReadyChanged, Match: "^ready"},
			{Event: event.WorkStarted, Match: `^start (\S+)`},
		}}}
		if slug == "amqp" {
			e.Queue = "tasks"
		}
		for _, b := range behaviours {
			e.Programs = append(e.Programs, exercises.Program{Name: b})
		}
		e.Default = "stop"
		e.Scenarios = []scenario.Scenario{{
			Name:     "stop",
			Platform: scenario.Platform{Preset: "docker-stop", Grace: 2 * time.Second},
			Steps:    []scenario.Step{{Do: scenario.DoStart, Target: "w"}, {Do: scenario.DoTerm}, {Do: scenario.DoExit}},
			Checks:   []scenario.Check{{Name: scenario.CheckExit}, {Name: scenario.CheckWithinGrace}},
		}}
		s[slug] = e
	}
	return s
}

// actors builds the actor and gives it its names.
var actors = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(scratch, "actors")
	binary := filepath.Join(dir, "actor")
	if out, err := exec.Command("go", "build", "-o", binary, "./testdata/actor").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	for _, slug := range []string{"plain", "amqp", "http"} {
		if err := os.Mkdir(filepath.Join(dir, slug), 0o700); err != nil {
			return "", err
		}
		for _, b := range append([]string{"child"}, behaviours...) {
			if err := os.Link(binary, filepath.Join(dir, slug, b)); err != nil {
				return "", err
			}
		}
	}
	return dir, nil
})

func newManager(t *testing.T, limits Limits) *Manager {
	t.Helper()
	return newManagerOn(t, "", limits)
}

func newManagerOn(t *testing.T, url string, limits Limits) *Manager {
	t.Helper()
	dir, err := actors()
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(Options{Programs: dir, Catalog: newStage(), AMQPURL: url, StateDir: t.TempDir(), Limits: limits,
		Logger: slog.New(slog.NewTextHandler(testWriter{t}, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := m.Shutdown(ctx); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		if left, _ := os.ReadDir(m.opt.StateDir); len(left) > 0 {
			t.Errorf("left in the state directory: %v", left)
		}
	})
	return m
}

// testWriter has what the lab logs appear with the test.
type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

func start(t *testing.T, m *Manager, q Request) *Run {
	t.Helper()
	r, err := m.Start(within(t), q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// wait waits for the run's end and returns all its events.
func wait(t *testing.T, r *Run) []event.Event {
	t.Helper()
	if err := r.Wait(within(t)); err != nil {
		t.Fatalf("the run did not end: %v\n%s", err, transcript(all(r)))
	}
	return all(r)
}

func all(r *Run) []event.Event {
	events, _, _ := r.Log.After(0)
	return events
}

// until waits for an event and returns it.
func until(t *testing.T, r *Run, what string, ok func(event.Event) bool) event.Event {
	t.Helper()
	ctx := within(t)
	for seen := uint64(0); ; {
		events, more, closed := r.Log.After(seen)
		for _, e := range events {
			if ok(e) {
				return e
			}
			seen = e.Seq
		}
		if closed {
			t.Fatalf("the run ended without %s\n%s", what, transcript(all(r)))
		}
		select {
		case <-more:
		case <-ctx.Done():
			t.Fatalf("waited in vain for %s\n%s", what, transcript(all(r)))
		}
	}
}

func untilKind(t *testing.T, r *Run, from string, k event.Kind) event.Event {
	t.Helper()
	return until(t, r, string(k)+" of "+from, func(e event.Event) bool { return e.Kind == k && e.From == from })
}

func transcript(events []event.Event) string {
	var b strings.Builder
	for _, e := range events {
		code := ""
		if e.Code != nil {
			code = fmt.Sprint(*e.Code)
		}
		fmt.Fprintf(&b, "%4d %8.3f %-9s %-16s %s %s %s %s %.120q\n", e.Seq, e.At.Seconds(), e.From, e.Kind, e.Peer, e.Signal, code, e.Message, e.Text)
	}
	return b.String()
}

// kinds is the kinds of the events that are not a step or a check, in order.
func kinds(events []event.Event) string {
	var out []string
	for _, e := range events {
		if e.Kind != event.StepBegun && e.Kind != event.CheckMade {
			out = append(out, string(e.Kind))
		}
	}
	return strings.Join(out, " ")
}

func lines(events []event.Event, stream string) []string {
	var out []string
	for _, e := range events {
		if e.Kind == event.LogLine && (stream == "" || e.Stream == stream) {
			out = append(out, e.Text)
		}
	}
	return out
}

// alive says whether a process exists and is not just a zombie that its
// parent has not looked at yet.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	// pid (name) state …; the name may hold anything.
	_, rest, _ := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')'):]), " ")
	return !strings.HasPrefix(rest, "Z")
}

// poll waits for a condition that nothing announces.
func poll(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func TestRefusals(t *testing.T) {
	m := newManager(t, Limits{Runs: 1})
	for _, tt := range []struct {
		name   string
		q      Request
		reason error
		says   string
	}{
		{"exercise", Request{Exercise: "none", Program: "polite"}, ErrNotFound, `no exercise "none"`},
		{"program", Request{Exercise: "plain", Program: "../plain/polite"}, ErrNotFound, "use one of: polite, "},
		{"scenario", Request{Exercise: "plain", Program: "polite", Scenario: "none"}, ErrNotFound, "use one of: stop"},
		{"platform", Request{Exercise: "plain", Program: "polite", Platform: scenario.Platform{Preset: "mainframe"}}, ErrInvalid, "docker-stop"},
		{"grace", Request{Exercise: "plain", Program: "polite", Platform: scenario.Platform{Grace: time.Hour}}, ErrInvalid, "use up to 3m0s"},
		{"negative grace", Request{Exercise: "plain", Program: "polite", Platform: scenario.Platform{Grace: -1}}, ErrInvalid, "use up to"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := m.Start(within(t), tt.q)
			var e *Error
			if !errors.Is(err, tt.reason) || !errors.As(err, &e) || e.Do == "" || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v, want %v that says %q", err, tt.reason, tt.says)
			}
		})
	}
	t.Run("not built", func(t *testing.T) {
		m := newManager(t, Limits{})
		m.opt.Programs = t.TempDir()
		if _, err := m.Start(within(t), Request{Exercise: "plain", Program: "polite"}); !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "make build") {
			t.Errorf("%v", err)
		}
	})
	t.Run("one too many", func(t *testing.T) {
		r := start(t, m, Request{Exercise: "plain", Program: "polite"})
		if _, err := m.Start(within(t), Request{Exercise: "plain", Program: "polite"}); !errors.Is(err, ErrBusy) {
			t.Errorf("%v, want ErrBusy", err)
		}
		r.Stop()
		// Whoever has seen the last event may begin another.
		until(t, r, "the end", func(e event.Event) bool { return e.Kind == event.RunEnded })
		start(t, m, Request{Exercise: "plain", Program: "polite"}).Stop()
	})
	t.Run("unknown run", func(t *testing.T) {
		if _, err := m.Run("nonsense"); !errors.Is(err, ErrNotFound) {
			t.Errorf("%v, want ErrNotFound", err)
		}
	})
	t.Run("after Shutdown", func(t *testing.T) {
		m := newManager(t, Limits{})
		if err := m.Shutdown(within(t)); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Start(within(t), Request{Exercise: "plain", Program: "polite"}); !errors.Is(err, ErrStopping) {
			t.Errorf("%v, want ErrStopping", err)
		}
	})
	t.Run("TLS", func(t *testing.T) {
		for _, url := range []string{"amqps://guest:secret@localhost/", "http://localhost", "amqp://u:secret%zz@h/"} {
			_, err := New(Options{Catalog: newStage(), StateDir: t.TempDir(), AMQPURL: url})
			if !errors.Is(err, ErrInvalid) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: %v, want ErrInvalid without the password", url, err)
			}
		}
	})
}

func TestPlatform(t *testing.T) {
	m := newManager(t, Limits{})
	scripted := scenario.Platform{Preset: "docker-stop", Grace: 7 * time.Second}
	for _, tt := range []struct{ asked, want scenario.Platform }{
		{scenario.Platform{}, scripted},
		{scenario.Platform{Preset: "kubernetes"}, scenario.Platform{Preset: "kubernetes", Grace: 30 * time.Second}},
		{scenario.Platform{Preset: "systemd", Grace: time.Second}, scenario.Platform{Preset: "systemd", Grace: time.Second}},
		{scenario.Platform{Grace: 3 * time.Second}, scenario.Platform{Preset: "custom", Grace: 3 * time.Second}},
		{scenario.Platform{Preset: "custom"}, scripted},
	} {
		if got, err := m.platform(tt.asked, scripted); err != nil || got != tt.want {
			t.Errorf("%+v gave %+v, %v; want %+v", tt.asked, got, err, tt.want)
		}
	}
}

func TestOnlySoManyEndedRunsAreKept(t *testing.T) {
	m := newManager(t, Limits{Kept: 2})
	var ids []string
	for range 3 {
		r := start(t, m, Request{Exercise: "plain", Program: "panics"})
		r.Stop()
		wait(t, r)
		ids = append(ids, r.ID)
	}
	if _, err := m.Run(ids[0]); !errors.Is(err, ErrNotFound) {
		t.Errorf("the oldest of three: %v, want ErrNotFound", err)
	}
	for _, id := range ids[1:] {
		if r, err := m.Run(id); err != nil || r.Status().State != Ended {
			t.Errorf("a kept run: %v", err)
		}
	}
}
