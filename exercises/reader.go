package exercises

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"drainlab/exercises/event"
	"drainlab/exercises/scenario"
	"drainlab/web/block"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// reader turns exercise.yaml into an Exercise and keeps what is wrong in it,
// each with its place.
type reader struct {
	file     string
	root     ast.Node
	problems []block.Problem
}

func newReader(file string, source []byte) *reader {
	r := &reader{file: file}
	parsed, err := parser.ParseBytes(source, 0)
	if err != nil {
		p := block.YAMLProblem(err)
		p.File, p.Do = file, "mend the YAML there"
		r.problems = append(r.problems, p)
		return r
	}
	if len(parsed.Docs) > 0 {
		r.root = parsed.Docs[0].Body
	}
	return r
}

func (r *reader) problem(at ast.Node, what, do string) {
	p := block.Problem{File: r.file, Line: 1, Column: 1, What: what, Do: do}
	if at != nil && at.GetToken() != nil && at.GetToken().Position != nil {
		p.Line, p.Column = at.GetToken().Position.Line, at.GetToken().Position.Column
	}
	r.problems = append(r.problems, p)
}

// entry is one key of a mapping with its value.
type entry struct {
	key   string
	at    ast.Node // the key
	value ast.Node
}

func (r *reader) mapping(n ast.Node, what string) []entry {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		r.problem(n, what+" is not a mapping", "write it as key: value")
		return nil
	}
	var out []entry
	for _, v := range values {
		out = append(out, entry{strings.TrimSpace(v.Key.String()), v.Key, v.Value})
	}
	return out
}

func (r *reader) list(n ast.Node, what string) []ast.Node {
	if s, ok := n.(*ast.SequenceNode); ok {
		return s.Values
	}
	r.problem(n, what+" is not a list", "write it with a dash before each item, or in brackets")
	return nil
}

func (r *reader) text(n ast.Node) string {
	var s string
	if n == nil || yaml.NodeToValue(n, &s) != nil {
		r.problem(n, "this is not a text", "write a text here")
	}
	return s
}

func (r *reader) number(n ast.Node) int {
	v, err := strconv.Atoi(r.text(n))
	if err != nil {
		r.problem(n, fmt.Sprintf("%q is not a number", r.text(n)), "write a whole number")
	}
	return v
}

func (r *reader) duration(n ast.Node) time.Duration {
	s := r.text(n)
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		r.problem(n, fmt.Sprintf("%q is not a duration", s), "write one as Go does: 600ms, 1.5s, 2m")
	}
	return d
}

func (r *reader) bilingual(n ast.Node, what string) scenario.Text {
	var t scenario.Text
	for _, e := range r.mapping(n, what) {
		switch e.key {
		case "en":
			t.En = r.text(e.value)
		case "ru":
			t.Ru = r.text(e.value)
		default:
			r.unknown(e, "en", "ru")
		}
	}
	if t.En == "" || t.Ru == "" {
		r.problem(n, what+" is not in both languages", "give it en and ru")
	}
	return t
}

func (r *reader) unknown(e entry, known ...string) {
	r.problem(e.at, fmt.Sprintf("unknown key %q", e.key), "use one of: "+strings.Join(known, ", "))
}

func (r *reader) exercise(e *Exercise) {
	if r.root == nil {
		return
	}
	for _, k := range r.mapping(r.root, "the exercise") {
		switch k.key {
		case "title":
			e.Title = r.bilingual(k.value, "the title")
		case "needs":
			for _, n := range r.list(k.value, "needs") {
				need := r.text(n)
				if need != "amqp" && need != "http" {
					r.problem(n, fmt.Sprintf("nothing is known of %q", need), "use amqp or http")
				}
				e.Needs = append(e.Needs, need)
			}
		case "queue":
			e.Queue = r.text(k.value)
		case "marks":
			for _, n := range r.list(k.value, "marks") {
				e.Marks = append(e.Marks, r.mark(n))
			}
		case "hints":
			e.Hints = r.hints(k.value)
		case "scenarios":
			for _, n := range r.list(k.value, "scenarios") {
				sc, isDefault := r.scenario(n)
				if e.Scenario(sc.Name) != nil {
					r.problem(n, fmt.Sprintf("a second scenario is named %q", sc.Name), "give each its own name")
				}
				e.Scenarios = append(e.Scenarios, sc)
				if isDefault || e.Default == "" {
					e.Default = sc.Name
				}
			}
		case "programs":
			for _, p := range r.mapping(k.value, "programs") {
				e.Programs = append(e.Programs, r.program(p, e))
			}
		default:
			r.unknown(k, "title", "needs", "queue", "marks", "hints", "scenarios", "programs")
		}
	}
	if e.Title.En == "" {
		r.problem(r.root, "the exercise has no title", "add title: {en: …, ru: …}")
	}
	if len(e.Scenarios) == 0 {
		r.problem(r.root, "the exercise has no scenarios", "add at least one")
	}
	if slices.Contains(e.Needs, "amqp") && e.Queue == "" {
		r.problem(r.root, "the exercise needs amqp and names no queue", "add queue: with the name that the programs consume")
	}
}

func (r *reader) hints(n ast.Node) Hints {
	var h Hints
	for _, e := range r.mapping(n, "hints") {
		var into *[]string
		switch e.key {
		case "en":
			into = &h.En
		case "ru":
			into = &h.Ru
		default:
			r.unknown(e, "en", "ru")
			continue
		}
		for _, v := range r.list(e.value, "hints") {
			*into = append(*into, r.text(v))
		}
	}
	if len(h.En) != len(h.Ru) {
		r.problem(n, fmt.Sprintf("there are %d hints in English and %d in Russian", len(h.En), len(h.Ru)), "give as many in each")
	}
	return h
}

var markKinds = []event.Kind{event.ReadyChanged, event.SignalTaken, event.WorkStarted, event.WorkFinished, event.PhaseReached, event.AckFailed}

func (r *reader) mark(n ast.Node) scenario.Mark {
	var m scenario.Mark
	for _, e := range r.mapping(n, "a mark") {
		switch e.key {
		case "event":
			m.Event = event.Kind(r.text(e.value))
			if !slices.Contains(markKinds, m.Event) {
				r.problem(e.value, fmt.Sprintf("a line of output cannot mean %q", m.Event), fmt.Sprintf("use one of: %s", joined(markKinds)))
			}
		case "match":
			m.Match = r.text(e.value)
			if _, err := regexp.Compile(m.Match); err != nil {
				r.problem(e.value, err.Error(), "mend the regular expression")
			}
		case "phase":
			m.Phase = r.text(e.value)
		default:
			r.unknown(e, "event", "match", "phase")
		}
	}
	if m.Event == "" || m.Match == "" {
		r.problem(n, "a mark needs event and match", "give it both")
	}
	if (m.Event == event.PhaseReached) != (m.Phase != "") {
		r.problem(n, "phase goes with phase.reached, and only with it", "name the phase, or leave it out")
	}
	return m
}

func (r *reader) program(p entry, e *Exercise) Program {
	out := Program{Name: p.key, Fails: map[string][]scenario.CheckName{}}
	for _, k := range r.mapping(p.value, "a program") {
		switch k.key {
		case "title":
			out.Title = r.bilingual(k.value, "the title")
		case "fault":
			out.Fault = r.text(k.value)
		case "fails":
			for _, f := range r.mapping(k.value, "fails") {
				sc := e.Scenario(f.key)
				if sc == nil {
					r.problem(f.at, fmt.Sprintf("there is no scenario %q", f.key), "use one of the scenarios above")
					continue
				}
				for _, c := range r.list(f.value, "fails") {
					name := scenario.CheckName(r.text(c))
					if name != scenario.CheckPlayed && !slices.ContainsFunc(sc.Checks, func(c scenario.Check) bool { return c.Name == name }) {
						r.problem(c, fmt.Sprintf("scenario %s has no check %q", sc.Name, name), "use one of its checks")
					}
					out.Fails[f.key] = append(out.Fails[f.key], name)
				}
			}
		default:
			r.unknown(k, "title", "fault", "fails")
		}
	}
	if out.Title.En == "" {
		r.problem(p.at, "program "+p.key+" has no title", "add title: {en: …, ru: …}")
	}
	if len(out.Fails) == 0 && p.key != "solution" {
		r.problem(p.at, "program "+p.key+" fails by nothing", "name the checks by which it fails")
	}
	return out
}

func joined[T ~string](list []T) string {
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = string(w)
	}
	return strings.Join(words, ", ")
}

func sortedKeys[V any](m map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(m)), ", ")
}
