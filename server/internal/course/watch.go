package course

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Watch calls changed after files below dirs have changed, and blocks until
// ctx ends; changed is called from the goroutine that called Watch. One save
// makes several events, and a build writes many files: changed is called once
// nothing has happened for as long as quiet, or at the latest ten times that
// after the first event.
//
// Folders are watched, not files, since many editors save by renaming; folders
// that come later are watched too. A folder of dirs that does not exist is an
// error, a hidden one or node_modules is left out.
func Watch(ctx context.Context, dirs []string, quiet time.Duration, changed func()) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watch files: %w", err)
	}
	defer w.Close()
	for _, dir := range dirs {
		if err := watchTree(w, dir); err != nil {
			return fmt.Errorf("watch files: %w", err)
		}
	}
	var settled, latest <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case e := <-w.Events:
			if !matters(e) {
				continue
			}
			if e.Has(fsnotify.Create) {
				_ = watchTree(w, e.Name) // a file, or gone again: nothing to watch
			}
			settled = time.After(quiet)
			if latest == nil {
				latest = time.After(10 * quiet)
			}
			continue
		case err := <-w.Errors:
			return fmt.Errorf("watch files: %w", err)
		case <-settled:
		case <-latest:
		}
		settled, latest = nil, nil
		changed()
	}
}

// matters leaves out what no page shows: changes of mode, and files that
// editors keep while they write.
func matters(e fsnotify.Event) bool {
	name := filepath.Base(e.Name)
	return e.Op != fsnotify.Chmod && !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, "~") && !strings.HasSuffix(name, ".part")
}

func watchTree(w *fsnotify.Watcher, dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if path == dir {
				return err
			}
			return nil // gone meanwhile
		}
		if !d.IsDir() {
			return nil
		}
		if name := d.Name(); path != dir && (strings.HasPrefix(name, ".") || name == "node_modules") {
			return fs.SkipDir
		}
		return w.Add(path)
	})
}
