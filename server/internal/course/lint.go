package course

import (
	"fmt"
	"io/fs"
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
	for _, own := range []string{"text", "lab", "lab-title", "lab-lacks", "progress-panel"} {
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
