package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"drainlab/exercises"
	"drainlab/server/internal/course"
	"drainlab/web/block/kinds"
)

// lint is "drainlab lint": it prints file:line:col, what is wrong and what to
// do for each mistake in the lessons and exercises, and exits 1 if there is one.
func lint(_ context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("drainlab lint", flag.ContinueOnError)
	dir := fs.String("dir", "", "a checkout with lessons/ and exercises/; this folder when it has them, else what is in the binary")
	if code, ok := parse(fs, args, stderr); !ok {
		return code
	}
	from := embedded()
	if *dir == "" {
		if info, err := os.Stat("lessons"); err == nil && info.IsDir() {
			*dir = "."
		}
	}
	if *dir != "" {
		if info, err := os.Stat(filepath.Join(*dir, "lessons")); err != nil || !info.IsDir() {
			fmt.Fprintf(stderr, "drainlab lint: %s has no folder lessons; give a checkout with -dir\n", *dir)
			return exitUsage
		}
		from = checkout(*dir)
	}
	catalog, problems, err := exercises.Load(from.exercises)
	if err != nil {
		fmt.Fprintln(stderr, "drainlab lint:", err)
		return exitUsage
	}
	problems = append(problems, course.Lint(from.lessons, catalog, kinds.All())...)
	for _, p := range problems {
		fmt.Fprintln(stdout, p)
	}
	if len(problems) > 0 {
		fmt.Fprintf(stderr, "%d mistakes\n", len(problems))
		return exitFailed
	}
	return exitOK
}
