package kinds

import (
	"os"
	"path"
	"testing"

	"drainlab/web/block/kinds/list"
)

func TestListIsUpToDate(t *testing.T) {
	want, err := list.Source(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("kinds.gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("kinds.gen.go is out of date; run go generate ./web/block/kinds. Want:\n%s", want)
	}
}

// A folder's name is the word after the fence, the element's name and the
// name of the style sheet's class: it must be the kind's own.
func TestFoldersAreNamedAsTheirKinds(t *testing.T) {
	names := map[string]bool{}
	for _, k := range All() {
		if k.Parse == nil {
			t.Errorf("kind %q cannot parse", k.Name)
		}
		names[k.Name] = true
	}
	folders, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if _, err := os.Stat(path.Join("..", f.Name(), "kind.go")); err == nil && !names[f.Name()] {
			t.Errorf("web/block/%s has a kind of another name", f.Name())
		}
	}
}
