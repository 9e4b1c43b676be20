// Package note is something beside the text: a remark, a warning, what holds
// for a version only, or a hint to whoever teaches.
//
//	kind: warning    # or note (when there is none), version, instructor
//	title: On RabbitMQ 4.3
//	text: |
//	  The timeout is a matter of quorum queues there.
package note

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"drainlab/web/block"
)

// Kind returns the kind "note".
func Kind() block.Kind {
	return block.Kind{Name: "note", Parse: func(source []byte, _ block.Course) (block.Block, []block.Problem) {
		n, problems := parse(source)
		if len(problems) > 0 {
			return nil, problems
		}
		return n, nil
	}}
}

// Note is one such remark.
type Note struct {
	id, kind, title, text string
}

// instructor notes are not for learners, whose pages leave them out.
const instructor = "instructor"

var kinds = []string{"note", "warning", "version", instructor}

func parse(source []byte) (*Note, []block.Problem) {
	var y struct {
		ID    string
		Kind  string
		Title string
		Text  string `need:"write what is to be noted"`
	}
	doc, problems := block.Decode(source, &y)
	problems = append(problems, block.CheckID(doc, "id", y.ID)...)
	if y.Kind == "" {
		y.Kind = "note"
	}
	if !slices.Contains(kinds, y.Kind) {
		do := "use one of: " + strings.Join(kinds, ", ")
		if near := block.Nearest(y.Kind, kinds); near != "" {
			do = fmt.Sprintf("did you mean %q?", near)
		}
		problems = append(problems, doc.Problem("kind", fmt.Sprintf("there is no kind of note %q", y.Kind), do))
	}
	return &Note{y.ID, y.Kind, y.Title, y.Text}, problems
}

// ID implements block.Block.
func (n *Note) ID() string { return n.id }

// Shape implements block.Block.
func (n *Note) Shape() string { return fmt.Sprintf("note %s: %s", n.id, n.kind) }

var page = template.Must(template.New("note").Parse(`<div{{with .ID}} id="{{.}}"{{end}} class="block block-note {{.Kind}}" role="note" aria-label="{{.Label}}">
<p class="kind"><span>{{.Label}}</span></p>
{{with .Title}}<p class="title">{{.}}</p>
{{end}}{{.Text}}</div>
`))

var (
	en = block.Words{"note": "Note", "warning": "Warning", "version": "Versions"}
	ru = block.Words{"note": "Заметка", "warning": "Осторожно", "version": "Версии"}
)

// Render implements block.Block.
func (n *Note) Render(w io.Writer, c block.Course) error {
	if n.kind == instructor {
		return nil
	}
	var title template.HTML
	if n.title != "" {
		title = c.Inline(n.title)
	}
	return block.Execute(w, page, map[string]any{
		"ID": n.id, "Kind": n.kind, "Label": block.In(c.Lang(), en, ru)[n.kind], "Title": title, "Text": c.Markdown(n.text),
	})
}
