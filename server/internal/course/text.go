package course

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"

	"drainlab/web/block"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Text is a lesson in one language.
type Text struct {
	Lang     string
	Title    string
	Lead     string
	Minutes  int
	Planned  bool
	Body     template.HTML
	Sections []Section // the headings of the second level, for the list of contents
	Blocks   []Placed

	scope *scope
	links []link
	file  string   // "lessons/04-consumer/en.md"
	src   []byte   // the whole file
	doc   ast.Node // of the part after the front matter
	from  int      // where that part begins in src
}

// Section is one heading of the second level.
type Section struct {
	ID    string
	Title template.HTML
}

// Placed is a block of a text.
type Placed struct {
	Block    block.Block
	Question bool // it is to be answered
}

// front is the front matter of a text.
type front struct {
	Title   string `yaml:"title" need:"name the lesson: title: Stopping a consumer"`
	Lead    string `yaml:"lead" need:"say in a sentence or two what it is about: lead: …"`
	Minutes int    `yaml:"minutes"`
	Planned bool   `yaml:"planned"`
}

// text reads and renders one text of a lesson. It is nil when there is no such
// file, or none that can be read.
func (c *Course) text(slug, lang string, kinds []block.Kind) (*Text, []block.Problem) {
	name := path.Join(slug, lang+".md")
	t := &Text{Lang: lang, file: "lessons/" + name}
	src, err := fs.ReadFile(c.files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, []block.Problem{{File: t.file, Line: 1, Column: 1, What: "there is no such file", Do: "write the lesson in this language too"}}
	} else if err != nil {
		return nil, []block.Problem{{File: t.file, Line: 1, Column: 1, What: err.Error(), Do: "make the file readable"}}
	}
	folder, err := fs.Sub(c.files, slug)
	if err != nil {
		return nil, []block.Problem{{File: t.file, Line: 1, Column: 1, What: err.Error(), Do: "rename the folder"}}
	}
	t.src = bytes.ReplaceAll(bytes.TrimPrefix(src, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	t.scope = &scope{Exercises: c.exercises, lesson: folder, slug: slug, lang: lang}
	problems := t.frontMatter()
	problems = append(problems, t.parse(kinds)...)
	return t, problems
}

// frontMatter reads the YAML between the first line, three dashes, and the
// next such line, and finds where the Markdown begins.
func (t *Text) frontMatter() []block.Problem {
	at := func(line int, what, do string) []block.Problem {
		return []block.Problem{{File: t.file, Line: line, Column: 1, What: what, Do: do}}
	}
	rest, ok := bytes.CutPrefix(t.src, []byte("---\n"))
	if !ok {
		return at(1, "there is no front matter", "begin the file with a line of three dashes, title: and lead:, and another line of three dashes")
	}
	end := 0
	for {
		line, _, more := bytes.Cut(rest[end:], []byte("\n"))
		if string(bytes.TrimRight(line, " \t")) == "---" {
			t.from = min(len("---\n")+end+len(line)+1, len(t.src))
			break
		}
		if !more {
			return at(1, "the front matter does not end", "put a line of three dashes after it")
		}
		end += len(line) + 1
	}
	var f front
	_, problems := block.Decode(rest[:end], &f)
	for i := range problems {
		problems[i].File = t.file
		problems[i].Line++
	}
	t.Title, t.Lead, t.Minutes, t.Planned = strings.TrimSpace(f.Title), strings.TrimSpace(f.Lead), f.Minutes, f.Planned
	body := len(bytes.TrimSpace(t.src[t.from:])) > 0
	if len(problems) == 0 && !t.Planned && f.Minutes < 1 {
		problems = append(problems, at(1, `"minutes" is missing`, "say how many minutes the lesson takes: minutes: 25; or planned: true when it is not written yet")...)
	}
	if len(problems) == 0 && t.Planned && body {
		problems = append(problems, at(1, "the lesson is planned and has a text", "remove planned: true, or the text")...)
	}
	return problems
}

// parse makes blocks and HTML of the Markdown.
func (t *Text) parse(kinds []block.Kind) []block.Problem {
	body := t.src[t.from:]
	pc := parser.NewContext(parser.WithIDs(newHeadingIDs()))
	blocks := &blocks{text: t, kinds: kinds}
	pc.Set(blocksKey, blocks)
	t.doc = lessonMarkdown.Parser().Parse(text.NewReader(body), parser.WithContext(pc))
	t.links = rewriteLinks(t.doc, t.Lang)
	t.Sections = t.sections(body)

	var out bytes.Buffer
	if err := lessonMarkdown.Renderer().Render(&out, body, t.doc); err != nil {
		blocks.problems = append(blocks.problems, block.Problem{
			File: t.file, Line: 1, Column: 1, What: fmt.Sprintf("the text cannot be shown: %v", err), Do: "take out what was added last",
		})
	}
	t.scope.read = true // from here on it does not change
	t.Body = template.HTML(out.String())
	return blocks.problems
}

func (t *Text) sections(body []byte) []Section {
	var out []Section
	for n := t.doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Level != 2 {
			continue
		}
		var title bytes.Buffer
		for child := h.FirstChild(); child != nil; child = child.NextSibling() {
			if err := inlineMarkdown.Renderer().Render(&title, body, child); err != nil {
				break // it fails again where the whole text is rendered, which is reported
			}
		}
		out = append(out, Section{ID: headingID(h), Title: template.HTML(title.String())})
	}
	return out
}

// place is the line and column in the file, from 1, of an offset into the
// Markdown.
func (t *Text) place(offset int) (line, column int) {
	before := t.src[:min(t.from+max(offset, 0), len(t.src))]
	line = 1 + bytes.Count(before, []byte("\n"))
	start := bytes.LastIndexByte(before, '\n') + 1
	return line, 1 + len([]rune(string(before[start:])))
}

// problem is a problem at an offset into the Markdown.
func (t *Text) problem(offset int, what, do string) block.Problem {
	line, column := t.place(offset)
	return block.Problem{File: t.file, Line: line, Column: column, What: what, Do: do}
}
