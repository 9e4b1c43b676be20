package course

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// highlight is block.Course's Code: chroma's tokens as spans with chroma's
// short class names, which web/src/style/chroma.css colours. A language that
// chroma does not know is shown plain.
func highlight(source, language string, first int, mark []int) template.HTML {
	lines := chroma.SplitTokensIntoLines(tokens(strings.TrimRight(source, "\n"), language))
	var out strings.Builder
	out.WriteString(`<pre class="code"><code>`)
	for i, line := range lines {
		out.WriteString(`<span class="line`)
		if slices.Contains(mark, i) {
			out.WriteString(` hl`)
		}
		out.WriteString(`"`)
		if first > 0 {
			fmt.Fprintf(&out, ` data-n="%d"`, first+i)
		}
		out.WriteString(`>`)
		for _, t := range line {
			text := html.EscapeString(strings.TrimRight(t.Value, "\n"))
			if class := classOf(t.Type); class != "" && text != "" {
				text = `<span class="` + class + `">` + text + `</span>`
			}
			out.WriteString(text)
		}
		// Within the line, so that a selection that is copied has it.
		out.WriteString("\n</span>")
	}
	out.WriteString(`</code></pre>`)
	return template.HTML(out.String())
}

func tokens(source, language string) []chroma.Token {
	plain := []chroma.Token{{Type: chroma.Text, Value: source}}
	l := lexer(language)
	if l == nil {
		return plain
	}
	it, err := chroma.Coalesce(l).Tokenise(nil, source)
	if err != nil {
		return plain
	}
	return it.Tokens()
}

// languages are the names and aliases that chroma knows, in small letters.
// Asked for another, lexers.Get would take it for the name of a file and try
// every pattern there is.
var languages = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for _, name := range lexers.Names(true) {
		known[strings.ToLower(name)] = true
	}
	return known
})

// lexer finds chroma's lexer for a language; nil when it has none.
func lexer(language string) chroma.Lexer {
	if !languages()[strings.ToLower(language)] {
		return nil
	}
	return lexers.Get(language)
}

// classOf is the class of the nearest type of token that has a colour: names
// and punctuation, most of a program, have none and get no element.
func classOf(t chroma.TokenType) string {
	for _, t := range []chroma.TokenType{t, t.SubCategory(), t.Category()} {
		switch t {
		case chroma.Keyword, chroma.KeywordType, chroma.Comment, chroma.LiteralString, chroma.LiteralNumber,
			chroma.NameFunction, chroma.NameBuiltin, chroma.NameTag, chroma.NameAttribute, chroma.NameVariable,
			chroma.KeywordConstant, chroma.GenericInserted, chroma.GenericDeleted, chroma.Error:
			return chroma.StandardTypes[t]
		}
	}
	return ""
}
