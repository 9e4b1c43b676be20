package hub

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"drainlab/exercises/event"

	"github.com/coder/websocket"
)

// Options of a Hub. A zero field has the default named at it.
type Options struct {
	// Origins are hosts, beside the one that was asked, whose pages may open a
	// socket: "lab.example.org", or with a scheme, "https://lab.example.org".
	// None is the default. A client that is no browser sends no Origin and is let in.
	Origins []string
	Sockets int           // at once; 4096
	Write   time.Duration // how long one event may take to be sent; 5 s
	// Ping is how often a socket is asked whether its client is there, 20 s. It
	// has as long as Write to answer.
	Ping time.Duration
}

// The errors with which Stream refuses a socket before it has answered the
// request: the caller answers.
var (
	ErrFull     = errors.New("as many sockets as may be are open")
	ErrStopping = errors.New("the server is stopping")
)

// Hub counts and ends sockets. Its methods may be called by several
// goroutines at once.
type Hub struct {
	opt      Options
	stopping chan struct{} // closed when Shutdown is called
	hurry    chan struct{} // closed when it has no more time

	mu      sync.Mutex
	stopped bool
	hurried bool
	open    int
	owned   sync.WaitGroup // a count a socket
}

// New makes a Hub. Shutdown ends it.
func New(opt Options) *Hub {
	opt.Sockets = cmp.Or(opt.Sockets, 4096)
	opt.Write = cmp.Or(opt.Write, 5*time.Second)
	opt.Ping = cmp.Or(opt.Ping, 20*time.Second)
	return &Hub{opt: opt, stopping: make(chan struct{}), hurry: make(chan struct{})}
}

// Open is how many sockets are open.
func (h *Hub) Open() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.open
}

func (h *Hub) enter() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.stopped:
		return ErrStopping
	case h.open >= h.opt.Sockets:
		return ErrFull
	}
	h.open++
	h.owned.Add(1)
	return nil
}

func (h *Hub) leave() {
	h.mu.Lock()
	h.open--
	h.mu.Unlock()
	h.owned.Done()
}

// Shutdown tells every socket that the server goes (1001), lets no more in,
// and waits until all have ended. When ctx ends first it breaks those that are
// left, and returns ctx's error. It may be called again.
func (h *Hub) Shutdown(ctx context.Context) error {
	h.mu.Lock()
	if !h.stopped {
		h.stopped = true
		close(h.stopping)
	}
	h.mu.Unlock()
	gone := make(chan struct{})
	go func() { // ends with the sockets, which Shutdown waits for
		h.owned.Wait()
		close(gone)
	}()
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
	}
	h.mu.Lock()
	if !h.hurried {
		h.hurried = true
		close(h.hurry)
	}
	h.mu.Unlock()
	<-gone
	return context.Cause(ctx)
}

// Stream upgrades the request and sends the events of log that are numbered
// above after, as they come, until the log ends, the client leaves, or the
// hub is shut down. It returns when the socket is closed. With ErrFull and
// ErrStopping nothing was answered; with other errors the client has an
// answer, and they are for the curious.
func (h *Hub) Stream(w http.ResponseWriter, r *http.Request, log *event.Log, after uint64) error {
	if err := h.enter(); err != nil {
		return err
	}
	defer h.leave()
	raw := &hijacked{ResponseWriter: w}
	conn, err := websocket.Accept(raw, r, &websocket.AcceptOptions{OriginPatterns: h.opt.Origins})
	if err != nil {
		return fmt.Errorf("open a websocket: %w", err)
	}
	s := &socket{hub: h, conn: conn, raw: raw.conn}
	return s.run(log, after)
}

// hijacked keeps the connection that is taken over, so that it can be broken
// while a close is under way: the websocket library would wait for that.
type hijacked struct {
	http.ResponseWriter
	conn net.Conn
}

// Hijack implements http.Hijacker.
func (h *hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(h.ResponseWriter).Hijack()
	h.conn = conn
	return conn, rw, err
}
