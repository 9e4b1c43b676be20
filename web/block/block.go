// Package block says what a block of a lesson is: something that an author
// writes as YAML in a fenced code block, and a learner answers, reads or runs.
// Each kind lives in a folder of its own below this one: kind.go parses,
// validates and renders it, kind.ts brings it to life, kind.css dresses it.
//
// The course package finds the kinds in package kinds, which is generated
// from the folders' names.
package block

import (
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"strings"
)

// Problem is what an author did wrong: a place, what is wrong there, and what
// to do. It is a value for people, not a Go error.
type Problem struct {
	File   string // path below the repository's top, with slashes
	Line   int    // from 1
	Column int    // from 1
	What   string // "unknown key \"anwser\""
	Do     string // "use one of: question, options"
}

func (p Problem) String() string {
	return fmt.Sprintf("%s:%d:%d: %s; %s", p.File, p.Line, p.Column, p.What, p.Do)
}

// Region is a named part of an exercise's program, between the comments
// "//region NAME" and "//endregion NAME", which are not part of it.
type Region struct {
	Path  string // "exercises/consumer/solution/main.go"
	Start int    // number of its first line in the file
	Lines []string
	// Gaps says that the marks of other regions were left out between the
	// lines, so that their numbers do not follow one another.
	Gaps bool
}

// Course is what a block may ask of the course around it.
type Course interface {
	// Region finds a region of an exercise's program; region "" is the whole
	// file. The error's text is for the author.
	Region(exercise, program, region string) (Region, error)
	// Programs lists an exercise's programs and Scenarios its scenarios, by
	// name, in order; nil when there is no such exercise.
	Programs(exercise string) []string
	Scenarios(exercise string) []string
	// Lesson is the lesson's own folder, for programs kept beside the text.
	Lesson() fs.FS
	// Slug is the lesson's folder name, such as "04-consumer".
	Slug() string
	// Lang is the page's language, "en" or "ru".
	Lang() string
	// Markdown renders an author's Markdown as blocks; Inline as one run of
	// text without the paragraph around it.
	Markdown(source string) template.HTML
	Inline(source string) template.HTML
	// Code highlights source in a language that chroma knows, as
	// <pre class="code">, one <span class="line"> a line, numbered from first
	// (no numbers when first is 0), with the 0-based lines in mark marked.
	Code(source, language string, first int, mark []int) template.HTML
}

// Kind is one kind of block.
type Kind struct {
	Name string // the word after the fence: "quiz"
	// Question says that a learner answers it, so that it counts for how far
	// a lesson was worked through.
	Question bool
	// Parse reads a block's YAML. Problems are placed at lines and columns of
	// the YAML itself, from 1; the course moves them into the lesson's file.
	// The block is nil when it could not be made.
	Parse func(source []byte, c Course) (Block, []Problem)
}

// Block is a block that was parsed.
type Block interface {
	// ID names the block within its lesson, the same in every language; ""
	// where the kind needs none (program, note).
	ID() string
	// Shape is what all languages must have in common, as text that can be
	// compared: the ids and right answers, not the wording.
	Shape() string
	// Render writes the block's whole HTML, which must read well without
	// JavaScript.
	Render(w io.Writer, c Course) error
}

// Outdent takes away the tabs that all lines begin with.
func Outdent(lines []string) []string {
	least := -1
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if n := len(line) - len(strings.TrimLeft(line, "\t")); least < 0 || n < least {
			least = n
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = line[min(max(least, 0), len(line)-len(strings.TrimLeft(line, "\t"))):]
	}
	return out
}
