package broker

import (
	"sync/atomic"

	"drainlab/server/broker/wire"
)

// memory is the budget of Limits.Memory. Readers take from it for bodies that
// arrive, the owner for messages that it keeps.
type memory struct {
	used  atomic.Int64
	limit int64
}

// take takes n octets, or nothing and returns false.
func (m *memory) take(n int64) bool {
	if m.used.Add(n) > m.limit {
		m.used.Add(-n)
		return false
	}
	return true
}

func (m *memory) give(n int64) { m.used.Add(-n) }

// arrival is a method as it came from a client, with its content if it has any.
type arrival struct {
	conn    *conn
	channel uint16
	method  wire.Method
	header  wire.Header
	body    []byte
	// tooLarge says that the body was above Limits.MessageSize and was dropped.
	tooLarge bool
}

// partial is a method whose content has not come whole.
type partial struct {
	arrival
	started bool // its header came
	left    uint64
}

// assembler puts methods and contents together (section 4.2.6). Frames of
// different channels may be interleaved; within a channel they may not.
//
// Invariant: memory has been taken for exactly the bodies in parts.
type assembler struct {
	limits Limits
	memory *memory
	parts  map[uint16]*partial
}

// frame takes the next frame. It returns an arrival when one is whole, nil when
// more is to come, and an error that ends the connection.
func (a *assembler) frame(f wire.Frame) (*arrival, *wire.Error) {
	p := a.parts[f.Channel]
	switch f.Type {
	case wire.FrameHeartbeat:
		return nil, nil
	case wire.FrameMethod:
		m, err := wire.DecodeMethod(f.Payload)
		if err != nil {
			return nil, err.(*wire.Error)
		}
		if p != nil {
			// A client that learns of its channel's end may leave a content unfinished.
			if id := m.ID(); id != wire.IDChannelCloseOk && id != wire.IDChannelClose {
				return nil, wire.Errorf(wire.UnexpectedFrame, "expected content for basic.publish on channel %d, got %s", f.Channel, m.ID())
			}
			a.forget(f.Channel)
		}
		arr := arrival{channel: f.Channel, method: m}
		if m.ID() == wire.IDBasicPublish {
			if len(a.parts) >= a.limits.Channels {
				return nil, wire.Errorf(wire.NotAllowed, "contents on more than %d channels at once", a.limits.Channels)
			}
			if a.parts == nil {
				a.parts = map[uint16]*partial{}
			}
			a.parts[f.Channel] = &partial{arrival: arr}
			return nil, nil
		}
		return &arr, nil
	case wire.FrameHeader:
		return a.header(f, p)
	}
	return a.bodyPart(f, p)
}

func (a *assembler) header(f wire.Frame, p *partial) (*arrival, *wire.Error) {
	if p == nil || p.started {
		return nil, wire.Errorf(wire.UnexpectedFrame, "content header on channel %d without a method that has content", f.Channel)
	}
	h, err := wire.DecodeHeader(f.Payload)
	if err != nil {
		return nil, err.(*wire.Error)
	}
	if h.Class != wire.ClassBasic {
		return nil, wire.Errorf(wire.UnexpectedFrame, "content header of class %d for basic.publish", h.Class)
	}
	p.header, p.left, p.started = h, h.BodySize, true
	p.tooLarge = h.BodySize > uint64(a.limits.MessageSize)
	return a.finished(f.Channel, p)
}

func (a *assembler) bodyPart(f wire.Frame, p *partial) (*arrival, *wire.Error) {
	if p == nil || !p.started {
		return nil, wire.Errorf(wire.UnexpectedFrame, "content body on channel %d without a content header", f.Channel)
	}
	n := uint64(len(f.Payload))
	if n > p.left {
		return nil, wire.Errorf(wire.FrameError, "content body on channel %d is longer than the %d octets its header says", f.Channel, p.header.BodySize)
	}
	p.left -= n
	if !p.tooLarge {
		if !a.memory.take(int64(n)) {
			return nil, wire.Errorf(wire.ResourceError, "the broker's limit of %d octets for messages is reached", a.memory.limit)
		}
		if p.body == nil {
			// What the header says is at most MessageSize, but nothing of it came yet.
			p.body = make([]byte, 0, min(p.header.BodySize, uint64(a.limits.FrameSize)))
		}
		p.body = append(p.body, f.Payload...)
	}
	return a.finished(f.Channel, p)
}

func (a *assembler) finished(channel uint16, p *partial) (*arrival, *wire.Error) {
	if p.left > 0 {
		return nil, nil
	}
	delete(a.parts, channel) // the memory of its body goes with the arrival
	return &p.arrival, nil
}

func (a *assembler) forget(channel uint16) {
	a.memory.give(int64(len(a.parts[channel].body)))
	delete(a.parts, channel)
}

// drop gives up everything that is not whole.
func (a *assembler) drop() {
	for channel := range a.parts {
		a.forget(channel)
	}
}
