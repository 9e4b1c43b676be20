package site

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"drainlab/server/internal/course"

	"golang.org/x/text/language"
)

// root sends a visitor to the map in the language that the browser asks for.
func (s *Site) root(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Vary", "Accept-Language")
	w.Header().Set("Cache-Control", "no-cache")
	http.Redirect(w, r, "/"+preferred(r)+"/", http.StatusFound)
}

// preferred is the course's language that suits Accept-Language best.
func preferred(r *http.Request) string {
	tags := make([]language.Tag, len(course.Languages))
	for i, l := range course.Languages {
		tags[i] = language.Make(l)
	}
	asked, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil { // a header that makes no sense asks for nothing
		asked = nil
	}
	_, i, _ := language.NewMatcher(tags).Match(asked...)
	return course.Languages[i]
}

// pageLang is the language in the path, or the preferred one where it has none.
func pageLang(r *http.Request) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if slices.Contains(course.Languages, first) {
		return first
	}
	return preferred(r)
}

// shell is asked for before the content: an old mark on a new page makes it load
// once too often, a new mark on an old page would keep it old.
func (s *Site) shell() course.Shell {
	shell := course.Shell{Assets: s.content.Load().Bundle}
	if s.opt.Dev {
		s.mu.Lock()
		defer s.mu.Unlock()
		shell.Dev = strconv.Itoa(s.version)
	}
	return shell
}

func (s *Site) courseMap(w http.ResponseWriter, r *http.Request) {
	shell := s.shell()
	s.page(w, r, func(c *course.Course, w io.Writer, lang string) error { return c.Map(w, shell, lang) })
}

func (s *Site) cards(w http.ResponseWriter, r *http.Request) {
	shell := s.shell()
	s.page(w, r, func(c *course.Course, w io.Writer, lang string) error { return c.Cards(w, shell, lang) })
}

func (s *Site) lesson(w http.ResponseWriter, r *http.Request) {
	shell := s.shell()
	s.page(w, r, func(c *course.Course, w io.Writer, lang string) error {
		return c.Lesson(w, shell, lang, r.PathValue("slug"))
	})
}

// page writes a whole page or an error page, never half of one.
func (s *Site) page(w http.ResponseWriter, r *http.Request, write func(*course.Course, io.Writer, string) error) {
	lang := pageLang(r)
	var b bytes.Buffer
	switch err := write(s.content.Load().Course, &b, lang); {
	case errors.Is(err, course.ErrNotFound):
		s.notFound(w, r)
	case err != nil:
		s.opt.Log.Error("page", "path", r.URL.Path, "error", err)
		s.errorPage(w, r, http.StatusInternalServerError)
	default:
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Language", lang)
		h.Set("Cache-Control", "no-cache")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b.Bytes()))
	}
}

// frame serves the document in which a kind of blocks draws, under a policy of
// its own.
func (s *Site) frame(w http.ResponseWriter, r *http.Request) {
	var b bytes.Buffer
	switch err := course.Frame(&b, s.shell(), r.PathValue("kind")); {
	case errors.Is(err, course.ErrNotFound):
		s.notFound(w, r)
	case err != nil:
		s.opt.Log.Error("frame", "path", r.URL.Path, "error", err)
		s.errorPage(w, r, http.StatusInternalServerError)
	default:
		h := w.Header()
		h.Set("Content-Security-Policy", course.FramePolicy)
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Cache-Control", "no-cache")
		_, _ = w.Write(b.Bytes()) // the visitor may have left
	}
}

func (s *Site) notFound(w http.ResponseWriter, r *http.Request) {
	s.errorPage(w, r, http.StatusNotFound)
}

func (s *Site) errorPage(w http.ResponseWriter, r *http.Request, status int) {
	var b bytes.Buffer
	if err := course.Error(&b, s.shell(), pageLang(r), status, ""); err != nil {
		s.opt.Log.Error("error page", "error", err)
		http.Error(w, http.StatusText(status), status)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // the visitor may have left
}

// reload tells a page of serve -dev, as server-sent events, to load again when
// there is another state of the files than ?of=, which the page was made of.
// A save between the page's answer and this request is not missed.
func (s *Site) reload(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	reloaded := s.reloaded
	if of := r.URL.Query().Get("of"); of != "" && of != strconv.Itoa(s.version) {
		gone := make(chan struct{})
		close(gone)
		reloaded = gone
	}
	s.mu.Unlock()
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	rc := http.NewResponseController(w)
	// It stays open until something changes: the server's bound is for answers.
	if err := rc.SetWriteDeadline(time.Time{}); err != nil {
		s.opt.Log.Error("reload", "error", err)
		return
	}
	fmt.Fprint(w, "retry: 200\n\n")
	if rc.Flush() != nil {
		return
	}
	select {
	case <-reloaded:
		fmt.Fprint(w, "event: reload\ndata: now\n\n")
	case <-r.Context().Done():
	case <-s.stopping.Done():
	}
}
