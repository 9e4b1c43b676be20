// Package order is steps to be brought into an order, with distractors among
// them. The truth is a partial order: each step says which come before it, and
// every arrangement that keeps to that is right.
//
//	id: phases
//	question: Put the stop in order.
//	steps:
//	  - id: cancel
//	    text: basic.cancel is answered
//	    why: As long as it is not, messages can come.
//	  - id: close
//	    text: The channel is closed
//	    why: Acks need it.
//	    after: [cancel]
//	distractors:
//	  - id: sleep
//	    text: A sleep of five seconds
//	    why: Too long or too short.
package order

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"drainlab/web/block"
)

// Kind returns the kind "order".
func Kind() block.Kind {
	return block.Kind{Name: "order", Question: true, Parse: func(source []byte, _ block.Course) (block.Block, []block.Problem) {
		o, problems := parse(source)
		return block.Made(o, problems)
	}}
}

// Order is one such question. Its steps form a partial order: no step comes,
// directly or through others, before itself.
type Order struct {
	id          string
	question    string
	steps       []step
	distractors []distractor
}

type step struct {
	ID    string   `need:"name the step, so that others can come after it"`
	Text  string   `need:"write what is done in this step"`
	Why   string   `need:"say why it stands where it does: the reason is shown when it is misplaced"`
	After []string // ids
}

type distractor struct {
	ID   string `need:"name it"`
	Text string `need:"write what somebody may take for a step"`
	Why  string `need:"say why it is none: the reason is shown when it is used"`
}

func parse(source []byte) (*Order, []block.Problem) {
	var y struct {
		ID          string `need:"name it: id: phases"`
		Question    string `need:"write what is to be put in order"`
		Steps       []step `need:"write at least two"`
		Distractors []distractor
	}
	doc, problems := block.Decode(source, &y)
	problem := func(path, what, do string) { problems = append(problems, doc.Problem(path, what, do)) }
	problems = append(problems, block.CheckID(doc, "id", y.ID)...)
	o := &Order{y.ID, y.Question, y.Steps, y.Distractors}

	ordered, whole := false, true
	known := map[string]string{} // what has an id: "step"
	name := func(path, what, id string) {
		problems = append(problems, block.CheckID(doc, path, id)...)
		if id != "" && known[id] != "" {
			problem(path, fmt.Sprintf("a %s is called %q already", known[id], id), "give this one another id")
			whole = false
			return
		}
		known[id] = what
	}
	for i, s := range y.Steps {
		name(fmt.Sprintf("steps[%d].id", i), "step", s.ID)
	}
	for i, d := range y.Distractors {
		name(fmt.Sprintf("distractors[%d].id", i), "distractor", d.ID)
	}
	if len(y.Steps) == 1 {
		problem("steps", "one step has no order", "write at least two steps")
	}
	var ids []string
	for _, s := range y.Steps {
		ids = append(ids, s.ID)
	}
	for i, s := range y.Steps {
		for j, id := range s.After {
			at := fmt.Sprintf("steps[%d].after[%d]", i, j)
			switch {
			case known[id] == "distractor":
				problem(at, fmt.Sprintf("%q is a distractor, and no step comes after one", id), "name a step")
				whole = false
			case id == "" || known[id] == "":
				do := "name one of the steps: " + strings.Join(ids, ", ")
				if near := block.Nearest(id, ids); near != "" {
					do = fmt.Sprintf("did you mean %q?", near)
				}
				problem(at, fmt.Sprintf("there is no step %q", id), do)
				whole = false
			case slices.Index(s.After, id) < j:
				problem(at, fmt.Sprintf("%q is there twice", id), "keep one of them")
			}
			ordered = true
		}
	}
	if len(y.Steps) > 1 && !ordered {
		problem("steps", "no step comes after another one, so every order is right", "say with after: [id] which come before a step")
	}
	if cycle := o.cycle(); whole && len(cycle) > 0 {
		at := slices.IndexFunc(y.Steps, func(s step) bool { return s.ID == cycle[0] })
		problem(fmt.Sprintf("steps[%d].after", at), "the order has a cycle: "+strings.Join(append(cycle, cycle[0]), " after "), "take one of these after out")
	}
	return o, problems
}

// cycle returns steps each of which comes after the next one, and the last
// after the first; nil when there is no such cycle.
func (o *Order) cycle() []string {
	after := map[string][]string{}
	for _, s := range o.steps {
		after[s.ID] = s.After
	}
	var path []string
	done := map[string]bool{}
	var walk func(id string) []string
	walk = func(id string) []string {
		if i := slices.Index(path, id); i >= 0 {
			return slices.Clone(path[i:])
		}
		if done[id] {
			return nil
		}
		path = append(path, id)
		for _, b := range after[id] {
			if c := walk(b); c != nil {
				return c
			}
		}
		path = path[:len(path)-1]
		done[id] = true
		return nil
	}
	for _, s := range o.steps {
		if c := walk(s.ID); c != nil {
			return c
		}
	}
	return nil
}

// Steps returns the truth, to be used with Score.
func (o *Order) Steps() []Step {
	steps := make([]Step, len(o.steps))
	for i, s := range o.steps {
		steps[i] = Step{ID: s.ID, After: append([]string{}, s.After...)}
	}
	return steps
}

// Solution returns one right order: the author's, as far as it is right.
func (o *Order) Solution() []string {
	var out []string
	for len(out) < len(o.steps) {
		n := len(out)
		for _, s := range o.steps {
			ready := !slices.ContainsFunc(s.After, func(b string) bool { return !slices.Contains(out, b) })
			if ready && !slices.Contains(out, s.ID) {
				out = append(out, s.ID)
				break
			}
		}
		if len(out) == n {
			break // a cycle, which parse reports
		}
	}
	return out
}

// ID implements block.Block.
func (o *Order) ID() string { return o.id }

// Shape implements block.Block: the steps with what comes before each, and the
// distractors.
func (o *Order) Shape() string {
	var s strings.Builder
	fmt.Fprintf(&s, "order %s:", o.id)
	for _, st := range o.steps {
		after := slices.Sorted(slices.Values(st.After))
		fmt.Fprintf(&s, " %s after %v,", st.ID, after)
	}
	for _, d := range o.distractors {
		fmt.Fprintf(&s, " not %s", d.ID)
	}
	return s.String()
}

var page = template.Must(template.New("order").Parse(`<dl-order id="{{.ID}}" data-key="{{.Slug}}/{{.ID}}" class="block block-order">
<p class="kind"><span>{{.W.kind}}</span><span class="mark"></span></p>
<form novalidate>
<fieldset><legend class="question">{{.Question}}</legend>
{{with .More}}<div class="more">{{.}}</div>{{end}}
<div class="lists">
<section><p class="name" id="{{.ID}}-tray">{{.W.tray}}</p><ul class="tray" aria-labelledby="{{.ID}}-tray">
{{range .Blocks}}<li class="step" data-step="{{.ID}}"><span class="handle" aria-hidden="true"></span><span class="text"><span class="label">{{.Text}}</span></span><span class="tools"><button type="button" data-do="add" aria-label="{{$.W.add}}">+</button><button type="button" data-do="up" aria-label="{{$.W.up}}">↑</button><button type="button" data-do="down" aria-label="{{$.W.down}}">↓</button><button type="button" data-do="remove" aria-label="{{$.W.remove}}">✕</button></span></li>
{{end}}</ul></section>
<section><p class="name" id="{{.ID}}-sequence">{{.W.sequence}}</p><ol class="sequence" aria-labelledby="{{.ID}}-sequence" data-empty="{{.W.empty}}"></ol></section>
</div>
</fieldset>
<p class="keys">{{.W.keys}}</p>
<p class="actions"><button type="submit" class="check primary">{{.W.check}}</button><button type="button" class="solve" hidden>{{.W.solve}}</button><button type="button" class="recall quiet" hidden>{{.W.recall}}</button></p>
<div class="said visually-hidden" role="status"></div>
<div class="result" role="status"></div>
</form>
<noscript><details><summary>{{.W.answer}}</summary><ol>{{range .Solution}}<li>{{.Text}} <span class="why">{{.Why}}</span></li>{{end}}</ol>{{with .Distractors}}<p>{{$.W.none}}</p><ul>{{range .}}<li>{{.Text}} <span class="why">{{.Why}}</span></li>{{end}}</ul>{{end}}</details></noscript>
{{.Key}}
</dl-order>
`))

var (
	en = block.Words{
		"kind": "Put in order", "tray": "Steps to choose from", "sequence": "Your order", "empty": "Drag steps here, or add them with +.",
		"add": "Add to the order", "up": "Move up", "down": "Move down", "remove": "Take out",
		"keys":  "Keys: ↑ ↓ go to a step, → or Enter adds it, Alt with ↑ ↓ moves it, ← or Delete takes it out.",
		"check": "Check", "solve": "Show a right order", "recall": "Show my answer", "answer": "A right order", "none": "These do not belong:",
	}
	ru = block.Words{
		"kind": "Расставьте по порядку", "tray": "Шаги на выбор", "sequence": "Ваш порядок", "empty": "Перетащите шаги сюда или добавьте их знаком +.",
		"add": "Добавить в порядок", "up": "Выше", "down": "Ниже", "remove": "Убрать",
		"keys":  "Клавиши: ↑ ↓ — выбрать шаг, → или Enter — добавить, Alt с ↑ ↓ — передвинуть, ← или Delete — убрать.",
		"check": "Проверить", "solve": "Показать верный порядок", "recall": "Показать мой ответ", "answer": "Верный порядок", "none": "Сюда не относится:",
	}
)

type shown struct {
	ID        string
	Text, Why template.HTML
}

// Render implements block.Block.
func (o *Order) Render(w io.Writer, c block.Course) error {
	key := struct {
		Steps       []Step            `json:"steps"`
		Distractors []string          `json:"distractors"`
		Why         map[string]string `json:"why"`
		Solution    []string          `json:"solution"`
	}{Steps: o.Steps(), Distractors: []string{}, Why: map[string]string{}, Solution: o.Solution()}
	var all, distractors []shown
	byID := map[string]shown{}
	for _, s := range o.steps {
		all = append(all, shown{s.ID, c.Inline(s.Text), c.Inline(s.Why)})
	}
	for _, d := range o.distractors {
		key.Distractors = append(key.Distractors, d.ID)
		distractors = append(distractors, shown{d.ID, c.Inline(d.Text), c.Inline(d.Why)})
	}
	all = append(all, distractors...)
	for _, s := range all {
		byID[s.ID] = s
		key.Why[s.ID] = string(s.Why)
	}
	script, err := block.Key(key)
	if err != nil {
		return err
	}
	var blocks, solution []shown
	for _, i := range block.Scatter(len(all), c.Slug()+"/"+o.id) {
		blocks = append(blocks, all[i])
	}
	for _, id := range key.Solution {
		solution = append(solution, byID[id])
	}
	question, more := block.Question(c, o.question)
	return block.Execute(w, page, map[string]any{
		"ID": o.id, "Slug": c.Slug(), "W": block.In(c.Lang(), en, ru), "Question": question, "More": more,
		"Blocks": blocks, "Solution": solution, "Distractors": distractors, "Key": script,
	})
}
