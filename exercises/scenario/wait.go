package scenario

import (
	"context"
	"fmt"
	"time"

	"drainlab/exercises/event"
)

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func countOf(events []event.Event, s Step) int {
	n := 0
	for _, e := range events {
		if e.Kind == s.Kind && (s.Target == "" || e.From == s.Target || e.Peer == s.Target) {
			n++
		}
	}
	return n
}

// await waits until the run's events satisfy done.
func (d *Director) await(ctx context.Context, s Step, done func([]event.Event) bool) error {
	return d.awaitOr(ctx, s, nil, done)
}

// awaitOr gives up as well when the process behind exited is gone.
func (d *Director) awaitOr(ctx context.Context, s Step, exited <-chan struct{}, done func([]event.Event) bool) error {
	within := s.Within
	if within == 0 {
		within = awaitWithin
	}
	timer := time.NewTimer(within)
	defer timer.Stop()
	for gone := false; ; {
		events, more, closed := d.log.After(0)
		if done(events) {
			return nil
		}
		if gone {
			return &StepError{s, "it exited first"}
		}
		if closed {
			return event.ErrLogClosed
		}
		select {
		case <-more:
		case <-exited:
			gone = true // once more: its last line may be what is waited for
		case <-timer.C:
			return &StepError{s, fmt.Sprintf("it did not happen within %s", within)}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// awaitExit waits until the process is gone and the broker has seen it go, so
// that what it held is where it belongs before the next step looks.
func (d *Director) awaitExit(ctx context.Context, s Step, name string) error {
	within := s.Within
	if within == 0 {
		within = awaitWithin
	}
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-d.machine.Exited(name):
	case <-timer.C:
		return &StepError{s, fmt.Sprintf("%s was still running after %s", name, within)}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if !d.ex.needs("amqp") {
		return nil
	}
	seen := Step{Do: DoAwait, Target: name, Within: 10 * time.Second}
	return d.await(ctx, seen, func(events []event.Event) bool { return openConns(events, name) == 0 })
}

// openConns counts a process's connections that the broker still has.
func openConns(events []event.Event, peer string) int {
	open := map[string]bool{}
	for _, e := range events {
		if e.Peer != peer {
			continue
		}
		switch e.Kind {
		case event.ConnOpened:
			open[e.Conn] = true
		case event.ConnClosed, event.ConnReset:
			delete(open, e.Conn)
		}
	}
	return len(open)
}
