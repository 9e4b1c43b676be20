package scenario

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync"
	"syscall"
	"time"

	"drainlab/exercises/event"
)

// clients are the program's HTTP clients: real requests over real connections,
// each of which ends in exactly one of request.finished, request.refused,
// request.reset.
type clients struct {
	log    *event.Log
	ctx    context.Context // ends with close
	cancel context.CancelFunc
	owned  sync.WaitGroup

	mu    sync.Mutex
	conns map[*clientConn]bool
	next  int
}

// answerLimit bounds what is read of an answer, in bytes.
const answerLimit = 1 << 20

func newClients(log *event.Log) *clients {
	c := &clients{log: log, conns: map[*clientConn]bool{}}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

func (c *clients) say(e event.Event) {
	e.From = "client"
	_, _ = c.log.Append(e) // a full log ends the run by the machine's limit
}

// close ends every request and connection, and waits for them.
func (c *clients) close() {
	c.cancel()
	c.mu.Lock()
	for conn := range c.conns {
		conn.Conn.Close()
	}
	c.mu.Unlock()
	c.owned.Wait()
}

// cut resets every connection to the process.
func (c *clients) cut(process string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for conn := range c.conns {
		if conn.peer != process {
			continue
		}
		if tcp, ok := conn.Conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // so that Close resets
		}
		conn.Conn.Close()
		n++
	}
	return n
}

// clientConn tells the log when it ends.
type clientConn struct {
	net.Conn
	id, peer string
	of       *clients
	once     sync.Once
	mu       sync.Mutex
	broken   error // what ended it, if not its owner
}

func (c *clients) dial(ctx context.Context, peer, addr string) (*clientConn, error) {
	raw, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil {
		raw.Close()
		return nil, net.ErrClosed
	}
	c.next++
	conn := &clientConn{Conn: raw, id: "h" + strconv.Itoa(c.next), peer: peer, of: c}
	c.conns[conn] = true
	c.say(event.Event{Kind: event.ConnOpened, Conn: conn.id, Peer: peer})
	return conn, nil
}

func (c *clientConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) {
		c.mu.Lock()
		c.broken = err
		c.mu.Unlock()
	}
	return n, err
}

func (c *clientConn) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() {
		c.of.mu.Lock()
		delete(c.of.conns, c)
		c.of.mu.Unlock()
		c.mu.Lock()
		defer c.mu.Unlock()
		e := event.Event{Kind: event.ConnClosed, Conn: c.id, Peer: c.peer}
		if c.broken != nil {
			e.Kind, e.Text = event.ConnReset, plain(c.broken)
		}
		c.of.say(e)
	})
	return err
}

// request makes one request in the background, on a connection of its own:
// the client's transport would repeat it in silence on a shared one that breaks.
func (c *clients) request(process, addr, id string, work time.Duration) {
	c.owned.Go(func() { c.do(c.ctx, process, addr, id, work, false) })
}

func (c *clients) do(ctx context.Context, process, addr, id string, work time.Duration, probe bool) {
	var conn *clientConn
	transport := &http.Transport{
		DialContext: func(ctx context.Context, _, addr string) (net.Conn, error) {
			var err error
			conn, err = c.dial(ctx, process, addr)
			if err != nil {
				return nil, err
			}
			return conn, nil
		},
		DisableKeepAlives: probe,
	}
	defer transport.CloseIdleConnections()
	path := "/work?for=" + work.String()
	connID := ""
	started := false
	trace := &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connID = conn.id },
		WroteRequest: func(httptrace.WroteRequestInfo) {
			if !started {
				started = true
				c.say(event.Event{Kind: event.RequestStarted, Request: id, Text: "GET " + path, Peer: process, Conn: connID})
			}
		},
	}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace), http.MethodGet, "http://"+addr+path, nil)
	if err != nil {
		c.say(event.Event{Kind: event.RequestRefused, Request: id, Peer: process, Text: err.Error()})
		return
	}
	req.Header.Set("X-Request-Id", id)
	resp, err := transport.RoundTrip(req)
	if err != nil {
		kind := event.RequestReset
		if connID == "" {
			kind = event.RequestRefused
		}
		c.say(event.Event{Kind: kind, Request: id, Peer: process, Conn: connID, Text: plain(err)})
		return
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(resp.Body, answerLimit)); err != nil {
		c.say(event.Event{Kind: event.RequestReset, Request: id, Peer: process, Conn: connID, Text: "in the middle of the answer: " + plain(err)})
		return
	}
	c.say(event.Event{Kind: event.RequestFinished, Request: id, Peer: process, Conn: connID, Status: resp.StatusCode})
}

// plain puts a network error into the words that a person would use.
func plain(err error) string {
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection reset by peer"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "EOF: the connection ended before the answer did"
	case errors.Is(err, context.Canceled), errors.Is(err, net.ErrClosed):
		return "the client left"
	}
	return err.Error()
}

// connect opens Count connections and leaves them open. Silent ones send
// nothing; idle ones have had one answer and wait for another request.
func (d *Director) connect(ctx context.Context, s Step) error {
	name, err := d.running(s)
	if err != nil {
		return err
	}
	for range max(s.Count, 1) {
		conn, err := d.clients.dial(ctx, name, d.machine.Addr(name))
		if err != nil {
			return &StepError{s, plain(err)}
		}
		if s.Mode == "idle" {
			if err := askOnce(conn, name); err != nil {
				conn.Close()
				return &StepError{s, plain(err)}
			}
		}
		d.clients.owned.Go(func() { // until the server, a cut or Close ends it
			defer conn.Close()
			_, _ = io.Copy(io.Discard, io.LimitReader(conn, answerLimit))
		})
	}
	return nil
}

// askOnce makes the first request of an idle connection, and reads its answer.
func askOnce(conn net.Conn, host string) error {
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	defer conn.SetDeadline(time.Time{})
	if _, err := fmt.Fprintf(conn, "GET /healthz HTTP/1.1\r\nHost: %s\r\n\r\n", host); err != nil {
		return err
	}
	// The server sends nothing more on an idle connection, so the reader may
	// take what it likes.
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, io.LimitReader(resp.Body, answerLimit))
	return err
}

// probe makes Count requests, one after another, each on a new connection.
func (d *Director) probe(ctx context.Context, s Step) error {
	name, err := d.target(s)
	if err != nil {
		return err
	}
	for _, id := range d.nextIDs(max(s.Count, 1)) {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		d.clients.do(ctx, name, d.machine.Addr(name), id, time.Millisecond, true)
		cancel()
	}
	return nil
}
