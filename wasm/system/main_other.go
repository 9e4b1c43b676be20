//go:build !(js && wasm)

package main

import "log"

func main() {
	log.SetFlags(0)
	log.Fatal("system runs in the simulated machine only: build it with GOOS=js GOARCH=wasm")
}
