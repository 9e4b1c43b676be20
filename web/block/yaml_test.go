package block

import (
	"reflect"
	"strings"
	"testing"
)

type sheet struct {
	ID       string            `yaml:"id" need:"name the block: id: in-kebab-case"`
	Question string            `yaml:"question" need:"ask something"`
	Options  []sheetOption     `yaml:"options" need:"give at least two"`
	Gaps     map[string]*gap   `yaml:"gaps"`
	Labels   map[string]string `yaml:"labels"`
	Minutes  int               `yaml:"minutes"`
}
type sheetOption struct {
	Text  string `yaml:"text" need:"write the option"`
	Right bool   `yaml:"right"`
	Why   string `yaml:"why" need:"say why"`
}
type gap struct {
	Accept []string `yaml:"accept"`
}

func TestDecode(t *testing.T) {
	var got sheet
	doc, problems := Decode([]byte(`id: one
question: |
  What: now?
options:
  - text: 0
    right: true
    why: "because: so"
  - {text: "2", why: no}
gaps:
  fn: {accept: [NotifyContext, "Notify"]}
labels: {a: b}
minutes: 25
`), &got)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	want := sheet{"one", "What: now?\n", []sheetOption{{"0", true, "because: so"}, {"2", false, "no"}},
		map[string]*gap{"fn": {[]string{"NotifyContext", "Notify"}}}, map[string]string{"a": "b"}, 25}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for path, want := range map[string]string{
		"options[0].why": ":7:5: x; y", "options[1]": ":8:5: x; y", "gaps.fn": ":10:3: x; y",
		"options[1].right": ":8:5: x; y", "nowhere.at[7].all": ":1:1: x; y",
	} {
		if got := doc.Problem(path, "x", "y").String(); got != want {
			t.Errorf("%s is at %s, want %s", path, got, want)
		}
	}
}

func TestDecodeProblems(t *testing.T) {
	tests := []struct{ name, yaml, want string }{
		{"near key", "id: a\nquestoin: b\nquestion: b\noptions: [{text: a, why: b}]", `:2:1: unknown key "questoin"; did you mean "question"?`},
		{"far key", "id: a\nquestion: b\nbanana: 1\noptions: [{text: a, why: b}]", `:3:1: unknown key "banana"; use one of: id, question, options, gaps, labels, minutes`},
		{"missing inside a list", "id: a\nquestion: b\noptions:\n  - text: a\n    why: b\n  - text: c", `:6:5: "why" is missing; say why`},
		{"missing and empty", "id:\noptions: []", `:1:1: "id" is missing; name the block: id: in-kebab-case` + "\n" + `:1:1: "question" is missing; ask something` + "\n" + `:1:1: "options" is missing; give at least two`},
		{"twice", "id: a\nquestion: b\nid: c\noptions: [{text: a, why: b}]", ":3:1:"},
		{"not a list", "id: a\nquestion: b\noptions: yes", ":3:1: this is not a list; write a dash before each item"},
		{"not a bool", "id: a\nquestion: b\noptions: [{text: a, why: b, right: maybe}]", `:3:29: "maybe" is not a yes or no; write true or false`},
		{"not one value", "id: [1]\nquestion: b\noptions: [{text: a, why: b}]", ":1:1: a list or a mapping stands where one value is wanted"},
		{"not a mapping", "- a", ":1:1: this is not a mapping; write key: value"},
		{"empty", "", ":1:1: this is not a mapping"},
		{"broken", "id: a\nquestion: [b", ":2:"},
		{"alias", "id: &x a\nquestion: *x\noptions: [{text: a, why: b}]", "an alias stands here"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var s sheet
			_, problems := Decode([]byte(tt.yaml), &s)
			var all []string
			for _, p := range problems {
				all = append(all, p.String())
			}
			if got := strings.Join(all, "\n"); !strings.Contains(got, tt.want) {
				t.Errorf("problems:\n%s\nwant:\n%s", got, tt.want)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("id: a\nquestion: b\noptions: [{text: a, why: b}]")
	f.Add("id: &x [*x]\n? a : b\n<<: {}\n---\n...")
	f.Fuzz(func(t *testing.T, source string) {
		var s sheet
		_, problems := Decode([]byte(source), &s)
		for _, p := range problems {
			if p.Line < 1 || p.Column < 1 || p.What == "" || p.Do == "" {
				t.Errorf("a problem without a place or a way out: %+v", p)
			}
		}
	})
}
