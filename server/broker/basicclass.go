package broker

import (
	"drainlab/exercises/event"
	"drainlab/server/broker/wire"
)

// The consuming half of class basic (section 1.8): qos, consume, cancel, get,
// deliver. What becomes of a delivery is in settle.go.

// basicQos is basic.qos (1.8.3.1). As in RabbitMQ, global=false is for each
// consumer that is registered from now on, global=true for all of the channel's
// together.
func (ch *channel) basicQos(m *wire.BasicQos) *wire.Error {
	if m.PrefetchSize != 0 {
		return wire.Errorf(wire.NotImplemented, "prefetch_size!=0 (%d)", m.PrefetchSize)
	}
	if m.Global {
		ch.shared = m.PrefetchCount
		ch.touchQueues()
	} else {
		ch.prefetch = m.PrefetchCount
	}
	ch.send(&wire.BasicQosOk{})
	return nil
}

// basicConsume is basic.consume (1.8.3.3).
func (ch *channel) basicConsume(m *wire.BasicConsume) *wire.Error {
	q, err := ch.namedQueue(m.Queue)
	if err != nil {
		return err
	}
	c, tag := ch.core(), m.ConsumerTag
	for _, k := range ch.consumers {
		if k.tag == tag {
			return wire.Errorf(wire.NotAllowed, "attempt to reuse consumer tag '%s'", tag)
		}
	}
	if len(q.consumers) > 0 && (m.Exclusive || q.consumers[0].exclusive) {
		return wire.Errorf(wire.AccessRefused, "queue '%s' in vhost '%s' in exclusive use", q.name, q.vhost.name)
	}
	if c.consumers >= c.opt.Limits.Consumers {
		return wire.Errorf(wire.ResourceError, "the limit of %d consumers is reached", c.opt.Limits.Consumers)
	}
	if tag == "" {
		tag = c.name("amq.ctag-")
	}
	k := &consumer{tag: tag, channel: ch, queue: q, noAck: m.NoAck, exclusive: m.Exclusive, prefetch: ch.prefetch}
	if p := argument(m.Arguments, "x-priority"); p != nil {
		n, ok := m.Arguments.Int("x-priority")
		if !ok {
			return wire.Errorf(wire.PreconditionFailed, "invalid arg 'x-priority' for queue '%s' in vhost '%s': \"expected integer, got %s\"", q.name, q.vhost.name, typeName(p))
		}
		k.priority = n
	}
	ch.reply(m.NoWait, &wire.BasicConsumeOk{ConsumerTag: tag})
	k.add()
	return nil
}

// basicCancel is basic.cancel (1.8.3.5). An unknown tag is cancelled already.
func (ch *channel) basicCancel(m *wire.BasicCancel) *wire.Error {
	for _, k := range ch.consumers {
		if k.tag == m.ConsumerTag {
			k.remove("")
			ch.reply(m.NoWait, &wire.BasicCancelOk{ConsumerTag: m.ConsumerTag})
			k.queue.maybeAutoDelete()
			ch.core().touch(k.queue) // with a single active consumer, the next one is
			return nil
		}
	}
	ch.reply(m.NoWait, &wire.BasicCancelOk{ConsumerTag: m.ConsumerTag})
	return nil
}

// basicGet is basic.get (1.8.3.10). Prefetch does not bound it.
func (ch *channel) basicGet(m *wire.BasicGet) *wire.Error {
	q, err := ch.namedQueue(m.Queue)
	if err != nil {
		return err
	}
	q.used()
	q.expire()
	if q.ready() == 0 {
		ch.send(&wire.BasicGetEmpty{})
		return nil
	}
	e := q.pop()
	d := ch.hand(q, e, nil, m.NoAck)
	ch.session.sendContent(ch.number, &wire.BasicGetOk{DeliveryTag: d.tag, Redelivered: e.redelivered, Exchange: e.msg.exchange,
		RoutingKey: e.msg.key, MessageCount: uint32(q.ready())}, e.msg)
	ch.handed(d, m.NoAck)
	ch.core().touch(q)
	return nil
}

// deliver sends a message to a consumer that is ready for it (1.8.3.9).
func (ch *channel) deliver(k *consumer, e *entry) {
	d := ch.hand(k.queue, e, k, k.noAck)
	ch.session.sendContent(ch.number, &wire.BasicDeliver{ConsumerTag: k.tag, DeliveryTag: d.tag, Redelivered: e.redelivered,
		Exchange: e.msg.exchange, RoutingKey: e.msg.key}, e.msg)
	ch.handed(d, k.noAck)
}

// hand gives a message that was taken from q the next tag.
func (ch *channel) hand(q *queue, e *entry, k *consumer, noAck bool) *delivery {
	ch.lastTag++
	d := &delivery{tag: ch.lastTag, entry: e, queue: q, consumer: k}
	tag := ""
	if k != nil {
		tag = k.tag
		if !noAck {
			d.limited = true
			k.unacked++
			ch.inShared++
		}
	}
	ch.event(event.Event{Kind: event.MessageDelivered, Message: e.msg.id, Queue: q.name, Tag: d.tag, Redelivered: e.redelivered, Consumer: tag})
	return d
}

// handed keeps a delivery until it is settled; one that needs no ack is settled
// the moment it is sent.
func (ch *channel) handed(d *delivery, noAck bool) {
	if !noAck {
		ch.unacked.add(d)
		return
	}
	ch.event(event.Event{Kind: event.MessageAcked, Message: d.entry.msg.id, Queue: d.queue.name, Tag: d.tag, Text: "automatic"})
	d.queue.forget(d.entry)
}
