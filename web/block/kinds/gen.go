//go:build ignore

// Writes kinds.gen.go from the names of the folders beside this one.
package main

import (
	"log"
	"os"

	"drainlab/web/block/kinds/list"
)

func main() {
	log.SetFlags(0)
	source, err := list.Source(os.DirFS(".."))
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("kinds.gen.go", source, 0o644); err != nil {
		log.Fatal(err)
	}
}
