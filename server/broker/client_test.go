package broker_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"drainlab/exercises/event"
	"drainlab/server/broker"
)

// Here the real client, amqp091-go, on a real loopback listener, plays the same
// scenarios on the embedded broker and, with AMQP_URL set, on RabbitMQ. What a
// scenario observes has to be the same on both.

// recorder keeps events; the observer is called from another goroutine.
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

// await waits until n events of that kind were seen.
func (r *recorder) await(t *testing.T, kind event.Kind, n int) {
	t.Helper()
	deadline := time.After(10 * time.Second)
	for {
		r.mu.Lock()
		seen, more := 0, r.more
		for _, e := range r.events {
			if e.Kind == kind {
				seen++
			}
		}
		r.mu.Unlock()
		if seen >= n {
			return
		}
		select {
		case <-more:
		case <-deadline:
			t.Fatalf("saw %d events of kind %s, want %d", seen, kind, n)
		}
	}
}

// startBroker serves a broker on loopback and returns its address.
func startBroker(t *testing.T, opt broker.Options, peer string) (*broker.Broker, string) {
	t.Helper()
	b := broker.New(opt)
	t.Cleanup(func() { b.Close() })
	return b, listen(t, b, peer)
}

func listen(t *testing.T, b *broker.Broker, peer string) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var served sync.WaitGroup
	served.Go(func() {
		if err := b.Serve(context.Background(), ln, peer); !errors.Is(err, broker.ErrClosed) {
			t.Errorf("Serve: %v", err)
		}
	})
	t.Cleanup(func() { b.Close(); served.Wait() })
	return ln.Addr().String()
}

// bench is a broker under test, as a scenario sees it.
type bench struct {
	*testing.T
	url  string
	seen []string
}

func (b *bench) note(format string, args ...any) {
	b.seen = append(b.seen, fmt.Sprintf(format, args...))
}

func (b *bench) connect() *amqp.Connection {
	b.Helper()
	c, err := amqp.Dial(b.url)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close() })
	return c
}

func (b *bench) channel(c *amqp.Connection) *amqp.Channel {
	b.Helper()
	ch, err := c.Channel()
	if err != nil {
		b.Fatal(err)
	}
	return ch
}

// queue declares an empty queue that goes with the test.
func (b *bench) queue(ch *amqp.Channel, args amqp.Table) string {
	b.Helper()
	name := strings.ReplaceAll(b.Name(), "/", ".")
	if _, err := ch.QueueDelete(name, false, false, false); err != nil {
		b.Fatal(err)
	}
	if _, err := ch.QueueDeclare(name, true, false, false, false, args); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { // RabbitMQ outlives the test, and ch may not have
		c, err := amqp.Dial(b.url)
		if err != nil {
			b.Error(err)
			return
		}
		defer c.Close()
		if _, err := b.channel(c).QueueDelete(name, false, false, false); err != nil {
			b.Error(err)
		}
	})
	return name
}

func (b *bench) publish(ch *amqp.Channel, queue string, ids ...int) {
	b.Helper()
	for _, id := range ids {
		if err := ch.PublishWithContext(b.Context(), "", queue, false, false, amqp.Publishing{MessageId: fmt.Sprint(id), Body: []byte("x")}); err != nil {
			b.Fatal(err)
		}
	}
}

func (b *bench) noteDelivery(d amqp.Delivery) {
	flag := ""
	if d.Redelivered {
		flag = " redelivered"
	}
	b.note("%s tag=%d%s", d.MessageId, d.DeliveryTag, flag)
}

func (b *bench) receive(ds <-chan amqp.Delivery, n int) []amqp.Delivery {
	b.Helper()
	var got []amqp.Delivery
	for range n {
		select {
		case d, ok := <-ds:
			if !ok {
				b.Fatalf("deliveries ended after %d of %d", len(got), n)
			}
			got = append(got, d)
			b.noteDelivery(d)
		case <-time.After(5 * time.Second):
			b.Fatalf("got %d deliveries of %d", len(got), n)
		}
	}
	return got
}

func (b *bench) consume(ch *amqp.Channel, queue string, noAck bool) <-chan amqp.Delivery {
	b.Helper()
	ds, err := ch.Consume(queue, "", noAck, false, false, false, nil)
	if err != nil {
		b.Fatal(err)
	}
	return ds
}

// drain gets everything that is ready.
func (b *bench) drain(ch *amqp.Channel, queue string) {
	b.Helper()
	for {
		d, ok, err := ch.Get(queue, true)
		if err != nil {
			b.Fatal(err)
		}
		if !ok {
			return
		}
		b.noteDelivery(d)
	}
}

var scenarios = []struct {
	name string
	play func(*bench)
	want string
}{
	{"cancel keeps what was delivered, closing the channel returns it in order", func(b *bench) {
		c := b.connect()
		pub, ch := b.channel(c), b.channel(c)
		q := b.queue(pub, nil)
		b.publish(pub, q, 1, 2, 3, 4, 5)
		if err := ch.Qos(3, 0, false); err != nil {
			b.Fatal(err)
		}
		ds, err := ch.Consume(q, "k", false, false, false, false, nil)
		if err != nil {
			b.Fatal(err)
		}
		got := b.receive(ds, 3)
		if err := ch.Cancel("k", false); err != nil {
			b.Fatal(err)
		}
		if err := got[1].Ack(false); err != nil {
			b.Fatal(err)
		}
		state, err := pub.QueueDeclarePassive(q, true, false, false, false, nil)
		b.note("ready %d, consumers %d, %v", state.Messages, state.Consumers, err)
		if err := ch.Close(); err != nil {
			b.Fatal(err)
		}
		b.drain(pub, q)
	}, "1 tag=1|2 tag=2|3 tag=3|ready 2, consumers 0, <nil>|1 tag=1 redelivered|3 tag=2 redelivered|4 tag=3|5 tag=4"},

	{"nack in reverse order keeps the queue's order", func(b *bench) {
		ch := b.channel(b.connect())
		q := b.queue(ch, nil)
		b.publish(ch, q, 1, 2, 3, 4)
		var got []amqp.Delivery
		for range 3 {
			d, ok, err := ch.Get(q, false)
			if !ok || err != nil {
				b.Fatal(ok, err)
			}
			got = append(got, d)
		}
		for _, i := range []int{1, 2, 0} {
			if err := got[i].Nack(false, true); err != nil {
				b.Fatal(err)
			}
		}
		b.drain(ch, q)
	}, "1 tag=4 redelivered|2 tag=5 redelivered|3 tag=6 redelivered|4 tag=7"},

	{"ack multiple", func(b *bench) {
		c := b.connect()
		ch, other := b.channel(c), b.channel(c)
		q := b.queue(ch, nil)
		b.publish(ch, q, 1, 2, 3, 4)
		got := b.receive(b.consume(ch, q, false), 4)
		if err := got[2].Ack(true); err != nil {
			b.Fatal(err)
		}
		if err := ch.Close(); err != nil {
			b.Fatal(err)
		}
		b.drain(other, q)
	}, "1 tag=1|2 tag=2|3 tag=3|4 tag=4|4 tag=1 redelivered"},

	{"automatic ack leaves nothing to return", func(b *bench) {
		c := b.connect()
		ch, other := b.channel(c), b.channel(c)
		q := b.queue(ch, nil)
		b.publish(ch, q, 1, 2)
		b.receive(b.consume(ch, q, true), 2)
		if err := ch.Close(); err != nil {
			b.Fatal(err)
		}
		b.drain(other, q)
	}, "1 tag=1|2 tag=2"},

	{"confirms come after returns", func(b *bench) {
		ch := b.channel(b.connect())
		if err := ch.Confirm(false); err != nil {
			b.Fatal(err)
		}
		returns := ch.NotifyReturn(make(chan amqp.Return, 1))
		q := b.queue(ch, nil)
		for _, key := range []string{q, "no.such.queue"} {
			conf, err := ch.PublishWithDeferredConfirm("", key, true, false, amqp.Publishing{MessageId: "1"})
			if err != nil {
				b.Fatal(err)
			}
			ok, err := conf.WaitContext(b.Context())
			b.note("confirmed %t %v", ok, err)
		}
		r := <-returns
		b.note("returned %d %s %s", r.ReplyCode, r.ReplyText, r.RoutingKey)
	}, "confirmed true <nil>|confirmed true <nil>|returned 312 NO_ROUTE no.such.queue"},

	{"reject dead-letters with x-death", func(b *bench) {
		ch := b.channel(b.connect())
		morgue := b.queue(ch, nil)
		q := morgue + ".source"
		if _, err := ch.QueueDeclare(q, false, false, true, false, amqp.Table{"x-dead-letter-exchange": "", "x-dead-letter-routing-key": morgue}); err != nil {
			b.Fatal(err)
		}
		b.publish(ch, q, 1)
		d, _, err := ch.Get(q, false)
		if err != nil {
			b.Fatal(err)
		}
		if err := d.Reject(false); err != nil {
			b.Fatal(err)
		}
		got := b.receive(b.consume(ch, morgue, true), 1)
		death := got[0].Headers["x-death"].([]any)[0].(amqp.Table)
		b.note("%v %v %v %v %v", death["count"], death["reason"], death["exchange"], death["routing-keys"].([]any)[0] == q, got[0].Headers["x-first-death-reason"])
	}, "1 tag=2|1 rejected  true rejected"},

	{"a deleted queue cancels its consumers", func(b *bench) {
		c := b.connect()
		ch, other := b.channel(c), b.channel(c)
		q := b.queue(ch, nil)
		cancels := ch.NotifyCancel(make(chan string, 1))
		ds, err := ch.Consume(q, "k", false, false, false, false, nil)
		if err != nil {
			b.Fatal(err)
		}
		n, err := other.QueueDelete(q, false, false, false)
		b.note("deleted %d %v, cancelled %s", n, err, <-cancels)
		_, open := <-ds
		b.note("deliveries open %t", open)
	}, "deleted 0 <nil>, cancelled k|deliveries open false"},

	{"message TTL", func(b *bench) {
		ch := b.channel(b.connect())
		q := b.queue(ch, amqp.Table{"x-message-ttl": int32(1)})
		b.publish(ch, q, 1)
		for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); {
			state, err := ch.QueueDeclarePassive(q, true, false, false, false, nil)
			if err != nil {
				b.Fatal(err)
			}
			if state.Messages == 0 {
				b.note("gone")
				return
			}
		}
	}, "gone"},
}

func TestClient(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		for _, sc := range scenarios {
			t.Run(sc.name, func(t *testing.T) {
				b := &bench{T: t, url: url}
				sc.play(b)
				if got := strings.Join(b.seen, "|"); got != sc.want {
					t.Errorf("saw\n%s\nwant\n%s", got, sc.want)
				}
			})
		}
		for _, m := range mistakes {
			t.Run("mistake: "+m.name, func(t *testing.T) {
				b := &bench{T: t, url: url}
				if got := b.mistake(m.do); got != m.want {
					t.Errorf("got\n%s\nwant\n%s", got, m.want)
				}
			})
		}
	})
}

// onBoth runs f on the embedded broker, and on RabbitMQ when AMQP_URL is set.
func onBoth(t *testing.T, f func(t *testing.T, url string)) {
	t.Run("embedded", func(t *testing.T) {
		_, addr := startBroker(t, broker.Options{}, "test")
		f(t, "amqp://guest:guest@"+addr+"/")
	})
	t.Run("rabbitmq", func(t *testing.T) {
		url := os.Getenv("AMQP_URL")
		if url == "" {
			t.Skip("NOT RUN on RabbitMQ: AMQP_URL is not set (make test starts one and sets it)")
		}
		f(t, url)
	})
}
