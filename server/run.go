package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"drainlab/exercises"
	"drainlab/exercises/event"
	"drainlab/exercises/scenario"
	"drainlab/server/internal/lab"
	"drainlab/server/internal/terminal"
)

// runExercise is "drainlab run": it plays scenarios in the terminal, and exits
// 0 when every check passes, 1 when one fails, 2 when they could not be played.
func runExercise(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("drainlab run EXERCISE", flag.ContinueOnError)
	program := fs.String("program", "solution", "the exercise's program: solution, start, wrong-…")
	only := fs.String("scenario", "", "play this scenario alone; all of them when empty")
	asJSON := fs.Bool("json", false, "print the events, one JSON object a line")
	dir := fs.String("programs", "", "folder of the built programs; beside this binary when empty")
	exercise, flags := "", args
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		exercise, flags = args[0], args[1:]
	}
	if code, ok := parse(fs, flags, stderr); !ok {
		return code
	}
	if exercise == "" && fs.NArg() == 1 {
		exercise = fs.Arg(0)
	} else if fs.NArg() > 0 {
		exercise = ""
	}
	catalog, problems, err := exercises.Load(exercises.Files)
	if err != nil || len(problems) > 0 {
		fmt.Fprintln(stderr, "drainlab run: the exercises cannot be read; drainlab lint says why:", err)
		return exitUsage
	}
	e := catalog.Exercise(exercise)
	if e == nil {
		var names []string
		for _, e := range catalog.Exercises {
			names = append(names, e.Slug)
		}
		fmt.Fprintf(stderr, "drainlab run: name one exercise of: %s\nusage: drainlab run EXERCISE [flags]\n", strings.Join(names, ", "))
		return exitUsage
	}
	scenarios := catalog.Scenarios(e.Slug)
	if *only != "" {
		if e.Scenario(*only) == nil {
			fmt.Fprintf(stderr, "drainlab run: %s has no scenario %q; it has: %s\n", e.Slug, *only, strings.Join(scenarios, ", "))
			return exitUsage
		}
		scenarios = []string{*only}
	}
	if *dir == "" {
		if *dir, err = programsDir(); err != nil {
			fmt.Fprintln(stderr, "drainlab run:", err)
			return exitUsage
		}
	}
	manager, err := lab.New(lab.Options{Programs: *dir, Catalog: catalog, AMQPURL: os.Getenv("AMQP_URL")})
	if err != nil {
		fmt.Fprintln(stderr, "drainlab run:", err)
		return exitUsage
	}
	p := &terminal.Printer{W: stdout, JSON: *asJSON}
	code := playAll(ctx, manager, p, stderr, e.Slug, *program, scenarios)
	stop, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	if err := errors.Join(manager.Shutdown(stop), p.Err); err != nil {
		fmt.Fprintln(stderr, "drainlab run:", err)
		return exitUsage
	}
	return code
}

// playAll plays the scenarios one after another.
func playAll(ctx context.Context, m *lab.Manager, p *terminal.Printer, stderr io.Writer, exercise, program string, scenarios []string) int {
	var verdicts []scenario.Verdict
	code := exitOK
	for _, name := range scenarios {
		run, err := m.Start(ctx, lab.Request{Exercise: exercise, Program: program, Scenario: name, Play: true})
		if err != nil {
			fmt.Fprintln(stderr, "drainlab run:", err)
			return exitUsage
		}
		p.Title(exercise, program, name, run.Broker)
		if err := follow(ctx, run, p.Event); err != nil {
			fmt.Fprintln(stderr, "drainlab run:", err)
			return exitUsage
		}
		status := run.Status()
		if status.Verdict == nil {
			fmt.Fprintf(stderr, "drainlab run: %s could not be played: %s\n", name, status.Failure)
			return exitUsage
		}
		p.Verdict(*status.Verdict)
		verdicts = append(verdicts, *status.Verdict)
		if !status.Verdict.Pass {
			code = exitFailed
		}
	}
	p.Summary(verdicts)
	return code
}

// follow hands over a run's events as they come, until its end. When ctx ends
// first, the run is ended too.
func follow(ctx context.Context, run *lab.Run, each func(event.Event)) error {
	var seq uint64
	for {
		events, more, closed := run.Log.After(seq)
		for _, e := range events {
			each(e)
			seq = e.Seq
		}
		if closed && len(events) == 0 {
			return run.Wait(ctx)
		}
		if closed {
			continue
		}
		select {
		case <-more:
		case <-ctx.Done():
			run.Stop()
			stop, cancel := context.WithTimeout(context.Background(), stopWithin)
			defer cancel()
			return errors.Join(errors.New("interrupted"), run.Wait(stop))
		}
	}
}

// stopWithin is the whole budget of a stop: what platforms grant by default,
// less a second to leave in.
const stopWithin = 9 * time.Second
