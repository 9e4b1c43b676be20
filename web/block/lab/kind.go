// Package lab is an exercise to be run: a card in the text that says what to
// do and what to foretell, and the lab itself, which a page has once, beside
// its text.
//
//	id: run-term
//	exercise: consumer
//	program: solution          # optional: what the lab is set to
//	scenario: term-under-load  # optional
//	task: |
//	  Stop it under load. How many messages come back?
package lab

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"drainlab/web/block"
)

// Kind returns the kind "lab".
func Kind() block.Kind {
	return block.Kind{Name: "lab", Parse: func(source []byte, c block.Course) (block.Block, []block.Problem) {
		l, problems := parse(source, c)
		if len(problems) > 0 {
			return nil, problems
		}
		return l, nil
	}}
}

// Lab is one task.
type Lab struct {
	id, exercise, program, scenario, task string
}

func parse(source []byte, c block.Course) (*Lab, []block.Problem) {
	var y struct {
		ID       string `need:"name it: id: run-term"`
		Exercise string `need:"name a folder of exercises/"`
		Program  string
		Scenario string
		Task     string `need:"say what to do, and what to foretell before"`
	}
	doc, problems := block.Decode(source, &y)
	problems = append(problems, block.CheckID(doc, "id", y.ID)...)
	if y.Exercise == "" {
		return nil, problems
	}
	programs := c.Programs(y.Exercise)
	if programs == nil {
		return nil, append(problems, doc.Problem("exercise", fmt.Sprintf("there is no exercise %q", y.Exercise), "name a folder of exercises/ that has an exercise.yaml without mistakes"))
	}
	for _, name := range []struct {
		key, value string
		known      []string
	}{{"program", y.Program, programs}, {"scenario", y.Scenario, c.Scenarios(y.Exercise)}} {
		if name.value != "" && !slices.Contains(name.known, name.value) {
			do := "use one of: " + strings.Join(name.known, ", ")
			if near := block.Nearest(name.value, name.known); near != "" {
				do = fmt.Sprintf("did you mean %q?", near)
			}
			problems = append(problems, doc.Problem(name.key, fmt.Sprintf("exercise %s has no %s %q", y.Exercise, name.key, name.value), do))
		}
	}
	return &Lab{y.ID, y.Exercise, y.Program, y.Scenario, y.Task}, problems
}

// Exercise is the exercise's folder.
func (l *Lab) Exercise() string { return l.exercise }

// ID implements block.Block.
func (l *Lab) ID() string { return l.id }

// Shape implements block.Block.
func (l *Lab) Shape() string {
	return fmt.Sprintf("lab %s: exercise %s, program %s, scenario %s", l.id, l.exercise, l.program, l.scenario)
}

var page = template.Must(template.New("lab").Parse(`<dl-lab-task id="{{.ID}}" data-key="{{.Slug}}/{{.ID}}" data-exercise="{{.Exercise}}"{{with .Program}} data-program="{{.}}"{{end}}{{with .Scenario}} data-scenario="{{.}}"{{end}} class="block block-lab">
<p class="kind"><span>{{.W.kind}}</span><span class="mark"></span></p>
<div class="task">{{.Task}}</div>
<p class="actions"><a class="button primary open" href="#lab">{{.W.open}}</a></p>
</dl-lab-task>
`))

var (
	en = block.Words{
		"kind": "Try it", "open": "Open in the lab",
		// The lab's own, as words.ts has them.
		"program": "Program", "scenario": "Scenario", "platform": "Platform", "free": "Free play: you drive", "seconds": "Grace period, seconds", "s": "s",
		"predict": "Before you run it: what will happen?", "code": "exit code", "back": "messages that come back", "cutOff": "requests cut off or failed",
		"run": "Run", "just": "Just run", "publish": "publish 20", "request": "send 20 requests", "hang": "hang a worker", "hangHTTP": "hang a request",
		"cut": "cut the connection", "restart": "restart", "target": "Which process the buttons act on", "newest": "newest process",
		"ready": "ready", "unacked": "unacked", "acked": "acked", "conns": "open", "flying": "in flight", "answered": "answered", "broken": "cut off",
		"grace": "of 10 s grace", "noscript": "The lab needs JavaScript. Without it, play the same scenarios in a terminal:",
	}
	ru = block.Words{
		"kind": "Попробуйте", "open": "Открыть в лаборатории",
		"program": "Программа", "scenario": "Сценарий", "platform": "Платформа", "free": "Свободно: управляете вы", "seconds": "Время на остановку, секунд", "s": "с",
		"predict": "До запуска: что произойдёт?", "code": "код выхода", "back": "вернётся сообщений", "cutOff": "оборвётся запросов",
		"run": "Запустить", "just": "Просто запустить", "publish": "+20 сообщений", "request": "+20 запросов", "hang": "подвесить воркер", "hangHTTP": "подвесить запрос",
		"cut": "оборвать связь", "restart": "перезапустить", "target": "На какой процесс действуют кнопки", "newest": "новейший процесс",
		"ready": "ждут", "unacked": "без ack", "acked": "с ack", "conns": "открыто", "flying": "в работе", "answered": "с ответом", "broken": "оборвано",
		"grace": "из 10 с", "noscript": "Лаборатории нужен JavaScript. Без него те же сценарии можно сыграть в терминале:",
	}
)

// Render implements block.Block.
func (l *Lab) Render(w io.Writer, c block.Course) error {
	return block.Execute(w, page, map[string]any{
		"ID": l.id, "Slug": c.Slug(), "Exercise": l.exercise, "Program": l.program, "Scenario": l.scenario,
		"Task": c.Markdown(l.task), "W": block.In(c.Lang(), en, ru),
	})
}
