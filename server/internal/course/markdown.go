package course

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// lessonMarkdown is for a lesson's text, inlineMarkdown for texts in blocks.
// Neither keeps anything of what it renders. Raw HTML is left out of the page.
var (
	lessonMarkdown = newMarkdown(parser.WithAutoHeadingID(), parser.WithHeadingAttribute(),
		// Last: everything else has been parsed.
		parser.WithASTTransformers(util.Prioritized(transformer{}, 1000)))
	inlineMarkdown = newMarkdown()
)

func newMarkdown(options ...parser.Option) goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), extension.Strikethrough),
		goldmark.WithParserOptions(options...),
		// Before goldmark's own renderer, which is at 1000.
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(nodeRenderer{}, 500))),
	)
}

// headingIDs makes ids for headings that have none of their own: the words in
// small letters, in any alphabet, with hyphens.
type headingIDs struct{ used map[string]bool }

func newHeadingIDs() *headingIDs { return &headingIDs{used: map[string]bool{}} }

// Generate implements parser.IDs.
func (h *headingIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	words := strings.FieldsFunc(strings.ToLower(string(value)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	base := strings.Join(words, "-")
	if base == "" {
		base = "section"
	}
	id := base
	for n := 2; h.used[id]; n++ {
		id = base + "-" + strconv.Itoa(n)
	}
	h.used[id] = true
	return []byte(id)
}

// Put implements parser.IDs.
func (h *headingIDs) Put(value []byte) { h.used[string(value)] = true }

// headingID is a heading's id, "" when it has none.
func headingID(h *ast.Heading) string {
	switch id, _ := h.AttributeString("id"); id := id.(type) {
	case []byte:
		return string(id)
	case string:
		return id
	}
	return ""
}
