// Package cards is a deck of flashcards. A learner goes through it in the
// lesson; from then on its cards come back on the page of cards when they are
// due.
//
//	id: deck
//	cards:
//	  - id: second-signal
//	    front: After NotifyContext, what does a second SIGTERM do?
//	    back: Nothing, until stop() is called.
package cards

import (
	"fmt"
	"html/template"
	"io"
	"strings"

	"drainlab/web/block"
)

// Kind returns the kind "cards".
func Kind() block.Kind {
	return block.Kind{Name: "cards", Parse: func(source []byte, _ block.Course) (block.Block, []block.Problem) {
		d, problems := parse(source)
		return block.Made(d, problems)
	}}
}

// Deck is the cards of one block.
type Deck struct {
	id    string
	cards []card
}

type card struct {
	ID    string `need:"name the card: a learner's memory of it is kept under this name"`
	Front string `need:"write what is asked"`
	Back  string `need:"write the answer"`
}

func parse(source []byte) (*Deck, []block.Problem) {
	var y struct {
		ID    string `need:"name it: id: deck"`
		Cards []card `need:"write at least one card"`
	}
	doc, problems := block.Decode(source, &y)
	problems = append(problems, block.CheckID(doc, "id", y.ID)...)
	seen := map[string]bool{}
	for i, c := range y.Cards {
		at := fmt.Sprintf("cards[%d].id", i)
		problems = append(problems, block.CheckID(doc, at, c.ID)...)
		if c.ID != "" && seen[c.ID] {
			problems = append(problems, doc.Problem(at, fmt.Sprintf("a card is called %q already", c.ID), "give this one another id"))
		}
		seen[c.ID] = true
	}
	return &Deck{y.ID, y.Cards}, problems
}

// Card is one card as HTML, for the page that reviews the cards of all lessons.
type Card struct {
	Key   string        `json:"key"` // LESSON/BLOCK/CARD, under which progress knows it
	Front template.HTML `json:"front"`
	Back  template.HTML `json:"back"`
}

// Cards returns the deck's cards.
func (d *Deck) Cards(c block.Course) []Card {
	out := make([]Card, len(d.cards))
	for i, k := range d.cards {
		out[i] = Card{c.Slug() + "/" + d.id + "/" + k.ID, c.Markdown(k.Front), c.Markdown(k.Back)}
	}
	return out
}

// ID implements block.Block.
func (d *Deck) ID() string { return d.id }

// Shape implements block.Block: the cards' ids.
func (d *Deck) Shape() string {
	var s strings.Builder
	fmt.Fprintf(&s, "cards %s:", d.id)
	for _, c := range d.cards {
		s.WriteString(" " + c.ID)
	}
	return s.String()
}

var page = template.Must(template.New("cards").Parse(`<dl-cards id="{{.ID}}" data-key="{{.Slug}}/{{.ID}}" class="block block-cards" role="group" aria-label="{{.W.kind}}">
<p class="kind"><span>{{.W.kind}}</span><span class="mark">{{.Count}}</span></p>
<ol class="deck">
{{range .Cards}}<li class="flash" data-card="{{.ID}}"><div class="front">{{.Front}}</div><div class="back">{{.Back}}</div></li>
{{end}}</ol>
<div class="controls"><button type="button" class="flip primary">{{.W.flip}} <kbd aria-hidden="true">␣</kbd></button><button type="button" class="add quiet">{{.W.add}}</button></div>
<div class="said" role="status"></div>
</dl-cards>
`))

var (
	en = block.Words{"kind": "Cards", "flip": "Show the answer", "add": "Add to my cards", "count": "card 1 of %d"}
	ru = block.Words{"kind": "Карточки", "flip": "Показать ответ", "add": "Добавить в мои карточки", "count": "карточка 1 из %d"}
)

type shown struct {
	ID          string
	Front, Back template.HTML
}

// Render implements block.Block.
func (d *Deck) Render(w io.Writer, c block.Course) error {
	words := block.In(c.Lang(), en, ru)
	var list []shown
	for _, k := range d.cards {
		list = append(list, shown{k.ID, c.Markdown(k.Front), c.Markdown(k.Back)})
	}
	return block.Execute(w, page, map[string]any{
		"ID": d.id, "Slug": c.Slug(), "W": words, "Cards": list, "Count": fmt.Sprintf(words["count"], len(list)),
	})
}
