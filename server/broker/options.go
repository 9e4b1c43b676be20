package broker

import (
	"time"

	"drainlab/exercises/event"
	"drainlab/server/broker/wire"
)

// Options of a broker. The zero value is usable.
type Options struct {
	// Observer is told everything that happens, in order, by the goroutine that
	// owns the broker's state. While it runs the broker stands still: it must
	// be quick and must not call the broker. Seq and At are left to the log.
	Observer func(event.Event)

	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// Timer returns a channel that gets one value after d, and a function that
	// stops it; nil is time.NewTimer.
	Timer func(d time.Duration) (fired <-chan time.Time, stop func())

	// Authenticate decides on a user and password; nil accepts everybody.
	Authenticate func(user, password string) bool

	// Heartbeat is the interval proposed to clients, in whole seconds; 0 is 60 s
	// as in RabbitMQ. The client's answer wins, and may be none at all.
	Heartbeat time.Duration
	// HandshakeTimeout bounds the time from accepting a connection to
	// connection.open; 0 is 10 s, as in RabbitMQ.
	HandshakeTimeout time.Duration
	// CloseTimeout bounds how long a peer may take to answer our
	// connection.close and to close its end; 0 is 5 s.
	CloseTimeout time.Duration

	Limits Limits
}

// Limits bound what clients can make the broker hold. A zero field has the
// default that is named at it. The error is what a client past it sees.
type Limits struct {
	Connections int   // 1024; 530 at connection.open
	Channels    int   // 2047 a connection; 530
	VHosts      int   // 64; 530 at connection.open
	Queues      int   // 10,000 in all; 506
	Exchanges   int   // 1,000 in all, without the predeclared; 506
	Bindings    int   // 50,000 in all; 506
	Consumers   int   // 10,000 in all; 506
	MessageSize int   // 16 MiB of body; 406, which ends the channel, as in RabbitMQ
	FrameSize   int   // 131,072 octets, all counted, at least 4,096; 501
	Memory      int64 // 256 MiB for bodies, properties and bookkeeping of all messages; 506
	// Outgoing is how many octets may wait for one client that does not read
	// before the broker delivers nothing more to it; 1 MiB. A client that lets
	// answers to its own methods pile up past Outgoing, a message of greatest
	// size and 4 MiB more is disconnected.
	Outgoing int
}

func or[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

func (o Options) withDefaults() Options {
	if o.Observer == nil {
		o.Observer = func(event.Event) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Timer == nil {
		o.Timer = func(d time.Duration) (<-chan time.Time, func()) {
			t := time.NewTimer(d)
			return t.C, func() { t.Stop() }
		}
	}
	if o.Authenticate == nil {
		o.Authenticate = func(string, string) bool { return true }
	}
	o.Heartbeat = or(o.Heartbeat, 60*time.Second)
	o.HandshakeTimeout = or(o.HandshakeTimeout, 10*time.Second)
	o.CloseTimeout = or(o.CloseTimeout, 5*time.Second)
	l := &o.Limits
	l.Connections = or(l.Connections, 1024)
	l.Channels = or(l.Channels, 2047)
	l.VHosts = or(l.VHosts, 64)
	l.Queues = or(l.Queues, 10_000)
	l.Exchanges = or(l.Exchanges, 1_000)
	l.Bindings = or(l.Bindings, 50_000)
	l.Consumers = or(l.Consumers, 10_000)
	l.MessageSize = or(l.MessageSize, 16<<20)
	l.FrameSize = max(or(l.FrameSize, 131_072), wire.FrameMinSize)
	l.Memory = or(l.Memory, 256<<20)
	l.Outgoing = or(l.Outgoing, 1<<20)
	return o
}

// outgoingMax is past which a client is disconnected.
func (l Limits) outgoingMax() int { return l.Outgoing + l.MessageSize + 4<<20 }

// frameMax is what a client's answer to connection.tune comes to; 0 is "no
// limit" on its side (section 1.4.2.6).
func (l Limits) frameMax(client uint32) int {
	if client == 0 {
		return l.FrameSize
	}
	return min(l.FrameSize, max(int(min(client, 1<<30)), wire.FrameMinSize))
}
