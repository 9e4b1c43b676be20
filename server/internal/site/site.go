// Package site is what the server answers to: the course's pages, the front
// end's files, and the API by which a page drives the lab. It joins course,
// lab and hub, and holds no state but theirs.
//
// Reading order: site.go (routes), pages.go, api.go, then guard.go (who may
// ask), assets.go, answer.go.
package site

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"

	"drainlab/exercises"
	"drainlab/server/internal/course"
	"drainlab/server/internal/hub"
	"drainlab/server/internal/lab"
	"drainlab/web"
)

// Content is what the pages are made of. serve -dev replaces it when a file
// has changed; it does not change by itself.
type Content struct {
	Course  *course.Course
	Catalog *exercises.Catalog
	Bundle  *web.Bundle
}

// Options of a Site.
type Options struct {
	Content *Content
	Lab     *lab.Manager
	Hub     *hub.Hub
	Hosts   []string // names, beside localhost and addresses, that the server goes by
	Dev     bool
	Log     *slog.Logger
}

// Site answers requests. Its methods may be called by several goroutines.
type Site struct {
	opt     Options
	content atomic.Pointer[Content]
	ready   atomic.Bool

	stopping context.Context // ends when pages that wait must let go
	stop     context.CancelFunc

	mu       sync.Mutex
	reloaded chan struct{} // closed and replaced by Replace
	version  int           // how often Replace was called; a restart begins anew
}

// New makes a Site that is ready.
func New(opt Options) *Site {
	s := &Site{opt: opt, reloaded: make(chan struct{})}
	s.stopping, s.stop = context.WithCancel(context.Background())
	s.content.Store(opt.Content)
	s.ready.Store(true)
	return s
}

// Drain turns readiness off and lets go of the requests that would wait for
// ever. It is the first thing of the server's stop.
func (s *Site) Drain() {
	s.ready.Store(false)
	s.stop()
}

// Replace puts other content in place, and has pages in -dev load again.
func (s *Site) Replace(c *Content) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.content.Store(c)
	s.version++
	close(s.reloaded)
	s.reloaded = make(chan struct{})
}

// Handler returns the routes, behind the guard.
func (s *Site) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]string{"status": "ok"})
	})
	mux.HandleFunc("GET /readyz", s.readyz)

	mux.HandleFunc("GET /{$}", s.root)
	for _, lang := range course.Languages {
		mux.HandleFunc("GET /"+lang+"/{$}", s.courseMap)
		mux.HandleFunc("GET /"+lang+"/cards", s.cards)
		mux.HandleFunc("GET /"+lang+"/lessons/{slug}", s.lesson)
	}
	mux.HandleFunc("GET /frame/{kind}", s.frame)
	mux.HandleFunc("GET "+web.Prefix+"{name...}", func(w http.ResponseWriter, r *http.Request) {
		assets(s.content.Load().Bundle.FS).ServeHTTP(w, r)
	})

	mux.HandleFunc("GET /api/exercises/{slug}", s.exercise)
	mux.HandleFunc("POST /api/runs", s.startRun)
	mux.HandleFunc("GET /api/runs/{id}", s.run)
	mux.HandleFunc("GET /api/runs/{id}/events", s.events)
	mux.HandleFunc("GET /api/runs/{id}/stream", s.stream)
	mux.HandleFunc("POST /api/runs/{id}/actions", s.act)
	mux.HandleFunc("POST /api/runs/{id}/stop", s.stopRun)
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, http.StatusNotFound, "there is no "+r.Method+" "+r.URL.Path, "the README lists what there is")
	})
	if s.opt.Dev {
		mux.HandleFunc("GET /dev/reload", s.reload)
	}
	mux.HandleFunc("/", s.notFound)
	return guard(s.opt.Hosts, mux)
}

func (s *Site) readyz(w http.ResponseWriter, _ *http.Request) {
	if !s.ready.Load() {
		answer(w, http.StatusServiceUnavailable, map[string]string{"status": "stopping"})
		return
	}
	answer(w, http.StatusOK, map[string]string{"status": "ready"})
}
