package broker

import (
	"time"

	"drainlab/server/broker/wire"
)

// message is what was published. Several queues may hold it: it is never
// changed once it is in one.
type message struct {
	id       string // for events: its message-id, or one of ours
	exchange string
	key      string
	props    wire.Properties
	body     []byte
	refs     int   // entries that hold it, and one while it is routed
	size     int64 // what it takes of the memory budget
}

// messageOverhead is what a message or an entry takes beside its octets, about.
const messageOverhead = 256

// newMessage takes the body over, whose memory is already accounted for. It
// fails when the rest of the message is too much.
func (c *core) newMessage(exchange, key string, props wire.Properties, body []byte) (*message, *wire.Error) {
	rest := int64(props.Size() + messageOverhead)
	if !c.memory.take(rest) {
		return nil, wire.Errorf(wire.ResourceError, "the broker's limit of %d octets for messages is reached", c.memory.limit)
	}
	m := &message{exchange: exchange, key: key, props: props, body: body, refs: 1, size: rest + int64(len(body))}
	m.id = props.MessageID
	if m.id == "" {
		c.lastMessage++
		m.id = "m" + itoa(c.lastMessage)
	}
	return m, nil
}

func (c *core) release(m *message) {
	if m.refs--; m.refs == 0 {
		c.memory.give(m.size)
	}
}

// entry is a message in one queue, or out of it with a client.
type entry struct {
	msg         *message
	pos         uint64 // its place in the queue, which it keeps when it comes back
	redelivered bool
	expires     time.Time // zero: never
}
