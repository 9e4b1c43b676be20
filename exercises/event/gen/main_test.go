package main

import (
	"bytes"
	"os"
	"testing"
)

func TestGeneratedFileIsCurrent(t *testing.T) {
	want, err := generate("../event.go")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../web/src/event.gen.ts")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("web/src/event.gen.ts is not what event.go says: run make generate")
	}
	if !bytes.Contains(got, []byte("'message.requeued'")) || !bytes.Contains(got, []byte("readonly redelivered?: boolean;")) {
		t.Error("the generated file lacks what it must have")
	}
}
