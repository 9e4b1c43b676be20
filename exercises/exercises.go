// Package exercises holds every program that a learner reads, edits or runs,
// one folder an exercise, and what each exercise plays and checks.
//
// A folder has exercise.yaml, the task in en.md and ru.md, and a folder for
// each program: start, solution, and wrong-WHY for each typical mistake. A
// catalog is read from the folders' names; there is no list to keep in step.
package exercises

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"drainlab/exercises/scenario"
	"drainlab/web/block"
)

// Files is the tree below exercises/.
//
//go:embed */exercise.yaml */*.md */*/main.go
var Files embed.FS

// Catalog is all exercises, in the order of their names.
type Catalog struct {
	Exercises []*Exercise
}

// Exercise is one exercise, as its folder tells it.
type Exercise struct {
	scenario.Exercise
	Title     scenario.Text
	Task      scenario.Text // Markdown
	Hints     Hints
	Scenarios []scenario.Scenario
	Default   string    // the scenario that is played when none is named
	Programs  []Program // solution first, then start, then the wrong ones
}

// Hints go from vague to exact, as many in each language.
type Hints struct{ En, Ru []string }

// Program is one main.go.
type Program struct {
	Name   string
	Title  scenario.Text
	Fault  string // the fault's number in the course's list, "" when it has none
	Source string
	// Fails says by which checks it fails, scenario by scenario: exactly
	// these. Empty for the solution.
	Fails map[string][]scenario.CheckName
}

// Exercise finds an exercise by its folder's name; nil when there is none.
func (c *Catalog) Exercise(slug string) *Exercise {
	for _, e := range c.Exercises {
		if e.Slug == slug {
			return e
		}
	}
	return nil
}

// Program finds a program by its folder's name; nil when there is none.
func (e *Exercise) Program(name string) *Program {
	for i := range e.Programs {
		if e.Programs[i].Name == name {
			return &e.Programs[i]
		}
	}
	return nil
}

// Scenario finds a scenario by name; nil when there is none.
func (e *Exercise) Scenario(name string) *scenario.Scenario {
	for i := range e.Scenarios {
		if e.Scenarios[i].Name == name {
			return &e.Scenarios[i]
		}
	}
	return nil
}

// Load reads every exercise below fsys. What an author did wrong is in the
// problems; the error is about reading. An exercise with problems is left out.
func Load(fsys fs.FS) (*Catalog, []block.Problem, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, nil, fmt.Errorf("list exercises: %w", err)
	}
	c := &Catalog{}
	var problems []block.Problem
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		name := path.Join(entry.Name(), "exercise.yaml")
		source, err := fs.ReadFile(fsys, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // event, scenario: packages, not exercises
		}
		if err != nil {
			return nil, nil, fmt.Errorf("read exercise: %w", err)
		}
		e, found := load(fsys, entry.Name(), source)
		problems = append(problems, found...)
		if len(found) == 0 {
			c.Exercises = append(c.Exercises, e)
		}
	}
	return c, problems, nil
}

func load(fsys fs.FS, slug string, source []byte) (*Exercise, []block.Problem) {
	r := newReader("exercises/"+slug+"/exercise.yaml", source)
	e := &Exercise{}
	e.Slug = slug
	r.exercise(e)
	for _, lang := range []struct {
		name string
		into *string
	}{{"en", &e.Task.En}, {"ru", &e.Task.Ru}} {
		text, err := fs.ReadFile(fsys, path.Join(slug, lang.name+".md"))
		if err != nil {
			r.problem(nil, "the task has no "+lang.name+".md", "write exercises/"+slug+"/"+lang.name+".md")
		}
		*lang.into = string(text)
	}
	r.programs(fsys, e)
	return e, r.problems
}

// programs finds the folders that hold a main.go and joins them with what
// exercise.yaml says of them.
func (r *reader) programs(fsys fs.FS, e *Exercise) {
	entries, err := fs.ReadDir(fsys, e.Slug)
	if err != nil {
		r.problem(nil, "the folder cannot be read", err.Error())
		return
	}
	said := map[string]Program{}
	for _, p := range e.Programs {
		said[p.Name] = p
	}
	e.Programs = nil
	for _, entry := range entries {
		source, err := fs.ReadFile(fsys, path.Join(e.Slug, entry.Name(), "main.go"))
		if err != nil {
			continue
		}
		p, ok := said[entry.Name()]
		delete(said, entry.Name())
		p.Name, p.Source = entry.Name(), string(source)
		switch {
		case ok:
		case p.Name == "solution":
			p.Title = scenario.Text{En: "Solution", Ru: "Решение"}
		default:
			r.problem(nil, fmt.Sprintf("programs says nothing of the folder %s", p.Name), "add it with its title and the checks by which it fails")
		}
		e.Programs = append(e.Programs, p)
	}
	for name := range said {
		r.problem(nil, fmt.Sprintf("there is no program %s", name), "write exercises/"+e.Slug+"/"+name+"/main.go or remove it from programs")
	}
	for _, must := range []string{"start", "solution"} {
		if e.Program(must) == nil {
			r.problem(nil, "there is no program "+must, "write exercises/"+e.Slug+"/"+must+"/main.go")
		}
	}
	rank := func(p Program) int {
		switch p.Name {
		case "solution":
			return 0
		case "start":
			return 1
		}
		return 2
	}
	slices.SortFunc(e.Programs, func(a, b Program) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.Name, b.Name))
	})
}
