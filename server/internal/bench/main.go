// Command bench measures what the course promises, a line each:
//
//	name  value unit (least–most)  goal  ok|short
//
// It measures what make build has left in bin/, from the repository's root.
// A figure that falls short fails nothing; it exits 1 only when something
// could not be measured.
//
// Reading order: main.go (the figures), server.go (starting and lint),
// stream.go (events as a client gets them), browser.go (as an eye gets them).
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// figure is one measurement with its goal.
type figure struct {
	name, unit string
	goal       float64 // at most so much; 0 is no goal
	of         func(context.Context) ([]float64, error)
	value      func(sorted []float64) float64
}

var figures = []figure{
	{"start", "s", 5, starts, median},             // the second make run, until the first page
	{"lint", "s", 0, lints, median},               // drainlab lint over the whole course
	{"event-sent", "ms", 50, eventsSent, p95},     // an event: from happening to a websocket's client
	{"event-shown", "ms", 50, eventsShown, first}, // from happening to the screen, p95 of the browser test
	{"reload", "ms", 150, reloads, median},        // serve -dev: from the save to the page's navigation
}

func main() {
	only := flag.String("only", "", "a figure's `name`; all when empty")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if !run(ctx, *only) {
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, only string) (measured bool) {
	var names []string
	for _, f := range figures {
		names = append(names, f.name)
	}
	if only != "" && !slices.Contains(names, only) {
		fmt.Fprintf(os.Stderr, "bench: there is no figure %q; there are: %s\n", only, strings.Join(names, ", "))
		return false
	}
	measured = true
	for _, f := range figures {
		if only != "" && f.name != only {
			continue
		}
		samples, err := f.of(ctx)
		if err != nil || len(samples) == 0 {
			fmt.Fprintf(os.Stderr, "bench: %s could not be measured: %v\n", f.name, err)
			measured = false
			continue
		}
		fmt.Println(f.line(samples))
	}
	return measured
}

func (f figure) line(samples []float64) string {
	slices.Sort(samples)
	v := f.value(samples)
	goal, verdict := "–", "ok"
	if f.goal > 0 {
		goal = format(f.goal) + " " + f.unit
		if v > f.goal {
			verdict = "short"
		}
	}
	spread := ""
	if len(samples) > 1 {
		spread = fmt.Sprintf("(%s–%s of %d)", format(samples[0]), format(samples[len(samples)-1]), len(samples))
	}
	return fmt.Sprintf("%-12s %8s %-2s %-24s %-8s %s", f.name, format(v), f.unit, spread, goal, verdict)
}

func format(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

func median(sorted []float64) float64 { return sorted[len(sorted)/2] }

// p95 is the smallest sample that 95 of 100 do not exceed.
func p95(sorted []float64) float64 { return sorted[(len(sorted)*95+99)/100-1] }

// first takes a figure that was summed up where it was measured.
func first(sorted []float64) float64 { return sorted[0] }
