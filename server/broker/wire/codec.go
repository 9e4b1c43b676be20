package wire

import (
	"encoding/binary"
	"fmt"
)

// codec walks over arguments in their order, either reading them from buf or
// appending them to it. A method lists its arguments once, so what is written
// and what is read cannot drift apart. The first error sticks, and nothing
// happens after it.
type codec struct {
	buf     []byte
	writing bool
	err     error

	// Consecutive bits share octets (section 4.2.5.2): nbits of the current one
	// are used; 0 means that there is no current one.
	nbits int
	octet byte // when reading
}

func (c *codec) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// take returns the next n octets when reading, nil on any error.
func (c *codec) take(n int) []byte {
	if c.err != nil {
		return nil
	}
	if n > len(c.buf) {
		c.fail("needs %d octets, has %d", n, len(c.buf))
		return nil
	}
	b := c.buf[:n:n]
	c.buf = c.buf[n:]
	return b
}

func (c *codec) octetArg(v *uint8) {
	c.nbits = 0
	if c.writing {
		c.buf = append(c.buf, *v)
	} else if b := c.take(1); b != nil {
		*v = b[0]
	}
}

func (c *codec) short(v *uint16) {
	c.nbits = 0
	if c.writing {
		c.buf = binary.BigEndian.AppendUint16(c.buf, *v)
	} else if b := c.take(2); b != nil {
		*v = binary.BigEndian.Uint16(b)
	}
}

func (c *codec) long(v *uint32) {
	c.nbits = 0
	if c.writing {
		c.buf = binary.BigEndian.AppendUint32(c.buf, *v)
	} else if b := c.take(4); b != nil {
		*v = binary.BigEndian.Uint32(b)
	}
}

func (c *codec) longlong(v *uint64) {
	c.nbits = 0
	if c.writing {
		c.buf = binary.BigEndian.AppendUint64(c.buf, *v)
	} else if b := c.take(8); b != nil {
		*v = binary.BigEndian.Uint64(b)
	}
}

func (c *codec) code(v *Code) { c.short((*uint16)(v)) }

func (c *codec) bit(v *bool) {
	if c.err != nil {
		return
	}
	if c.nbits == 8 {
		c.nbits = 0
	}
	if c.nbits == 0 {
		if c.writing {
			c.buf = append(c.buf, 0)
		} else if b := c.take(1); b != nil {
			c.octet = b[0]
		} else {
			return
		}
	}
	mask := byte(1) << c.nbits
	c.nbits++
	if !c.writing {
		*v = c.octet&mask != 0
	} else if *v {
		c.buf[len(c.buf)-1] |= mask
	}
}

func (c *codec) bits(vs ...*bool) {
	for _, v := range vs {
		c.bit(v)
	}
}

func (c *codec) shortstr(v *string) {
	c.nbits = 0
	if c.writing {
		if len(*v) > maxShort {
			c.fail("string of %d octets is above the 255 of a short string", len(*v))
			return
		}
		c.buf = append(c.buf, byte(len(*v)))
		c.buf = append(c.buf, *v...)
		return
	}
	if n := c.take(1); n != nil {
		*v = string(c.take(int(n[0])))
	}
}

func (c *codec) longstr(v *string) {
	c.nbits = 0
	if c.writing {
		c.buf = binary.BigEndian.AppendUint32(c.buf, uint32(len(*v)))
		c.buf = append(c.buf, *v...)
		return
	}
	*v = string(c.block())
}

// block takes a length and that many octets when reading. The length is
// compared as it is: int may have 32 bits in a browser.
func (c *codec) block() []byte {
	var n uint32
	c.long(&n)
	if c.err != nil {
		return nil
	}
	if uint64(n) > uint64(len(c.buf)) {
		c.fail("needs %d octets, has %d", n, len(c.buf))
		return nil
	}
	return c.take(int(n))
}

func (c *codec) reservedShort()    { var v uint16; c.short(&v) }
func (c *codec) reservedShortstr() { var v string; c.shortstr(&v) }
func (c *codec) reservedLongstr()  { var v string; c.longstr(&v) }
func (c *codec) reservedBit()      { var v bool; c.bit(&v) }

func (c *codec) table(v *Table) {
	c.nbits = 0
	if c.err != nil {
		return
	}
	if c.writing {
		c.buf, c.err = appendTable(c.buf, *v, 0)
		return
	}
	block := c.block()
	if c.err != nil {
		return
	}
	budget := maxFields
	*v, c.err = decodeTable(block, 0, &budget)
}
