// Package predict is a program whose output is to be foretold, by choosing
// among outputs or by typing. The program lies beside the lesson's text, in
// programs/NAME/main.go, and a test runs it and compares what it prints with
// the output given here.
//
//	id: cancelled
//	question: What is printed?
//	program: cancelled
//	region: cancel            # optional: what is shown of the program
//	output: |
//	  took 1
//	options:                  # or typed: known wrong outputs, or neither
//	  - text: took 1
//	    why: It was delivered before the cancel.
//	why: What is behind it.   # shown after an answer
package predict

import (
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"slices"
	"strings"

	"drainlab/web/block"
)

// Kind returns the kind "predict".
func Kind() block.Kind {
	return block.Kind{Name: "predict", Question: true, Parse: func(source []byte, c block.Course) (block.Block, []block.Problem) {
		p, problems := parse(source, c.Lesson())
		return block.Made(p, problems)
	}}
}

// Predict is one such question.
type Predict struct {
	id       string
	question string
	program  string
	region   string
	lines    []string // what is shown of the program
	first    int      // the number of the first of them in the file
	output   string
	options  []foreseen
	typed    []foreseen
	why      string
}

type foreseen struct {
	Text string `need:"write an output"`
	Why  string `need:"say why it is right or wrong: the reason is shown to whoever answers so"`
}

// Path is the program's place in the lesson's folder.
func Path(program string) string { return "programs/" + program + "/main.go" }

// Program is the name of the program whose output is asked for.
func (p *Predict) Program() string { return p.program }

// Output is what the program writes to its standard output, but for white
// space at the ends of lines and of the whole.
func (p *Predict) Output() string { return p.output }

func parse(source []byte, lesson fs.FS) (*Predict, []block.Problem) {
	var y struct {
		ID       string `need:"name it: id: cancelled"`
		Question string `need:"write what is to be foretold"`
		Program  string `need:"name a folder of the lesson's programs/"`
		Region   string
		Output   string `need:"write what the program prints; run it to know"`
		Options  []foreseen
		Typed    []foreseen
		Why      string
	}
	doc, problems := block.Decode(source, &y)
	problem := func(path, what, do string) { problems = append(problems, doc.Problem(path, what, do)) }
	problems = append(problems, block.CheckID(doc, "id", y.ID)...)
	p := &Predict{
		id: y.ID, question: y.Question, program: y.Program, region: y.Region,
		output: y.Output, options: y.Options, typed: y.Typed, why: y.Why,
	}
	if named := block.CheckID(doc, "program", y.Program); len(named) > 0 {
		problems = append(problems, named...)
	} else if y.Program != "" {
		p.show(lesson, problem)
	}

	if y.Options != nil && y.Typed != nil {
		problem("typed", "there are options, so nothing is typed", "keep options or typed, and take the other out")
	}
	if y.Options != nil && y.Output != "" {
		right := 0
		for _, o := range y.Options {
			if JudgeOutput(y.Output, o.Text).Right {
				right++
			}
		}
		switch {
		case len(y.Options) < 2:
			problem("options", "there is nothing to choose from", "write at least two options")
		case right != 1:
			problem("options", fmt.Sprintf("%d options are the output", right), "make exactly one of them the same as output")
		}
	}
	for i, t := range y.Typed {
		if y.Output != "" && JudgeOutput(y.Output, t.Text).Right {
			problem(fmt.Sprintf("typed[%d]", i), "this typed output is the right one", "change it, or take it out")
		}
	}
	if y.Options == nil && y.Why == "" && y.Output != "" {
		problem("output", "nothing explains the output", "add why: it is shown after an answer")
	}
	return p, problems
}

// show finds the lines to be shown of the program.
func (p *Predict) show(lesson fs.FS, problem func(path, what, do string)) {
	source, err := fs.ReadFile(lesson, Path(p.program))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			problem("program", fmt.Sprintf("the lesson has no %s", Path(p.program)), "write the program there, or name another one")
		} else {
			problem("program", err.Error(), "make the program readable")
		}
		return
	}
	lines := strings.Split(strings.TrimRight(string(source), "\n"), "\n")
	start, end, found := 0, len(lines), p.region == ""
	for i, line := range lines {
		switch directive := strings.TrimSpace(line); {
		case p.region == "":
		case !found && directive == "//region "+p.region:
			start, found = i+1, true
		case found && end == len(lines) && directive == "//endregion "+p.region:
			end = i
		}
	}
	if !found || p.region != "" && end == len(lines) {
		problem("region", fmt.Sprintf("%s has no whole region %q", Path(p.program), p.region),
			"put //region "+p.region+" before it and //endregion "+p.region+" after it")
		return
	}
	p.first = start + 1
	p.lines = slices.Clone(lines[start:end])
	if p.region == "" {
		// Numbers would have gaps where the marks were, so there are none.
		n := len(p.lines)
		p.lines = slices.DeleteFunc(p.lines, isMark)
		if len(p.lines) != n {
			p.first = 0
		}
	}
}

func isMark(line string) bool {
	s := strings.TrimSpace(line)
	return strings.HasPrefix(s, "//region ") || strings.HasPrefix(s, "//endregion ")
}

// Verdict is how an answer is held against the output.
type Verdict struct {
	Right bool `json:"right"`
	// Line is the first that differs, from 1; 0 when none does.
	Line int `json:"line"`
	// Typed and Written are that line in the answer and in the output, nil
	// where it has none.
	Typed   *string `json:"typed"`
	Written *string `json:"written"`
}

// JudgeOutput compares an answer with the output. White space within a line
// counts as one space, and empty lines at the end as none.
func JudgeOutput(output, answer string) Verdict {
	want, got := normal(output), normal(answer)
	at := func(lines []string, i int) *string {
		if i >= len(lines) {
			return nil
		}
		return &lines[i]
	}
	for i := range max(len(want), len(got)) {
		w, g := at(want, i), at(got, i)
		if w == nil || g == nil || *w != *g {
			return Verdict{Line: i + 1, Typed: g, Written: w}
		}
	}
	return Verdict{Right: true}
}

func normal(text string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.FieldsFunc(line, func(r rune) bool {
			return r == ' ' || r == '\t' || r == '\r' || r == '\u00a0'
		}), " ")
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// ID implements block.Block.
func (p *Predict) ID() string { return p.id }

// Shape implements block.Block: the program, its output and the outputs to
// choose from, which are the same in every language.
func (p *Predict) Shape() string {
	var s strings.Builder
	fmt.Fprintf(&s, "predict %s: %s %s prints %q", p.id, p.program, p.region, normal(p.output))
	for _, o := range p.options {
		fmt.Fprintf(&s, ", or %q", normal(o.Text))
	}
	return s.String()
}

var page = template.Must(template.New("predict").Parse(`<dl-predict id="{{.ID}}" data-key="{{.Slug}}/{{.ID}}" class="block block-predict">
<p class="kind"><span>{{.W.kind}}</span><span class="mark"></span></p>
<form novalidate>
{{define "program"}}<div class="program">{{.Code}}</div>{{end -}}
{{if .Options}}<fieldset><legend class="question">{{.Question}}</legend>
{{with .More}}<div class="more">{{.}}</div>{{end}}
{{template "program" .}}
<div class="outputs">
{{range .Options}}<label class="option"><input type="radio" name="{{$.ID}}" value="{{.Value}}"><samp class="text output">{{.Text}}</samp></label>
{{end}}</div></fieldset>
{{else}}<p class="question"><label for="{{.ID}}-typed">{{.Question}}</label></p>
{{with .More}}<div class="more">{{.}}</div>{{end}}
{{template "program" .}}
<textarea id="{{.ID}}-typed" rows="{{.Rows}}" spellcheck="false" autocomplete="off" autocapitalize="off" placeholder="{{.W.typed}}"></textarea>
{{end}}<p class="actions"><button type="submit" class="check primary">{{.W.check}}</button><button type="button" class="recall quiet" hidden>{{.W.recall}}</button></p>
<div class="result" role="status"></div>
<div class="truth" hidden></div>
</form>
<noscript><details><summary>{{.W.answer}}</summary><pre class="output">{{.Output}}</pre>{{.Why}}{{with .Options}}<ul>{{range .}}<li><samp>{{.Text}}</samp> <span class="why">{{.Why}}</span></li>{{end}}</ul>{{end}}</details></noscript>
{{.Key}}
</dl-predict>
`))

var (
	en = block.Words{"kind": "Predict", "check": "Check", "recall": "Show my answer", "answer": "What it prints", "typed": "one line of output a line"}
	ru = block.Words{"kind": "Предскажите", "check": "Проверить", "recall": "Показать мой ответ", "answer": "Что она печатает", "typed": "по строке вывода в строке"}
)

type shown struct {
	Value int
	Text  string
	Why   template.HTML
}

type known struct {
	Text string        `json:"text"`
	Why  template.HTML `json:"why"`
}

// Render implements block.Block.
func (p *Predict) Render(w io.Writer, c block.Course) error {
	key := struct {
		Output  string        `json:"output"`
		Why     template.HTML `json:"why"`
		Options []known       `json:"options"`
		Typed   []known       `json:"typed"`
	}{Output: strings.TrimRight(p.output, "\n"), Options: []known{}, Typed: []known{}}
	if p.why != "" {
		key.Why = c.Markdown(p.why)
	}
	for _, o := range p.options {
		key.Options = append(key.Options, known{strings.TrimRight(o.Text, "\n"), c.Inline(o.Why)})
	}
	for _, t := range p.typed {
		key.Typed = append(key.Typed, known{strings.TrimRight(t.Text, "\n"), c.Inline(t.Why)})
	}
	script, err := block.Key(key)
	if err != nil {
		return err
	}
	var options []shown
	for _, i := range block.Scatter(len(key.Options), c.Slug()+"/"+p.id) {
		options = append(options, shown{i, key.Options[i].Text, key.Options[i].Why})
	}
	lines, first := block.Outdent(p.lines), p.first
	question, more := block.Question(c, p.question)
	return block.Execute(w, page, map[string]any{
		"ID": p.id, "Slug": c.Slug(), "W": block.In(c.Lang(), en, ru), "Question": question, "More": more,
		"Code": c.Code(strings.Join(lines, "\n"), "go", first, nil), "Options": options,
		// Never exactly as many rows as there are lines: that would tell.
		"Rows":   max(4, strings.Count(key.Output, "\n")+2+len(p.id)%2),
		"Output": key.Output, "Why": key.Why, "Key": script,
	})
}
