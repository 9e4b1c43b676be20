package tap_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"drainlab/exercises/event"
	"drainlab/server/broker"
	"drainlab/server/broker/tap"
)

// recorder keeps events as text, without what only one of broker and tap says.
type recorder struct {
	mu     sync.Mutex
	events []event.Event
	more   chan struct{}
}

func newRecorder() *recorder { return &recorder{more: make(chan struct{})} }

func (r *recorder) observe(e event.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
	close(r.more)
	r.more = make(chan struct{})
}

// await waits for n events of that kind and returns all events so far.
func (r *recorder) await(t *testing.T, kind event.Kind, n int) []event.Event {
	t.Helper()
	deadline := time.After(10 * time.Second)
	for {
		r.mu.Lock()
		seen, more, all := 0, r.more, slices.Clone(r.events)
		r.mu.Unlock()
		for _, e := range all {
			if e.Kind == kind {
				seen++
			}
		}
		if seen >= n {
			return all
		}
		select {
		case <-more:
		case <-deadline:
			t.Fatalf("%d events of kind %s, want %d, in %v", seen, kind, n, all)
		}
	}
}

func lines(events []event.Event) string {
	var b strings.Builder
	for _, e := range events {
		if e.From != "broker" {
			fmt.Fprintf(&b, "from %s: ", e.From)
		}
		fmt.Fprintf(&b, "%s %s %s tag=%d %t %s ch=%d %s %q", e.Kind, e.Message, e.Queue, e.Tag, e.Redelivered, e.Consumer, e.Channel, e.Peer, e.Text)
		if e.Code != nil {
			fmt.Fprintf(&b, " %d", *e.Code)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// embedded starts the embedded broker and returns its address.
func embedded(t *testing.T, observe func(event.Event)) string {
	t.Helper()
	b := broker.New(broker.Options{Observer: observe})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var served sync.WaitGroup
	served.Go(func() { _ = b.Serve(context.Background(), ln, "worker-1") })
	t.Cleanup(func() { b.Close(); served.Wait() })
	return ln.Addr().String()
}

// start starts a tap and returns its address.
func start(t *testing.T, opt tap.Options) (*tap.Tap, string) {
	t.Helper()
	tp := tap.New(opt)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var served sync.WaitGroup
	served.Go(func() {
		if err := tp.Serve(context.Background(), ln); !errors.Is(err, tap.ErrClosed) {
			t.Errorf("Serve: %v", err)
		}
	})
	t.Cleanup(func() { tp.Close(); served.Wait() })
	return tp, ln.Addr().String()
}

type client struct {
	*testing.T
	*amqp.Channel
	conn *amqp.Connection
}

func dial(t *testing.T, addr string) *client {
	t.Helper()
	conn, err := amqp.Dial("amqp://guest:guest@" + addr + "/")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	c := &client{T: t, conn: conn}
	c.reopen()
	return c
}

func (c *client) reopen() {
	c.Helper()
	ch, err := c.conn.Channel()
	c.check(err)
	c.Channel = ch
}

func (c *client) check(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

// sync returns when the broker, and so the tap, has seen what was sent.
func (c *client) sync() { c.Helper(); c.check(c.Qos(3, 0, false)) }

func (c *client) take(ds <-chan amqp.Delivery, n int) []amqp.Delivery {
	c.Helper()
	var got []amqp.Delivery
	for range n {
		select {
		case d, ok := <-ds:
			if !ok {
				c.Fatal("deliveries ended")
			}
			got = append(got, d)
		case <-time.After(5 * time.Second):
			c.Fatalf("got %d of %d deliveries", len(got), n)
		}
	}
	return got
}

// play does all that a tap can tell of.
func play(t *testing.T, addr, q string) {
	c := dial(t, addr)
	_, err := c.QueueDelete(q, false, false, false)
	c.check(err)
	_, err = c.QueueDeclare(q, false, false, false, false, nil)
	c.check(err)
	c.check(c.Qos(3, 0, false))
	for i := 1; i <= 12; i++ {
		c.check(c.PublishWithContext(t.Context(), "", q, false, false, amqp.Publishing{MessageId: fmt.Sprint(i), Body: bytes.Repeat([]byte("x"), i*100_000%300_001)}))
	}
	c.sync()
	ds, err := c.Consume(q, "k", false, false, false, false, nil)
	c.check(err)
	got := c.take(ds, 3)
	c.check(got[1].Ack(true)) // 1 and 2
	got = append(got, c.take(ds, 2)...)
	c.check(c.Cancel("k", false))
	c.check(got[2].Nack(false, true)) // 3 goes back
	c.sync()
	c.check(got[3].Reject(false)) // 4 is dropped
	c.sync()
	d, ok, err := c.Get("", false) // the queue declared last
	if !ok || err != nil || d.MessageId != "3" || !d.Redelivered {
		t.Fatalf("got %s %t %t %v", d.MessageId, d.Redelivered, ok, err)
	}
	_, _, err = c.Get(q, true) // 6, automatically acknowledged
	c.check(err)
	c.check(c.Channel.Close()) // 3 and 5 go back

	c.reopen()
	ds, err = c.Consume(q, "auto", true, false, false, false, nil)
	c.check(err)
	c.take(ds, 8)
	c.check(c.PublishWithContext(t.Context(), "", q+".none", true, false, amqp.Publishing{MessageId: "13"}))
	c.check(c.Ack(99, false)) // an error: the channel is closed
	<-c.NotifyClose(make(chan *amqp.Error, 1))
	c.reopen()
	c.check(c.PublishWithContext(t.Context(), "", q, false, false, amqp.Publishing{MessageId: "14"}))
	d, ok, err = c.Get(q, false)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	c.check(c.conn.Close()) // 14 goes back
}

// The tap tells what the embedded broker tells, and of RabbitMQ the same.
func TestTapTellsWhatTheBrokerWould(t *testing.T) {
	rename := func(name string) string { return strings.TrimPrefix(name, "run7.") }
	byBroker, byTap := newRecorder(), newRecorder()
	addr := embedded(t, byBroker.observe)
	_, tapped := start(t, tap.Options{Upstream: addr, Peer: "worker-1", Observer: byTap.observe, QueueName: rename})
	play(t, tapped, "run7.q")

	want := byBroker.await(t, event.ConnClosed, 1)
	got := byTap.await(t, event.ConnClosed, 1)
	for i := range want {
		want[i].Queue = rename(want[i].Queue)
	}
	// Nobody but the broker knows that a message finds no queue; of a returned
	// one the tap reads it from basic.return.
	// What comes back at once, the broker tells by place in the queue, which the
	// tap does not know.
	normal := func(events []event.Event) []event.Event {
		events = slices.DeleteFunc(slices.Clone(events), func(e event.Event) bool { return e.Message == "13" })
		for i := 1; i < len(events); i++ {
			for j := i; j > 0 && events[j].Kind == event.MessageRequeued && events[j-1].Kind == event.MessageRequeued && events[j].Message < events[j-1].Message; j-- {
				events[j], events[j-1] = events[j-1], events[j]
			}
		}
		return events
	}
	if lines(normal(got)) != lines(normal(want)) {
		t.Errorf("the tap tells\n%s\nthe broker\n%s", lines(normal(got)), lines(normal(want)))
	}
	for _, e := range got {
		if !e.Inferred {
			t.Errorf("%s is not marked as inferred", e.Kind)
		}
	}

	t.Run("rabbitmq", func(t *testing.T) {
		u, err := url.Parse(os.Getenv("AMQP_URL"))
		if err != nil || u.Host == "" {
			t.Skip("NOT RUN on RabbitMQ: AMQP_URL is not set (make test starts one and sets it)")
		}
		ofRabbit := newRecorder()
		_, tapped := start(t, tap.Options{Upstream: u.Host, Peer: "worker-1", Observer: ofRabbit.observe, QueueName: rename})
		play(t, tapped, "run7.q")
		if ofRabbit := ofRabbit.await(t, event.ConnClosed, 1); lines(ofRabbit) != lines(byTap.await(t, event.ConnClosed, 1)) {
			t.Errorf("of RabbitMQ the tap tells\n%s\nof the embedded broker\n%s", lines(ofRabbit), lines(got))
		}
		c := dial(t, u.Host)
		_, err = c.QueueDelete("run7.q", false, false, false)
		c.check(err)
	})
}

// A program that is killed gives back what it had; a cut is told as one.
func TestTapLostConnections(t *testing.T) {
	rec := newRecorder()
	tp, tapped := start(t, tap.Options{Upstream: embedded(t, nil), Peer: "worker-1", Observer: rec.observe})
	for i, lose := range []func(raw net.Conn){
		func(raw net.Conn) { raw.(*net.TCPConn).SetLinger(0); raw.Close() },
		func(raw net.Conn) { raw.(*net.TCPConn).CloseWrite() },
		func(net.Conn) {
			if n := tp.Cut(); n != 1 {
				t.Errorf("cut %d", n)
			}
		},
	} {
		var raw net.Conn
		conn, err := amqp.DialConfig("amqp://guest:guest@"+tapped+"/", amqp.Config{Dial: func(network, addr string) (net.Conn, error) {
			var err error
			raw, err = net.Dial(network, addr)
			return raw, err
		}})
		if err != nil {
			t.Fatal(err)
		}
		c := &client{T: t, conn: conn}
		c.reopen()
		_, err = c.QueueDeclare("q", false, false, false, false, nil)
		c.check(err)
		if i == 0 {
			c.check(c.PublishWithContext(t.Context(), "", "q", false, false, amqp.Publishing{MessageId: "1"}))
		}
		ds, err := c.Consume("q", "k", false, false, false, false, nil)
		c.check(err)
		if d := c.take(ds, 1)[0]; d.Redelivered != (i > 0) {
			t.Errorf("%d: redelivered %t", i, d.Redelivered)
		}
		lose(raw)
		events := rec.await(t, event.ConnReset, i+1)
		n := len(events)
		if events[n-3].Kind != event.MessageRequeued || events[n-3].Message != "1" || events[n-2].Kind != event.ChannelClosed {
			t.Errorf("%d: the end is\n%s", i, lines(events))
		}
		conn.Close()
	}
}

// What is no AMQP passes unchanged, and is told once.
func TestTapPassesWhatItCannotRead(t *testing.T) {
	echo, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var served sync.WaitGroup
	served.Go(func() {
		c, err := echo.Accept()
		if err != nil {
			return
		}
		io.Copy(c, c)
		c.Close()
	})
	defer served.Wait()
	defer echo.Close()

	rec := newRecorder()
	_, tapped := start(t, tap.Options{Upstream: echo.Addr().String(), Peer: "worker-1", Observer: rec.observe})
	c, err := net.Dial("tcp", tapped)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	sent := bytes.Repeat([]byte("this is not AMQP, but it has to pass. "), 10_000)
	var sending sync.WaitGroup
	sending.Go(func() {
		if _, err := c.Write(sent); err != nil {
			t.Error(err)
		}
		c.(*net.TCPConn).CloseWrite()
	})
	got, err := io.ReadAll(c)
	sending.Wait()
	if err != nil || !bytes.Equal(got, sent) {
		t.Errorf("%d octets came back of %d, %v", len(got), len(sent), err)
	}
	events := rec.await(t, event.LogLine, 2)
	if len(events) != 2 { // one for each direction
		t.Errorf("told\n%s", lines(events))
	}
}

func TestTapWithoutABroker(t *testing.T) {
	rec := newRecorder()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ln.Close() // nobody listens there now
	_, tapped := start(t, tap.Options{Upstream: ln.Addr().String(), Peer: "worker-1", Observer: rec.observe})
	if c, err := amqp.Dial("amqp://guest:guest@" + tapped + "/"); err == nil {
		c.Close()
		t.Error("connected to nothing")
	}
	rec.await(t, event.LogLine, 1)
}

func TestTapLeavesNothingBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("run", func(t *testing.T) {
		tp := tap.New(tap.Options{Upstream: embedded(t, nil), Peer: "worker-1"})
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		var served sync.WaitGroup
		served.Go(func() { _ = tp.Serve(context.Background(), ln) })
		for range 5 {
			c, err := net.Dial("tcp", ln.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
		}
		tp.Close()
		served.Wait()
		if err := tp.Serve(context.Background(), ln); !errors.Is(err, tap.ErrClosed) {
			t.Errorf("Serve after Close: %v", err)
		}
	})
	if after := runtime.NumGoroutine(); after > before {
		buf := make([]byte, 1<<16)
		t.Errorf("%d goroutines before, %d after\n%s", before, after, buf[:runtime.Stack(buf, true)])
	}
}
