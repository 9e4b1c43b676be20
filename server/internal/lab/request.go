package lab

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"drainlab/exercises/scenario"
)

// Request says what to run.
type Request struct {
	Exercise string
	Program  string
	// Scenario is played, or lends its platform to a run that the learner
	// drives; "" is the exercise's default.
	Scenario string
	// Platform is who stops the program. Without a grace period it is the
	// preset's, and without a preset the scenario's.
	Platform scenario.Platform
	// Play has the scenario played to its verdict. Otherwise the program is
	// started, and the learner says what happens.
	Play bool
}

// presets are the platforms' grace periods as they come: docker stop's, a
// pod's, a systemd unit's.
var presets = map[string]time.Duration{
	"docker-stop": 10 * time.Second,
	"kubernetes":  30 * time.Second,
	"systemd":     90 * time.Second,
}

// prepare finds what q names and makes a run of it, with nothing begun.
func (m *Manager) prepare(q Request) (*Run, scenario.Scenario, error) {
	none := scenario.Scenario{}
	ex := m.opt.Catalog.Exercise(q.Exercise)
	if ex == nil {
		return nil, none, refuse(ErrNotFound, fmt.Sprintf("there is no exercise %q", q.Exercise), "use one that the course has")
	}
	if ex.Program(q.Program) == nil {
		var names []string
		for _, p := range ex.Programs {
			names = append(names, p.Name)
		}
		return nil, none, refuse(ErrNotFound, fmt.Sprintf("exercise %s has no program %q", ex.Slug, q.Program), "use one of: "+strings.Join(names, ", "))
	}
	sc := ex.Scenario(cmp.Or(q.Scenario, ex.Default))
	if sc == nil {
		var names []string
		for _, s := range ex.Scenarios {
			names = append(names, s.Name)
		}
		return nil, none, refuse(ErrNotFound, fmt.Sprintf("exercise %s has no scenario %q", ex.Slug, q.Scenario), "use one of: "+strings.Join(names, ", "))
	}
	platform, err := m.platform(q.Platform, sc.Platform)
	if err != nil {
		return nil, none, err
	}
	binary := filepath.Join(m.opt.Programs, ex.Slug, q.Program)
	if info, err := os.Stat(binary); err != nil || !info.Mode().IsRegular() {
		return nil, none, &Error{ErrUnavailable, fmt.Sprintf("program %s/%s is not built", ex.Slug, q.Program), "run make build", err}
	}
	r := newRun(m, strings.ToLower(rand.Text()), ex.Exercise)
	r.Program, r.Scenario, r.Platform, r.Play, r.binary = q.Program, sc.Name, platform, q.Play, binary
	return r, *sc, nil
}

func (m *Manager) platform(asked, scripted scenario.Platform) (scenario.Platform, error) {
	p := asked
	def, known := presets[p.Preset]
	switch {
	case p.Grace < 0 || p.Grace > m.opt.Limits.Grace:
		return p, refuse(ErrInvalid, fmt.Sprintf("a grace period of %s is not possible", p.Grace), fmt.Sprintf("use up to %s", m.opt.Limits.Grace))
	case p.Preset != "" && p.Preset != "custom" && !known:
		return p, refuse(ErrInvalid, fmt.Sprintf("there is no platform %q", p.Preset), "use docker-stop, kubernetes, systemd, or custom with a grace period")
	case p.Grace == 0 && known:
		p.Grace = def
	case p.Grace == 0:
		return scripted, nil
	case p.Preset == "":
		p.Preset = "custom"
	}
	return p, nil
}
