package course

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"strings"

	"drainlab/web/block"
	"drainlab/web/block/cards"
	"drainlab/web/block/lab"
)

// Assets are the front end's files, by their names without the hash. Package
// web's Bundle has it.
type Assets interface {
	// Path returns the address of "main.js", "main.css" or "theme.js"; Imports
	// those of the scripts that a script imports at once; Fonts those of the
	// fonts that a page in lang needs at once.
	Path(name string) string
	Imports(name string) []string
	Fonts(lang string) []string
}

// Shell is what all pages have around them.
type Shell struct {
	Assets Assets
	// Dev is set in serve -dev: which state of the files the page was made of.
	// The page reloads itself when there is another.
	Dev string
}

// ErrNotFound says that there is no such page.
var ErrNotFound = errors.New("no such page")

//go:embed templates/*.html
var templateFiles embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{"upper": strings.ToUpper}).ParseFS(templateFiles, "templates/*.html"))

// view is what every template gets.
type view struct {
	*words
	Shell
	Lang        string
	Title       string // of the document
	Description string
	Here        string // this page's path after the language: "/lessons/04-consumer"
	Section     string // the entry of the bar's menu that is current: "course", "cards", ""
	NoIndex     bool   // of errors: there is no such page in another language
	Body        any
}

// Switch is the address of this page in another language.
func (v view) Switch(lang string) string { return "/" + lang + v.Here }

// Languages are the codes of all languages.
func (v view) Languages() []string { return Languages }

func write(w io.Writer, name string, v view) error {
	v.words = wordsIn(v.Lang)
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, name, v); err != nil {
		return fmt.Errorf("page %s: %w", name, err)
	}
	_, err := out.WriteTo(w)
	return err
}

// entry is a lesson on the map or beside another one.
type entry struct {
	Number             int
	Slug, Title        string
	Lead               template.HTML
	Minutes            int
	Written            bool
	Questions, Address string
}

func (c *Course) entry(l *Lesson, lang string) entry {
	e := entry{Number: l.Number, Slug: l.Slug, Title: l.Slug, Written: l.Written(lang), Address: "/" + lang + "/lessons/" + l.Slug}
	if t := l.Texts[lang]; t != nil {
		e.Title, e.Minutes, e.Lead = t.Title, t.Minutes, t.scope.Inline(t.Lead)
		for i, id := range t.questions() {
			if i > 0 {
				e.Questions += " "
			}
			e.Questions += id
		}
	}
	return e
}

// questions are the ids of the blocks that a learner answers.
func (t *Text) questions() []string {
	var ids []string
	for _, b := range t.Blocks {
		if b.Question {
			ids = append(ids, b.Block.ID())
		}
	}
	return ids
}

// lab is the skeleton of the lab for the first lab block among texts, which is
// where the rest of the page gets its exercise from; "" when there is none.
func (c *Course) lab(lang string, t *Text) (template.HTML, error) {
	if t == nil {
		return "", nil
	}
	for _, b := range t.Blocks {
		l, ok := b.Block.(*lab.Lab)
		if !ok {
			continue
		}
		exercise, err := json.Marshal(c.exercises.Describe(l.Exercise()))
		if err != nil {
			return "", fmt.Errorf("describe exercise %s: %w", l.Exercise(), err)
		}
		var out bytes.Buffer
		if err := lab.Aside(&out, lang, l.Exercise(), exercise); err != nil {
			return "", err
		}
		return template.HTML(out.String()), nil
	}
	return "", nil
}

// Map writes the course map in lang.
func (c *Course) Map(w io.Writer, s Shell, lang string) error {
	body := struct {
		Steps   []template.HTML
		First   *entry
		Lessons []entry
		Lab     template.HTML
	}{}
	for _, step := range wordsIn(lang).Steps {
		body.Steps = append(body.Steps, template.HTML(step)) // our own words, not an author's
	}
	for _, l := range c.Lessons {
		e := c.entry(l, lang)
		body.Lessons = append(body.Lessons, e)
		if !e.Written {
			continue
		}
		if body.First == nil {
			body.First = &e
		}
		if body.Lab == "" {
			skeleton, err := c.lab(lang, l.Texts[lang])
			if err != nil {
				return err
			}
			body.Lab = skeleton
		}
	}
	words := wordsIn(lang)
	return write(w, "map.html", view{Shell: s, Lang: lang, Title: "Drainlab · " + words.MapTitle, Description: words.Description, Here: "/", Section: "course", Body: body})
}

// Lesson writes the page of a lesson in lang, or returns ErrNotFound.
func (c *Course) Lesson(w io.Writer, s Shell, lang, slug string) error {
	l := c.Find(slug)
	if !l.Written(lang) {
		return ErrNotFound
	}
	t := l.Texts[lang]
	body := struct {
		*Text
		Number, Of     int
		LeadHTML       template.HTML
		Previous, Next *entry
		Lab            template.HTML
	}{Text: t, Number: l.Number, Of: len(c.Lessons), LeadHTML: t.scope.Inline(t.Lead)}
	passed := false
	for _, other := range c.Lessons {
		switch {
		case other == l:
			passed = true
		case !other.Written(lang):
		case !passed:
			e := c.entry(other, lang)
			body.Previous = &e
		case body.Next == nil:
			e := c.entry(other, lang)
			body.Next = &e
		}
	}
	var err error
	if body.Lab, err = c.lab(lang, t); err != nil {
		return err
	}
	return write(w, "lesson.html", view{Shell: s, Lang: lang, Title: t.Title + " · Drainlab", Description: plain(t.Lead), Here: "/lessons/" + slug, Body: body})
}

// Cards writes the page that reviews the cards of all lessons in lang.
func (c *Course) Cards(w io.Writer, s Shell, lang string) error {
	type listed struct {
		cards.Card
		Lesson string `json:"lesson"`
	}
	type deck struct {
		entry
		Cards []cards.Card
	}
	body := struct {
		Decks []deck
		Data  template.HTML
	}{}
	all := []listed{}
	for _, l := range c.Lessons {
		if !l.Written(lang) {
			continue
		}
		d := deck{entry: c.entry(l, lang)}
		t := l.Texts[lang]
		for _, b := range t.Blocks {
			if k, ok := b.Block.(*cards.Deck); ok {
				d.Cards = append(d.Cards, k.Cards(t.scope)...)
			}
		}
		for _, card := range d.Cards {
			all = append(all, listed{card, t.Title})
		}
		if len(d.Cards) > 0 {
			body.Decks = append(body.Decks, d)
		}
	}
	data, err := json.Marshal(all) // which escapes <, > and &
	if err != nil {
		return fmt.Errorf("cards: %w", err)
	}
	body.Data = template.HTML(`<script type="application/json" id="cards">` + string(data) + `</script>`)
	words := wordsIn(lang)
	return write(w, "cards.html", view{Shell: s, Lang: lang, Title: words.CardsTitle + " · Drainlab", Description: words.CardsLead, Here: "/cards", Section: "cards", Body: body})
}

// FramePolicy is the Content-Security-Policy of a Frame, in place of the one
// that all pages have: a frame may write styles, and do nothing else.
const FramePolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// Frame writes the document in which a kind of blocks runs what no page may
// (web/block/KIND/frame.ts), or returns ErrNotFound.
func Frame(w io.Writer, s Shell, kind string) error {
	script := s.Assets.Path("frame-" + kind + ".js")
	if script == "" {
		return ErrNotFound
	}
	return write(w, "frame.html", view{Shell: s, Lang: Languages[0], Title: kind, Body: script})
}

// Error writes a page that says what a status means, in lang. Detail is shown
// as it is, "" for none.
func Error(w io.Writer, s Shell, lang string, status int, detail string) error {
	words := wordsIn(lang)
	body := struct {
		Status             int
		Headline, Text, Do string
	}{status, words.refused, detail, ""}
	switch {
	case status == http.StatusNotFound:
		body.Headline, body.Do = words.notFound, words.ErrorDo
	case status >= 500:
		body.Headline = words.broken
	}
	return write(w, "error.html", view{Shell: s, Lang: lang, Title: body.Headline + " · Drainlab", Here: "/", NoIndex: true, Body: body})
}

var _ block.Course = (*scope)(nil)
