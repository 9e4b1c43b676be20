// Package program shows a part of an exercise's program as it is, found by
// name and never pasted, with the numbers that its lines have in the file.
//
//	exercise: consumer
//	program: solution
//	region: drain                   # optional: all of it without
//	highlight: ["case <-finished:"] # optional: lines that have this in them
//	caption: Phase 3.               # optional
package program

import (
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"drainlab/web/block"
)

// Kind returns the kind "program".
func Kind() block.Kind {
	return block.Kind{Name: "program", Parse: func(source []byte, c block.Course) (block.Block, []block.Problem) {
		p, problems := parse(source, c)
		if len(problems) > 0 {
			return nil, problems
		}
		return p, nil
	}}
}

// Program is a part of a file.
type Program struct {
	exercise, program, region, caption string

	shown block.Region
	marks []int // the highlighted lines, from 0
}

func parse(source []byte, c block.Course) (*Program, []block.Problem) {
	var y struct {
		ID        string
		Exercise  string `need:"name a folder of exercises/"`
		Program   string `need:"name a program of the exercise: program: solution"`
		Region    string
		Highlight []string
		Caption   string
	}
	doc, problems := block.Decode(source, &y)
	if y.ID != "" {
		problems = append(problems, doc.Problem("id", "a program needs no id", "remove it"))
	}
	p := &Program{exercise: y.Exercise, program: y.Program, region: y.Region, caption: y.Caption}
	if y.Exercise == "" || y.Program == "" {
		return p, problems
	}
	region, err := c.Region(y.Exercise, y.Program, y.Region)
	if err != nil {
		key := "region"
		switch programs := c.Programs(y.Exercise); {
		case programs == nil:
			key = "exercise"
		case !slices.Contains(programs, y.Program):
			key = "program"
		}
		return p, append(problems, doc.Problem(key, err.Error(), "name one that there is"))
	}
	p.shown = region
	if len(p.shown.Lines) == 0 {
		return p, append(problems, doc.Problem("region", "the region is empty", "put something into it, or name another one"))
	}
	for i, want := range y.Highlight {
		marks, err := p.find(want)
		if err != nil {
			problems = append(problems, doc.Problem(fmt.Sprintf("highlight[%d]", i), err.Error(), "copy a line of the region, or a part of one"))
		}
		p.marks = append(p.marks, marks...)
	}
	return p, problems
}

// find returns the lines that have text in them. A text of several lines marks
// all of them.
func (p *Program) find(text string) ([]int, error) {
	want := strings.Split(strings.TrimSpace(text), "\n")
	if want[0] == "" {
		return nil, errors.New("there is nothing to highlight")
	}
	var marks []int
	for i := range p.shown.Lines {
		for j, line := range want {
			if i+j >= len(p.shown.Lines) || !strings.Contains(p.shown.Lines[i+j], strings.TrimSpace(line)) {
				break
			}
			if j == len(want)-1 {
				for k := range want {
					marks = append(marks, i+k)
				}
			}
		}
	}
	if marks == nil {
		return nil, fmt.Errorf("%q does not occur in %s", text, p.place())
	}
	return marks, nil
}

// place is where a reader finds the lines: the file and the region's name.
func (p *Program) place() string {
	if p.region == "" {
		return p.shown.Path
	}
	return p.shown.Path + " · " + p.region
}

// ID implements block.Block; a program has none.
func (p *Program) ID() string { return "" }

// Shape implements block.Block.
func (p *Program) Shape() string {
	return fmt.Sprintf("program %s/%s %s, highlighted %v", p.exercise, p.program, p.region, p.marks)
}

var page = template.Must(template.New("program").Parse(`<dl-program class="block-program"><figure>
<p class="place"><span>{{.Place}}</span><span class="said" role="status"></span><button type="button" class="copy quiet">{{.W.copy}}</button></p>
{{.Code}}
{{with .Caption}}<figcaption>{{.}}</figcaption>
{{end}}</figure></dl-program>
`))

var (
	en = block.Words{"copy": "Copy"}
	ru = block.Words{"copy": "Копировать"}
)

// Render implements block.Block.
func (p *Program) Render(w io.Writer, c block.Course) error {
	var caption template.HTML
	if p.caption != "" {
		caption = c.Inline(p.caption)
	}
	first := p.shown.Start
	if p.shown.Gaps {
		first = 0
	}
	return block.Execute(w, page, map[string]any{
		"Place": p.place(), "W": block.In(c.Lang(), en, ru), "Caption": caption,
		"Code": c.Code(strings.Join(block.Outdent(p.shown.Lines), "\n"), "go", first, p.marks),
	})
}
