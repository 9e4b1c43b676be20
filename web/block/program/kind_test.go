package program

import (
	"strings"
	"testing"

	"drainlab/web/block"
	"drainlab/web/block/blocktest"
)

// course has one program.
type course struct {
	blocktest.Course
}

func (course) Programs(string) []string { return []string{"solution"} }

func region(gaps bool) *block.Region {
	return &block.Region{
		Path: "exercises/consumer/solution/main.go", Start: 41, Gaps: gaps,
		Lines: []string{"\tselect {", "\tcase <-finished:", "\t\tlog.Print(\"drained\")", "", "\t}"},
	}
}

func render(t *testing.T, yaml string, c block.Course) string {
	t.Helper()
	b, problems := Kind().Parse([]byte(yaml), c)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var page strings.Builder
	if err := b.Render(&page, c); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

func TestLinesHaveTheirNumbersInTheFile(t *testing.T) {
	page := render(t, "exercise: consumer\nprogram: solution\nregion: drain\ncaption: Phase 3", course{blocktest.Course{Source: region(false)}})
	for _, want := range []string{
		"exercises/consumer/solution/main.go · drain",
		`<span class="line" data-n="41">select {` + "\n", // outdented by one tab
		`<span class="line" data-n="43">` + "\tlog.Print(&#34;drained&#34;)\n",
		`data-n="45">}`, "<figcaption>Phase 3</figcaption>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if page := render(t, "exercise: consumer\nprogram: solution", course{blocktest.Course{Source: region(true)}}); strings.Contains(page, "data-n") {
		t.Errorf("lines are numbered though some were left out:\n%s", page)
	}
}

func TestHighlight(t *testing.T) {
	c := course{blocktest.Course{Source: region(false)}}
	tests := []struct{ highlight, shape, problem string }{
		{`["finished"]`, "[1]", ""},
		{`["}", "select"]`, "[4 0]", ""},
		{`["case <-finished:\nlog.Print"]`, "[1 2]", ""},
		{`["select {", "case <-ctx.Done():"]`, "", `:3:25: "case <-ctx.Done():" does not occur in exercises/consumer/solution/main.go; copy a line of the region, or a part of one`},
		{`["finished:\nselect"]`, "", `does not occur`},
		{`[""]`, "", "nothing to highlight"},
	}
	for _, tt := range tests {
		b, problems := Kind().Parse([]byte("exercise: consumer\nprogram: solution\nhighlight: "+tt.highlight), c)
		switch {
		case tt.problem == "" && len(problems) > 0, tt.problem != "" && (len(problems) != 1 || !strings.Contains(problems[0].String(), tt.problem)):
			t.Errorf("highlight %s: problems %v, want %q", tt.highlight, problems, tt.problem)
		case tt.problem == "" && !strings.HasSuffix(b.Shape(), "highlighted "+tt.shape):
			t.Errorf("highlight %s: %s, want %s", tt.highlight, b.Shape(), tt.shape)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("exercise: consumer\nprogram: solution\nhighlight: [\"finished\"]\ncaption: x")
	f.Add("exercise: [a]\nhighlight: {a: b}")
	f.Fuzz(func(t *testing.T, source string) {
		c := course{blocktest.Course{Source: region(false)}}
		b, problems := Kind().Parse([]byte(source), c)
		if (b == nil) != (len(problems) > 0) {
			t.Fatalf("block %v with %d problems", b, len(problems))
		}
		if b != nil {
			if err := b.Render(&strings.Builder{}, c); err != nil {
				t.Error(err)
			}
		}
	})
}
