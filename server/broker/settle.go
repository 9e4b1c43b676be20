package broker

import (
	"cmp"
	"slices"

	"drainlab/exercises/event"
	"drainlab/server/broker/wire"
)

// What becomes of deliveries, in class basic (section 1.8): ack, reject,
// recover, and RabbitMQ's nack.

// outcome is what a client wants done with a delivery.
type outcome int

const (
	acked    outcome = iota
	returned         // to the queue
	refused          // dead-lettered, or dropped
)

// settlement is deliveries that a client has settled at once.
type settlement struct {
	deliveries []*delivery // by ascending tag
	outcome    outcome
	by         string // the method, for events
}

// basicAck is basic.ack (1.8.3.13).
func (ch *channel) basicAck(m *wire.BasicAck) *wire.Error {
	return ch.settle(m.DeliveryTag, m.Multiple, acked, "ack")
}

// basicNack is RabbitMQ's basic.nack.
func (ch *channel) basicNack(m *wire.BasicNack) *wire.Error {
	return ch.settle(m.DeliveryTag, m.Multiple, refusal(m.Requeue), "nack")
}

// basicReject is basic.reject (1.8.3.14).
func (ch *channel) basicReject(m *wire.BasicReject) *wire.Error {
	return ch.settle(m.DeliveryTag, false, refusal(m.Requeue), "reject")
}

func refusal(requeue bool) outcome {
	if requeue {
		return returned
	}
	return refused
}

func (ch *channel) settle(tag uint64, multiple bool, o outcome, by string) *wire.Error {
	ds, ok := ch.unacked.take(tag, multiple)
	if !ok {
		return wire.Errorf(wire.PreconditionFailed, "unknown delivery tag %d", tag)
	}
	s := settlement{ds, o, by}
	if ch.tx != nil {
		ch.tx.settlements = append(ch.tx.settlements, s)
		return nil
	}
	ch.carryOut(s)
	return nil
}

// carryOut does what a settlement says.
func (ch *channel) carryOut(s settlement) {
	for _, d := range s.deliveries {
		ch.free(d)
		e := event.Event{Message: d.entry.msg.id, Queue: d.queue.name, Tag: d.tag}
		if s.outcome == acked {
			e.Kind = event.MessageAcked
			ch.event(e)
		} else {
			e.Kind, e.Text = event.MessageNacked, s.by
			ch.session.tell(e)
		}
		switch {
		case s.outcome == acked:
			d.queue.forget(d.entry)
		case s.outcome == refused:
			d.queue.discard(d.entry, reasonRejected)
		}
	}
	if s.outcome == returned {
		ch.putBack(s.deliveries, s.by)
	}
}

// free lets a delivery no longer count against its consumer's prefetch.
func (ch *channel) free(d *delivery) {
	if !d.limited {
		return
	}
	d.limited = false
	d.consumer.unacked--
	ch.inShared--
	if ch.shared > 0 {
		ch.touchQueues()
	} else {
		ch.core().touch(d.consumer.queue)
	}
}

// requeue puts deliveries back that the client did not settle.
func (ch *channel) requeue(ds []*delivery, why string) {
	for _, d := range ds {
		ch.free(d)
	}
	ch.putBack(ds, why)
}

// putBack returns messages to their queues, by queue in the order of their
// positions, whatever the order of their tags.
func (ch *channel) putBack(ds []*delivery, why string) {
	ordered := slices.Clone(ds)
	slices.SortStableFunc(ordered, func(a, b *delivery) int {
		return cmp.Or(cmp.Compare(a.queue.number, b.queue.number), cmp.Compare(a.entry.pos, b.entry.pos))
	})
	for len(ordered) > 0 {
		q, n := ordered[0].queue, 0
		var es []*entry
		for ; n < len(ordered) && ordered[n].queue == q; n++ {
			d := ordered[n]
			e := event.Event{Kind: event.MessageRequeued, Message: d.entry.msg.id, Queue: q.name, Text: why}
			if q.deleted {
				e.Kind, e.Text = event.MessageDropped, "queue deleted"
				q.forget(d.entry)
			} else {
				es = append(es, d.entry)
			}
			ch.session.tell(e)
		}
		if len(es) > 0 {
			q.putBack(es)
		}
		ordered = ordered[n:]
	}
}

// basicRecover is basic.recover and basic.recover-async (1.8.3.15, 1.8.3.16).
// Without requeue it would redeliver to the same consumer: RabbitMQ does not do
// that, and neither do we.
func (ch *channel) basicRecover(requeue, answer bool) *wire.Error {
	if !requeue {
		return wire.Errorf(wire.NotImplemented, "requeue=false")
	}
	ch.requeue(ch.unacked.takeAll(), "recover")
	if answer {
		ch.send(&wire.BasicRecoverOk{})
	}
	return nil
}
