// Package lessons carries the course's texts: a folder a lesson, whose number
// is its place in the course, with en.md, ru.md and the programs whose output
// they ask for.
package lessons

import "embed"

// Files is the tree below lessons/.
//
//go:embed [0-9]*
var Files embed.FS
