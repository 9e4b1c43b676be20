// Package list makes the Go source that lists the kinds of blocks. It is apart
// from package kinds, which does not compile while its list is wrong.
package list

import (
	"bytes"
	"fmt"
	"go/format"
	"io/fs"
)

// Source is the list for the tree below web/block: each folder with a kind.go,
// in the order of names.
func Source(blocks fs.FS) ([]byte, error) {
	files, err := fs.Glob(blocks, "*/kind.go")
	if err != nil {
		return nil, err
	}
	var imports, kinds bytes.Buffer
	for _, file := range files {
		name := file[:len(file)-len("/kind.go")]
		fmt.Fprintf(&imports, "\t\"drainlab/web/block/%s\"\n", name)
		fmt.Fprintf(&kinds, "\t\t%s.Kind(),\n", name)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `// Code generated from the folders of web/block by go generate; DO NOT EDIT.

package kinds

import (
	"drainlab/web/block"
%s)

// All returns the kinds of blocks, in the order of their names.
func All() []block.Kind {
	return []block.Kind{
%s	}
}
`, imports.String(), kinds.String())
	return format.Source(out.Bytes())
}
