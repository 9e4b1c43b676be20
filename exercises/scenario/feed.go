package scenario

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"drainlab/exercises/event"

	amqp "github.com/rabbitmq/amqp091-go"
)

// feed is the Director's own client of the broker: it publishes what the
// program under test consumes, and takes what is left at the end.
type feed struct {
	machine Machine
	log     *event.Log
	queue   string // the exercise's name for it

	mu   sync.Mutex // one use at a time; also guards conn
	conn *amqp.Connection
}

// brokerWithin bounds each exchange with the broker.
const brokerWithin = 10 * time.Second

// channel opens a channel, on a new connection when the last one is gone.
// The caller holds mu.
func (f *feed) channel() (*amqp.Channel, error) {
	if f.conn == nil || f.conn.IsClosed() {
		conn, err := amqp.DialConfig(f.machine.Broker(), amqp.Config{
			Heartbeat:  10 * time.Second,
			Locale:     "en_US",
			Properties: amqp.Table{"connection_name": "drainlab"},
			Dial:       amqp.DefaultDial(brokerWithin),
		})
		if err != nil {
			return nil, fmt.Errorf("reach the broker: %w", err)
		}
		f.conn = conn
	}
	ch, err := f.conn.Channel()
	if err != nil {
		return nil, fmt.Errorf("open a channel: %w", err)
	}
	return ch, nil
}

func (f *feed) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.conn != nil {
		// Whatever is wrong with a connection that we are done with is no news.
		_ = f.conn.CloseDeadline(time.Now().Add(2 * time.Second))
		f.conn = nil
	}
}

// publish sends a message an id and waits until the broker has confirmed all.
// The body says how long the work takes.
func (f *feed) publish(ctx context.Context, s Step, ids []string, work time.Duration) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	ch, err := f.channel()
	if err != nil {
		return err
	}
	defer ch.Close()
	queue := f.machine.Queue(f.queue)
	if _, err := ch.QueueDeclarePassive(queue, true, false, false, false, nil); err != nil {
		if e := (*amqp.Error)(nil); errors.As(err, &e) && e.Code == amqp.NotFound {
			return &StepError{s, fmt.Sprintf("there is no queue %q yet: the program has not declared it", f.queue)}
		}
		return fmt.Errorf("look for the queue: %w", err)
	}
	if err := ch.Confirm(false); err != nil {
		return fmt.Errorf("ask for confirms: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, brokerWithin)
	defer cancel()
	var sent []*amqp.DeferredConfirmation
	for _, id := range ids {
		c, err := ch.PublishWithDeferredConfirmWithContext(ctx, "", queue, true, false, amqp.Publishing{
			MessageId: id, DeliveryMode: amqp.Persistent, ContentType: "text/plain", Body: []byte(work.String()),
		})
		if err != nil {
			return fmt.Errorf("publish %s: %w", id, err)
		}
		sent = append(sent, c)
	}
	for i, c := range sent {
		if ok, err := c.WaitContext(ctx); err != nil {
			return fmt.Errorf("confirm of %s: %w", ids[i], err)
		} else if !ok {
			return fmt.Errorf("the broker refused message %s", ids[i])
		}
	}
	return nil
}

// collect takes everything that is left in the queue. How much that must be
// is known from the events: a broker may still be putting back what a process
// held when it left, so an empty answer is believed only when nothing is missing.
func (d *Director) collect(ctx context.Context, s Step) error {
	settled := s
	settled.Within = brokerWithin
	if err := d.await(ctx, settled, func(ev []event.Event) bool { return newLedger(ev).unacked == 0 }); err != nil {
		return err
	}
	f := d.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	ch, err := f.channel()
	if err != nil {
		return err
	}
	defer ch.Close()
	events, _, _ := d.log.After(0)
	expected := newLedger(events).ready
	deadline := time.Now().Add(brokerWithin)
	for got := 0; ; {
		m, ok, err := ch.Get(d.machine.Queue(f.queue), true)
		switch {
		case err != nil:
			return fmt.Errorf("collect: %w", err)
		case ok:
			got++
			d.say(event.Event{Kind: event.MessageLeft, Message: m.MessageId, Queue: f.queue, Redelivered: m.Redelivered})
		case got >= expected:
			return nil
		case time.Now().After(deadline):
			return &StepError{s, fmt.Sprintf("%d of %d messages that should be in the queue are not", expected-got, expected)}
		default:
			if err := sleep(ctx, 20*time.Millisecond); err != nil {
				return err
			}
		}
	}
}
