package block

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strings"
)

// Key returns the answer key of a block as the element that its script reads
// it from. It is data: no browser runs it.
func Key(v any) (template.HTML, error) {
	// Marshal writes <, > and & as escapes, so that nothing ends the element.
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	return template.HTML(`<script type="application/json" class="key">` + string(text) + `</script>`), nil
}

// Scatter returns the numbers 0 to n-1 in an order that depends on nothing but
// seed: the author's order tells which option is right or which step comes
// first, so readers without a script get another one.
func Scatter(n int, seed string) []int {
	at := make([]int, n)
	rank := make([]uint32, n)
	for i := range at {
		at[i] = i
		h := fnv.New32a()
		fmt.Fprintf(h, "%s %d", seed, i)
		rank[i] = h.Sum32()
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
	return at
}

// Question splits an author's question into its first paragraph, which names
// the fields to fill in, and the rest, which explains them.
func Question(c Course, source string) (first, more template.HTML) {
	head, tail, _ := strings.Cut(strings.TrimSpace(source), "\n\n")
	if tail = strings.TrimSpace(tail); tail != "" {
		more = c.Markdown(tail)
	}
	return c.Inline(head), more
}

var kebab = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// CheckID reports an id at a path of the document that is not in kebab-case.
// An id that is missing is Decode's to report.
func CheckID(doc *Document, path, id string) []Problem {
	if id == "" || kebab.MatchString(id) {
		return nil
	}
	return []Problem{doc.Problem(path, fmt.Sprintf("%q is not an id", id), "use small letters, digits and single hyphens: five-phases")}
}

// Made is what a kind's Parse returns: the block, or the problems by place and
// no block.
func Made(b Block, problems []Problem) (Block, []Problem) {
	if len(problems) == 0 {
		return b, nil
	}
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return nil, problems
}

// Words are a kind's own words on the page, by key, in one language.
type Words map[string]string

// In picks the words of a language; the first one stands in for any other.
func In(lang string, en, ru Words) Words {
	if lang == "ru" {
		return ru
	}
	return en
}

// Execute renders a kind's template, and writes nothing when it fails.
func Execute(w io.Writer, t *template.Template, data any) error {
	var out bytes.Buffer
	if err := t.Execute(&out, data); err != nil {
		return err
	}
	_, err := out.WriteTo(w)
	return err
}
