// Package course turns lessons into pages.
//
// A lesson is a folder lessons/NN-slug with en.md and ru.md: front matter in
// YAML, then Markdown with blocks, which are YAML in fenced code blocks whose
// info string is the name of a kind (package block). Load reads all of them
// once:
//
//	Load → frontMatter → goldmark's parser → blocks (an AST transformer: fence → block.Block)
//	     → goldmark's renderer → Text.Body, and what the pages need to know of it
//
// A Course does not change; the server loads another one when a file has
// changed (serve -dev, Watcher). Map, Lesson and Cards write whole pages, in
// English and Russian, that read well without JavaScript and hold neither
// inline scripts nor inline styles.
//
// What an author did wrong is a block.Problem, never a Go error, and a lesson
// with problems is shown all the same, as far as it could be read. Load finds
// what keeps a block from being made; Lint finds that and everything else: the
// two languages side by side, links, headings, names of fences that are nearly
// a kind's.
//
// Reading order: course.go, text.go, transform.go, scope.go, page.go, lint.go,
// compare.go.
package course
