package course

import (
	"bytes"
	"fmt"
	"regexp"

	"drainlab/web/block"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

var blocksKey = parser.NewContextKey()

// blocks turns the fenced code blocks of one text that are blocks of a known
// kind into nodes that render themselves. It reaches the transformer, which
// all texts share, in the parser's context.
type blocks struct {
	text     *Text
	kinds    []block.Kind
	problems []block.Problem
}

// transformer is the one AST transformer.
type transformer struct{}

// Transform implements parser.ASTTransformer.
func (transformer) Transform(doc *ast.Document, reader text.Reader, pc parser.Context) {
	b, ok := pc.Get(blocksKey).(*blocks)
	if !ok {
		return // Markdown within a block: no blocks in it
	}
	var fences []*ast.FencedCodeBlock
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		if f, ok := n.(*ast.FencedCodeBlock); ok && entering {
			fences = append(fences, f)
		}
		return ast.WalkContinue, nil
	})
	for _, f := range fences {
		b.transform(f, reader.Source())
	}
}

func (b *blocks) transform(f *ast.FencedCodeBlock, source []byte) {
	name := string(f.Language(source))
	for _, kind := range b.kinds {
		if kind.Name != name {
			continue
		}
		node := &blockNode{text: b.text, kind: kind}
		made, problems := kind.Parse(f.Lines().Value(source), b.text.scope)
		first := f.Pos()
		if f.Lines().Len() > 0 {
			first = f.Lines().At(0).Start
		}
		line, column := b.text.place(first)
		node.line, _ = b.text.place(f.Pos())
		for _, p := range problems {
			p.File, p.Line, p.Column = b.text.file, p.Line+line-1, p.Column+column-1
			b.problems = append(b.problems, p)
		}
		if len(problems) == 0 {
			node.block = made
			b.text.Blocks = append(b.text.Blocks, Placed{Block: made, Question: kind.Question})
		} else {
			node.id = idLine(f.Lines().Value(source))
			node.failed = fmt.Sprintf("%s:%d: %s; %s", problems[0].File, problems[0].Line+line-1, problems[0].What, problems[0].Do)
		}
		f.Parent().ReplaceChild(f.Parent(), f, node)
		return
	}
}

var idKey = regexp.MustCompile(`(?m)^id: *"?([a-z0-9-]+)`)

// idLine is the id of a block that could not be made, "" when it shows none.
func idLine(source []byte) string {
	if m := idKey.FindSubmatch(source); m != nil {
		return string(m[1])
	}
	return ""
}

// blockNode stands in the tree for a block, or for one that could not be made.
type blockNode struct {
	ast.BaseBlock
	text   *Text
	kind   block.Kind
	line   int         // of its fence in the file
	block  block.Block // nil when it could not be made
	id     string      // of one that could not be made, as far as it shows
	failed string      // why not
}

var blockNodeKind = ast.NewNodeKind("CourseBlock")

// Kind implements ast.Node.
func (n *blockNode) Kind() ast.NodeKind { return blockNodeKind }

// Dump implements ast.Node.
func (n *blockNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// nodeRenderer renders blocks, headings, code and links as pages want them.
type nodeRenderer struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (r nodeRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(blockNodeKind, r.block)
	reg.Register(ast.KindHeading, r.heading)
	reg.Register(ast.KindFencedCodeBlock, r.fence)
	reg.Register(ast.KindCodeBlock, r.fence)
}

func (nodeRenderer) block(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	b := n.(*blockNode)
	if b.block == nil {
		_, err := fmt.Fprintf(w, "<p class=\"block block-failed\">%s</p>\n", util.EscapeHTML([]byte(b.failed)))
		return ast.WalkSkipChildren, err
	}
	// Whole or not at all: half an element would spoil the page after it.
	var out bytes.Buffer
	if err := b.block.Render(&out, b.text.scope); err != nil {
		return ast.WalkStop, fmt.Errorf("block %q: %w", b.block.ID(), err)
	}
	_, err := out.WriteTo(w)
	return ast.WalkSkipChildren, err
}

func (nodeRenderer) heading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h := n.(*ast.Heading)
	id := headingID(h)
	var err error
	switch {
	case entering && id != "":
		_, err = fmt.Fprintf(w, "<h%d id=\"%s\">", h.Level, util.EscapeHTML([]byte(id)))
	case entering:
		_, err = fmt.Fprintf(w, "<h%d>", h.Level)
	case id != "":
		_, err = fmt.Fprintf(w, "<a class=\"anchor\" href=\"#%[1]s\" aria-labelledby=\"%[1]s\">#</a></h%[2]d>\n", util.EscapeHTML([]byte(id)), h.Level)
	default:
		_, err = fmt.Fprintf(w, "</h%d>\n", h.Level)
	}
	return ast.WalkContinue, err
}

func (nodeRenderer) fence(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	language := ""
	if f, ok := n.(*ast.FencedCodeBlock); ok {
		language = string(f.Language(source))
	}
	_, err := w.WriteString(string(highlight(string(n.Lines().Value(source)), language, 0, nil)) + "\n")
	return ast.WalkSkipChildren, err
}
