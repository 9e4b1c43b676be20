// Package web carries the pages' scripts, styles and fonts, as web/build.mjs
// leaves them in dist, inside the binary.
//
// dist holds only a placeholder in a fresh clone, so that every Go package
// compiles and its tests run before anything of the front end was built; a
// server that would serve pages says then what to do (ErrNotBuilt).
package web

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

//go:embed all:dist
var dist embed.FS

// Prefix is the URL path below which the server serves a Bundle's FS.
const Prefix = "/assets/"

// ErrNotBuilt says that the binary was compiled without a front end.
var ErrNotBuilt = errors.New("the pages' scripts and styles are not built: run make build")

// Bundle is a built front end. It does not change, and may be used from
// several goroutines.
type Bundle struct {
	// FS holds the files at its top. A file's name carries a hash of its
	// content, so it may be cached for ever; NAME.br and NAME.gz beside a
	// script or a style sheet are the same, compressed.
	FS    fs.FS
	files map[string]file
}

// file is an entry of dist/manifest.json.
type file struct {
	File    string   `json:"file"`
	Imports []string `json:"imports"` // scripts that it cannot start without
	Preload []string `json:"preload"` // the languages whose pages need it at once
}

// Assets returns the front end in this binary, or ErrNotBuilt.
func Assets() (*Bundle, error) {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, err
	}
	return Open(sub)
}

// Open reads a front end from a folder such as web/dist, as serve -dev does
// after each build. It returns ErrNotBuilt when the folder has no manifest.
func Open(fsys fs.FS) (*Bundle, error) {
	source, err := fs.ReadFile(fsys, "manifest.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotBuilt
	}
	if err != nil {
		return nil, fmt.Errorf("reading the front end's manifest: %w", err)
	}
	b := &Bundle{FS: fsys}
	if err := json.Unmarshal(source, &b.files); err != nil {
		return nil, fmt.Errorf("reading the front end's manifest: %w", err)
	}
	return b, nil
}

// Path returns the URL path of a file by its name without the hash:
// "main.js", "main.css", "theme.js". It is "" when there is no such file.
func (b *Bundle) Path(name string) string {
	f, ok := b.files[name]
	if !ok {
		return ""
	}
	return Prefix + f.File
}

// Imports returns the URL paths of the scripts that the script name imports
// first, to be announced with rel=modulepreload.
func (b *Bundle) Imports(name string) []string {
	var paths []string
	for _, i := range b.files[name].Imports {
		paths = append(paths, Prefix+i)
	}
	return paths
}

// Fonts returns the URL paths of the fonts that a page in lang needs at once,
// to be announced with rel=preload as=font type=font/woff2 crossorigin.
func (b *Bundle) Fonts(lang string) []string {
	var paths []string
	for _, f := range b.files {
		if slices.Contains(f.Preload, lang) {
			paths = append(paths, Prefix+f.File)
		}
	}
	slices.Sort(paths)
	return paths
}
