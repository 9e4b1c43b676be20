package course

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestWatch(t *testing.T) {
	dir := t.TempDir()
	lesson := filepath.Join(dir, "01-first")
	if err := os.Mkdir(lesson, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(lesson, "en.md")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(file, "one")

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	calls := make(chan struct{}, 100)
	ended := make(chan error, 1)
	go func() { ended <- Watch(ctx, []string{dir}, 20*time.Millisecond, func() { calls <- struct{}{} }) }()

	// The watch begins at some moment after the goroutine: write until it is seen.
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for seen := false; !seen; {
		select {
		case <-calls:
			seen = true
		case <-tick.C:
			write(file, "two")
		case err := <-ended:
			t.Fatalf("Watch ended: %v", err)
		}
	}
	// What was written before is told of at last; then there is silence.
	silent := func() {
		for {
			select {
			case <-calls:
			case <-time.After(300 * time.Millisecond):
				return
			}
		}
	}
	silent()

	save := func(what string, do func()) {
		t.Helper()
		do()
		select {
		case <-calls:
		case <-time.After(10 * time.Second):
			t.Fatalf("%s was not seen", what)
		}
		silent()
	}
	save("a save", func() { write(file, "three") })
	save("a save by rename", func() {
		write(filepath.Join(lesson, ".en.md.swp"), "four")
		if err := os.Rename(filepath.Join(lesson, ".en.md.swp"), file); err != nil {
			t.Fatal(err)
		}
	})
	save("a new folder", func() {
		if err := os.MkdirAll(filepath.Join(dir, "02-second", "programs"), 0o755); err != nil {
			t.Fatal(err)
		}
	})
	save("a file in a folder that is new", func() { write(filepath.Join(dir, "02-second", "programs", "main.go"), "package main") })
	save("a removal", func() {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	})

	write(filepath.Join(lesson, ".en.md.swp"), "an editor's own file")
	select {
	case <-calls:
		t.Error("an editor's hidden file was taken for a change")
	case <-time.After(100 * time.Millisecond):
	}

	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Watch: %v", err)
	}
}

func TestWatchNothing(t *testing.T) {
	if err := Watch(t.Context(), []string{filepath.Join(t.TempDir(), "none")}, time.Millisecond, func() {}); err == nil {
		t.Error("a folder that does not exist was watched")
	}
}
