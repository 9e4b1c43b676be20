package course

import (
	"bytes"
	"html/template"
	"io/fs"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// scope is the course as one text's blocks see it. It implements block.Course.
type scope struct {
	Exercises
	lesson     fs.FS
	slug, lang string
	links      []link // found in what blocks had rendered while the text was read
	read       bool   // the text has been read
}

// Lesson implements block.Course.
func (s *scope) Lesson() fs.FS { return s.lesson }

// Slug implements block.Course.
func (s *scope) Slug() string { return s.slug }

// Lang implements block.Course.
func (s *scope) Lang() string { return s.lang }

// Markdown implements block.Course.
func (s *scope) Markdown(source string) template.HTML {
	var out bytes.Buffer
	doc := s.parseInBlock(source)
	if err := inlineMarkdown.Renderer().Render(&out, []byte(source), doc); err != nil {
		return template.HTML("<p>" + template.HTMLEscapeString(source) + "</p>")
	}
	return template.HTML(out.String())
}

// Inline implements block.Course.
func (s *scope) Inline(source string) template.HTML {
	source = strings.TrimSpace(source)
	doc := s.parseInBlock(source)
	p := doc.FirstChild()
	if p == nil || p.NextSibling() != nil || p.Kind() != ast.KindParagraph {
		// More than one run of text, or something such as "1." that Markdown
		// takes for a list: shown as it was written.
		return template.HTML(template.HTMLEscapeString(source))
	}
	var out bytes.Buffer
	for n := p.FirstChild(); n != nil; n = n.NextSibling() {
		if err := inlineMarkdown.Renderer().Render(&out, []byte(source), n); err != nil {
			return template.HTML(template.HTMLEscapeString(source))
		}
	}
	return template.HTML(out.String())
}

// Code implements block.Course.
func (s *scope) Code(source, language string, first int, mark []int) template.HTML {
	return highlight(source, language, first, mark)
}

func (s *scope) parseInBlock(source string) ast.Node {
	doc := inlineMarkdown.Parser().Parse(text.NewReader([]byte(source)))
	if found := rewriteLinks(doc, s.lang); !s.read {
		s.links = append(s.links, found...)
	}
	return doc
}

// plain is Markdown's text without its marks, for where there is no markup.
func plain(source string) string {
	src := []byte(source)
	var out strings.Builder
	_ = ast.Walk(inlineMarkdown.Parser().Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		if t, ok := n.(*ast.Text); ok && entering {
			out.Write(t.Value(src))
			if t.SoftLineBreak() || t.HardLineBreak() {
				out.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}
