package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
)

// Table is a field table (section 4.2.5.5). It keeps the order, and duplicates,
// of what was read, so that a message passes through the broker unchanged.
//
// Values are those of RabbitMQ's grammar, which differs from the
// specification's: bool (t), int8 (b), uint8 (B), int16 (s), uint16 (u), int32
// (I), uint32 (i), int64 (l), float32 (f), float64 (d), Decimal (D), string
// (S), []byte (x), Timestamp (T), []any (A), Table (F) and nil (V).
type Table []Field

// Field is one entry of a Table.
type Field struct {
	Name  string
	Value any
}

// Timestamp is in seconds since 1970 (section 4.2.5.4).
type Timestamp uint64

// Decimal is Value divided by 10 to the power of Scale (section 4.2.5.5).
type Decimal struct {
	Scale uint8
	Value int32
}

const (
	// maxDepth bounds how deep tables and arrays may nest, and so the stack.
	maxDepth = 32
	// maxFields bounds the fields and elements of one table with all within it:
	// one octet on the wire may become 32 in memory.
	maxFields = 1 << 14
)

// Get returns the value of the last field of that name, and whether there is one.
func (t Table) Get(name string) (any, bool) {
	for i := len(t) - 1; i >= 0; i-- {
		if t[i].Name == name {
			return t[i].Value, true
		}
	}
	return nil, false
}

// Set returns a table with that field; t is unchanged.
func (t Table) Set(name string, value any) Table {
	out := make(Table, 0, len(t)+1)
	for _, f := range t {
		if f.Name != name {
			out = append(out, f)
		}
	}
	return append(out, Field{name, value})
}

// Without returns a table that lacks the fields of that name; t is unchanged.
func (t Table) Without(name string) Table {
	out := make(Table, 0, len(t))
	for _, f := range t {
		if f.Name != name {
			out = append(out, f)
		}
	}
	return out
}

// String returns a text value, "" when there is none of that name or type.
func (t Table) String(name string) string {
	v, _ := t.Get(name)
	s, _ := v.(string)
	return s
}

// Int returns a value of any of the integer types.
func (t Table) Int(name string) (n int64, ok bool) {
	v, _ := t.Get(name)
	switch v := v.(type) {
	case int8:
		return int64(v), true
	case uint8:
		return int64(v), true
	case int16:
		return int64(v), true
	case uint16:
		return int64(v), true
	case int32:
		return int64(v), true
	case uint32:
		return int64(v), true
	case int64:
		return v, true
	}
	return 0, false
}

// DecodeTable decodes one table, its length first; it must fill b.
func DecodeTable(b []byte) (Table, error) {
	c := codec{buf: b}
	var t Table
	c.table(&t)
	if c.err == nil && len(c.buf) > 0 {
		c.fail("%d octets after the table", len(c.buf))
	}
	return t, c.err
}

// DecodeFields decodes a table that has no length before it and fills b, as
// the response of AMQPLAIN is.
func DecodeFields(b []byte) (Table, error) {
	budget := maxFields
	return decodeTable(b, 0, &budget)
}

// AppendTable appends a table, its length first. It fails for a value that is
// not of the types Table lists.
func AppendTable(dst []byte, t Table) ([]byte, error) { return appendTable(dst, t, 0) }

var (
	errDepth  = errors.New("table nested too deep")
	errFields = errors.New("table has too many fields")
)

func decodeTable(b []byte, depth int, budget *int) (Table, error) {
	if depth > maxDepth {
		return nil, errDepth
	}
	c := codec{buf: b}
	var t Table
	for len(c.buf) > 0 {
		if *budget--; *budget < 0 {
			return nil, errFields
		}
		var f Field
		c.shortstr(&f.Name)
		f.Value = c.value(depth, budget)
		if c.err != nil {
			return nil, c.err
		}
		t = append(t, f)
	}
	return t, nil
}

func decodeArray(b []byte, depth int, budget *int) ([]any, error) {
	if depth > maxDepth {
		return nil, errDepth
	}
	c := codec{buf: b}
	a := []any{}
	for len(c.buf) > 0 {
		if *budget--; *budget < 0 {
			return nil, errFields
		}
		v := c.value(depth, budget)
		if c.err != nil {
			return nil, c.err
		}
		a = append(a, v)
	}
	return a, nil
}

// value reads one typed value.
func (c *codec) value(depth int, budget *int) any {
	kind := c.take(1)
	if kind == nil {
		return nil
	}
	var (
		one   uint8
		two   uint16
		four  uint32
		eight uint64
	)
	switch kind[0] {
	case 't':
		c.octetArg(&one)
		return one != 0
	case 'b':
		c.octetArg(&one)
		return int8(one)
	case 'B':
		c.octetArg(&one)
		return one
	case 's':
		c.short(&two)
		return int16(two)
	case 'u':
		c.short(&two)
		return two
	case 'I':
		c.long(&four)
		return int32(four)
	case 'i':
		c.long(&four)
		return four
	case 'l':
		c.longlong(&eight)
		return int64(eight)
	case 'f':
		c.long(&four)
		return math.Float32frombits(four)
	case 'd':
		c.longlong(&eight)
		return math.Float64frombits(eight)
	case 'D':
		c.octetArg(&one)
		c.long(&four)
		return Decimal{one, int32(four)}
	case 'T':
		c.longlong(&eight)
		return Timestamp(eight)
	case 'S':
		var s string
		c.longstr(&s)
		return s
	case 'x':
		return append([]byte{}, c.block()...)
	case 'V':
		return nil
	case 'F':
		block := c.block()
		if c.err != nil {
			return nil
		}
		var t Table
		t, c.err = decodeTable(block, depth+1, budget)
		return t
	case 'A':
		block := c.block()
		if c.err != nil {
			return nil
		}
		var a []any
		a, c.err = decodeArray(block, depth+1, budget)
		return a
	}
	c.fail("unknown type of field 0x%02x", kind[0])
	return nil
}

func appendTable(dst []byte, t Table, depth int) ([]byte, error) {
	if depth > maxDepth {
		return dst, errDepth
	}
	return appendBlock(dst, func(b []byte) ([]byte, error) {
		c := codec{buf: b, writing: true}
		for _, f := range t {
			name := f.Name
			c.shortstr(&name)
			if c.err == nil {
				c.buf, c.err = appendValue(c.buf, f.Value, depth)
			}
		}
		return c.buf, c.err
	})
}

// appendBlock appends what f appends with its length before it.
func appendBlock(dst []byte, f func([]byte) ([]byte, error)) ([]byte, error) {
	start := len(dst)
	out, err := f(append(dst, 0, 0, 0, 0))
	if err != nil {
		return dst[:start], err
	}
	binary.BigEndian.PutUint32(out[start:], uint32(len(out)-start-4))
	return out, nil
}

func appendValue(b []byte, v any, depth int) ([]byte, error) {
	be := binary.BigEndian
	switch v := v.(type) {
	case nil:
		return append(b, 'V'), nil
	case bool:
		if v {
			return append(b, 't', 1), nil
		}
		return append(b, 't', 0), nil
	case int8:
		return append(b, 'b', byte(v)), nil
	case uint8:
		return append(b, 'B', v), nil
	case int16:
		return be.AppendUint16(append(b, 's'), uint16(v)), nil
	case uint16:
		return be.AppendUint16(append(b, 'u'), v), nil
	case int32:
		return be.AppendUint32(append(b, 'I'), uint32(v)), nil
	case uint32:
		return be.AppendUint32(append(b, 'i'), v), nil
	case int64:
		return be.AppendUint64(append(b, 'l'), uint64(v)), nil
	case float32:
		return be.AppendUint32(append(b, 'f'), math.Float32bits(v)), nil
	case float64:
		return be.AppendUint64(append(b, 'd'), math.Float64bits(v)), nil
	case Decimal:
		return be.AppendUint32(append(b, 'D', v.Scale), uint32(v.Value)), nil
	case Timestamp:
		return be.AppendUint64(append(b, 'T'), uint64(v)), nil
	case string:
		return append(be.AppendUint32(append(b, 'S'), uint32(len(v))), v...), nil
	case []byte:
		return append(be.AppendUint32(append(b, 'x'), uint32(len(v))), v...), nil
	case Table:
		return appendTable(append(b, 'F'), v, depth+1)
	case []any:
		if depth >= maxDepth {
			return b, errDepth
		}
		return appendBlock(append(b, 'A'), func(b []byte) ([]byte, error) {
			var err error
			for _, e := range v {
				if b, err = appendValue(b, e, depth+1); err != nil {
					break
				}
			}
			return b, err
		})
	}
	return b, fmt.Errorf("a field table holds no %T", v)
}

// Size estimates what t holds in memory, in octets.
func (t Table) Size() int {
	n := 0
	for _, f := range t {
		n += len(f.Name) + 32 + sizeOf(f.Value)
	}
	return n
}

func sizeOf(v any) int {
	switch v := v.(type) {
	case string:
		return len(v)
	case []byte:
		return len(v)
	case Table:
		return v.Size()
	case []any:
		n := 0
		for _, e := range v {
			n += 16 + sizeOf(e)
		}
		return n
	}
	return 8
}

// Describe writes t as text, for messages and transcripts.
func (t Table) Describe() string {
	parts := make([]string, len(t))
	for i, f := range t {
		parts[i] = fmt.Sprintf("%s=%v", f.Name, f.Value)
	}
	return strings.Join(parts, " ")
}
