// Package kinds is the list of all kinds of blocks, one for each folder of
// web/block that has a kind.go. The list is generated: go generate, and a test
// that it is up to date.
package kinds

//go:generate go run gen.go
