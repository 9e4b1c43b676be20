//go:build js && wasm

package main

import (
	"context"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	role := ""
	if len(os.Args) == 2 {
		role = os.Args[1]
	}
	var err error
	switch role {
	case "broker":
		err = runBroker(context.Background())
	case "director":
		err = runDirector(context.Background())
	default:
		log.Fatal("usage: system broker|director")
	}
	if err != nil {
		log.Fatalf("%s: %v", role, err)
	}
}
