// Package blocktest tests kinds of blocks: what they say of an author's
// mistakes, and what they make of a block that has none.
package blocktest

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"drainlab/web/block"
)

var update = flag.Bool("update", false, "write the expected files anew")

// Course is a course of one lesson, 04-consumer, whose Markdown knows code
// spans and paragraphs and whose code is not highlighted.
type Course struct {
	Language string        // "en" when empty
	Files    fstest.MapFS  // the lesson's folder
	Source   *block.Region // what Region finds, whatever it is asked for
}

// Region implements block.Course.
func (c Course) Region(exercise, program, region string) (block.Region, error) {
	if c.Source == nil {
		return block.Region{}, fmt.Errorf("no %s/%s with a region %q", exercise, program, region)
	}
	return *c.Source, nil
}

// Programs implements block.Course.
func (c Course) Programs(string) []string { return nil }

// Scenarios implements block.Course.
func (c Course) Scenarios(string) []string { return nil }

// Lesson implements block.Course.
func (c Course) Lesson() fs.FS { return c.Files }

// Slug implements block.Course.
func (c Course) Slug() string { return "04-consumer" }

// Lang implements block.Course.
func (c Course) Lang() string {
	if c.Language == "" {
		return "en"
	}
	return c.Language
}

var span = regexp.MustCompile("`([^`]*)`")

// Markdown implements block.Course.
func (c Course) Markdown(source string) template.HTML {
	var out strings.Builder
	for p := range strings.SplitSeq(strings.TrimSpace(source), "\n\n") {
		fmt.Fprintf(&out, "<p>%s</p>\n", c.Inline(p))
	}
	return template.HTML(out.String())
}

// Inline implements block.Course.
func (c Course) Inline(source string) template.HTML {
	text := html.EscapeString(strings.TrimSpace(source))
	return template.HTML(span.ReplaceAllString(text, "<code>$1</code>"))
}

// Code implements block.Course.
func (c Course) Code(source, language string, first int, mark []int) template.HTML {
	var out strings.Builder
	out.WriteString(`<pre class="code"><code>`)
	for i, line := range strings.Split(source, "\n") {
		number := ""
		if first > 0 {
			number = fmt.Sprintf(` data-n="%d"`, first+i)
		}
		fmt.Fprintf(&out, "<span class=\"line\"%s>%s\n</span>", number, html.EscapeString(line))
	}
	out.WriteString("</code></pre>")
	return template.HTML(out.String())
}

// Problems parses every testdata/problems/NAME.yaml and compares the problems,
// one a line, with NAME.want beside it.
func Problems(t *testing.T, kind block.Kind, lesson fstest.MapFS) {
	t.Helper()
	cases, err := filepath.Glob(filepath.Join("testdata", "problems", "*.yaml"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("testdata/problems has no cases (%v)", err)
	}
	for _, path := range cases {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		t.Run(name, func(t *testing.T) {
			b, problems := kind.Parse(read(t, path), Course{Files: lesson})
			if (b == nil) != (len(problems) > 0) {
				t.Errorf("block %v with %d problems", b, len(problems))
			}
			var got strings.Builder
			for _, p := range problems {
				fmt.Fprintf(&got, "%d:%d: %s; %s\n", p.Line, p.Column, p.What, p.Do)
			}
			compare(t, strings.TrimSuffix(path, ".yaml")+".want", got.String())
		})
	}
}

// Render renders testdata/block.yaml in both languages and compares the result
// with testdata/block.LANG.html.
func Render(t *testing.T, kind block.Kind, files fstest.MapFS) {
	t.Helper()
	source := read(t, filepath.Join("testdata", "block.yaml"))
	for _, lang := range []string{"en", "ru"} {
		t.Run(lang, func(t *testing.T) {
			c := Course{Language: lang, Files: files}
			b, problems := kind.Parse(source, c)
			if len(problems) > 0 {
				t.Fatalf("problems: %v", problems)
			}
			var out bytes.Buffer
			if err := b.Render(&out, c); err != nil {
				t.Fatal(err)
			}
			compare(t, filepath.Join("testdata", "block."+lang+".html"), out.String())
		})
	}
}

// Fuzz parses whatever comes: a block or problems, each at a place in the
// source; and what was parsed renders, and nothing in it ends its answer key.
func Fuzz(f *testing.F, kind block.Kind, files fstest.MapFS) {
	f.Helper()
	f.Add(read(f, filepath.Join("testdata", "block.yaml")))
	cases, err := filepath.Glob(filepath.Join("testdata", "problems", "*.yaml"))
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range cases {
		f.Add(read(f, path))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		c := Course{Files: files}
		b, problems := kind.Parse(source, c)
		for _, p := range problems {
			if p.Line < 1 || p.Column < 1 || p.What == "" || p.Do == "" {
				t.Errorf("problem without a place, a fault or a way out: %+v", p)
			}
		}
		if (b == nil) != (len(problems) > 0) {
			t.Fatalf("block %v with %d problems", b, len(problems))
		}
		if b == nil {
			return
		}
		if b.ID() == "" || b.Shape() == "" {
			t.Errorf("id %q, shape %q", b.ID(), b.Shape())
		}
		var out bytes.Buffer
		if err := b.Render(&out, c); err != nil {
			t.Fatal(err)
		}
		if n, m := strings.Count(out.String(), "<script"), strings.Count(out.String(), "</script>"); n != m || n > 1 {
			t.Errorf("%d <script, %d </script>:\n%s", n, m, &out)
		}
		if strings.Contains(out.String(), " style=") {
			t.Errorf("an inline style:\n%s", &out)
		}
	})
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// compare holds got against a file, or with -update writes it there.
func compare(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want := string(read(t, path)); got != want {
		t.Errorf("%s: got:\n%s\nwant:\n%s", path, got, want)
	}
}
