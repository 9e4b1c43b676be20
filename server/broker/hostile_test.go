package broker_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"drainlab/exercises/event"
	"drainlab/server/broker"
	"drainlab/server/broker/wire"
)

// dial opens a connection by hand, up to and with connection.open.
func dial(t *testing.T, addr string) (net.Conn, *wire.Reader) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	write(t, c, []byte(wire.ProtocolHeader))
	for _, m := range []wire.Method{
		&wire.ConnectionStartOk{Mechanism: "PLAIN", Response: "\x00guest\x00guest"}, &wire.ConnectionTuneOk{}, &wire.ConnectionOpen{VirtualHost: "/"},
	} {
		write(t, c, method(t, 0, m))
	}
	r := wire.NewReader(c, 1<<20)
	for range 3 {
		if _, err := r.ReadFrame(); err != nil {
			t.Fatal(err)
		}
	}
	return c, r
}

func write(t *testing.T, c net.Conn, b []byte) {
	t.Helper()
	if _, err := c.Write(b); err != nil {
		t.Fatal(err)
	}
}

func method(t *testing.T, channel uint16, m wire.Method) []byte {
	t.Helper()
	b, err := wire.AppendMethod(nil, channel, m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// closing reads up to connection.close and returns its code.
func closing(t *testing.T, r *wire.Reader) wire.Code {
	t.Helper()
	for {
		f, err := r.ReadFrame()
		if err != nil {
			t.Fatalf("no connection.close: %v", err)
		}
		if f.Type != wire.FrameMethod {
			continue
		}
		m, err := wire.DecodeMethod(f.Payload)
		if err != nil {
			t.Fatal(err)
		}
		if m, ok := m.(*wire.ConnectionClose); ok {
			return m.ReplyCode
		}
	}
}

// serves holds that an ordinary client is served.
func serves(t *testing.T, addr string) {
	t.Helper()
	b := &bench{T: t, url: "amqp://guest:guest@" + addr + "/"}
	c := b.connect()
	defer c.Close()
	ch := b.channel(c)
	q, err := ch.QueueDeclare("", false, false, true, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.publish(ch, q.Name, 1)
	b.receive(b.consume(ch, q.Name, true), 1)
}

// A malformed frame closes that connection with 501 and hurts nobody else.
func TestMalformedFrames(t *testing.T) {
	rec := newRecorder()
	_, addr := startBroker(t, broker.Options{Observer: rec.observe}, "x")
	b := &bench{T: t, url: "amqp://guest:guest@" + addr + "/"}
	worker := b.channel(b.connect())
	q, err := worker.QueueDeclare("q", false, false, true, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	ds := b.consume(worker, q.Name, false)

	deep := []byte{0, 0, 0, 0}
	for range 1000 {
		deep = append([]byte{byte((len(deep) + 2) >> 24), byte((len(deep) + 2) >> 16), byte((len(deep) + 2) >> 8), byte(len(deep) + 2), 0, 'F'}, deep...)
	}
	declare := append([]byte{0, 50, 0, 10, 0, 0, 1, 'x', 0}, deep...)
	for name, bytes := range map[string][]byte{
		"garbage":               bytes.Repeat([]byte("\xfe\xed"), 10_000),
		"an HTTP request":       []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
		"an oversized frame":    append([]byte{3, 0, 1, 0x7F, 0xFF, 0xFF, 0xFF}, make([]byte, 100_000)...),
		"a wrong frame-end":     {1, 0, 0, 0, 0, 0, 4, 0, 10, 0, 51, 0xCF},
		"a heartbeat with more": {8, 0, 0, 0, 0, 0, 1, 0, 0xCE},
		"a table in tables":     wire.AppendFrame(nil, wire.FrameMethod, 1, declare),
		"a method cut short":    wire.AppendFrame(nil, wire.FrameMethod, 1, declare[:8]),
		"an empty method":       wire.AppendFrame(nil, wire.FrameMethod, 1, nil),
	} {
		c, r := dial(t, addr)
		write(t, c, method(t, 1, &wire.ChannelOpen{}))
		write(t, c, bytes)
		if code := closing(t, r); code != wire.FrameError {
			t.Errorf("%s: closed with %d", name, code)
		}
		c.Close()
		b.publish(worker, q.Name, 1)
		if d := b.receive(ds, 1)[0]; d.Ack(false) != nil {
			t.Errorf("%s: the other connection suffered", name)
		}
	}
}

// A client that does not read holds nobody up, and the broker holds little for it.
func TestSlowReader(t *testing.T) {
	rec := newRecorder()
	opt := broker.Options{Observer: rec.observe, Limits: broker.Limits{Outgoing: 64 << 10, MessageSize: 64 << 10}}
	_, addr := startBroker(t, opt, "x")
	b := &bench{T: t, url: "amqp://guest:guest@" + addr + "/"}
	ch := b.channel(b.connect())
	if _, err := ch.QueueDeclare("q", false, false, false, false, nil); err != nil {
		t.Fatal(err)
	}
	const n = 1000 // 32 MiB, more than sockets buffer
	body := bytes.Repeat([]byte("x"), 32<<10)
	for range n {
		if err := ch.PublishWithContext(t.Context(), "", "q", false, false, amqp.Publishing{Body: body}); err != nil {
			t.Fatal(err)
		}
	}
	c, r := dial(t, addr)
	write(t, c, method(t, 1, &wire.ChannelOpen{}))
	write(t, c, method(t, 1, &wire.BasicConsume{Queue: "q", ConsumerTag: "slow", NoAck: true}))
	rec.await(t, event.MessageDelivered, 1)
	serves(t, addr) // nothing waits for the slow one
	state, err := ch.QueueDeclarePassive("q", false, false, false, false, nil)
	if err != nil || state.Messages == 0 {
		t.Errorf("%d messages wait in the queue, %v: the broker buffered them all", state.Messages, err)
	}
	// Once it reads, it gets all.
	for got := 0; got < n; {
		f, err := r.ReadFrame()
		if err != nil {
			t.Fatalf("after %d: %v", got, err)
		}
		if f.Type == wire.FrameHeader {
			got++
		}
	}

	// One that asks and asks without reading is disconnected.
	c, _ = dial(t, addr)
	write(t, c, method(t, 1, &wire.ChannelOpen{}))
	if err := ch.PublishWithContext(t.Context(), "", "q", false, false, amqp.Publishing{Body: body}); err != nil {
		t.Fatal(err)
	}
	again := append(method(t, 1, &wire.BasicGet{Queue: "q"}), method(t, 1, &wire.BasicNack{Multiple: true, Requeue: true})...)
	for err == nil {
		_, err = c.Write(again)
	}
	rec.await(t, event.ConnReset, 1)
	serves(t, addr)
}

func TestHandshakeTimeout(t *testing.T) {
	_, addr := startBroker(t, broker.Options{HandshakeTimeout: 50 * time.Millisecond}, "x")
	for _, first := range []string{"", "AMQP", wire.ProtocolHeader} {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		write(t, c, []byte(first))
		// Up to the end, whatever it is: a reset counts as one.
		if _, err := io.Copy(io.Discard, c); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Errorf("after %q: %v", first, err)
		}
	}
	serves(t, addr)
}

func TestManyChannels(t *testing.T) {
	_, addr := startBroker(t, broker.Options{}, "x")
	b := &bench{T: t, url: "amqp://guest:guest@" + addr + "/"}
	c := b.connect()
	first := b.channel(c)
	q := b.queue(first, nil)
	const n = 1000
	var ds []<-chan amqp.Delivery
	for range n {
		ch := b.channel(c)
		if err := ch.Qos(1, 0, false); err != nil {
			t.Fatal(err)
		}
		ds = append(ds, b.consume(ch, q, false))
	}
	for i := range n {
		b.publish(first, q, i)
	}
	for i := range n { // they take turns
		if d := <-ds[i]; d.MessageId != fmt.Sprint(i) {
			t.Fatalf("channel %d got %s", i, d.MessageId)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	ch := b.channel(b.connect())
	state, err := ch.QueueDeclarePassive(q, true, false, false, false, nil)
	if err != nil || state.Messages != n {
		t.Errorf("%d of %d came back, %v", state.Messages, n, err)
	}
}

// Past the limit on memory a publisher is told so; what is consumed makes room.
func TestMemoryLimit(t *testing.T) {
	_, addr := startBroker(t, broker.Options{Limits: broker.Limits{Memory: 1 << 20}}, "x")
	b := &bench{T: t, url: "amqp://guest:guest@" + addr + "/"}
	for round := range 3 { // memory comes back each time
		c := b.connect()
		ch := b.channel(c)
		if _, err := ch.QueueDeclare("q", false, false, false, false, nil); err != nil {
			t.Fatal(err)
		}
		closed := c.NotifyClose(make(chan *amqp.Error, 1))
		// Writing fails once the connection is closed for it.
		for err := error(nil); err == nil; {
			err = ch.PublishWithContext(t.Context(), "", "q", false, false, amqp.Publishing{Body: make([]byte, 50_000)})
		}
		if e := <-closed; e == nil || e.Code != int(wire.ResourceError) && !strings.Contains(e.Reason, "reset") && !strings.Contains(e.Reason, "pipe") {
			t.Fatalf("round %d: closed with %v", round, e)
		}
		ch = b.channel(b.connect())
		n, err := ch.QueuePurge("q", false)
		if err != nil || n < 15 || n > 20 {
			t.Errorf("round %d: %d messages fitted, %v", round, n, err)
		}
	}
}

// Whatever goes on, Close and Shutdown leave nothing behind.
func TestNothingIsLeftBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, end := range []func(*broker.Broker) error{
		(*broker.Broker).Close,
		func(b *broker.Broker) error { return b.Shutdown(context.Background()) },
		func(b *broker.Broker) error {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			if err := b.Shutdown(ctx); err != nil && !errors.Is(err, context.Canceled) {
				return err
			}
			return nil
		},
	} {
		b := broker.New(broker.Options{CloseTimeout: 50 * time.Millisecond})
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		var served sync.WaitGroup
		served.Go(func() { b.Serve(context.Background(), ln, "x") })
		var conns []net.Conn
		for range 10 {
			c, _ := dial(t, ln.Addr().String())
			conns = append(conns, c)
		}
		if half, err := net.Dial("tcp", ln.Addr().String()); err == nil {
			conns = append(conns, half)
		}
		if err := end(b); err != nil {
			t.Error(err)
		}
		served.Wait()
		if err := b.Serve(context.Background(), ln, "x"); !errors.Is(err, broker.ErrClosed) {
			t.Errorf("Serve after the end: %v", err)
		}
		if n := b.Cut("x"); n != 0 {
			t.Errorf("Cut after the end: %d", n)
		}
		for _, c := range conns {
			c.Close()
		}
	}
	if after := runtime.NumGoroutine(); after > before {
		buf := make([]byte, 1<<16)
		t.Errorf("%d goroutines before, %d after\n%s", before, after, buf[:runtime.Stack(buf, true)])
	}
}

// Cut is what a client sees as a reset, and it names a peer, not a socket.
func TestCut(t *testing.T) {
	rec := newRecorder()
	b, addr := startBroker(t, broker.Options{Observer: rec.observe}, "worker-1")
	other := listen(t, b, "worker-2")
	b1 := &bench{T: t, url: "amqp://guest:guest@" + addr + "/"}
	b2 := &bench{T: t, url: "amqp://guest:guest@" + other + "/"}
	c1, c2 := b1.connect(), b2.connect()
	ch1, ch2 := b1.channel(c1), b2.channel(c2)
	q := b1.queue(ch1, nil)
	b1.publish(ch1, q, 1, 2)
	b1.receive(b1.consume(ch1, q, false), 2)
	closed := c1.NotifyClose(make(chan *amqp.Error, 1))
	if n := b.Cut("worker-1"); n != 1 {
		t.Fatalf("cut %d connections", n)
	}
	if e := <-closed; e == nil || !strings.Contains(e.Reason, "reset") {
		t.Errorf("the client saw %v", e)
	}
	b2.drain(ch2, q)
	if got := strings.Join(b2.seen, "|"); got != "1 tag=1 redelivered|2 tag=2 redelivered" {
		t.Errorf("got %s", got)
	}
	if c2.IsClosed() {
		t.Error("the other peer was cut too")
	}
}
