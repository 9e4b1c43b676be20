package course

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"drainlab/web/block/kinds"

	"github.com/rogpeppe/go-internal/txtar"
)

// Each file of testdata/lint is an archive: a comment, lessons with mistakes,
// and last, as "want", what lint says of them.
func TestLint(t *testing.T) {
	files, err := filepath.Glob("testdata/lint/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lessons := fstest.MapFS{}
			var want string
			kept := archive.Files[:0]
			for _, f := range archive.Files {
				if f.Name == "want" {
					want = string(f.Data)
					continue
				}
				kept = append(kept, f)
				lessons[f.Name] = &fstest.MapFile{Data: f.Data}
			}
			var got strings.Builder
			for _, p := range Lint(lessons, oneExercise{}, kinds.All()) {
				got.WriteString(p.String() + "\n")
			}
			if *update {
				archive.Files = append(kept, txtar.File{Name: "want", Data: []byte(got.String())})
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				want = got.String()
			}
			if got.String() != want {
				t.Errorf("lint says\n%s\nwant\n%s", got.String(), want)
			}
		})
	}
}

// Whatever stands in a file, every problem has a place in it and a way out,
// and the page is there.
func FuzzText(f *testing.F) {
	seeds, err := filepath.Glob("testdata/lessons/*/*.md")
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range seeds {
		src, err := os.ReadFile(seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Add([]byte("---\n---"))
	f.Add([]byte("---\ntitle: [\n---\n# a {#b\n"))
	f.Add([]byte("---\ntitle: a\nlead: b\nminutes: 1\n---\n> ```quiz\n> id: a\n\n- ```quizz\n  id: a\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		files := fstest.MapFS{"01-a/en.md": {Data: src}, "01-a/ru.md": {Data: bytes.ToUpper(src)}}
		lines := map[string]int{"lessons/01-a/en.md": 1 + bytes.Count(src, []byte("\n")), "lessons/01-a/ru.md": 1 + bytes.Count(bytes.ToUpper(src), []byte("\n"))}
		for _, p := range Lint(files, oneExercise{}, kinds.All()) {
			if p.What == "" || p.Do == "" || p.Line < 1 || p.Column < 1 || p.Line > lines[p.File]+1 {
				t.Errorf("a problem without a place or a way out: %+v in %d lines", p, lines[p.File])
			}
		}
		c, _ := Load(files, oneExercise{}, kinds.All())
		if l := c.Find("01-a"); l.Written("en") {
			var page bytes.Buffer
			if err := c.Lesson(&page, Shell{Assets: plainAssets{}}, "en", "01-a"); err != nil {
				t.Error(err)
			}
			if !bytes.HasSuffix(page.Bytes(), []byte("</html>\n")) {
				t.Error("the page does not end")
			}
		}
	})
}
