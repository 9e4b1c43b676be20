package course

import (
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"

	"drainlab/web/block"

	"github.com/yuin/goldmark/ast"
)

// Lint finds everything that is wrong with the lessons: what Load finds, and
// what only shows when texts are held against each other or read as a whole.
// Problems are in the order of files and lines.
func Lint(lessons fs.FS, exercises Exercises, kinds []block.Kind) []block.Problem {
	c := &Course{exercises: exercises, files: lessons}
	problems := c.load(kinds)
	numbers := map[int]string{}
	for _, l := range c.Lessons {
		if other, taken := numbers[l.Number]; taken {
			problems = append(problems, block.Problem{
				File: "lessons/" + l.Slug, Line: 1, Column: 1,
				What: fmt.Sprintf("lesson %d is %s already", l.Number, other), Do: "give the folder another number",
			})
		}
		numbers[l.Number] = l.Slug
		for _, lang := range Languages {
			if t := l.Texts[lang]; t != nil {
				problems = append(problems, (&linter{course: c, text: t, kinds: kinds}).lint()...)
			}
		}
		problems = append(problems, compare(l)...)
	}
	sortProblems(problems)
	return slices.Compact(problems)
}

// linter looks at one text by itself.
type linter struct {
	course   *Course
	text     *Text
	kinds    []block.Kind
	problems []block.Problem
}

func (l *linter) lint() []block.Problem {
	if l.text.Planned {
		return nil
	}
	l.ids()
	level := 1                                                                         // the page's title is the heading of the first level
	_ = ast.Walk(l.text.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			l.heading(n, &level)
		case *ast.FencedCodeBlock:
			l.fence(n)
		case *ast.Image:
			l.image(n)
		case *ast.RawHTML, *ast.HTMLBlock:
			l.problem(n, "HTML is not shown", "write it in Markdown, or in a code span if it is to be read")
		}
		return ast.WalkContinue, nil
	})
	l.links()
	return l.problems
}

func (l *linter) problem(n ast.Node, what, do string) {
	l.problems = append(l.problems, l.text.problem(offset(n), what, do))
}

// offset is where a node begins in the Markdown, or the nearest node around it
// that knows.
func offset(n ast.Node) int {
	for ; n != nil; n = n.Parent() {
		if at := n.Pos(); at >= 0 {
			return at
		}
		if n.Type() == ast.TypeBlock && n.Lines() != nil && n.Lines().Len() > 0 {
			return n.Lines().At(0).Start
		}
	}
	return 0
}

// ids finds what is named twice: an id is an address within the page and the
// name under which progress is kept.
func (l *linter) ids() {
	seen := map[string]int{}
	name := func(id string, line, column int) {
		if id == "" {
			return
		}
		if first, taken := seen[id]; taken {
			l.problems = append(l.problems, block.Problem{
				File: l.text.file, Line: line, Column: column,
				What: fmt.Sprintf("the id %q is used on line %d already", id, first), Do: "choose another",
			})
			return
		}
		seen[id] = line
	}
	for n := range l.text.marks() {
		switch n := n.(type) {
		case *ast.Heading:
			line, column := l.text.place(offset(n))
			name(headingID(n), line, column)
		case *blockNode:
			if n.block != nil {
				name(n.block.ID(), n.line, 1)
			}
		}
	}
	// Ids of the page around the text.
	for _, own := range []string{"text", "lab", "progress-panel"} {
		if line, taken := seen[own]; taken {
			l.problems = append(l.problems, block.Problem{
				File: l.text.file, Line: line, Column: 1,
				What: fmt.Sprintf("the id %q belongs to the page itself", own), Do: "choose another",
			})
		}
	}
}

var headingName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func (l *linter) heading(h *ast.Heading, level *int) {
	switch {
	case h.Level == 1:
		l.problem(h, "a heading of the first level stands in the text", "the title is in the front matter; begin sections with ##")
	case h.Level > *level+1:
		l.problem(h, fmt.Sprintf("a heading of level %d follows one of level %d", h.Level, *level), "use "+strings.Repeat("#", *level+1))
	}
	*level = h.Level
	if !named(h, l.text.src[l.text.from:]) {
		l.problem(h, "the heading has no id of its own", "add one, the same in every language: ## Five phases {#five-phases}")
	} else if id := headingID(h); !headingName.MatchString(id) {
		l.problem(h, fmt.Sprintf("%q is not an id", id), "use small letters, digits and single hyphens: five-phases")
	}
	if h.FirstChild() == nil {
		l.problem(h, "the heading is empty", "name the section")
	}
}

// named says whether the author gave the heading its id, which otherwise comes
// from its words and differs from language to language.
func named(h *ast.Heading, source []byte) bool {
	at := offset(h)
	if at >= len(source) {
		return false
	}
	line, _, _ := strings.Cut(string(source[at:]), "\n")
	return strings.Contains(line, "{#"+headingID(h)) && strings.HasSuffix(strings.TrimRight(line, " \t#"), "}")
}

// fence looks at a fenced code block that is of no known kind: an author may
// have meant one.
func (l *linter) fence(f *ast.FencedCodeBlock) {
	source := l.text.src[l.text.from:]
	name := string(f.Language(source))
	if name == "" {
		return
	}
	var names []string
	for _, k := range l.kinds {
		names = append(names, k.Name)
	}
	if near := block.Nearest(strings.ToLower(name), names); near != "" && looksLikeBlock(f, source) {
		l.problem(f, fmt.Sprintf("there is no kind of block %q", name), fmt.Sprintf("did you mean %q?", near))
	} else if lexer(name) == nil {
		what, do := fmt.Sprintf("nothing is known of the language %q", name), "use a language that can be highlighted, such as go, sh, yaml or text"
		if looksLikeBlock(f, source) {
			do = "use one of the kinds: " + strings.Join(names, ", ") + "; or a language that can be highlighted"
		}
		l.problem(f, what, do)
	}
}

var keyLine = regexp.MustCompile(`(?m)^(id|question|exercise|text|alt|cards|options|steps|task): ?`)

func looksLikeBlock(f *ast.FencedCodeBlock, source []byte) bool {
	return keyLine.Match(f.Lines().Value(source))
}

func (l *linter) image(img *ast.Image) {
	if img.FirstChild() == nil {
		l.problem(img, "the picture has no text alternative", "say between the square brackets what it shows")
	}
	l.problem(img, "pictures are not served with lessons", "draw it in a diagram block, which also follows the reader's theme")
}

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

// known are the ids in a text that a link can lead to.
func (t *Text) known() map[string]bool {
	ids := map[string]bool{"text": true, "lab": true}
	for n := range t.marks() {
		switch n := n.(type) {
		case *ast.Heading:
			ids[headingID(n)] = true
		case *blockNode:
			if n.block != nil {
				ids[n.block.ID()] = true
			}
		}
	}
	maps.DeleteFunc(ids, func(id string, _ bool) bool { return id == "" })
	return ids
}
