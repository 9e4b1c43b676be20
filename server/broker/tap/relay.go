package tap

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"drainlab/server/broker/wire"
)

// relay is one connection: the program's side, RabbitMQ's side, and two
// goroutines that pass octets on.
type relay struct {
	tap     *Tap
	client  net.Conn
	session *session // guarded by tap.mu

	upstream net.Conn // guarded by tap.mu until run has set it
	cut      bool     // guarded by tap.mu
}

const (
	// frameMax bounds what is kept of a frame that is not whole, in octets. What
	// the two sides agreed on is their matter; RabbitMQ's default is 128 KiB.
	frameMax = 8 << 20
	// lingerFor is how long one direction may go on when the other has ended.
	lingerFor = 10 * time.Second
	chunk     = 32 << 10
)

func (r *relay) run() {
	defer r.client.Close()
	upstream, err := r.tap.opt.Dial(r.tap.ctx, "tcp", r.tap.opt.Upstream)
	if err != nil {
		r.tap.mu.Lock()
		defer r.tap.mu.Unlock()
		r.session.log(fmt.Sprintf("cannot reach the broker: %v", err))
		return
	}
	defer upstream.Close()
	r.tap.mu.Lock()
	r.upstream = upstream
	cut := r.cut
	r.tap.mu.Unlock()
	if cut {
		return
	}

	var down sync.WaitGroup
	down.Go(func() { r.pass(r.client, upstream, r.session.server) })
	r.pass(upstream, r.client, r.session.client)
	down.Wait()
}

// pass copies src to dst until src ends, and lets side read along. The end is
// passed on as what it was: a half-close, or the loss of the connection.
func (r *relay) pass(dst, src net.Conn, side *side) {
	buf := make([]byte, chunk)
	for {
		n, err := src.Read(buf)
		if n > 0 {
			r.tap.mu.Lock()
			side.read(buf[:n])
			r.tap.mu.Unlock()
			if _, werr := dst.Write(buf[:n]); werr != nil && err == nil {
				err = werr
			}
		}
		if err == nil {
			continue
		}
		r.tap.mu.Lock()
		r.session.end(ending(err))
		r.tap.mu.Unlock()
		half, ok := dst.(interface{ CloseWrite() error })
		if !ok || !errors.Is(err, io.EOF) || half.CloseWrite() != nil {
			r.tap.mu.Lock()
			r.reset()
			r.tap.mu.Unlock()
			return
		}
		// It is only patience with a side that does not answer the other's end:
		// a connection where the deadline cannot be set has ended anyway.
		_ = dst.SetReadDeadline(time.Now().Add(lingerFor))
		return
	}
}

func ending(err error) string {
	if errors.Is(err, io.EOF) {
		return "a side closed its socket without connection.close"
	}
	return err.Error()
}

// reset closes both sides with a TCP RST; tap.mu is held.
func (r *relay) reset() {
	r.cut = true
	for _, c := range []net.Conn{r.client, r.upstream} {
		if c == nil {
			continue
		}
		if l, ok := c.(interface{ SetLinger(int) error }); ok {
			_ = l.SetLinger(0) // a socket that is gone needs no reset
		}
		c.Close()
	}
}

// side is one direction of a connection, as it is read along.
type side struct {
	session  *session
	splitter *wire.Splitter
	skip     int // octets before the first frame: the client's protocol header
	contents map[uint16]*content
	handle   func(channel uint16, m wire.Method, p *wire.Properties)
	blind    bool
}

// content is a method whose content has not passed whole.
type content struct {
	method wire.Method
	header *wire.Header
	left   uint64
}

func (s *side) read(b []byte) {
	if s.blind {
		return
	}
	if n := min(s.skip, len(b)); n > 0 {
		s.skip -= n
		b = b[n:]
	}
	if err := s.splitter.Push(b, s.frame); err != nil {
		s.blind, s.splitter, s.contents = true, nil, nil
		s.session.log(fmt.Sprintf("cannot read %s along from here on: %v", s.session.id, err))
	}
}

func (s *side) frame(f wire.Frame) error {
	switch f.Type {
	case wire.FrameMethod:
		m, err := wire.DecodeMethod(f.Payload)
		if err != nil {
			return err
		}
		delete(s.contents, f.Channel) // an end of the channel may leave one unfinished
		if m.ID().HasContent() {
			s.contents[f.Channel] = &content{method: m}
			return nil
		}
		s.handle(f.Channel, m, nil)
	case wire.FrameHeader:
		c := s.contents[f.Channel]
		if c == nil || c.header != nil {
			return errors.New("content header out of turn")
		}
		h, err := wire.DecodeHeader(f.Payload)
		if err != nil {
			return err
		}
		c.header, c.left = &h, h.BodySize
		s.finish(f.Channel, c)
	case wire.FrameBody:
		c := s.contents[f.Channel]
		if c == nil || c.header == nil || uint64(len(f.Payload)) > c.left {
			return errors.New("content body out of turn")
		}
		c.left -= uint64(len(f.Payload))
		s.finish(f.Channel, c)
	}
	return nil
}

func (s *side) finish(channel uint16, c *content) {
	if c.left == 0 {
		delete(s.contents, channel)
		s.handle(channel, c.method, &c.header.Properties)
	}
}
