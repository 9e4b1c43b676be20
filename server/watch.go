package main

import (
	"context"
	"path/filepath"
	"time"

	"drainlab/server/internal/course"
)

// quiet is how long no file may change before pages are made again: one save
// is several changes. It is part of the 150 ms within which a page reloads.
const quiet = 15 * time.Millisecond

// watch makes the content again when a source has changed, until ctx ends.
// Without -dev there is nothing to watch.
func (s *server) watch(ctx context.Context) {
	if !s.dev {
		return
	}
	dirs := []string{"lessons", "exercises", filepath.Join("web", "dist")}
	err := course.Watch(ctx, dirs, quiet, func() {
		content, problems, err := s.from.load()
		if err != nil {
			s.log.Error("the course cannot be read; the pages stay as they were", "error", err)
			return
		}
		for _, p := range problems {
			s.log.Warn("mistake in the course", "problem", p.String())
		}
		s.site.Replace(content)
	})
	if err != nil {
		s.log.Error("files are not watched any more; restart to see changes", "error", err)
	}
}
