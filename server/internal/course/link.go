package course

import (
	"regexp"

	"github.com/yuin/goldmark/ast"
)

// lessonLink is a link from one lesson to another as it works on a code host:
// ../06-http/en.md#shutdown. A page has another address.
var lessonLink = regexp.MustCompile(`^\.\./([0-9a-z-]+)/([a-z]+)\.md(#.*)?$`)

// rewriteLinks gives links between lessons of one language the addresses of
// pages. Others stay as they are; Lint finds them.
func rewriteLinks(doc ast.Node, lang string) {
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		if l, ok := n.(*ast.Link); ok && entering {
			if m := lessonLink.FindSubmatch(l.Destination); m != nil && string(m[2]) == lang {
				l.Destination = []byte("/" + lang + "/lessons/" + string(m[1]) + string(m[3]))
			}
		}
		return ast.WalkContinue, nil
	})
}
