package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"drainlab/exercises"
	"drainlab/lessons"
	"drainlab/server/internal/course"
	"drainlab/server/internal/site"
	"drainlab/web"
	"drainlab/web/block"
	"drainlab/web/block/kinds"
)

// sources are the trees that pages are made of: those in the binary, or a
// checkout's, which can change.
type sources struct {
	lessons, exercises fs.FS
	bundle             func() (*web.Bundle, error)
}

func embedded() sources { return sources{lessons.Files, exercises.Files, web.Assets} }

func checkout(dir string) sources {
	return sources{os.DirFS(filepath.Join(dir, "lessons")), os.DirFS(filepath.Join(dir, "exercises")),
		func() (*web.Bundle, error) { return web.Open(os.DirFS(filepath.Join(dir, "web", "dist"))) }}
}

// load makes everything of the sources. Problems are the authors' mistakes.
func (s sources) load() (*site.Content, []block.Problem, error) {
	catalog, problems, err := exercises.Load(s.exercises)
	if err != nil {
		return nil, nil, err
	}
	c, found := course.Load(s.lessons, catalog, kinds.All())
	bundle, err := s.bundle()
	if err != nil {
		return nil, nil, fmt.Errorf("the pages: %w", err)
	}
	return &site.Content{Course: c, Catalog: catalog, Bundle: bundle}, append(problems, found...), nil
}

// programsDir is where the exercises' built programs are: beside this binary.
func programsDir() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return "", err
	}
	return filepath.Join(filepath.Dir(self), "exercises"), nil
}
