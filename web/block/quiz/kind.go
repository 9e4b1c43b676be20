// Package quiz is a question with options, of which one or several are right.
//
//	id: who-requeues
//	question: What brings an unacked message back?
//	options:
//	  - text: basic.cancel
//	    why: It only ends the subscription.
//	  - text: Closing the channel
//	    right: true
//	    why: The broker requeues what the channel held.
package quiz

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"drainlab/web/block"
)

// Kind returns the kind "quiz".
func Kind() block.Kind {
	return block.Kind{Name: "quiz", Question: true, Parse: func(source []byte, _ block.Course) (block.Block, []block.Problem) {
		q, problems := parse(source)
		return block.Made(q, problems)
	}}
}

// Quiz is one question. At least one option is right and one is wrong.
type Quiz struct {
	id       string
	question string
	options  []option
}

type option struct {
	Text  string `need:"write what can be chosen"`
	Right bool
	Why   string `need:"say why it is right or wrong: the reason is shown to whoever chooses it"`
}

func parse(source []byte) (*Quiz, []block.Problem) {
	var y struct {
		ID       string   `need:"name it: id: who-acks"`
		Question string   `need:"write what is asked"`
		Options  []option `need:"write at least two, one of them with right: true"`
	}
	doc, problems := block.Decode(source, &y)
	problems = append(problems, block.CheckID(doc, "id", y.ID)...)
	q := &Quiz{y.ID, y.Question, y.Options}
	switch right := len(q.right()); {
	case len(q.options) == 0: // said already
	case len(q.options) == 1:
		problems = append(problems, doc.Problem("options", "there is nothing to choose from", "write at least two options"))
	case right == 0:
		problems = append(problems, doc.Problem("options", "no option is right", "put right: true on at least one of them"))
	case right == len(q.options):
		problems = append(problems, doc.Problem("options", "every option is right", "add one that is wrong, with its reason"))
	}
	return q, problems
}

// right returns the right options' numbers.
func (q *Quiz) right() []int {
	var out []int
	for i, o := range q.options {
		if o.Right {
			out = append(out, i)
		}
	}
	return out
}

// Judge says whether the chosen options, each the number of one in the
// author's order, are all the right ones and no others.
func Judge(right []int, chosen []string) bool {
	var want, got []string
	for _, n := range right {
		want = append(want, strconv.Itoa(n))
	}
	got = append(got, chosen...)
	slices.Sort(want)
	slices.Sort(got)
	return slices.Equal(slices.Compact(want), slices.Compact(got))
}

// ID implements block.Block.
func (q *Quiz) ID() string { return q.id }

// Shape implements block.Block: how many options, and which are right.
func (q *Quiz) Shape() string {
	var s strings.Builder
	fmt.Fprintf(&s, "quiz %s:", q.id)
	for _, o := range q.options {
		if o.Right {
			s.WriteString(" right")
		} else {
			s.WriteString(" wrong")
		}
	}
	return s.String()
}

var page = template.Must(template.New("quiz").Parse(`<dl-quiz id="{{.ID}}" data-key="{{.Slug}}/{{.ID}}" class="block block-quiz">
<p class="kind"><span>{{.W.kind}}</span><span class="mark"></span></p>
<form novalidate>
<fieldset><legend class="question">{{.Question}}{{if .Several}} <span class="visually-hidden">{{.W.several}}</span>{{end}}</legend>
{{with .More}}<div class="more">{{.}}</div>
{{end}}{{range .Options}}<label class="option"><input type="{{$.Input}}" name="{{$.ID}}" value="{{.Value}}"><span class="text">{{.Text}}</span></label>
{{end}}</fieldset>
<p class="actions"><button type="submit" class="check primary">{{.W.check}}</button><button type="button" class="recall quiet" hidden>{{.W.recall}}</button></p>
<div class="result" role="status"></div>
</form>
<noscript><details><summary>{{.W.answer}}</summary><ul>{{range .Answers}}<li class="{{if .Right}}ok{{else}}no{{end}}"><strong>{{if .Right}}{{$.W.right}}{{else}}{{$.W.wrong}}{{end}}:</strong> {{.Text}} <span class="why">{{.Why}}</span></li>{{end}}</ul></details></noscript>
{{.Key}}
</dl-quiz>
`))

var (
	en = block.Words{
		"kind": "Question", "several": "(several may be right)", "check": "Check", "recall": "Show my answer",
		"answer": "Answer", "right": "Right", "wrong": "Wrong",
	}
	ru = block.Words{
		"kind": "Вопрос", "several": "(верных может быть несколько)", "check": "Проверить", "recall": "Показать мой ответ",
		"answer": "Ответ", "right": "Верно", "wrong": "Неверно",
	}
)

type shown struct {
	Value     int
	Text, Why template.HTML
	Right     bool
}

// Render implements block.Block.
func (q *Quiz) Render(w io.Writer, c block.Course) error {
	answers := make([]shown, len(q.options))
	key := struct {
		Right []int    `json:"right"`
		Why   []string `json:"why"`
	}{Right: q.right()}
	for i, o := range q.options {
		answers[i] = shown{i, c.Inline(o.Text), c.Inline(o.Why), o.Right}
		key.Why = append(key.Why, string(answers[i].Why))
	}
	script, err := block.Key(key)
	if err != nil {
		return err
	}
	var options []shown
	for _, i := range block.Scatter(len(answers), c.Slug()+"/"+q.id) {
		options = append(options, answers[i])
	}
	input := "radio"
	if len(key.Right) > 1 {
		input = "checkbox"
	}
	first, more := block.Question(c, q.question)
	return block.Execute(w, page, map[string]any{
		"ID": q.id, "Slug": c.Slug(), "W": block.In(c.Lang(), en, ru), "Question": first, "More": more,
		"Several": len(key.Right) > 1, "Input": input, "Options": options, "Answers": answers, "Key": script,
	})
}
