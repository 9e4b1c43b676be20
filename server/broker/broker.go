package broker

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// ErrClosed is returned by Serve when the broker was shut down.
var ErrClosed = errors.New("broker is closed")

// Broker is an AMQP 0-9-1 broker in memory. Its methods may be called by
// several goroutines at once.
type Broker struct {
	opt      Options
	commands chan command  // to the owner; it receives until its last connection is gone
	stopping chan struct{} // closed when Shutdown or Close is called
	gone     chan struct{} // closed when the owner has left, as the last goroutine
	core     *core         // the owner's; tests look at it once gone is closed
	stopOnce sync.Once

	mu      sync.Mutex // guards serving.Add against serving.Wait
	stopped bool
	serving sync.WaitGroup
}

// New makes a broker and starts the goroutine that owns its state. Shutdown or
// Close ends it.
func New(opt Options) *Broker {
	b := &Broker{
		opt:      opt.withDefaults(),
		commands: make(chan command),
		stopping: make(chan struct{}),
		gone:     make(chan struct{}),
	}
	b.core = newCore(b.opt, b.commands)
	go func() {
		defer close(b.gone)
		b.core.run()
	}()
	return b
}

// Serve accepts connections on ln until ctx ends (it then returns ctx's
// error), the broker is shut down (ErrClosed) or ln fails for good. It closes
// ln. The accepted connections live on; the broker owns them. peer names who
// is at their other end, in events and for Cut; it may be empty.
func (b *Broker) Serve(ctx context.Context, ln net.Listener, peer string) error {
	b.mu.Lock()
	if b.stopped {
		b.mu.Unlock()
		ln.Close()
		return ErrClosed
	}
	b.serving.Add(1)
	b.mu.Unlock()
	defer b.serving.Done()

	// A blocked Accept can only be ended by closing the listener.
	served := make(chan struct{})
	var closer sync.WaitGroup
	closer.Go(func() {
		select {
		case <-ctx.Done():
		case <-b.stopping:
		case <-served:
		}
		ln.Close()
	})
	defer closer.Wait()
	defer close(served)

	wait := 5 * time.Millisecond
	for {
		nc, err := ln.Accept()
		if err == nil {
			wait = 5 * time.Millisecond
			if !b.do(acceptCommand{nc, peer}) {
				nc.Close()
			}
			continue
		}
		select {
		case <-b.stopping:
			return ErrClosed
		case <-ctx.Done():
			return ctx.Err()
		default:
		}
		if errors.Is(err, net.ErrClosed) || wait > time.Second {
			return err
		}
		// Out of file descriptors, or a client that was gone before it was
		// accepted: both pass.
		again, stop := b.opt.Timer(wait)
		select {
		case <-again:
		case <-b.stopping:
		case <-ctx.Done():
		}
		stop()
		wait *= 2
	}
}

// do hands the owner a command; false when it has left.
func (b *Broker) do(cmd command) bool {
	select {
	case b.commands <- cmd:
		return true
	case <-b.gone:
		return false
	}
}

// Cut resets every connection of that peer, as a cable that is pulled or a
// process that is killed would, and returns how many there were. What they
// held unacknowledged is back in its queues when it returns.
func (b *Broker) Cut(peer string) int {
	n := make(chan int, 1)
	if !b.do(cutCommand{peer, n}) {
		return 0
	}
	return <-n
}

// Shutdown ends the broker in order: no new connections, connection.close with
// 320 CONNECTION_FORCED to every client, and waits for them to answer, each
// for at most CloseTimeout. When ctx ends first, the remaining connections are
// reset and its error is returned. Either way every goroutine of the broker
// has ended when Shutdown returns.
func (b *Broker) Shutdown(ctx context.Context) error {
	b.stop()
	b.do(stopCommand{graceful: true})
	var err error
	select {
	case <-b.gone:
	case <-ctx.Done():
		// An owner that had nothing left to wait for has not been interrupted.
		if b.do(stopCommand{graceful: false}) {
			err = ctx.Err()
		}
		<-b.gone
	}
	b.serving.Wait()
	return err
}

// Close ends the broker at once: every connection is reset. It waits for every
// goroutine of the broker.
func (b *Broker) Close() error {
	b.stop()
	b.do(stopCommand{graceful: false})
	<-b.gone
	b.serving.Wait()
	return nil
}

func (b *Broker) stop() {
	b.mu.Lock()
	b.stopped = true
	b.mu.Unlock()
	b.stopOnce.Do(func() { close(b.stopping) })
}
