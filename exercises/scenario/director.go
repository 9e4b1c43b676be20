package scenario

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"drainlab/exercises/event"
)

const (
	graceExited  = "exited"
	graceExpired = "expired"

	// hangFor is how long a hung piece of work would take: longer than any run.
	hangFor = time.Hour
	// startWithin bounds the time between a process's start and its being ready.
	startWithin = 15 * time.Second
	// awaitWithin bounds a step that waits and says no bound of its own.
	awaitWithin = 2 * time.Minute
	// MaxCount bounds the count of one step or action.
	MaxCount = 500
)

// A StepError says which step of a scenario could not be done: the program
// did not become ready, or what the step waits for did not happen. The
// scenario is judged all the same, on what was seen.
type StepError struct {
	Step Step
	Why  string
}

func (e *StepError) Error() string { return fmt.Sprintf("%s: %s", e.Step, e.Why) }

// An ActionError says why a learner's action cannot be done now.
type ActionError struct{ What, Do string }

func (e *ActionError) Error() string { return e.What + "; " + e.Do }

// Director plays steps on a Machine: it starts and stops the program under
// test, publishes and asks as its clients do, and keeps the platform's grace
// period. It writes to the run's log what it does; what the programs do comes
// there from the machine.
//
// Play and Act may be called from several goroutines. Close ends everything
// that the Director started, and waits for it; the processes are the machine's.
type Director struct {
	machine  Machine
	log      *event.Log
	ex       Exercise
	platform Platform
	clients  *clients // HTTP
	feed     *feed    // AMQP

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	owned  sync.WaitGroup // grace periods

	mu        sync.Mutex
	processes []string
	stopping  map[string]bool // has a grace period running
	ids       int             // messages or requests so far
}

// NewDirector makes a Director for one run. It has log derive the events that
// the exercise's marks make of output; it fails when a mark is no expression.
func NewDirector(m Machine, log *event.Log, ex Exercise, p Platform) (*Director, error) {
	mk, err := newMarker(ex)
	if err != nil {
		return nil, err
	}
	log.Derive(mk.derive)
	d := &Director{machine: m, log: log, ex: ex, platform: p, stopping: map[string]bool{}}
	d.ctx, d.cancel = context.WithCancel(context.Background())
	d.clients = newClients(log)
	d.feed = &feed{machine: m, log: log, queue: ex.Queue}
	return d, nil
}

// Close ends the Director's connections and waits for its goroutines.
func (d *Director) Close() {
	d.cancel()
	d.clients.close()
	d.feed.close()
	d.owned.Wait()
}

// Play plays a scenario from its first step and judges it. A step that cannot
// be done ends the playing and adds the failed check "played" to the verdict.
// The error is about the machine or ctx, never about the program under test.
func (d *Director) Play(ctx context.Context, sc Scenario) (Verdict, error) {
	var failed *StepError
	for _, step := range sc.Steps {
		err := d.do(ctx, step)
		if errors.As(err, &failed) {
			break
		}
		if action := (*ActionError)(nil); errors.As(err, &action) {
			if step.signals() {
				continue // it left by itself: the checks will say so
			}
			failed = &StepError{step, action.What}
			break
		}
		if err != nil {
			return Verdict{}, fmt.Errorf("%s: %w", step, err)
		}
	}
	events, _, _ := d.log.After(0)
	v := Judge(sc, events)
	if failed != nil {
		v.Pass = false
		v.Checks = append(v.Checks, Result{Check: CheckPlayed, Want: "all steps", Got: failed.Step.String(),
			Detail:   "the scenario could not be played to its end: " + failed.Error(),
			DetailRu: "сценарий не удалось доиграть: " + failed.Error()})
	}
	for _, r := range v.Checks {
		d.say(event.Event{Kind: event.CheckMade, Check: string(r.Check), Pass: event.Ptr(r.Pass), Text: r.Detail})
	}
	return v, nil
}

// Act does what a learner asks for. It returns once the thing is begun, not
// when it is over. Its errors are *ActionError when the action makes no sense now.
func (d *Director) Act(ctx context.Context, s Step) error {
	switch s.Do {
	case DoTerm, DoInt, DoKill, DoCut, DoPublish, DoHang, DoRestart:
	default:
		return &ActionError{fmt.Sprintf("there is no action %q", s.Do), "use term, int, kill, publish, hang, cut or restart"}
	}
	if s.Count < 0 || s.Count > MaxCount {
		return &ActionError{fmt.Sprintf("count is %d", s.Count), fmt.Sprintf("use 1 to %d", MaxCount)}
	}
	err := d.do(ctx, s)
	var step *StepError
	if errors.As(err, &step) {
		return &ActionError{step.Why, "look at the process's output, or restart it"}
	}
	return err
}

func (d *Director) say(e event.Event) {
	if e.From == "" {
		e.From = You
	}
	// A full log ends the run by the machine's limit; there is nobody else to tell.
	_, _ = d.log.Append(e)
}

func (d *Director) do(ctx context.Context, s Step) error {
	if s.Do != DoSleep && s.Do != DoAwait {
		d.say(event.Event{Kind: event.StepBegun, Text: s.String(), Target: s.Target})
	}
	switch s.Do {
	case DoStart, DoRestart:
		return d.start(ctx, s)
	case DoPublish:
		work := s.Work
		if work == 0 {
			work = defaultWork
		}
		return d.load(ctx, s, max(s.Count, 1), work)
	case DoHang:
		return d.load(ctx, s, max(s.Count, 1), hangFor)
	case DoConnect:
		return d.connect(ctx, s)
	case DoProbe:
		return d.probe(ctx, s)
	case DoSleep:
		return sleep(ctx, s.For)
	case DoAwait:
		return d.await(ctx, s, func(events []event.Event) bool { return countOf(events, s) >= max(s.Count, 1) })
	case DoSettle:
		if s.Within == 0 {
			s.Within = s.For
		}
		return d.await(ctx, s, func(events []event.Event) bool { return newLedger(events).settled() })
	case DoCollect:
		return d.collect(ctx, s)
	case DoTerm, DoInt, DoKill, DoCut, DoExit:
		return d.toProcess(ctx, s)
	}
	return fmt.Errorf("there is no step %q", s.Do)
}

// defaultWork is how long a published piece of work takes unless a step says.
const defaultWork = 600 * time.Millisecond

func (d *Director) load(ctx context.Context, s Step, n int, work time.Duration) error {
	ids := d.nextIDs(n)
	if d.ex.needs("amqp") {
		return d.feed.publish(ctx, s, ids, work)
	}
	target, err := d.running(s)
	if err != nil {
		return err
	}
	for _, id := range ids {
		d.clients.request(target, d.machine.Addr(target), id, work)
	}
	// The next step must find them under way, or refused.
	begun := s
	begun.Within = startWithin
	return d.await(ctx, begun, func(events []event.Event) bool { return newLedger(events).begun(ids) })
}

func (d *Director) nextIDs(n int) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	ids := make([]string, n)
	for i := range ids {
		d.ids++
		ids[i] = strconv.Itoa(d.ids)
	}
	return ids
}

func (d *Director) start(ctx context.Context, s Step) error {
	d.mu.Lock()
	name := s.Target
	if name == "" || s.Do == DoRestart {
		name = "worker-" + strconv.Itoa(len(d.processes)+1)
		if d.ex.needs("http") && !d.ex.needs("amqp") {
			name = "server-" + strconv.Itoa(len(d.processes)+1)
		}
	}
	if len(d.processes) >= maxProcesses {
		d.mu.Unlock()
		return &ActionError{fmt.Sprintf("this run has started %d processes", maxProcesses), "stop it and begin a new one"}
	}
	d.processes = append(d.processes, name)
	d.mu.Unlock()
	if err := d.machine.Start(ctx, name); err != nil {
		return err
	}
	ready := Step{Do: DoAwait, Target: name, Kind: event.ReadyChanged, Within: startWithin}
	if !d.hasMark(event.ReadyChanged) {
		return nil
	}
	err := d.awaitOr(ctx, ready, d.machine.Exited(name), func(events []event.Event) bool { return countOf(events, ready) >= 1 })
	if step := (*StepError)(nil); errors.As(err, &step) {
		return &StepError{s, name + " did not become ready: " + step.Why}
	}
	return err
}

// maxProcesses bounds how many processes one run may start, one after another.
const maxProcesses = 20

func (d *Director) hasMark(k event.Kind) bool {
	for _, m := range d.ex.Marks {
		if m.Event == k {
			return true
		}
	}
	return false
}

// target is the process that a step means: the newest where it names none.
func (d *Director) target(s Step) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.processes) == 0 {
		return "", &ActionError{"no process has been started", "start one first"}
	}
	if s.Target == "" {
		return d.processes[len(d.processes)-1], nil
	}
	for _, p := range d.processes {
		if p == s.Target {
			return p, nil
		}
	}
	return "", &ActionError{fmt.Sprintf("there is no process %q", s.Target), "use one of: " + strings.Join(d.processes, ", ")}
}

// running is target, which must not have exited.
func (d *Director) running(s Step) (string, error) {
	name, err := d.target(s)
	if err != nil {
		return "", err
	}
	if d.hasExited(name) {
		return "", &ActionError{name + " has exited", "restart it first"}
	}
	return name, nil
}

func (d *Director) hasExited(name string) bool {
	select {
	case <-d.machine.Exited(name):
		return true
	default:
		return false
	}
}

// toProcess does what a step does to a process. A scenario's signal to a
// process that has just exited by itself is no failure: the checks will say
// what came of it.
func (d *Director) toProcess(ctx context.Context, s Step) error {
	name, err := d.target(s)
	if err != nil {
		return err
	}
	switch {
	case s.Do == DoExit:
		return d.awaitExit(ctx, s, name)
	case d.hasExited(name):
		return &ActionError{name + " has exited", "restart it first"}
	case s.Do == DoTerm:
		return d.stop(name)
	case s.Do == DoInt:
		return d.machine.Signal(name, INT, You)
	case s.Do == DoKill:
		return d.machine.Signal(name, KILL, You)
	}
	_, err = d.machine.Cut(name)
	d.clients.cut(name)
	return err
}

// stop stops a process as a platform does, and keeps its grace period.
func (d *Director) stop(name string) error {
	d.mu.Lock()
	again := d.stopping[name]
	d.stopping[name] = true
	d.mu.Unlock()
	if again { // a second TERM does not give a second grace period
		return d.machine.Signal(name, TERM, "platform")
	}
	exited := d.machine.Exited(name)
	d.say(event.Event{From: "platform", Kind: event.GraceBegun, Target: name, Grace: d.platform.Grace})
	if err := d.machine.Signal(name, TERM, "platform"); err != nil {
		return err
	}
	d.owned.Go(func() {
		timer := time.NewTimer(d.platform.Grace)
		defer timer.Stop()
		select {
		case <-exited:
			d.say(event.Event{From: "platform", Kind: event.GraceEnded, Target: name, Text: graceExited})
		case <-timer.C:
			d.say(event.Event{From: "platform", Kind: event.GraceEnded, Target: name, Text: graceExpired})
			// The process may have left in this instant: then there is nobody to kill.
			_ = d.machine.Signal(name, KILL, "platform")
		case <-d.ctx.Done():
		}
	})
	return nil
}
