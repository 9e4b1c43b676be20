package main

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// The browser tests measure what only a page can, and print it.
var (
	latencyLine = regexp.MustCompile(`latency p50 \S+ p95 (\S+) max`)
	reloadLine  = regexp.MustCompile(`reload after a save: (.+) ms \(goal`)
)

func eventsShown(ctx context.Context) ([]float64, error) {
	return measuredBy(ctx, "latency.spec", latencyLine)
}

func reloads(ctx context.Context) ([]float64, error) {
	return measuredBy(ctx, "dev.spec", reloadLine)
}

// measuredBy runs a file of browser tests by itself, and reads the numbers in
// the line that it prints.
func measuredBy(ctx context.Context, tests string, line *regexp.Regexp) ([]float64, error) {
	cmd := exec.CommandContext(ctx, "npx", "--no-install", "playwright", "test", "--no-deps", "--workers=1", tests)
	cmd.Dir = "web"
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("playwright test %s: %w\n%s", tests, err, out)
	}
	m := line.FindSubmatch(out)
	if m == nil {
		return nil, fmt.Errorf("playwright test %s prints no such line:\n%s", tests, out)
	}
	var numbers []float64
	for n := range strings.SplitSeq(string(m[1]), ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(n), 64)
		if err != nil {
			return nil, fmt.Errorf("read %q: %w", m[0], err)
		}
		numbers = append(numbers, v)
	}
	return numbers, nil
}
