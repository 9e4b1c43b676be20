package block

import "html/template"

// Card is one flashcard, rendered.
type Card struct {
	Key         string // unique in the course, the same in every language: "04-consumer/terms/prefetch"
	Front, Back template.HTML
}

// Deck is a Block with cards, which the page of all cards lists.
type Deck interface {
	Block
	Cards(c Course) []Card
}
