package lab

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"drainlab/exercises/event"
	"drainlab/exercises/scenario"
)

// State is where a run is in its life. It ends once.
type State string

// A run's states.
const (
	Running State = "running"
	Ended   State = "ended" // run.ended is in the log, and nothing of the run is left
)

// Why a run ends that nothing went wrong with.
var (
	errStopped  = errors.New("the run was stopped")
	errFinished = errors.New("the scenario was played")
	errShutdown = errors.New("the server stops")
)

// Run is one play of a program. The exported fields do not change; the
// methods may be called by several goroutines at once.
type Run struct {
	ID       string // random: who knows it may watch and drive the run
	Exercise string
	Program  string
	Scenario string
	Platform scenario.Platform
	Play     bool   // plays Scenario; otherwise the learner drives
	Broker   string // "embedded", "rabbitmq", "" when the exercise needs none
	Began    time.Time
	Log      *event.Log // its last event is run.ended

	manager  *Manager
	ex       scenario.Exercise
	binary   string
	machine  *machine
	director *scenario.Director

	ctx  context.Context // ends when the run is to end; its cause says why
	end  context.CancelCauseFunc
	done chan struct{} // closed as the last thing
	// active gets a value when a viewer came or went or an action was made.
	active chan struct{}

	mu      sync.Mutex
	ending  bool // no more actions
	acting  sync.WaitGroup
	viewers int
	status  Status
}

func newRun(m *Manager, id string, ex scenario.Exercise) *Run {
	r := &Run{ID: id, Exercise: ex.Slug, Began: time.Now(), manager: m, ex: ex,
		done: make(chan struct{}), active: make(chan struct{}, 1), status: Status{State: Running}}
	r.ctx, r.end = context.WithCancelCause(context.Background())
	// The log has no limit of its own: what the run's end says must fit in.
	// keep and guardEvents hold the limit, and what comes after it is bounded
	// by what was under way.
	r.Log = event.NewLog(func() time.Duration { return time.Since(r.Began) }, 0)
	r.machine = newMachine(r)
	return r
}

// begin makes what the run needs before its first process. What it made is
// given back by release, also when it fails.
func (r *Run) begin(ctx context.Context) error {
	dir, err := r.manager.estate.makeDir(r.ID)
	if err != nil {
		return fmt.Errorf("make a directory for the run: %w", err)
	}
	r.machine.dir = dir
	if needs(r.ex, "amqp") {
		r.Broker = r.manager.broker
		l, err := r.manager.open(ctx, r)
		if err != nil {
			return err
		}
		r.machine.link = l
	}
	if r.director, err = scenario.NewDirector(r.machine, r.Log, r.ex, r.Platform); err != nil {
		return fmt.Errorf("exercise %s: %w", r.Exercise, err)
	}
	return nil
}

// release gives back what begin made.
func (r *Run) release() {
	if r.director != nil {
		r.director.Close()
	}
	if r.machine.link != nil {
		r.machine.link.close()
	}
	if r.machine.dir != "" {
		r.manager.estate.removeDir(r.machine.dir)
	}
}

// live is the run, from its first step to its last event.
func (r *Run) live(sc scenario.Scenario) {
	length := r.manager.opt.Limits.FreePlay
	if r.Play {
		length = r.manager.opt.Limits.Play
	}
	ctx, cancel := context.WithTimeoutCause(r.ctx, length,
		&limitError{text: fmt.Sprintf("the run has lasted %s, and may not last longer", length)})
	defer cancel()
	var guard sync.WaitGroup
	guard.Go(func() { r.guardEvents(ctx) })
	var verdict *scenario.Verdict
	var err error
	if r.Play {
		var v scenario.Verdict
		if v, err = r.director.Play(ctx, sc); err == nil {
			verdict, err = &v, errFinished
		}
	} else {
		err = r.free(ctx)
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx) // Play's error may only be how that was felt
	}
	r.end(err) // nothing when that had ended it
	guard.Wait()
	r.finish(err, verdict)
	close(r.done)
}

// free starts the program and leaves the rest to the learner. It returns why
// the run ends.
func (r *Run) free(ctx context.Context) error {
	// A program that does not start is the learner's to look into: the
	// verdict on this one step is in the log.
	_, err := r.director.Play(ctx, scenario.Scenario{Name: r.Scenario, Steps: []scenario.Step{{Do: scenario.DoStart}}})
	if err != nil {
		return err
	}
	quiet := r.manager.opt.Limits.Idle
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-r.active:
		case <-timer.C:
			if !r.watched() {
				return &limitError{text: fmt.Sprintf("for %s nobody has watched the run or done anything to it", quiet)}
			}
		}
		timer.Reset(quiet)
	}
}

// finish ends everything that is left of the run, and says how it ended.
func (r *Run) finish(why error, verdict *scenario.Verdict) {
	var limit *limitError
	failure := ""
	switch {
	case errors.As(why, &limit):
		failure = limit.text
		r.keepAlways(event.Event{From: scenario.You, Kind: event.RunLimited, Text: failure})
	case why != errFinished && why != errStopped && why != errShutdown:
		failure = why.Error()
		r.keepAlways(event.Event{From: scenario.You, Kind: event.RunFailed, Text: failure})
	}
	r.mu.Lock()
	r.ending = true
	r.mu.Unlock()
	r.acting.Wait() // their contexts have ended
	r.machine.stop(limit != nil && limit.kill)
	r.release()
	r.manager.retire(r) // who sees the run's end may begin another
	r.mu.Lock()
	r.status = Status{Ended, verdict, failure}
	r.mu.Unlock()
	last := event.Event{From: scenario.You, Kind: event.RunEnded}
	if verdict != nil {
		last.Pass = &verdict.Pass
	}
	r.Log.Finish(last)
}

// keep appends what programs and broker did. Past the limit of events nothing
// is kept and the run ends.
func (r *Run) keep(e event.Event) {
	if r.machine.over.Load() {
		return
	}
	if kept, err := r.Log.Append(e); err == nil && kept.Seq >= uint64(r.manager.opt.Limits.Events) {
		r.tooManyEvents()
	}
}

// keepAlways appends what must be known of a process or a run, limit or no:
// there are few of these, and the log is finished after them.
func (r *Run) keepAlways(e event.Event) { _, _ = r.Log.Append(e) }

// guardEvents holds the limit for the events that the Director writes.
func (r *Run) guardEvents(ctx context.Context) {
	for seen := uint64(0); ; {
		events, more, _ := r.Log.After(seen)
		if seen += uint64(len(events)); seen >= uint64(r.manager.opt.Limits.Events) {
			r.tooManyEvents()
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
			return
		}
	}
}

func (r *Run) tooManyEvents() {
	r.exceed(fmt.Sprintf("the run has made %d events, and may not make more", r.manager.opt.Limits.Events))
}

// exceed ends the run at once: its programs are not asked first.
func (r *Run) exceed(text string) {
	r.machine.over.Store(true)
	r.end(&limitError{text: text, kill: true})
}
