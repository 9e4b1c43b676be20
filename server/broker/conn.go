package broker

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"

	"drainlab/server/broker/wire"
)

// conn is a client's socket with its two goroutines. It knows frames and no
// state of AMQP beyond what belongs to framing: the protocol header, frame-max
// and content that comes in several frames. Everything else is its session's,
// which the owner has.
//
// The reader hands the owner one command for each method, and a last one,
// endCommand, when both goroutines are done with the socket. The owner
// receives until it has got that from every conn, so the reader and the writer
// never have to ask whether anybody listens.
type conn struct {
	nc       net.Conn
	out      *outbox
	limits   Limits
	memory   *memory
	commands chan<- command
	session  *session // the owner's; neither goroutine looks into it

	frames atomic.Uint64 // frames read so far; the owner's sign of life
	hangup sync.Once
}

func (c *conn) run() {
	var writer sync.WaitGroup
	writer.Go(c.write)
	err := c.read()
	c.out.finish()
	c.hangupNow()
	writer.Wait()
	c.commands <- endCommand{c, err}
}

// read reads until the stream ends. After something that is no frame, or no
// header, it goes on to drop what comes: closing a socket with unread octets
// would send a reset, and the client would lose our explanation.
func (c *conn) read() error {
	r := wire.NewReader(c.nc, wire.FrameMinSize)
	if err := r.ReadProtocolHeader(); err != nil {
		if !errors.Is(err, wire.ErrProtocolHeader) {
			return err
		}
		c.commands <- badHeaderCommand{c}
		return r.Discard()
	}
	c.commands <- headerCommand{c}
	// The handshake's frames may be longer than frame-min-size: clients and
	// servers introduce themselves with tables. RabbitMQ takes 8192 there.
	r.SetMax(max(2*wire.FrameMinSize, min(c.limits.FrameSize, 16<<10)))
	asm := assembler{limits: c.limits, memory: c.memory}
	defer asm.drop()
	for {
		f, err := r.ReadFrame()
		var bad *wire.Error
		if err == nil {
			c.frames.Add(1)
			var a *arrival
			if a, bad = asm.frame(f); a != nil {
				if tune, ok := a.method.(*wire.ConnectionTuneOk); ok {
					r.SetMax(c.limits.frameMax(tune.FrameMax))
				}
				a.conn = c
				c.commands <- arriveCommand{a}
			}
		} else if !errors.As(err, &bad) {
			return err
		}
		if bad != nil {
			asm.drop()
			c.commands <- malformedCommand{c, f.Channel, bad}
			return r.Discard()
		}
	}
}

// writeChunk bounds one write, so that a slow client still shows progress.
const writeChunk = 64 << 10

func (c *conn) write() {
	for {
		b, more := c.out.take()
		for rest := b; len(rest) > 0; {
			n, err := c.nc.Write(rest[:min(writeChunk, len(rest))])
			rest = rest[n:]
			if c.out.wrote(n, b) {
				c.commands <- drainedCommand{c}
			}
			if err != nil {
				c.out.kill()
				c.hangupNow()
				return
			}
		}
		if !more {
			break
		}
	}
	// The reader goes on until the client closes its end, or the owner's patience ends.
	if half, ok := c.nc.(interface{ CloseWrite() error }); ok {
		if half.CloseWrite() == nil {
			return
		}
	}
	c.hangupNow()
}

// hangupNow closes the socket. Both goroutines see it and end.
func (c *conn) hangupNow() { c.hangup.Do(func() { c.nc.Close() }) }

// reset closes the socket with a TCP RST where there is TCP: what the client
// sees when the broker's machine or the path to it dies.
func (c *conn) reset() {
	c.out.kill()
	if l, ok := c.nc.(interface{ SetLinger(int) error }); ok {
		// A socket that is already gone needs no reset.
		_ = l.SetLinger(0)
	}
	c.hangupNow()
}
