package tap

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"drainlab/exercises/event"
)

// ErrClosed is returned by Serve after Close.
var ErrClosed = errors.New("tap is closed")

// Options of a tap. Upstream is needed.
type Options struct {
	Upstream string // RabbitMQ's host:port
	Peer     string // who connects, in events
	// Observer is told what passes, by one goroutine at a time. Connections
	// wait for it: it must be quick and must not call the tap.
	Observer func(event.Event)
	// QueueName turns a queue's name at the broker into its name in events; nil
	// leaves it.
	QueueName func(string) string
	// Dial connects to Upstream; nil is TCP with a timeout of 5 s.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Tap is a proxy in front of a RabbitMQ. Its methods may be called by several
// goroutines at once.
type Tap struct {
	opt    Options
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	owned  sync.WaitGroup // Serve calls and relays

	mu         sync.Mutex // guards what follows, all sessions, and the observer
	closed     bool
	relays     map[*relay]bool
	lastConn   int
	deadLetter map[string]bool // queues declared here: have a dead-letter exchange
}

// New makes a tap. Close ends it.
func New(opt Options) *Tap {
	if opt.Observer == nil {
		opt.Observer = func(event.Event) {}
	}
	if opt.QueueName == nil {
		opt.QueueName = func(name string) string { return name }
	}
	if opt.Dial == nil {
		opt.Dial = (&net.Dialer{Timeout: 5 * time.Second}).DialContext
	}
	t := &Tap{opt: opt, relays: map[*relay]bool{}, deadLetter: map[string]bool{}}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t
}

// Serve accepts connections on ln until ctx ends (it returns ctx's error), the
// tap is closed (ErrClosed) or ln fails. It closes ln. The accepted
// connections live on until Cut or Close, or until one of their sides ends them.
func (t *Tap) Serve(ctx context.Context, ln net.Listener) error {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		ln.Close()
		return ErrClosed
	}
	t.owned.Add(1)
	t.mu.Unlock()
	defer t.owned.Done()

	// A blocked Accept can only be ended by closing the listener.
	served := make(chan struct{})
	var closer sync.WaitGroup
	closer.Go(func() {
		select {
		case <-ctx.Done():
		case <-t.ctx.Done():
		case <-served:
		}
		ln.Close()
	})
	defer closer.Wait()
	defer close(served)
	for {
		client, err := ln.Accept()
		switch {
		case err == nil:
			t.accept(client)
		case t.ctx.Err() != nil:
			return ErrClosed
		case ctx.Err() != nil:
			return ctx.Err()
		default:
			return err
		}
	}
}

func (t *Tap) accept(client net.Conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		client.Close()
		return
	}
	r := &relay{tap: t, client: client}
	r.session = newSession(t)
	t.relays[r] = true
	t.owned.Go(func() {
		r.run()
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.relays, r)
	})
}

// Cut resets every connection, on both of its sides, and returns how many
// there were. When RabbitMQ notices is up to it.
func (t *Tap) Cut() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for r := range t.relays {
		if !r.session.ended {
			n++
		}
		r.session.end("cut")
		r.reset()
	}
	return n
}

// Close resets every connection and waits for every goroutine of the tap.
func (t *Tap) Close() error {
	t.mu.Lock()
	t.closed = true
	for r := range t.relays {
		r.session.end("tap closed")
		r.reset()
	}
	t.mu.Unlock()
	t.cancel()
	t.owned.Wait()
	return nil
}
