package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOverlayNamesFilesThatExist(t *testing.T) {
	dir := t.TempDir()
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "overlay.json"))
	if err != nil {
		t.Fatal(err)
	}
	var index struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &index); err != nil {
		t.Fatal(err)
	}
	if len(index.Replace) < 8 {
		t.Fatalf("only %d files are replaced", len(index.Replace))
	}
	for old, ours := range index.Replace {
		replaced, err := os.ReadFile(old)
		if err != nil && filepath.Base(old) != "net_machine.go" {
			t.Errorf("there is nothing to replace: %v", err)
		}
		with, err := os.ReadFile(ours)
		if err != nil {
			t.Error(err)
		} else if string(with) == string(replaced) {
			t.Errorf("%s is replaced by the same text", old)
		}
	}

	// What is there already is not written again: the go command's cache holds.
	before, err := os.Stat(filepath.Join(dir, "overlay.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(filepath.Join(dir, "overlay.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !before.ModTime().Equal(after.ModTime()) {
		t.Error("overlay.json was written again though nothing has changed")
	}
}

// Another Go whose files differ must be an error that says where.
func TestEditOfUnknownText(t *testing.T) {
	src, out := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(src, "a.go"), []byte("one two two\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	o := &overlay{src: src, out: out, replace: map[string]string{}}
	for name, e := range map[string]edit{"missing": {old: "three"}, "twice": {old: "two"}} {
		err := o.edit("a.go", e)
		if err == nil || !strings.Contains(err.Error(), "a.go") || !strings.Contains(err.Error(), e.old) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
	if err := o.edit("a.go", edit{old: "two", new: "2", count: 2}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(out, "a.go"))
	if err != nil || string(got) != "one 2 2\n" {
		t.Errorf("the edit made %q, %v", got, err)
	}
	if _, err := between("a { b", "a {", "\n}\n"); err == nil {
		t.Error("a body without an end was taken")
	}
}
