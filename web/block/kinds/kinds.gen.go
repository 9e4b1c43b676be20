// Code generated from the folders of web/block by go generate; DO NOT EDIT.

package kinds

import (
	"drainlab/web/block"
	"drainlab/web/block/blanks"
	"drainlab/web/block/cards"
	"drainlab/web/block/diagram"
	"drainlab/web/block/lab"
	"drainlab/web/block/note"
	"drainlab/web/block/order"
	"drainlab/web/block/predict"
	"drainlab/web/block/program"
	"drainlab/web/block/quiz"
)

// All returns the kinds of blocks, in the order of their names.
func All() []block.Kind {
	return []block.Kind{
		blanks.Kind(),
		cards.Kind(),
		diagram.Kind(),
		lab.Kind(),
		note.Kind(),
		order.Kind(),
		predict.Kind(),
		program.Kind(),
		quiz.Kind(),
	}
}
