// Package blanks is a program with gaps that the learner fills in.
//
//	id: restore
//	question: Fill the gap.
//	language: go             # as chroma names it; go when left out
//	code: |
//	  ctx, stop := signal.NotifyContext(context.Background(), {{signal}})
//	gaps:
//	  signal:
//	    accept: [syscall.SIGTERM]
//	    hint: What do platforms send first?
//	    wrong:
//	      - answer: os.Kill
//	        why: It cannot be caught.
//	why: What is behind it.  # shown with the right answer
package blanks

import (
	"fmt"
	"hash/fnv"
	"html"
	"html/template"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"drainlab/web/block"
)

// Kind returns the kind "blanks".
func Kind() block.Kind {
	return block.Kind{Name: "blanks", Question: true, Parse: func(source []byte, _ block.Course) (block.Block, []block.Problem) {
		b, problems := parse(source)
		return block.Made(b, problems)
	}}
}

// Blanks is one program with gaps. Every gap stands in the code once.
type Blanks struct {
	id       string
	question string
	code     string
	language string
	order    []string // the gaps' names as the code has them
	gaps     map[string]Gap
	why      string
}

// Gap is what belongs into a gap.
type Gap struct {
	Accept []string `json:"accept" need:"list what is accepted"`
	Wrong  []Wrong  `json:"wrong"`
	Hint   string   `json:"hint"`
}

// Wrong is a wrong answer that the author foresaw.
type Wrong struct {
	Answer string `json:"answer" need:"write what somebody may fill in"`
	Why    string `json:"why" need:"say why it is wrong"`
}

// A gap in the code. No language that is shown here writes this.
var marker = regexp.MustCompile(`\{\{([a-z0-9-]+)\}\}`)

func parse(source []byte) (*Blanks, []block.Problem) {
	var y struct {
		ID       string `need:"name it: id: drain-code"`
		Question string `need:"write what is to be filled in"`
		Code     string `need:"write the program, with {{name}} where a gap is"`
		Language string
		Gaps     map[string]Gap `need:"say for each gap what is accepted"`
		Why      string
	}
	doc, problems := block.Decode(source, &y)
	problem := func(path, what, do string) { problems = append(problems, doc.Problem(path, what, do)) }
	problems = append(problems, block.CheckID(doc, "id", y.ID)...)
	b := &Blanks{id: y.ID, question: y.Question, code: y.Code, language: y.Language, gaps: y.Gaps, why: y.Why}
	if b.language == "" {
		b.language = "go"
	}
	for _, m := range marker.FindAllStringSubmatch(y.Code, -1) {
		name := m[1]
		if slices.Contains(b.order, name) {
			problem("code", fmt.Sprintf("the gap {{%s}} is there twice", name), "give each gap a name of its own")
			continue
		}
		b.order = append(b.order, name)
		if _, ok := y.Gaps[name]; !ok && len(y.Gaps) > 0 {
			problem("gaps", fmt.Sprintf("nothing is said of the gap {{%s}}", name), "add it, with what is accepted")
		}
	}
	if y.Code != "" && len(b.order) == 0 {
		problem("code", "the code has no gap", "write {{name}} where one is, in small letters")
	}
	for _, name := range slices.Sorted(maps.Keys(y.Gaps)) {
		gap, at := y.Gaps[name], "gaps."+name
		if y.Code != "" && !slices.Contains(b.order, name) {
			problem(at, fmt.Sprintf("the code has no gap {{%s}}", name), "put it into the code, or take it out here")
		}
		for i, answer := range gap.Accept {
			if squeeze(answer) == "" {
				problem(fmt.Sprintf("%s.accept[%d]", at, i), "an empty answer is accepted", "write what belongs there")
			}
		}
		seen := map[string]bool{}
		for i, w := range gap.Wrong {
			if JudgeGap(gap, w.Answer).Right {
				problem(fmt.Sprintf("%s.wrong[%d]", at, i), fmt.Sprintf("%q is accepted as well", w.Answer), "take it out of one of the two")
			}
			if seen[w.Answer] {
				problem(fmt.Sprintf("%s.wrong[%d]", at, i), fmt.Sprintf("%q is there twice", w.Answer), "keep one of them")
			}
			seen[w.Answer] = true
		}
	}
	return b, problems
}

// Verdict is how an answer is held against a gap.
type Verdict struct {
	Right bool `json:"right"`
	// Wrong is the number of the author's wrong answer that it is, or -1.
	Wrong int `json:"wrong"`
}

// JudgeGap judges what was filled into a gap.
func JudgeGap(gap Gap, answer string) Verdict {
	got := squeeze(answer)
	if slices.ContainsFunc(gap.Accept, func(a string) bool { return squeeze(a) == got }) {
		return Verdict{Right: true, Wrong: -1}
	}
	return Verdict{Wrong: slices.IndexFunc(gap.Wrong, func(w Wrong) bool { return squeeze(w.Answer) == got })}
}

// squeeze takes out the white space that a program does not need: all but
// that between two words.
func squeeze(code string) string {
	var out strings.Builder
	for i, word := range strings.FieldsFunc(code, unicode.IsSpace) {
		if i > 0 {
			last, _ := utf8.DecodeLastRuneInString(out.String())
			first, _ := utf8.DecodeRuneInString(word)
			if wordly(last) && wordly(first) {
				out.WriteByte(' ')
			}
		}
		out.WriteString(word)
	}
	return out.String()
}

func wordly(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

// ID implements block.Block.
func (b *Blanks) ID() string { return b.id }

// Shape implements block.Block: the gaps in order, and what each accepts.
func (b *Blanks) Shape() string {
	var s strings.Builder
	fmt.Fprintf(&s, "blanks %s:", b.id)
	for _, name := range b.order {
		fmt.Fprintf(&s, " %s %q", name, b.gaps[name].Accept)
	}
	return s.String()
}

var page = template.Must(template.New("blanks").Parse(`<dl-blanks id="{{.ID}}" data-key="{{.Slug}}/{{.ID}}" class="block block-blanks">
<p class="kind"><span>{{.W.kind}}</span><span class="mark"></span></p>
<form novalidate autocomplete="off">
<fieldset><legend class="question">{{.Question}}</legend>
{{with .More}}<div class="more">{{.}}</div>{{end}}
{{.Code}}
</fieldset>
<div class="reasons" hidden></div>
<p class="actions"><button type="submit" class="check primary">{{.W.check}}</button><button type="button" class="solve" hidden>{{.W.solve}}</button><button type="button" class="recall quiet" hidden>{{.W.recall}}</button></p>
<div class="result" role="status"></div>
</form>
<noscript><details><summary>{{.W.answer}}</summary><ol>{{range .Answers}}<li>{{range $i, $a := .Accept}}{{if $i}}, {{end}}<code>{{$a}}</code>{{end}}{{with .Wrong}}<ul>{{range .}}<li class="no"><code>{{.Answer}}</code> <span class="why">{{.Why}}</span></li>{{end}}</ul>{{end}}</li>{{end}}</ol>{{.Why}}</details></noscript>
{{.Key}}
</dl-blanks>
`))

var (
	en = block.Words{
		"kind": "Fill in", "check": "Check", "solve": "Show the answer", "recall": "Show my answer", "answer": "Answer",
		"gap": "Gap %d of %d",
	}
	ru = block.Words{
		"kind": "Заполните", "check": "Проверить", "solve": "Показать ответ", "recall": "Показать мой ответ", "answer": "Ответ",
		"gap": "Пропуск %d из %d",
	}
)

type shownGap struct {
	Accept []string     `json:"accept"`
	Wrong  []shownWrong `json:"wrong"`
	Hint   string       `json:"hint"`
}

type shownWrong struct {
	Answer string        `json:"answer"`
	Why    template.HTML `json:"why"`
}

// Render implements block.Block.
func (b *Blanks) Render(w io.Writer, c block.Course) error {
	words := block.In(c.Lang(), en, ru)
	key := struct {
		Why  string     `json:"why"`
		Gaps []shownGap `json:"gaps"`
	}{}
	if b.why != "" {
		key.Why = string(c.Inline(b.why))
	}
	for _, name := range b.order {
		gap := shownGap{Accept: b.gaps[name].Accept, Wrong: []shownWrong{}}
		if hint := b.gaps[name].Hint; hint != "" {
			gap.Hint = string(c.Inline(hint))
		}
		for _, wrong := range b.gaps[name].Wrong {
			gap.Wrong = append(gap.Wrong, shownWrong{wrong.Answer, c.Inline(wrong.Why)})
		}
		key.Gaps = append(key.Gaps, gap)
	}
	script, err := block.Key(key)
	if err != nil {
		return err
	}
	question, more := block.Question(c, b.question)
	return block.Execute(w, page, map[string]any{
		"ID": b.id, "Slug": c.Slug(), "W": words, "Question": question, "More": more,
		"Code": b.withInputs(c, words["gap"]), "Answers": key.Gaps, "Why": template.HTML(key.Why), "Key": script,
	})
}

// withInputs highlights the code, with a word of its own in place of each gap
// that the highlighter takes for a name, and puts inputs where those came out.
func (b *Blanks) withInputs(c block.Course, label string) template.HTML {
	stem := "gap"
	for strings.Contains(b.code, stem) {
		stem += "Q"
	}
	number := map[string]int{}
	for i, name := range b.order {
		number[name] = i
	}
	code := marker.ReplaceAllStringFunc(strings.TrimRight(b.code, "\n"), func(m string) string {
		return fmt.Sprintf("%s%dQ", stem, number[m[2:len(m)-2]])
	})
	out := string(c.Code(code, b.language, 0, nil))
	return template.HTML(regexp.MustCompile(stem+`([0-9]+)Q`).ReplaceAllStringFunc(out, func(m string) string {
		i, err := strconv.Atoi(m[len(stem) : len(m)-1])
		if err != nil || i >= len(b.order) {
			return m
		}
		return fmt.Sprintf(`<input class="gap" name="gap-%d" size="%d" spellcheck="false" autocapitalize="off" autocomplete="off" aria-label="%s">`,
			i, b.width(b.order[i]), html.EscapeString(fmt.Sprintf(label, i+1, len(b.order))))
	}))
}

// width is a gap's width in letters: the longest accepted answer and a little
// more, by which it does not tell how long the answer is.
func (b *Blanks) width(name string) int {
	longest := 4
	for _, a := range b.gaps[name].Accept {
		longest = max(longest, utf8.RuneCountInString(a))
	}
	h := fnv.New32a()
	io.WriteString(h, b.id+" "+name)
	return longest + 1 + int(h.Sum32()%4)
}
