package wire

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"testing"
)

// methods lists every method that New knows.
func methods() []Method {
	var ms []Method
	for class := uint32(0); class <= 100; class++ {
		for method := uint32(0); method <= 130; method++ {
			if m := New(ID(class<<16 | method)); m != nil {
				ms = append(ms, m)
			}
		}
	}
	return ms
}

// fill sets every field of a method to something that is not zero.
func fill(m Method) {
	v := reflect.ValueOf(m).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString("text")
		case reflect.Bool:
			f.SetBool(i%2 == 0)
		case reflect.Slice:
			f.Set(reflect.ValueOf(everyType()))
		default:
			f.SetUint(uint64(200 + i))
		}
	}
}

func everyType() Table {
	return Table{
		{"t", true}, {"b", int8(-3)}, {"B", uint8(200)}, {"s", int16(-300)}, {"u", uint16(60000)}, {"I", int32(-70000)},
		{"i", uint32(1 << 31)}, {"l", int64(math.MinInt64)}, {"f", float32(1.5)}, {"d", 2.5}, {"D", Decimal{2, 314}},
		{"S", "long string"}, {"x", []byte{0, 1, 2}}, {"T", Timestamp(1 << 40)}, {"V", nil},
		{"A", []any{"a", int32(1), []any{}, Table{{"k", "v"}}}}, {"F", Table{{"z", true}, {"a", false}}},
	}
}

func TestEveryMethodRoundTrips(t *testing.T) {
	ms := methods()
	if len(ms) != 64 {
		t.Errorf("%d methods, want 64: those of 0-9-1 and RabbitMQ's extensions", len(ms))
	}
	for _, m := range ms {
		fill(m)
		b, err := EncodeMethod(nil, m)
		if err != nil {
			t.Fatalf("%s: %v", m.ID(), err)
		}
		got, err := DecodeMethod(b)
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("%s: got %+v, %v, want %+v", m.ID(), got, err, m)
		}
		if _, err := DecodeMethod(append(b, 0)); err == nil {
			t.Errorf("%s: an octet too many was accepted", m.ID())
		}
		for n := range b {
			if _, err := DecodeMethod(b[:n]); err == nil {
				t.Errorf("%s: %d of %d octets were accepted", m.ID(), n, len(b))
				break
			}
		}
	}
}

func TestBitsShareOctets(t *testing.T) {
	b, err := EncodeMethod(nil, &QueueDeclare{Queue: "q", Durable: true, NoWait: true})
	if err != nil {
		t.Fatal(err)
	}
	// Class 50, method 10, reserved short, "q", one octet of five bits, an empty table.
	want := []byte{0, 50, 0, 10, 0, 0, 1, 'q', 0b10010, 0, 0, 0, 0}
	if !bytes.Equal(b, want) {
		t.Errorf("got % x, want % x", b, want)
	}
}

func TestHeaderRoundTrips(t *testing.T) {
	h := Header{Class: ClassBasic, BodySize: 1 << 40, Properties: Properties{
		Present: 0xFFFC, ContentType: "a", ContentEncoding: "b", Headers: everyType(), DeliveryMode: 2, Priority: 9, CorrelationID: "c",
		ReplyTo: "d", Expiration: "60000", MessageID: "42", Timestamp: 7, Type: "e", UserID: "guest", AppID: "f", ClusterID: "g",
	}}
	for bit := Flag(0); bit < 16; bit++ { // all of them, then each missing in turn
		h := h
		h.Present &^= 1 << bit & 0xFFFC
		b, err := EncodeHeader(nil, h)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeHeader(b)
		if err != nil {
			t.Fatalf("%016b: %v", h.Present, err)
		}
		again, err := EncodeHeader(nil, got)
		if err != nil || !bytes.Equal(again, b) || got.Present != h.Present {
			t.Errorf("%016b: got % x, %v, want % x", h.Present, again, err, b)
		}
	}
}

func TestMalformed(t *testing.T) {
	deep := Table{}
	for range maxDepth + 1 {
		deep = Table{{"", deep}}
	}
	if _, err := AppendTable(nil, deep); err == nil {
		t.Error("a table that is too deep was encoded")
	}
	if _, err := EncodeMethod(nil, &BasicCancel{ConsumerTag: string(make([]byte, 256))}); err == nil {
		t.Error("a short string of 256 octets was encoded")
	}
	if _, err := AppendTable(nil, Table{{"k", struct{}{}}}); err == nil {
		t.Error("a value of no known type was encoded")
	}

	nested := []byte{0, 0, 0, 0}
	for range maxDepth + 1 {
		nested = append([]byte{0, 0, 0, byte(len(nested) + 2), 0, 'F'}, nested...)
	}
	manyNil := append([]byte{0, 0, 0x80, 2}, bytes.Repeat([]byte{0, 'V'}, maxFields+1)...)
	for name, b := range map[string][]byte{
		"nested too deep":             nested,
		"too many fields":             manyNil,
		"length beyond the end":       {0, 0, 0, 9, 1, 'k', 'V'},
		"length of four gigabytes":    {0xFF, 0xFF, 0xFF, 0xFF, 1, 'k', 'V'},
		"string of four gigabytes":    {0, 0, 0, 7, 1, 'k', 'S', 0xFF, 0xFF, 0xFF, 0xFF},
		"binary of two gigabytes":     {0, 0, 0, 7, 1, 'k', 'x', 0x7F, 0xFF, 0xFF, 0xFF},
		"unknown type":                {0, 0, 0, 3, 1, 'k', '?'},
		"a name and no value":         {0, 0, 0, 2, 1, 'k'},
		"octets after the table":      {0, 0, 0, 0, 0},
		"an array longer than itself": {0, 0, 0, 7, 1, 'k', 'A', 0, 0, 0, 1},
	} {
		if v, err := DecodeTable(b); err == nil {
			t.Errorf("%s: decoded to %v", name, v)
		}
	}
	var weighted *Error
	if _, err := DecodeHeader([]byte{0, 60, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}); !errors.As(err, &weighted) || weighted.Code != UnexpectedFrame {
		t.Errorf("header with a weight: %v", err)
	}
	for name, b := range map[string][]byte{
		"short":             {0, 60, 0, 0},
		"continuation flag": append([]byte{0, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0, 1),
		"trailing octet":    {0, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	} {
		var bad *Error
		if _, err := DecodeHeader(b); !errors.As(err, &bad) || bad.Code != FrameError {
			t.Errorf("header, %s: %v", name, err)
		}
	}
}

func TestReadFrame(t *testing.T) {
	tests := []struct {
		name string
		in   []byte
		want error // of this kind: an *Error is compared by code only
	}{
		{"nothing", nil, io.EOF},
		{"unknown type, at its first octet", []byte{'G'}, Errorf(FrameError, "")},
		{"type 4", []byte{4, 0, 0, 0, 0, 0, 0, frameEnd}, Errorf(FrameError, "")},
		{"cut in the head", []byte{1, 0}, io.ErrUnexpectedEOF},
		{"cut in the payload", []byte{1, 0, 0, 0, 0, 0, 4, 1}, io.ErrUnexpectedEOF},
		{"above frame-max", []byte{3, 0, 1, 0, 0, 0x0F, 0xF9}, Errorf(FrameError, "")},
		{"four gigabytes", []byte{3, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF}, Errorf(FrameError, "")},
		{"wrong end", []byte{3, 0, 1, 0, 0, 0, 1, 'x', 0xCF}, Errorf(FrameError, "")},
		{"heartbeat with a payload", []byte{8, 0, 0, 0, 0, 0, 1, 'x', frameEnd}, Errorf(FrameError, "")},
		{"heartbeat on a channel", []byte{8, 0, 1, 0, 0, 0, 0, frameEnd}, Errorf(FrameError, "")},
		{"heartbeat", AppendHeartbeat(nil), nil},
		{"as long as it may be", AppendFrame(nil, FrameBody, 1, make([]byte, FrameMinSize-FrameOverhead)), nil},
	}
	for _, tt := range tests {
		f, err := NewReader(bytes.NewReader(tt.in), FrameMinSize).ReadFrame()
		var got, want *Error
		if errors.As(tt.want, &want) {
			if !errors.As(err, &got) || got.Code != want.Code {
				t.Errorf("%s: got %v, want %v", tt.name, err, want.Code)
			}
		} else if !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, err, tt.want)
		} else if err == nil && !bytes.Equal(AppendFrame(nil, f.Type, f.Channel, f.Payload), tt.in) {
			t.Errorf("%s: got %+v", tt.name, f)
		}
	}
}

func TestAppendContentSplitsBodies(t *testing.T) {
	body := bytes.Repeat([]byte("0123456789"), 1000)
	b, err := AppendContent(nil, 3, Header{Class: ClassBasic, BodySize: uint64(len(body))}, body, FrameMinSize)
	if err != nil {
		t.Fatal(err)
	}
	r := NewReader(bytes.NewReader(b), FrameMinSize)
	var got []byte
	for i := 0; ; i++ {
		f, err := r.ReadFrame()
		if err == io.EOF {
			break
		}
		if err != nil || f.Channel != 3 || (i == 0) != (f.Type == FrameHeader) {
			t.Fatalf("frame %d: %+v, %v", i, f, err)
		}
		if f.Type == FrameBody {
			got = append(got, f.Payload...)
		}
	}
	if !bytes.Equal(got, body) {
		t.Error("the body did not come through")
	}
}

func TestReplyText(t *testing.T) {
	e := Errorf(NotFound, "no queue '%s' in vhost '/'", bytes.Repeat([]byte("q"), 250))
	if s := e.ReplyText(); len(s) != 255 || s[:21] != "NOT_FOUND - no queue " {
		t.Errorf("got %q", s)
	}
	if NotFound.Hard() || !FrameError.Hard() {
		t.Error("hard and soft are confused")
	}
}
