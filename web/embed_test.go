package web

import (
	"errors"
	"slices"
	"testing"
	"testing/fstest"
)

func TestBundle(t *testing.T) {
	b, err := Open(fstest.MapFS{"manifest.json": {Data: []byte(`{
		"main.js": {"file": "main-AAAA.js", "imports": ["chunk-BBBB.js"]},
		"inter-latin.woff2": {"file": "inter-latin-CCCC.woff2", "preload": ["en", "ru"]},
		"inter-cyrillic.woff2": {"file": "inter-cyrillic-DDDD.woff2", "preload": ["ru"]}
	}`)}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := b.Path("main.js"), "/assets/main-AAAA.js"; got != want {
		t.Errorf("Path(main.js) = %q, want %q", got, want)
	}
	if got := b.Path("other.js"); got != "" {
		t.Errorf("Path(other.js) = %q, want none", got)
	}
	if got, want := b.Imports("main.js"), []string{"/assets/chunk-BBBB.js"}; !slices.Equal(got, want) {
		t.Errorf("Imports(main.js) = %q, want %q", got, want)
	}
	if got, want := b.Fonts("en"), []string{"/assets/inter-latin-CCCC.woff2"}; !slices.Equal(got, want) {
		t.Errorf("Fonts(en) = %q, want %q", got, want)
	}
	if got, want := len(b.Fonts("ru")), 2; got != want {
		t.Errorf("Fonts(ru) has %d paths, want %d", got, want)
	}
}

func TestOpenSaysWhatIsMissing(t *testing.T) {
	if _, err := Open(fstest.MapFS{".keep": {}}); !errors.Is(err, ErrNotBuilt) {
		t.Errorf("without a manifest: %v, want ErrNotBuilt", err)
	}
	if _, err := Open(fstest.MapFS{"manifest.json": {Data: []byte("{")}}); err == nil || errors.Is(err, ErrNotBuilt) {
		t.Errorf("with half a manifest: %v, want another error", err)
	}
}

// What is built in this tree serves the names that every page asks for.
func TestAssets(t *testing.T) {
	b, err := Assets()
	if errors.Is(err, ErrNotBuilt) {
		return // a fresh clone: Open is tested above, the pages by the browser tests
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"main.js", "main.css", "theme.js"} {
		path := b.Path(name)
		if path == "" {
			t.Errorf("the manifest has no %s", name)
			continue
		}
		if _, err := b.FS.Open(path[len(Prefix):]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
