package course

import (
	"fmt"
	"iter"
	"strings"

	"drainlab/web/block"

	"github.com/yuin/goldmark/ast"
)

// compare holds the languages of a lesson against the first of them: the same
// headings and blocks, in the same order.
func compare(l *Lesson) []block.Problem {
	first := l.Texts[Languages[0]]
	if first == nil {
		return nil
	}
	var problems []block.Problem
	for _, lang := range Languages[1:] {
		other := l.Texts[lang]
		if other == nil {
			continue // said already
		}
		if first.Planned != other.Planned {
			problems = append(problems, block.Problem{File: other.file, Line: 1, Column: 1,
				What: "the lesson is planned in one language and written in another", Do: "write both, or plan both"})
			continue
		}
		if first.Minutes != other.Minutes {
			problems = append(problems, block.Problem{File: other.file, Line: 1, Column: 1,
				What: fmt.Sprintf("the lesson takes %d minutes here and %d in %s", other.Minutes, first.Minutes, first.file), Do: "agree on one number"})
		}
		problems = append(problems, compareTexts(first, other)...)
	}
	return problems
}

// marks are the headings and blocks of a text, wherever they stand.
func (t *Text) marks() iter.Seq[ast.Node] {
	return func(yield func(ast.Node) bool) {
		_ = ast.Walk(t.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
			switch n.(type) {
			case *ast.Heading, *blockNode:
				if entering && !yield(n) {
					return ast.WalkStop, nil
				}
			}
			return ast.WalkContinue, nil
		})
	}
}

// part is a heading or a block of a text, as the other language must have it.
type part struct {
	name  string // what is compared
	shape string // and must be the same, "" for a heading
	text  *Text
	line  int
}

func (t *Text) parts() []part {
	var out []part
	anonymous := map[string]int{}
	for n := range t.marks() {
		switch n := n.(type) {
		case *ast.Heading:
			if named(n, t.src[t.from:]) {
				line, _ := t.place(offset(n))
				out = append(out, part{fmt.Sprintf("heading {#%s} of level %d", headingID(n), n.Level), "", t, line})
			}
		case *blockNode:
			p := part{name: n.kind.Name + " block", text: t, line: n.line}
			switch {
			case n.block == nil && n.id == "":
				p.shape = "broken"
			case n.block == nil:
				p.name, p.shape = p.name+fmt.Sprintf(" %q", n.id), "broken"
			case n.block.ID() != "":
				p.name, p.shape = p.name+fmt.Sprintf(" %q", n.block.ID()), n.block.Shape()
			default:
				p.shape = n.block.Shape()
			}
			if !strings.HasSuffix(p.name, `"`) {
				anonymous[p.name]++
				p.name = fmt.Sprintf("%s number %d", p.name, anonymous[p.name])
			}
			out = append(out, p)
		}
	}
	return out
}

func compareTexts(first, other *Text) []block.Problem {
	var problems []block.Problem
	add := func(p part, what, do string) {
		problems = append(problems, block.Problem{File: p.text.file, Line: p.line, Column: 1, What: what, Do: do})
	}
	index := func(parts []part) map[string]part {
		m := map[string]part{}
		for _, p := range parts {
			if _, taken := m[p.name]; !taken { // ids reports what is there twice
				m[p.name] = p
			}
		}
		return m
	}
	a, b := first.parts(), other.parts()
	inA, inB := index(a), index(b)
	var common []part
	for _, p := range a {
		q, ok := inB[p.name]
		switch {
		case !ok:
			add(p, fmt.Sprintf("%s has no %s", other.file, p.name), "add it there, or remove it here")
		case p.shape != q.shape && p.shape != "broken" && q.shape != "broken":
			add(q, fmt.Sprintf("the %s differs from the one in %s: %s", q.name, first.file, difference(p.shape, q.shape)), "make ids, right answers and order the same")
		}
		if ok && inA[p.name] == p {
			common = append(common, p)
		}
	}
	for _, q := range b {
		if _, ok := inA[q.name]; !ok {
			add(q, fmt.Sprintf("%s has no %s", first.file, q.name), "add it there, or remove it here")
		}
	}
	i := 0
	for _, q := range b {
		if _, ok := inA[q.name]; !ok || inB[q.name] != q {
			continue
		}
		if i < len(common) && common[i].name != q.name {
			add(q, fmt.Sprintf("the %s stands where %s has the %s", q.name, first.file, common[i].name), "put both in the same order")
			break
		}
		i++
	}
	return problems
}

// difference shows two texts from where they part.
func difference(a, b string) string {
	x, y := []rune(a), []rune(b)
	i := 0
	for i < len(x) && i < len(y) && x[i] == y[i] {
		i++
	}
	cut := func(r []rune) string {
		from, to := max(0, min(i, len(r))-12), min(len(r), i+24)
		return string(r[from:to])
	}
	return fmt.Sprintf("%q there, %q here", cut(x), cut(y))
}
