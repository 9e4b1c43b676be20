package wire

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
)

// FuzzFrame holds that a Splitter finds the frames that a Reader finds, however
// the stream is cut, and that frames are what they were made of.
func FuzzFrame(f *testing.F) {
	f.Add(AppendHeartbeat(nil), 1)
	f.Add(AppendFrame(nil, FrameBody, 7, []byte("body")), 3)
	f.Add(append(AppendFrame(nil, FrameMethod, 0, []byte{0, 10, 0, 51}), 1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF), 100)
	for _, m := range methods() {
		fill(m)
		b, err := AppendMethod(nil, 1, m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, 5)
	}
	f.Fuzz(func(t *testing.T, in []byte, cut int) {
		var read []Frame
		r := NewReader(bytes.NewReader(in), FrameMinSize)
		var readErr error
		for {
			frame, err := r.ReadFrame()
			if err != nil {
				readErr = err
				break
			}
			frame.Payload = bytes.Clone(frame.Payload)
			read = append(read, frame)
		}
		var split []Frame
		s := NewSplitter(FrameMinSize)
		var splitErr error
		for rest := in; len(rest) > 0 && splitErr == nil; {
			n := min(len(rest), max(cut, 1))
			splitErr = s.Push(rest[:n], func(frame Frame) error {
				frame.Payload = bytes.Clone(frame.Payload)
				split = append(split, frame)
				return nil
			})
			rest = rest[n:]
		}
		if len(read) != len(split) || len(read) > 0 && !reflect.DeepEqual(read, split) {
			t.Fatalf("read %d frames, split %d", len(read), len(split))
		}
		var bad, same *Error
		if errors.As(readErr, &bad) != errors.As(splitErr, &same) {
			t.Fatalf("read ends with %v, split with %v", readErr, splitErr)
		}
		var out []byte
		for _, frame := range read {
			out = AppendFrame(out, frame.Type, frame.Channel, frame.Payload)
		}
		if !bytes.HasPrefix(in, out) {
			t.Fatal("frames differ from what they were read from")
		}
	})
}

// FuzzMethod holds that what decodes encodes to the same octets, bits that
// nobody uses excepted.
func FuzzMethod(f *testing.F) {
	for _, m := range methods() {
		fill(m)
		b, err := EncodeMethod(nil, m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		m, err := DecodeMethod(in)
		if err != nil {
			var bad *Error
			if !errors.As(err, &bad) {
				t.Fatalf("not an *Error: %v", err)
			}
			return
		}
		out, err := EncodeMethod(nil, m)
		if err != nil {
			t.Fatal(err)
		}
		again, err := DecodeMethod(out)
		if err != nil {
			t.Fatal(err)
		}
		if last, err := EncodeMethod(nil, again); err != nil || !bytes.Equal(out, last) {
			t.Fatalf("unstable: % x, then % x, %v", out, last, err)
		}
	})
}

// FuzzTable holds the same for tables, and that Size is sane.
func FuzzTable(f *testing.F) {
	b, err := AppendTable(nil, everyType())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte{0, 0, 0, 7, 1, 'k', 'A', 0, 0, 0, 0})
	f.Add([]byte{0, 0, 0, 7, 1, 'k', 'S', 0xFF, 0xFF, 0xFF, 0xFF})
	f.Add([]byte{0, 0, 0, 3, 1, 't', 't'})
	f.Fuzz(func(t *testing.T, in []byte) {
		table, err := DecodeTable(in)
		if err != nil {
			return
		}
		if n := table.Size(); n < 0 || n > 64*len(in) {
			t.Fatalf("%d octets decode to %d", len(in), n)
		}
		out, err := AppendTable(nil, table)
		if err != nil {
			t.Fatal(err)
		}
		if len(out) != len(in) {
			t.Fatalf("%d octets became %d", len(in), len(out))
		}
		_ = table.Describe()
	})
}

// FuzzHeader holds the same for content headers.
func FuzzHeader(f *testing.F) {
	b, err := EncodeHeader(nil, Header{Class: ClassBasic, BodySize: 3, Properties: Properties{Present: HasMessageID | HasHeaders | HasDeliveryMode, MessageID: "1", Headers: everyType(), DeliveryMode: 2}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, in []byte) {
		h, err := DecodeHeader(in)
		if err != nil {
			return
		}
		out, err := EncodeHeader(nil, h)
		if err != nil {
			t.Fatal(err)
		}
		if len(out) != len(in) {
			t.Fatalf("%d octets became %d", len(in), len(out))
		}
	})
}
