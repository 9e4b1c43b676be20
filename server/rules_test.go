package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// May a package import another one of ours? Everything that is not here may
// not. A name that ends in /... stands for the packages below it.
var mayImport = map[string][]string{
	"server":                     {"*"},
	"server/internal/site":       {"server/internal/course", "server/internal/lab", "server/internal/hub", "exercises", "exercises/scenario", "exercises/event", "web", "web/block"},
	"server/internal/course":     {"web/block", "web/block/kinds", "web/block/...", "lessons", "exercises", "exercises/scenario"},
	"server/internal/lab":        {"exercises", "exercises/scenario", "exercises/event", "server/broker", "server/broker/tap"},
	"server/internal/hub":        {"exercises/event"},
	"server/internal/terminal":   {"exercises/event", "exercises/scenario"},
	"server/internal/rabbit":     {},
	"server/internal/bench":      {"*"},
	"server/broker":              {"server/broker/wire", "exercises/event"},
	"server/broker/tap":          {"server/broker/wire", "exercises/event"},
	"server/broker/wire":         {},
	"exercises":                  {"exercises/scenario", "exercises/event", "web/block"},
	"exercises/scenario":         {"exercises/event"},
	"exercises/event":            {},
	"exercises/event/gen":        {"exercises/event"},
	"web":                        {},
	"web/block":                  {},
	"web/block/...":              {"web/block"},
	"web/block/kinds":            {"web/block", "web/block/..."},
	"web/block/kinds/gen":        {},
	"lessons":                    {},
	"wasm/std":                   {},
	"wasm/catalog":               {"exercises", "exercises/scenario"},
	"wasm/system":                {"server/broker", "exercises/scenario", "exercises/event"},
	"wasm/testdata/programs/*":   {},
	"exercises/*/*":              {}, // a learner's program knows nothing of ours
	"lessons/*/programs/*":       {},
	"server/internal/course/...": {},
}

// Some packages of others' belong in one place, so that a change of mind
// about them has one place too.
var onlyIn = map[string][]string{
	"github.com/yuin/goldmark":     {"server/internal/course"},
	"github.com/coder/websocket":   {"server/internal/hub"},
	"os/exec":                      {"server/internal/lab", "server/internal/rabbit", "server/internal/bench"},
	"github.com/fsnotify/fsnotify": {"server/internal/course"},
}

type goPackage struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func listPackages(t *testing.T, env []string, patterns ...string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,Deps"}, patterns...)...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var all []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

const module = "drainlab/"

// matches says whether a package is meant by a name in the tables above.
func matches(pattern, pkg string) bool {
	if below, ok := strings.CutSuffix(pattern, "..."); ok {
		return strings.HasPrefix(pkg, below)
	}
	want, got := strings.Split(pattern, "/"), strings.Split(pkg, "/")
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if want[i] != "*" && want[i] != got[i] {
			return false
		}
	}
	return true
}

// ruleFor finds the most exact rule: a name in full before a pattern.
func ruleFor(pkg string) ([]string, bool) {
	if r, ok := mayImport[pkg]; ok {
		return r, true
	}
	for pattern, r := range mayImport {
		if strings.Contains(pattern, "*/") || strings.HasSuffix(pattern, "/*") || strings.HasSuffix(pattern, "...") {
			if matches(pattern, pkg) {
				return r, true
			}
		}
	}
	return nil, false
}

func TestImportRules(t *testing.T) {
	used := map[string]bool{}
	for _, p := range listPackages(t, nil, "./...") {
		pkg := strings.TrimPrefix(p.ImportPath, module)
		allowed, ok := ruleFor(pkg)
		if !ok {
			t.Errorf("%s is a package that no rule knows: give it one here, and its place in ARCHITECTURE.md", pkg)
			continue
		}
		used[pkg] = true
		for _, imp := range p.Imports {
			other, ours := strings.CutPrefix(imp, module)
			if ours && !slices.ContainsFunc(allowed, func(a string) bool { return a == "*" || matches(a, other) }) {
				t.Errorf("%s may not import %s", pkg, other)
			}
			for theirs, places := range onlyIn {
				if (imp == theirs || strings.HasPrefix(imp, theirs+"/")) && !slices.Contains(places, pkg) {
					t.Errorf("%s imports %s, which only %s may", pkg, imp, strings.Join(places, ", "))
				}
			}
		}
	}
	for _, must := range []string{"server", "server/broker", "exercises/scenario", "server/internal/lab"} {
		if !used[must] {
			t.Errorf("the listing has no %s: it proves nothing", must)
		}
	}
}

// The same scenario and the same broker are to run in the tab, so they must
// build for it, and bring nothing there that has no place in it.
func TestTabPackages(t *testing.T) {
	for _, p := range listPackages(t, []string{"GOOS=js", "GOARCH=wasm"}, "./exercises/scenario", "./exercises/event", "./server/broker", "./wasm/system") {
		pkg := strings.TrimPrefix(p.ImportPath, module)
		if slices.Contains(p.Imports, "syscall/js") && !strings.HasPrefix(pkg, "wasm/") {
			t.Errorf("%s imports syscall/js, which only wasm/ may", pkg)
		}
		allowed, _ := ruleFor(pkg)
		for _, imp := range p.Imports {
			if other, ours := strings.CutPrefix(imp, module); ours && !slices.Contains(allowed, other) {
				t.Errorf("%s may not import %s for js/wasm", pkg, other)
			}
		}
		for _, dep := range p.Deps {
			if dep == "os/exec" || strings.HasPrefix(dep, "golang.org/x/sys/unix") || strings.HasPrefix(dep, module+"server/internal") {
				t.Errorf("%s depends on %s for js/wasm", p.ImportPath, dep)
			}
		}
	}
	cmd := exec.Command("go", "build", "./exercises/scenario", "./server/broker")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("they do not build for js/wasm: %v\n%s", err, out)
	}
}
