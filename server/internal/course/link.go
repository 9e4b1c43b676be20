package course

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"drainlab/web/block"

	"github.com/yuin/goldmark/ast"
)

// lessonLink is a link from one lesson to another as it works on a code host:
// ../06-http/en.md#shutdown. A page has another address.
var lessonLink = regexp.MustCompile(`^\.\./([0-9A-Za-z-]+)/([a-z]+)\.md(#.*)?$`)

// link is where one leads, as its author wrote it, and where it stands.
type link struct {
	to   string
	node ast.Node // nil within a block
}

// rewriteLinks gives links between lessons of one language the addresses of
// pages, and returns all links as they were. What it cannot rewrite stays as
// it is, for Lint to find.
func rewriteLinks(doc ast.Node, lang string) []link {
	var found []link
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		if l, ok := n.(*ast.Link); ok && entering {
			found = append(found, link{string(l.Destination), n})
			if m := lessonLink.FindSubmatch(l.Destination); m != nil && string(m[2]) == lang {
				l.Destination = []byte("/" + lang + "/lessons/" + string(m[1]) + string(m[3]))
			}
		}
		return ast.WalkContinue, nil
	})
	return found
}

// links finds links that lead nowhere, in the text and in its blocks.
func (l *linter) links() {
	t := l.text
	for _, k := range t.links {
		if what, do := l.dead(k.to); what != "" {
			l.problem(k.node, what, do)
		}
	}
	for _, k := range t.scope.links {
		what, do := l.dead(k.to)
		if what == "" {
			continue
		}
		// Blocks do not say where a text of theirs stood: the first place
		// where the link is written is shown.
		at := max(bytes.Index(t.src[t.from:], []byte("]("+k.to)), 0)
		l.problems = append(l.problems, t.problem(at, what, do))
	}
}

// dead says what is wrong with a link, and what to do; nothing when it leads
// somewhere or out of the course.
func (l *linter) dead(to string) (what, do string) {
	u, err := url.Parse(to)
	switch {
	case err != nil:
		return fmt.Sprintf("the link %q is no address", to), "mend it"
	case to == "":
		return "the link leads nowhere", "write its address between the round brackets"
	case u.Scheme == "https", u.Scheme == "http", u.Scheme == "mailto":
		return "", ""
	case u.Scheme != "" || u.Host != "":
		return fmt.Sprintf("the link %q leaves the course by an address that is neither https nor http", to), "use https://…"
	case u.Path == "":
		if !l.text.known()[u.Fragment] {
			return fmt.Sprintf("nothing on this page has the id %q", u.Fragment), nearestID(u.Fragment, l.text)
		}
		return "", ""
	}
	m := lessonLink.FindStringSubmatch(to)
	if m == nil {
		return fmt.Sprintf("the link %q leads nowhere on a page", to), "link to another lesson as ../06-http/" + l.text.Lang + ".md#section, or to an address with https://"
	}
	if m[2] != l.text.Lang {
		return fmt.Sprintf("the link %q leads to another language", to), "link to " + l.text.Lang + ".md"
	}
	lesson := l.course.Find(m[1])
	if lesson == nil || lesson.Texts[l.text.Lang] == nil {
		var slugs []string
		for _, other := range l.course.Lessons {
			slugs = append(slugs, other.Slug)
		}
		do := "link to a folder of lessons/"
		if near := block.Nearest(m[1], slugs); near != "" {
			do = fmt.Sprintf("did you mean %q?", near)
		}
		return fmt.Sprintf("there is no lesson %q", m[1]), do
	}
	if lesson.Planned {
		return fmt.Sprintf("the lesson %q is not written yet", m[1]), "name it without a link"
	}
	target := lesson.Texts[l.text.Lang]
	if id := strings.TrimPrefix(m[3], "#"); id != "" && !target.known()[id] {
		return fmt.Sprintf("%s has nothing with the id %q", target.file, id), nearestID(id, target)
	}
	return "", ""
}

func nearestID(id string, t *Text) string {
	var known []string
	for k := range t.known() {
		known = append(known, k)
	}
	if near := block.Nearest(id, known); near != "" {
		return fmt.Sprintf("did you mean #%s?", near)
	}
	return "link to a section's {#id} or a block's id"
}
