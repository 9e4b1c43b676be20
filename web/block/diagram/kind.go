// Package diagram is a drawing in Mermaid's language, with its meaning in words
// for whoever does not see it.
//
//	id: stop-sequence
//	title: A stop that costs nothing   # optional
//	alt: "The platform sends TERM. …"
//	mermaid: |
//	  sequenceDiagram
//	    …
package diagram

import (
	"fmt"
	"html/template"
	"io"
	"strings"

	"drainlab/web/block"
)

// Kind returns the kind "diagram".
func Kind() block.Kind {
	return block.Kind{Name: "diagram", Parse: func(source []byte, _ block.Course) (block.Block, []block.Problem) {
		d, problems := parse(source)
		if len(problems) > 0 {
			return nil, problems
		}
		return d, nil
	}}
}

// Diagram is one drawing.
type Diagram struct {
	id, title, alt, mermaid string
}

func parse(source []byte) (*Diagram, []block.Problem) {
	var y struct {
		ID      string `need:"name it: id: stop-sequence"`
		Title   string
		Alt     string `need:"say in words all that the diagram says"`
		Mermaid string `need:"draw it in Mermaid's language"`
	}
	doc, problems := block.Decode(source, &y)
	problems = append(problems, block.CheckID(doc, "id", y.ID)...)
	// Directives change how strictly Mermaid treats the source; the look is the course's.
	if strings.Contains(y.Mermaid, "%%{") || strings.HasPrefix(strings.TrimSpace(y.Mermaid), "---") {
		problems = append(problems, doc.Problem("mermaid", "the diagram configures Mermaid", "take the %%{…}%% or the front matter out"))
	}
	return &Diagram{y.ID, y.Title, strings.TrimSpace(y.Alt), strings.TrimRight(y.Mermaid, "\n")}, problems
}

// ID implements block.Block.
func (d *Diagram) ID() string { return d.id }

// Shape implements block.Block: which kind of diagram, and how many lines.
func (d *Diagram) Shape() string {
	lines := strings.Split(d.mermaid, "\n")
	return fmt.Sprintf("diagram %s: %s of %d lines", d.id, strings.TrimSpace(lines[0]), len(lines))
}

var page = template.Must(template.New("diagram").Parse(`<dl-diagram id="{{.ID}}" class="block-diagram"><figure>
<div class="drawing" role="img" aria-label="{{.W.drawing}}" aria-describedby="{{.ID}}-alt"><svg viewBox="0 0 {{.Width}} {{.Height}}" width="{{.Width}}" height="{{.Height}}" aria-hidden="true"></svg></div>
<p class="alt" id="{{.ID}}-alt">{{.Alt}}</p>
{{with .Title}}<figcaption>{{.}}</figcaption>
{{end}}<details class="source"><summary>{{.W.source}}</summary><pre><code>{{.Mermaid}}</code></pre></details>
</figure></dl-diagram>
`))

var (
	en = block.Words{"drawing": "Diagram", "source": "Source of the diagram (Mermaid)"}
	ru = block.Words{"drawing": "Диаграмма", "source": "Исходник диаграммы (Mermaid)"}
)

// Render implements block.Block. The words are in the page for all; where a
// script draws, they are out of sight.
func (d *Diagram) Render(w io.Writer, c block.Course) error {
	var title template.HTML
	if d.title != "" {
		title = c.Inline(d.title)
	}
	width, height := size(d.mermaid)
	return block.Execute(w, page, map[string]any{
		"Width": width, "Height": height,
		"ID": d.id, "Title": title, "Alt": d.alt, "Mermaid": d.mermaid, "W": block.In(c.Lang(), en, ru),
	})
}
