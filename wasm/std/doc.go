// Command std writes an overlay for go build: the few files of the standard
// library that the simulated machine replaces for GOOS=js GOARCH=wasm.
//
//	go run ./wasm/std -out DIR
//	GOOS=js GOARCH=wasm go build -overlay DIR/overlay.json …
//
// The files are made from the installed Go. An edit whose expected text is not
// there any more is an error that names the file, so that a new version of Go
// is noticed when the overlay is built, not when a program misbehaves. README.md
// says what is replaced, and why.
package main
