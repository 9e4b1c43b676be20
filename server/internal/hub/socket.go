package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"drainlab/exercises/event"

	"github.com/coder/websocket"
)

// socket is one open websocket.
type socket struct {
	hub  *Hub
	conn *websocket.Conn
	raw  net.Conn
}

func (s *socket) run(log *event.Log, after uint64) error {
	// No request's context is of use once the connection has been taken over.
	ctx, leave := context.WithCancelCause(context.Background())
	done := make(chan struct{})
	var owned sync.WaitGroup
	defer owned.Wait()
	defer close(done)
	defer leave(nil)
	owned.Go(func() {
		select {
		case <-s.hub.hurry:
			s.raw.Close()
		case <-done:
		}
	})
	owned.Go(func() { s.listen(leave) })
	owned.Go(func() { s.ping(ctx, leave) })
	err := s.send(ctx, log, after)
	switch {
	case err == nil:
		return s.conn.Close(websocket.StatusNormalClosure, "the run has ended")
	case errors.Is(err, ErrStopping):
		return s.conn.Close(websocket.StatusGoingAway, "the server stops")
	case errors.Is(err, errSpoke):
		return s.conn.Close(websocket.StatusPolicyViolation, "this socket takes no messages")
	}
	// The client left, or it is too slow to be told anything.
	s.conn.CloseNow()
	return err
}

// errSpoke ends the socket of a client that sent a message.
var errSpoke = errors.New("the client sent a message")

// listen reads: that is what answers pings and closes, and notices that the
// client is gone. It ends with the connection.
func (s *socket) listen(leave context.CancelCauseFunc) {
	_, _, err := s.conn.Reader(context.Background())
	if err == nil {
		err = errSpoke
	}
	leave(err)
}

// send returns nil once the log has ended and everything was sent.
func (s *socket) send(ctx context.Context, log *event.Log, after uint64) error {
	for {
		events, more, ended := log.After(after)
		for _, e := range events {
			if err := s.write(ctx, e); err != nil {
				return err
			}
			after = e.Seq
			select {
			case <-s.hub.stopping:
				return ErrStopping
			default:
			}
		}
		if ended {
			return nil
		}
		select {
		case <-more:
		case <-s.hub.stopping:
			return ErrStopping
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (s *socket) write(ctx context.Context, e event.Event) error {
	text, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode event %d: %w", e.Seq, err)
	}
	ctx, cancel := context.WithTimeout(ctx, s.hub.opt.Write)
	defer cancel()
	return s.conn.Write(ctx, websocket.MessageText, text)
}

// ping finds out about clients that are gone without a word. It ends the
// socket by leave.
func (s *socket) ping(ctx context.Context, leave context.CancelCauseFunc) {
	tick := time.NewTicker(s.hub.opt.Ping)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		alive, cancel := context.WithTimeout(ctx, s.hub.opt.Write)
		err := s.conn.Ping(alive)
		cancel()
		if err != nil {
			leave(err)
			return
		}
	}
}
