package scenario

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"drainlab/exercises/event"
)

// puppet is a Machine whose processes do what the test says: each is a
// function that gets the signals sent to it and returns its exit code.
type puppet struct {
	log    *event.Log
	behave func(name string, say func(string), signals <-chan Signal) int

	mu    sync.Mutex
	procs map[string]*puppetProcess
}

type puppetProcess struct {
	signals chan Signal
	exited  chan struct{}
	kill    chan struct{}
}

func (p *puppet) Start(ctx context.Context, name string) error {
	pr := &puppetProcess{signals: make(chan Signal, 8), exited: make(chan struct{}), kill: make(chan struct{})}
	p.mu.Lock()
	p.procs[name] = pr
	p.mu.Unlock()
	p.log.Append(event.Event{From: name, Kind: event.ProcessStarted})
	code := make(chan int, 1)
	go func() {
		code <- p.behave(name, func(s string) { p.log.Append(event.Event{From: name, Kind: event.LogLine, Text: s}) }, pr.signals)
	}()
	go func() {
		c := 137
		select {
		case c = <-code:
		case <-pr.kill:
		}
		p.log.Append(event.Event{From: name, Kind: event.ProcessExited, Code: &c})
		close(pr.exited)
	}()
	return nil
}

func (p *puppet) Signal(name string, s Signal, from string) error {
	p.mu.Lock()
	pr := p.procs[name]
	p.mu.Unlock()
	p.log.Append(event.Event{From: from, Kind: event.SignalSent, Signal: string(s), Target: name})
	if s == KILL {
		close(pr.kill)
		return nil
	}
	pr.signals <- s
	return nil
}

func (p *puppet) Exited(name string) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if pr := p.procs[name]; pr != nil {
		return pr.exited
	}
	return nil
}
func (p *puppet) Cut(string) (int, error) { return 0, nil }
func (p *puppet) Broker() string          { return "" }
func (p *puppet) Queue(q string) string   { return q }
func (p *puppet) Addr(string) string      { return "127.0.0.1:1" }

var puppetMarks = []Mark{
	{Event: event.ReadyChanged, Match: "^ready"},
	{Event: event.WorkStarted, Match: `^start (\S+)`},
	{Event: event.PhaseReached, Match: "^stopping", Phase: "stopping"},
}

func newPuppet(t *testing.T, grace time.Duration, behave func(string, func(string), <-chan Signal) int) (*Director, *event.Log) {
	t.Helper()
	began := time.Now()
	log := event.NewLog(func() time.Duration { return time.Since(began) }, 0)
	p := &puppet{log: log, behave: behave, procs: map[string]*puppetProcess{}}
	d, err := NewDirector(p, log, Exercise{Slug: "x", Marks: puppetMarks}, Platform{Grace: grace})
	if err != nil {
		t.Fatal(err)
	}
	return d, log
}

// transcript is what happened, a line an event: seconds, who, what.
func transcript(log *event.Log) string {
	events, _, _ := log.After(0)
	var b strings.Builder
	for _, e := range events {
		if e.Kind == event.StepBegun || e.Kind == event.CheckMade {
			continue
		}
		b.WriteString(strings.TrimSpace(strings.Join([]string{e.At.String(), e.From, string(e.Kind), e.Signal + e.Text}, " ")) + "\n")
	}
	return b.String()
}

func TestGracePeriod(t *testing.T) {
	stop := Scenario{Name: "stop", Steps: []Step{{Do: DoStart, Target: "w"}, {Do: DoSleep, For: time.Second}, {Do: DoTerm}, {Do: DoExit}},
		Checks: []Check{{Name: CheckExit}, {Name: CheckWithinGrace}}}
	tests := []struct {
		name  string
		drain time.Duration
		pass  bool
		want  string
	}{
		{"drained in time", 3 * time.Second, true, `0s w process.started
0s w log ready
0s w ready.changed
1s platform grace.begun
1s platform signal.sent TERM
1s w log stopping
1s w phase.reached stopping
4s w process.exited
4s platform grace.ended exited
`},
		{"killed when it ends", time.Hour, false, `0s w process.started
0s w log ready
0s w ready.changed
1s platform grace.begun
1s platform signal.sent TERM
1s w log stopping
1s w phase.reached stopping
11s platform grace.ended expired
11s platform signal.sent KILL
11s w process.exited
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, log := newPuppet(t, 10*time.Second, func(_ string, say func(string), signals <-chan Signal) int {
					say("ready")
					<-signals
					say("stopping")
					time.Sleep(tt.drain)
					return 0
				})
				v, err := d.Play(t.Context(), stop)
				if err != nil {
					t.Fatal(err)
				}
				d.Close()
				synctest.Wait()
				if v.Pass != tt.pass {
					t.Errorf("verdict %+v", v)
				}
				if got := transcript(log); got != tt.want {
					t.Errorf("happened:\n%swant:\n%s", got, tt.want)
				}
				time.Sleep(time.Hour) // let a puppet that was killed come to its end
			})
		})
	}
}

func TestPlayStopsAtAStepThatCannotBeDone(t *testing.T) {
	tests := []struct {
		name   string
		behave func(string, func(string), <-chan Signal) int
		steps  []Step
		want   string
	}{
		{"exits before it is ready", func(string, func(string), <-chan Signal) int { return 2 },
			[]Step{{Do: DoStart, Target: "w"}}, "w did not become ready: it exited first"},
		{"is never ready", func(_ string, _ func(string), s <-chan Signal) int { <-s; return 0 },
			[]Step{{Do: DoStart, Target: "w"}}, "w did not become ready: it did not happen within 15s"},
		{"never starts work", func(_ string, say func(string), s <-chan Signal) int { say("ready"); <-s; return 0 },
			[]Step{{Do: DoStart, Target: "w"}, {Do: DoAwait, Kind: event.WorkStarted, Within: 5 * time.Second}}, "it did not happen within 5s"},
		{"will not exit", func(_ string, say func(string), s <-chan Signal) int { say("ready"); <-s; return 0 },
			[]Step{{Do: DoStart, Target: "w"}, {Do: DoExit, Within: time.Second}}, "w was still running after 1s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, _ := newPuppet(t, time.Second, tt.behave)
				v, err := d.Play(t.Context(), Scenario{Steps: tt.steps})
				if err != nil {
					t.Fatal(err)
				}
				if v.Pass || len(v.Checks) != 1 || v.Checks[0].Check != CheckPlayed || !strings.Contains(v.Checks[0].Detail, tt.want) {
					t.Errorf("verdict %+v, want a failed check played with %q", v, tt.want)
				}
				if !d.hasExited("w") {
					d.machine.Signal("w", KILL, You)
					d.machine.Signal("w", TERM, You)
				}
				d.Close()
			})
		})
	}
}

func TestActRefusesNonsense(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _ := newPuppet(t, time.Second, func(_ string, say func(string), s <-chan Signal) int { say("ready"); <-s; return 0 })
		for _, tt := range []struct {
			step Step
			want string
		}{
			{Step{Do: "explode"}, `there is no action "explode"`},
			{Step{Do: DoTerm}, "no process has been started"},
			{Step{Do: DoPublish, Count: 501}, "count is 501"},
			{Step{Do: DoRestart}, ""},
			{Step{Do: DoTerm, Target: "nobody"}, `there is no process "nobody"; use one of: worker-1`},
			{Step{Do: DoInt}, ""},
		} {
			err := d.Act(t.Context(), tt.step)
			synctest.Wait()
			var action *ActionError
			if tt.want == "" && err != nil || tt.want != "" && (!errors.As(err, &action) || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%s: %v, want %q", tt.step, err, tt.want)
			}
		}
		if err := d.Act(t.Context(), Step{Do: DoKill}); err == nil || !strings.Contains(err.Error(), "worker-1 has exited") {
			t.Errorf("KILL after exit: %v", err)
		}
		d.Close()
	})
}

func TestPlayEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _ := newPuppet(t, time.Second, func(_ string, say func(string), s <-chan Signal) int { say("ready"); <-s; return 0 })
		ctx, cancel := context.WithTimeoutCause(t.Context(), 3*time.Second, errors.New("time is up"))
		defer cancel()
		_, err := d.Play(ctx, Scenario{Steps: []Step{{Do: DoStart, Target: "w"}, {Do: DoExit}}})
		if err == nil || !strings.Contains(err.Error(), "time is up") {
			t.Errorf("err = %v", err)
		}
		d.machine.Signal("w", TERM, You)
		d.Close()
	})
}
