package exercises

import (
	"fmt"
	"strings"
	"time"

	"drainlab/exercises/event"
	"drainlab/exercises/scenario"

	"github.com/goccy/go-yaml/ast"
)

// How a scenario is written: each step and check is a mapping with one key
// that says what it is, whose value is the main thing about it.

func (r *reader) scenario(n ast.Node) (sc scenario.Scenario, isDefault bool) {
	sc.Platform = scenario.Platform{Preset: "docker-stop", Grace: 10 * time.Second}
	for _, e := range r.mapping(n, "a scenario") {
		switch e.key {
		case "name":
			sc.Name = r.text(e.value)
		case "title":
			sc.Title = r.bilingual(e.value, "the title")
		case "default":
			isDefault = r.text(e.value) == "true"
		case "platform":
			sc.Platform = r.platform(e.value)
		case "steps":
			for _, s := range r.list(e.value, "steps") {
				sc.Steps = append(sc.Steps, r.step(s))
			}
		case "checks":
			for _, c := range r.list(e.value, "checks") {
				sc.Checks = append(sc.Checks, r.check(c))
			}
		default:
			r.unknown(e, "name", "title", "default", "platform", "steps", "checks")
		}
	}
	switch {
	case sc.Name == "":
		r.problem(n, "the scenario has no name", "add name: in-kebab-case")
	case sc.Title.En == "":
		r.problem(n, "scenario "+sc.Name+" has no title", "add title: {en: …, ru: …}")
	case len(sc.Steps) == 0 || len(sc.Checks) == 0:
		r.problem(n, "scenario "+sc.Name+" needs steps and checks", "add what is missing")
	}
	return sc, isDefault
}

func (r *reader) platform(n ast.Node) scenario.Platform {
	p := scenario.Platform{Preset: "custom", Grace: 10 * time.Second}
	for _, e := range r.mapping(n, "platform") {
		switch e.key {
		case "preset":
			p.Preset = r.text(e.value)
		case "grace":
			p.Grace = r.duration(e.value)
		default:
			r.unknown(e, "preset", "grace")
		}
	}
	return p
}

// what the value of a step's action key is.
const (
	aTarget = iota
	aCount
	aDuration // how long to sleep, or within what time
	aKind
)

var actions = map[string]struct {
	do    scenario.Do
	value int
}{
	"start": {scenario.DoStart, aTarget}, "restart": {scenario.DoRestart, aTarget},
	"publish": {scenario.DoPublish, aCount}, "request": {scenario.DoPublish, aCount}, "hang": {scenario.DoHang, aCount},
	"connect": {scenario.DoConnect, aCount}, "probe": {scenario.DoProbe, aCount},
	"await": {scenario.DoAwait, aKind}, "sleep": {scenario.DoSleep, aDuration}, "settle": {scenario.DoSettle, aDuration},
	"term": {scenario.DoTerm, aTarget}, "int": {scenario.DoInt, aTarget}, "kill": {scenario.DoKill, aTarget},
	"cut": {scenario.DoCut, aTarget}, "exit": {scenario.DoExit, aTarget}, "collect": {scenario.DoCollect, aTarget},
}

func (r *reader) step(n ast.Node) scenario.Step {
	var s scenario.Step
	for _, e := range r.mapping(n, "a step") {
		if a, ok := actions[e.key]; ok {
			if s.Do != "" {
				r.problem(e.at, fmt.Sprintf("a step does one thing, and this one has %s and %s", s.Do, e.key), "make two steps of it")
			}
			s.Do = a.do
			_, empty := e.value.(*ast.NullNode)
			switch {
			case empty:
			case a.value == aTarget:
				s.Target = r.text(e.value)
			case a.value == aCount:
				s.Count = r.number(e.value)
				if s.Count < 1 || s.Count > scenario.MaxCount {
					r.problem(e.value, fmt.Sprintf("%d is out of bounds", s.Count), fmt.Sprintf("use 1 to %d", scenario.MaxCount))
				}
			case a.value == aDuration:
				s.For = r.duration(e.value)
			case a.value == aKind:
				s.Kind = event.Kind(r.text(e.value))
			}
			continue
		}
		switch e.key {
		case "target":
			s.Target = r.text(e.value)
		case "count":
			s.Count = r.number(e.value)
		case "work":
			s.Work = r.duration(e.value)
		case "within":
			s.Within = r.duration(e.value)
		case "mode":
			s.Mode = r.text(e.value)
			if s.Mode != "idle" && s.Mode != "silent" {
				r.problem(e.value, fmt.Sprintf("unknown mode %q", s.Mode), "use idle or silent")
			}
		default:
			r.unknown(e, "target", "count", "work", "within", "mode", sortedKeys(actions))
		}
	}
	if s.Do == "" {
		r.problem(n, "the step does nothing", "use one of: "+sortedKeys(actions))
	}
	return s
}

func (r *reader) check(n ast.Node) scenario.Check {
	var c scenario.Check
	entries := r.mapping(n, "a check")
	if len(entries) != 1 {
		r.problem(n, "a check is one key and its value", "write, for example, exit: 0")
		return c
	}
	e := entries[0]
	c.Name = scenario.CheckName(e.key)
	switch c.Name {
	case scenario.CheckExit:
		c.Min = r.number(e.value)
	case scenario.CheckWithinGrace:
	case scenario.CheckOrder:
		for _, p := range r.list(e.value, "order") {
			c.Phases = append(c.Phases, r.text(p))
		}
	case scenario.CheckLost, scenario.CheckRedelivered, scenario.CheckDuplicates, scenario.CheckDeadLettered,
		scenario.CheckAckErrors, scenario.CheckUnanswered, scenario.CheckAccepted:
		r.bounds(e.value, &c)
	default:
		r.problem(e.at, fmt.Sprintf("no check is named %q", e.key), "use one of: "+strings.Join(checkNames, ", "))
	}
	return c
}

var checkNames = []string{"exit", "within-grace", "order", "lost", "redelivered", "duplicates", "dead-lettered", "ack-errors", "unanswered", "accepted-after-close"}

func (r *reader) bounds(n ast.Node, c *scenario.Check) {
	if _, ok := n.(*ast.IntegerNode); ok {
		c.Min = r.number(n)
		c.Max = c.Min
		return
	}
	for _, b := range r.mapping(n, "the value of "+string(c.Name)) {
		switch b.key {
		case "min":
			c.Min = r.number(b.value)
		case "max":
			c.Max = r.number(b.value)
		case "after":
			c.Phases = []string{r.text(b.value)}
		default:
			r.unknown(b, "min", "max", "after")
		}
	}
	if c.Max < c.Min {
		r.problem(n, fmt.Sprintf("max %d is below min %d", c.Max, c.Min), "give both")
	}
}
