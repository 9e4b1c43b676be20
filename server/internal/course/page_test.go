package course

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"drainlab/web/block/kinds"
)

var update = flag.Bool("update", false, "write the expected files anew")

func testCourse(t testing.TB) *Course {
	t.Helper()
	c, problems := Load(os.DirFS("testdata/lessons"), oneExercise{}, kinds.All())
	for _, p := range problems {
		t.Errorf("problem: %v", p)
	}
	return c
}

// pages are all pages of the test's course in a language.
func pages(c *Course, lang string) map[string]func(io.Writer) error {
	shell := Shell{Assets: plainAssets{}}
	return map[string]func(io.Writer) error{
		"map":   func(w io.Writer) error { return c.Map(w, shell, lang) },
		"cards": func(w io.Writer) error { return c.Cards(w, shell, lang) },
		"first": func(w io.Writer) error { return c.Lesson(w, shell, lang, "01-first") },
		"second": func(w io.Writer) error {
			return c.Lesson(w, Shell{Assets: plainAssets{}, Dev: "7"}, lang, "02-second")
		},
		"lost":   func(w io.Writer) error { return Error(w, shell, lang, 404, "") },
		"broken": func(w io.Writer) error { return Error(w, shell, lang, 500, "a <detail>") },
	}
}

func TestPages(t *testing.T) {
	c := testCourse(t)
	for _, lang := range Languages {
		for name, page := range pages(c, lang) {
			t.Run(name+"."+lang, func(t *testing.T) {
				var got bytes.Buffer
				if err := page(&got); err != nil {
					t.Fatal(err)
				}
				golden(t, filepath.Join("testdata", "pages", name+"."+lang+".html"), got.Bytes())
			})
		}
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run the test with -update", err)
	}
	if !bytes.Equal(got, want) {
		line := 1
		a, b := bytes.Split(want, []byte("\n")), bytes.Split(got, []byte("\n"))
		for line <= len(a) && line <= len(b) && bytes.Equal(a[line-1], b[line-1]) {
			line++
		}
		at := func(lines [][]byte) []byte {
			if line > len(lines) {
				return []byte("nothing")
			}
			return lines[line-1]
		}
		t.Errorf("%s:%d: run with -update if this is meant\nwant %s\ngot  %s", file, line, at(a), at(b))
	}
}

// What a page's Content-Security-Policy would refuse.
var forbidden = map[string]*regexp.Regexp{
	"an inline style":        regexp.MustCompile(`<[^>]*\sstyle=`),
	"a style element":        regexp.MustCompile(`<style`),
	"an inline script":       regexp.MustCompile(`<script(\s+type="module")?>`),
	"an event handler":       regexp.MustCompile(`<[^>]*\son[a-z]+=`),
	"a refused template URL": regexp.MustCompile(`ZgotmplZ`),
}

func TestPagesHoldNothingInline(t *testing.T) {
	c := testCourse(t)
	for _, lang := range Languages {
		for name, page := range pages(c, lang) {
			var got bytes.Buffer
			if err := page(&got); err != nil {
				t.Fatal(err)
			}
			for what, pattern := range forbidden {
				if m := pattern.Find(got.Bytes()); m != nil {
					t.Errorf("%s.%s has %s: %s", name, lang, what, m)
				}
			}
			if n := strings.Count(got.String(), "<h1"); n != 1 {
				t.Errorf("%s.%s has %d headings of the first level", name, lang, n)
			}
		}
	}
}

func TestNoSuchPage(t *testing.T) {
	c := testCourse(t)
	shell := Shell{Assets: plainAssets{}}
	for _, slug := range []string{"", "01", "03-later", "../01-first"} {
		if err := c.Lesson(io.Discard, shell, "en", slug); !errors.Is(err, ErrNotFound) {
			t.Errorf("lesson %q: %v, want ErrNotFound", slug, err)
		}
	}
	if err := Frame(io.Discard, shell, "quiz"); !errors.Is(err, ErrNotFound) {
		t.Errorf("frame of a kind that has none: %v", err)
	}
	if err := Frame(io.Discard, shell, "diagram"); err != nil {
		t.Errorf("frame: %v", err)
	}
}

// A page is made by each request, and requests come at once.
func TestPagesAtOnce(t *testing.T) {
	c := testCourse(t)
	done := make(chan error)
	for range 8 {
		go func() {
			done <- errors.Join(c.Cards(io.Discard, Shell{Assets: plainAssets{}}, "en"), c.Map(io.Discard, Shell{Assets: plainAssets{}}, "ru"))
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
