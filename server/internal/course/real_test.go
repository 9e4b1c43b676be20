package course

import (
	"bytes"
	"os"
	"testing"

	"drainlab/exercises"
	"drainlab/lessons"
	"drainlab/web/block/kinds"
)

type noAssets struct{}

func (noAssets) Path(name string) string  { return "/assets/" + name }
func (noAssets) Imports(string) []string  { return nil }
func (noAssets) Fonts(string) []string    { return nil }

func TestDump(t *testing.T) {
	cat, ps, err := exercises.Load(exercises.Files)
	if err != nil { t.Fatal(err, ps) }
	c, problems := Load(lessons.Files, cat, kinds.All())
	for _, p := range problems { t.Log(p) }
	os.MkdirAll("/tmp/w/course", 0o755)
	for _, lang := range Languages {
		var m, l, k bytes.Buffer
		if err := c.Map(&m, Shell{Assets: noAssets{}}, lang); err != nil { t.Fatal(err) }
		if err := c.Lesson(&l, Shell{Assets: noAssets{}}, lang, "04-consumer"); err != nil { t.Fatal(err) }
		if err := c.Cards(&k, Shell{Assets: noAssets{}}, lang); err != nil { t.Fatal(err) }
		os.WriteFile("/tmp/w/course/map."+lang+".html", m.Bytes(), 0o644)
		os.WriteFile("/tmp/w/course/lesson."+lang+".html", l.Bytes(), 0o644)
		os.WriteFile("/tmp/w/course/cards."+lang+".html", k.Bytes(), 0o644)
	}
}
