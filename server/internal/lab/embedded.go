package lab

import (
	"context"
	"fmt"
	"net"
	"sync"

	"drainlab/exercises/scenario"
	"drainlab/server/broker"
)

// embedded is a broker in this process, for one run alone.
type embedded struct {
	broker *broker.Broker
	doors  doors
	you    string
}

func openEmbedded(_ context.Context, r *Run) (link, error) {
	e := &embedded{}
	e.broker = broker.New(broker.ForRun(r.keep))
	you, err := e.door(scenario.You)
	if err != nil {
		e.close()
		return nil, err
	}
	you.open()
	e.you = you.url
	return e, nil
}

func (e *embedded) door(peer string) (*door, error) {
	return e.doors.make("amqp://guest:guest@%s/", func(ctx context.Context, ln net.Listener) {
		// It ends by ctx or with the broker, or because the socket is broken:
		// the program will say so.
		_ = e.broker.Serve(ctx, ln, peer)
	})
}

func (e *embedded) url() string              { return e.you }
func (e *embedded) cut(peer string) int      { return e.broker.Cut(peer) }
func (e *embedded) queue(name string) string { return name }

func (e *embedded) close() {
	_ = e.broker.Close() // which has no errors to tell
	e.doors.wait()
}

// doors makes listeners on free loopback ports and owns what serves them.
type doors struct {
	mu    sync.Mutex
	shut  []func()
	owned sync.WaitGroup
}

// make listens, and once the door is opened has serve called, which must end
// with its context and close the listener. format makes a URL of the address.
func (d *doors) make(format string, serve func(context.Context, net.Listener)) (*door, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for a program: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var once sync.Once
	out := &door{url: fmt.Sprintf(format, ln.Addr())}
	out.open = func() {
		once.Do(func() {
			d.owned.Go(func() {
				defer cancel()
				serve(ctx, ln)
			})
		})
	}
	out.shut = func() {
		once.Do(func() { ln.Close() }) // it was never opened
		cancel()
	}
	d.mu.Lock()
	d.shut = append(d.shut, out.shut)
	d.mu.Unlock()
	return out, nil
}

// wait shuts every door and waits for what served it.
func (d *doors) wait() {
	d.mu.Lock()
	for _, shut := range d.shut {
		shut()
	}
	d.mu.Unlock()
	d.owned.Wait()
}
