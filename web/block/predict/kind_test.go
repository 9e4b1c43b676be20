package predict

import (
	"testing"
	"testing/fstest"

	"drainlab/web/block/blocktest"
)

var lesson = fstest.MapFS{"programs/p/main.go": &fstest.MapFile{Data: []byte(`package main

func main() {
	//region open
	println()
}
`)}, "programs/cancelled/main.go": &fstest.MapFile{Data: []byte(`package main

import "fmt"

func main() {
	//region loop
	for i := range 2 {
		fmt.Println("took", i+1)
	}
	//endregion loop
}
`)}}

func TestProblems(t *testing.T) { blocktest.Problems(t, Kind(), lesson) }

func TestRender(t *testing.T) { blocktest.Render(t, Kind(), lesson) }

func FuzzParse(f *testing.F) { blocktest.Fuzz(f, Kind(), lesson) }
