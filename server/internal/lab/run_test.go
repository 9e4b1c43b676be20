package lab

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"drainlab/exercises/event"
	"drainlab/exercises/scenario"
)

func TestPlay(t *testing.T) {
	m := newManager(t, Limits{})
	for _, tt := range []struct {
		program string
		code    int
		signal  string
		pass    bool
		kinds   string
	}{
		{"polite", 0, "", true, "process.started log ready.changed grace.begun signal.sent log process.exited grace.ended run.ended"},
		{"stubborn", 137, "KILL", false, "process.started log ready.changed grace.begun signal.sent grace.ended signal.sent process.exited run.ended"},
	} {
		t.Run(tt.program, func(t *testing.T) {
			t.Parallel()
			r := start(t, m, Request{Exercise: "plain", Program: tt.program, Play: true})
			if r.Broker != "" || r.Scenario != "stop" || r.Status().State != Running {
				t.Errorf("broker %q, scenario %q, state %s", r.Broker, r.Scenario, r.Status().State)
			}
			if err := r.Act(within(t), scenario.Step{Do: scenario.DoKill}); !errors.Is(err, ErrEnded) {
				t.Errorf("an action while it plays: %v, want ErrEnded", err)
			}
			events := wait(t, r)
			exit := until(t, r, "exit", func(e event.Event) bool { return e.Kind == event.ProcessExited })
			if *exit.Code != tt.code || exit.Signal != tt.signal {
				t.Errorf("exit %d %q, want %d %q", *exit.Code, exit.Signal, tt.code, tt.signal)
			}
			// The end of the grace period may be seen before or after the exit.
			got := kinds(events)
			if tt.pass {
				got = strings.Replace(got, "grace.ended process.exited", "process.exited grace.ended", 1)
			}
			if got != tt.kinds {
				t.Errorf("events:\n%s\nwant:\n%s\n%s", got, tt.kinds, transcript(events))
			}
			last := events[len(events)-1]
			s := r.Status()
			if s.State != Ended || s.Failure != "" || s.Verdict == nil || s.Verdict.Pass != tt.pass || last.Pass == nil || *last.Pass != tt.pass {
				t.Errorf("status %+v, last event %+v; want a verdict of %v", s, last, tt.pass)
			}
		})
	}
}

func TestLearnerDrives(t *testing.T) {
	m := newManager(t, Limits{})
	r := start(t, m, Request{Exercise: "plain", Program: "remembers"})
	untilKind(t, r, "worker-1", event.ReadyChanged)
	act := func(do scenario.Do, target string) {
		t.Helper()
		if err := r.Act(within(t), scenario.Step{Do: do, Target: target}); err != nil {
			t.Fatalf("%s: %v", do, err)
		}
	}
	act(scenario.DoInt, "worker-1")
	if e := untilKind(t, r, "worker-1", event.ProcessExited); *e.Code != 0 {
		t.Errorf("exit %d after INT", *e.Code)
	}
	var action *scenario.ActionError
	if err := r.Act(within(t), scenario.Step{Do: scenario.DoTerm}); !errors.As(err, &action) {
		t.Errorf("TERM to a process that has exited: %v, want an ActionError", err)
	}
	act(scenario.DoRestart, "")
	untilKind(t, r, "worker-2", event.ReadyChanged)
	act(scenario.DoKill, "worker-2")
	if e := untilKind(t, r, "worker-2", event.ProcessExited); *e.Code != 137 || e.Signal != "KILL" {
		t.Errorf("exit %d %s after KILL", *e.Code, e.Signal)
	}
	dir := r.machine.dir
	r.Stop()
	events := wait(t, r)
	if got, want := lines(events, ""), []string{`found ""`, "ready", "stopping: interrupt", `found "x"`, "ready"}; !slices.Equal(got, want) {
		t.Errorf("output %q, want %q: the disk outlives a process", got, want)
	}
	if s := r.Status(); s.State != Ended || s.Verdict != nil || s.Failure != "" {
		t.Errorf("status %+v", s)
	}
	if err := r.Act(within(t), scenario.Step{Do: scenario.DoRestart}); !errors.Is(err, ErrEnded) {
		t.Errorf("an action after the end: %v, want ErrEnded", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the run's directory is still there: %v", err)
	}
}

func TestRunsThatNobodyWatchesEnd(t *testing.T) {
	m := newManager(t, Limits{Idle: 300 * time.Millisecond})
	watched := start(t, m, Request{Exercise: "plain", Program: "polite"})
	leave := watched.Watch()
	alone := start(t, m, Request{Exercise: "plain", Program: "polite"})
	events := wait(t, alone)
	if !slices.ContainsFunc(events, func(e event.Event) bool { return e.Kind == event.RunLimited && strings.Contains(e.Text, "nobody") }) {
		t.Errorf("no run.limited:\n%s", transcript(events))
	}
	if s := alone.Status(); !strings.Contains(s.Failure, "nobody") {
		t.Errorf("status %+v", s)
	}
	if watched.Status().State != Running {
		t.Fatal("a run with a viewer was ended")
	}
	leave()
	leave() // once more is nothing
	wait(t, watched)
}

func TestLimitsOfARun(t *testing.T) {
	for _, tt := range []struct {
		name    string
		limits  Limits
		program string
		says    string
	}{
		{"output", Limits{Output: 4096}, "chatty", "written more than 4096 bytes"},
		{"events", Limits{Events: 100}, "chatty", "made 100 events"},
		{"length", Limits{FreePlay: 300 * time.Millisecond}, "polite", "lasted 300ms"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := newManager(t, tt.limits)
			r := start(t, m, Request{Exercise: "plain", Program: tt.program})
			began := untilKind(t, r, "worker-1", event.ProcessStarted)
			events := wait(t, r)
			i := slices.IndexFunc(events, func(e event.Event) bool { return e.Kind == event.RunLimited })
			if i < 0 || !strings.Contains(events[i].Text, tt.says) {
				t.Fatalf("no run.limited that says %q:\n%s", tt.says, transcript(events[max(0, len(events)-20):]))
			}
			if len(events) > 500 {
				t.Errorf("%d events are kept", len(events))
			}
			if alive(began.Pid) {
				t.Error("the program still runs")
			}
			if untilKind(t, r, "worker-1", event.ProcessExited).Seq > events[len(events)-1].Seq {
				t.Error("the exit is not in the log")
			}
		})
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("SECRET_OF_THE_SERVER", "x")
	m := newManager(t, Limits{})
	r := start(t, m, Request{Exercise: "http", Program: "environment"})
	untilKind(t, r, "server-1", event.ProcessExited)
	got := lines(all(r), "stdout")
	dir, addr := r.machine.dir, r.machine.Addr("server-1")
	want := []string{"ADDR=" + addr, "GOTRACEBACK=single", "HOME=" + dir, "TMPDIR=" + dir, "dir " + dir + " <nil>", "stdin 0 EOF"}
	if !slices.Equal(got, want) {
		t.Errorf("the program sees %q, want %q", got, want)
	}
}

func TestOutput(t *testing.T) {
	m := newManager(t, Limits{Line: 40})
	r := start(t, m, Request{Exercise: "plain", Program: "streams"})
	untilKind(t, r, "worker-1", event.ProcessExited)
	events := all(r)
	var out, err []string
	for i := range 50 {
		out = append(out, fmt.Sprintf("out %d", i))
		err = append(err, fmt.Sprintf("err %d", i))
	}
	out = append(out, strings.Repeat("x", 40), "\uFFFD bytes", "no end of line")
	if got := lines(events, "stdout"); !slices.Equal(got, out) {
		t.Errorf("stdout %q", got)
	}
	if got := lines(events, "stderr"); !slices.Equal(got, err) {
		t.Errorf("stderr %q", got)
	}
	if e := untilKind(t, r, "worker-1", event.LogDropped); !strings.Contains(e.Text, "100 bytes; 40 are kept") {
		t.Errorf("of the long line: %q", e.Text)
	}
}

func TestEachProcessHasItsPort(t *testing.T) {
	m := newManager(t, Limits{})
	var runs []*Run
	seen := map[string]bool{}
	for range 4 {
		runs = append(runs, start(t, m, Request{Exercise: "http", Program: "listens"}))
	}
	for _, r := range runs {
		untilKind(t, r, "server-1", event.ReadyChanged)
		addr := r.machine.Addr("server-1")
		if seen[addr] {
			t.Errorf("%s is given out twice", addr)
		}
		seen[addr] = true
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Errorf("nobody listens: %v", err)
			continue
		}
		c.Close()
		r.Stop()
	}
	for _, r := range runs {
		wait(t, r)
	}
	if n := len(m.ports.taken); n != 0 {
		t.Errorf("%d ports were not given back", n)
	}
}

func TestShutdown(t *testing.T) {
	m := newManager(t, Limits{Stop: 20 * time.Second})
	polite := start(t, m, Request{Exercise: "plain", Program: "polite"})
	stubborn := start(t, m, Request{Exercise: "plain", Program: "stubborn"})
	untilKind(t, polite, "worker-1", event.ReadyChanged)
	untilKind(t, stubborn, "worker-1", event.ReadyChanged)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if err := m.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Shutdown: %v, want its context's error, since one program did not heed TERM", err)
	}
	if e := untilKind(t, polite, "worker-1", event.ProcessExited); *e.Code != 0 {
		t.Errorf("the polite one exited with %d: it was not asked", *e.Code)
	}
	if e := untilKind(t, stubborn, "worker-1", event.ProcessExited); *e.Code != 137 {
		t.Errorf("the stubborn one exited with %d", *e.Code)
	}
	for _, r := range []*Run{polite, stubborn} {
		events := all(r)
		if e := events[len(events)-1]; e.Kind != event.RunEnded || e.Pass != nil {
			t.Errorf("the last event is %+v", e)
		}
	}
}
