//go:build js && wasm

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"drainlab/exercises/event"
	"drainlab/exercises/scenario"
)

// playFile is where the host puts what to play.
const playFile = "/drainlab/play.json"

// play is what to play.
type play struct {
	Exercise scenario.Exercise `json:"exercise"`
	Program  string            `json:"program"`
	// Scenario is played to its end. Without steps the program is started and
	// left to the learner, whose actions the host posts.
	Scenario scenario.Scenario `json:"scenario"`
}

// errStopped ends a run that the learner leaves.
var errStopped = errors.New("the run was stopped")

// playWithin bounds a run, on the machine's clock.
const playWithin = 10 * time.Minute

func runDirector(ctx context.Context) error {
	text, err := os.ReadFile(playFile)
	if err != nil {
		return err
	}
	var p play
	if err := json.Unmarshal(text, &p); err != nil {
		return fmt.Errorf("%s: %w", playFile, err)
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	ctx, cancel := context.WithTimeoutCause(ctx, playWithin, &limitError{fmt.Sprintf("the run has lasted %s, and may not last longer", playWithin)})
	defer cancel()

	began := time.Now()
	log := event.NewLog(func() time.Duration { return time.Since(began) }, 0)
	var writer sync.WaitGroup
	writer.Go(func() { writeEvents(log) })

	posts := make(chan string, 64)
	m := newMachine(p, log, func(text string) {
		select {
		case posts <- text:
		default: // nobody clicks that fast
		}
	}, func(why error) { end(why) })
	d, err := scenario.NewDirector(m, log, p.Exercise, p.Scenario.Platform)
	if err != nil {
		return err
	}
	var acting sync.WaitGroup
	acting.Go(func() { act(ctx, end, d, log, posts, &acting) })

	verdict, err := live(ctx, m, d, p)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	var limit *limitError
	switch {
	case errors.As(err, &limit):
		m.keepAlways(event.Event{From: scenario.You, Kind: event.RunLimited, Text: limit.text})
	case err != nil && !errors.Is(err, errStopped):
		m.keepAlways(event.Event{From: scenario.You, Kind: event.RunFailed, Text: err.Error()})
	}
	end(nil)
	acting.Wait()
	m.stop(limit != nil)
	d.Close()
	m.stopBroker()
	last := event.Event{From: scenario.You, Kind: event.RunEnded}
	if verdict != nil {
		last.Pass = &verdict.Pass
	}
	log.Finish(last)
	writer.Wait()
	if verdict != nil {
		return json.NewEncoder(os.Stdout).Encode(map[string]any{"verdict": verdict})
	}
	return nil
}

// live is the run from its first step to its last.
func live(ctx context.Context, m *machine, d *scenario.Director, p play) (*scenario.Verdict, error) {
	if err := m.begin(ctx); err != nil {
		return nil, err
	}
	if len(p.Scenario.Steps) > 0 {
		v, err := d.Play(ctx, p.Scenario)
		if err != nil {
			return nil, err
		}
		return &v, nil
	}
	// A program that does not start is the learner's to look into.
	if _, err := d.Play(ctx, scenario.Scenario{Steps: []scenario.Step{{Do: scenario.DoStart}}}); err != nil {
		return nil, err
	}
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

// act does what the learner asks for: each post is a scenario.Step, or "stop".
func act(ctx context.Context, end context.CancelCauseFunc, d *scenario.Director, log *event.Log, posts <-chan string, acting *sync.WaitGroup) {
	for {
		var text string
		select {
		case text = <-posts:
		case <-ctx.Done():
			return
		}
		if text == "stop" {
			end(errStopped)
			return
		}
		acting.Go(func() {
			var s scenario.Step
			err := json.Unmarshal([]byte(text), &s)
			if err == nil {
				err = d.Act(ctx, s)
			}
			if err != nil && ctx.Err() == nil {
				_, _ = log.Append(event.Event{From: scenario.You, Kind: event.StepBegun, Text: "not done: " + err.Error()})
			}
		})
	}
}

// writeEvents writes the log to stdout, an event a line, until its end.
func writeEvents(log *event.Log) {
	out := bufio.NewWriter(os.Stdout)
	enc := json.NewEncoder(out)
	for seen := uint64(0); ; {
		events, more, closed := log.After(seen)
		for _, e := range events {
			_ = enc.Encode(e) // the machine's stdout takes everything
		}
		seen += uint64(len(events))
		_ = out.Flush()
		if closed {
			return
		}
		<-more
	}
}
