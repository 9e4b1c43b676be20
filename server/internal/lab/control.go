package lab

import (
	"context"
	"sync"

	"drainlab/exercises/scenario"
)

// Status is a run at one instant.
type Status struct {
	State   State
	Verdict *scenario.Verdict // when a scenario was played to its end
	// Failure is why the run ended before its time: a limit, or something
	// that went wrong outside the program. "" when it did not.
	Failure string
}

// Status says where the run is.
func (r *Run) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}

// Act does what a learner asks for, and returns once it has begun. Its errors
// are *Error, or *scenario.ActionError when the action makes no sense now.
func (r *Run) Act(ctx context.Context, s scenario.Step) error {
	if r.Play {
		return refuse(ErrEnded, "this run plays a scenario by itself", "begin a run without play to drive it")
	}
	r.mu.Lock()
	if r.ending {
		r.mu.Unlock()
		return refuse(ErrEnded, "the run has ended", "begin a new one")
	}
	r.acting.Add(1)
	r.mu.Unlock()
	defer r.acting.Done()
	r.touch()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.ctx, func() { cancel(context.Cause(r.ctx)) })()
	err := r.director.Act(ctx, s)
	if err != nil && r.ctx.Err() != nil {
		return &Error{ErrEnded, "the run has ended", "begin a new one", err}
	}
	return err
}

// Watch says that somebody looks at the run, until leave is called: a run
// that is watched is not idle.
func (r *Run) Watch() (leave func()) {
	r.view(1)
	return sync.OnceFunc(func() { r.view(-1) })
}

func (r *Run) view(n int) {
	r.mu.Lock()
	r.viewers += n
	r.mu.Unlock()
	r.touch()
}

func (r *Run) watched() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.viewers > 0
}

// touch says that the run is not idle. The buffer holds one value: a second
// before free has seen the first says nothing new.
func (r *Run) touch() {
	select {
	case r.active <- struct{}{}:
	default:
	}
}

// Stop begins the run's end; Wait waits for it.
func (r *Run) Stop() { r.end(errStopped) }

// Done is closed when the run has ended and nothing of it is left.
func (r *Run) Done() <-chan struct{} { return r.done }

// Wait waits until the run has ended and nothing of it is left.
func (r *Run) Wait(ctx context.Context) error {
	select {
	case <-r.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
