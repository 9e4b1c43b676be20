package site

import (
	"bufio"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"drainlab/exercises/scenario"
	"drainlab/server/internal/hub"
	"drainlab/server/internal/lab"
)

func (s *Site) exercise(w http.ResponseWriter, r *http.Request) {
	d := s.content.Load().Catalog.Describe(r.PathValue("slug"))
	if d == nil {
		fail(w, http.StatusNotFound, "there is no such exercise", "take one from the course map")
		return
	}
	answer(w, http.StatusOK, d)
}

// runRequest is the body of POST /api/runs.
type runRequest struct {
	Exercise string `json:"exercise"`
	Program  string `json:"program"`
	Scenario string `json:"scenario"`
	Platform struct {
		Preset string `json:"preset"`
		Grace  string `json:"grace"` // as Go writes durations: "10s"
	} `json:"platform"`
	Play bool `json:"play"`
}

func (s *Site) startRun(w http.ResponseWriter, r *http.Request) {
	var body runRequest
	if !read(w, r, &body) {
		return
	}
	q := lab.Request{Exercise: body.Exercise, Program: body.Program, Scenario: body.Scenario, Play: body.Play}
	q.Platform.Preset = body.Platform.Preset
	if g := body.Platform.Grace; g != "" {
		d, err := time.ParseDuration(g)
		if err != nil || d <= 0 {
			fail(w, http.StatusBadRequest, "the grace period "+strconv.Quote(g)+" is no duration", `write it as "10s" or "1m30s"`)
			return
		}
		q.Platform.Grace = d
	}
	run, err := s.opt.Lab.Start(r.Context(), q)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	w.Header().Set("Location", "/api/runs/"+run.ID)
	answer(w, http.StatusCreated, map[string]string{"id": run.ID})
}

// refuse answers with what the lab says is wrong.
func (s *Site) refuse(w http.ResponseWriter, r *http.Request, err error) {
	var action *scenario.ActionError
	var refusal *lab.Error
	switch {
	case errors.As(err, &action):
		fail(w, http.StatusConflict, action.What, action.Do)
	case errors.As(err, &refusal):
		status := http.StatusInternalServerError
		switch {
		case errors.Is(err, lab.ErrNotFound):
			status = http.StatusNotFound
		case errors.Is(err, lab.ErrInvalid):
			status = http.StatusBadRequest
		case errors.Is(err, lab.ErrEnded):
			status = http.StatusConflict
		case errors.Is(err, lab.ErrBusy):
			status = http.StatusTooManyRequests
			w.Header().Set("Retry-After", "5")
		case errors.Is(err, lab.ErrStopping), errors.Is(err, lab.ErrUnavailable):
			status = http.StatusServiceUnavailable
		}
		fail(w, status, refusal.What, refusal.Do)
	default:
		s.opt.Log.Error("lab", "path", r.URL.Path, "error", err)
		fail(w, http.StatusInternalServerError, err.Error(), "try again; if it stays, look at the server's output")
	}
}

// find answers itself when there is no such run.
func (s *Site) find(w http.ResponseWriter, r *http.Request) *lab.Run {
	run, err := s.opt.Lab.Run(r.PathValue("id"))
	if err != nil {
		s.refuse(w, r, err)
		return nil
	}
	return run
}

// runAnswer is the body of GET /api/runs/{id}.
type runAnswer struct {
	ID       string            `json:"id"`
	Exercise string            `json:"exercise"`
	Program  string            `json:"program"`
	Scenario string            `json:"scenario,omitempty"` // when one is played
	Platform platformAnswer    `json:"platform"`
	State    lab.State         `json:"state"`
	Began    time.Time         `json:"began"`
	Broker   string            `json:"broker,omitempty"`
	Verdict  *scenario.Verdict `json:"verdict,omitempty"`
	Error    string            `json:"error,omitempty"` // why it ended without a verdict
}

type platformAnswer struct {
	Preset string `json:"preset"`
	Grace  string `json:"grace"`
}

func (s *Site) run(w http.ResponseWriter, r *http.Request) {
	run := s.find(w, r)
	if run == nil {
		return
	}
	status := run.Status()
	a := runAnswer{ID: run.ID, Exercise: run.Exercise, Program: run.Program, State: status.State, Began: run.Began,
		Platform: platformAnswer{run.Platform.Preset, run.Platform.Grace.String()},
		Broker:   run.Broker, Verdict: status.Verdict, Error: status.Failure}
	if run.Play {
		a.Scenario = run.Scenario
	}
	answer(w, http.StatusOK, a)
}

// events answers with all events so far, a line each.
func (s *Site) events(w http.ResponseWriter, r *http.Request) {
	run := s.find(w, r)
	if run == nil {
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	events, _, _ := run.Log.After(0)
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	for _, e := range events {
		if enc.Encode(e) != nil {
			return // the client left
		}
	}
	_ = out.Flush()
}

// stream sends the events after ?after=SEQ, and each new one, over a websocket.
func (s *Site) stream(w http.ResponseWriter, r *http.Request) {
	run := s.find(w, r)
	if run == nil {
		return
	}
	var after uint64
	if v := r.URL.Query().Get("after"); v != "" {
		n, err := strconv.ParseUint(v, 10, 64)
		if err != nil {
			fail(w, http.StatusBadRequest, "after is "+strconv.Quote(v), "give the number of the last event that you have, or 0")
			return
		}
		after = n
	}
	defer run.Watch()()
	switch err := s.opt.Hub.Stream(w, r, run.Log, after); {
	case errors.Is(err, hub.ErrFull):
		w.Header().Set("Retry-After", "5")
		fail(w, http.StatusTooManyRequests, err.Error(), "close a page of the course, or try again in a while")
	case errors.Is(err, hub.ErrStopping):
		fail(w, http.StatusServiceUnavailable, err.Error(), "try again in a moment")
	case err != nil:
		s.opt.Log.Debug("stream", "run", run.ID, "error", err)
	}
}

// actionRequest is the body of POST /api/runs/{id}/actions.
type actionRequest struct {
	Do     scenario.Do `json:"do"`
	Target string      `json:"target"`
	Count  int         `json:"count"`
}

func (s *Site) act(w http.ResponseWriter, r *http.Request) {
	var body actionRequest
	if !read(w, r, &body) {
		return
	}
	run := s.find(w, r)
	if run == nil {
		return
	}
	if err := run.Act(r.Context(), scenario.Step{Do: body.Do, Target: body.Target, Count: body.Count}); err != nil {
		s.refuse(w, r, err)
		return
	}
	answer(w, http.StatusAccepted, struct{}{})
}

func (s *Site) stopRun(w http.ResponseWriter, r *http.Request) {
	run := s.find(w, r)
	if run == nil {
		return
	}
	run.Stop()
	answer(w, http.StatusAccepted, struct{}{})
}
