package broker

import (
	"strings"

	"drainlab/server/broker/wire"
)

// Class queue (section 1.7): declaring, deleting and purging queues, and
// binding them to exchanges.

// queueDeclare is queue.declare (1.7.2.1).
func (ch *channel) queueDeclare(m *wire.QueueDeclare) *wire.Error {
	v, name := ch.vhost(), m.Queue
	if m.Passive {
		q, err := ch.namedQueue(name)
		if err != nil {
			return err
		}
		ch.declared(m, q)
		return nil
	}
	if q := v.queues[name]; q != nil {
		if err := q.equivalent(ch.session, m); err != nil {
			return err
		}
		q.used()
		ch.declared(m, q)
		return nil
	}
	if strings.HasPrefix(name, "amq.") {
		return wire.Errorf(wire.AccessRefused, "queue name '%s' contains reserved prefix 'amq.*'", name)
	}
	c := ch.core()
	if c.queues >= c.opt.Limits.Queues {
		return wire.Errorf(wire.ResourceError, "the limit of %d queues is reached", c.opt.Limits.Queues)
	}
	if name == "" {
		name = c.name("amq.gen-")
	}
	p, err := parsePolicy(m.Arguments, v.name, name)
	if err != nil {
		return err
	}
	c.queues++
	c.lastName++
	q := &queue{vhost: v, number: c.lastName, name: name, durable: m.Durable, autoDelete: m.AutoDelete, args: m.Arguments, policy: p}
	if m.Exclusive {
		q.owner = ch.session
	}
	q.expiry = newTimer(func() { c.touch(q) })
	q.unused = newTimer(func() { q.delete("queue expired, unused") })
	v.queues[name] = q
	q.used()
	ch.declared(m, q)
	return nil
}

func (ch *channel) declared(m *wire.QueueDeclare, q *queue) {
	ch.lastQueue = q.name
	ch.reply(m.NoWait, &wire.QueueDeclareOk{Queue: q.name, MessageCount: uint32(q.ready()), ConsumerCount: uint32(len(q.consumers))})
}

// namedQueue finds a queue by name; the empty name is the one declared last on
// this channel.
func (ch *channel) namedQueue(name string) (*queue, *wire.Error) {
	if name == "" {
		if ch.lastQueue == "" {
			return nil, wire.Errorf(wire.NotFound, "no previously declared queue")
		}
		name = ch.lastQueue
	}
	return ch.vhost().queue(ch.session, name)
}

func (q *queue) equivalent(s *session, m *wire.QueueDeclare) *wire.Error {
	if q.owner != nil && q.owner != s || m.Exclusive != (q.owner != nil) {
		return q.locked()
	}
	differs := func(arg string, received, current any) *wire.Error {
		return inequivalent("queue", q.name, q.vhost.name, arg, received, current)
	}
	if q.durable != m.Durable {
		return differs("durable", plain{m.Durable}, plain{q.durable})
	}
	if q.autoDelete != m.AutoDelete {
		return differs("auto_delete", plain{m.AutoDelete}, plain{q.autoDelete})
	}
	for _, name := range []string{"x-expires", "x-message-ttl", "x-dead-letter-exchange", "x-dead-letter-routing-key",
		"x-max-length", "x-max-length-bytes", "x-overflow", "x-single-active-consumer", "x-max-priority"} {
		received, current := argument(m.Arguments, name), argument(q.args, name)
		if !equalValues(received, current) {
			return differs(name, received, current)
		}
	}
	if t := argument(m.Arguments, "x-queue-type"); t != nil && t != "classic" {
		return differs("x-queue-type", t, "classic")
	}
	return nil
}

func (ch *channel) queueBinding(queueName, exchange, key string, args wire.Table) (*binding, *wire.Error) {
	q, err := ch.namedQueue(queueName)
	if err != nil {
		return nil, err
	}
	if queueName == "" && key == "" {
		key = q.name // section 1.7.2.3, routing-key
	}
	if exchange == "" {
		return nil, errDefaultExchange()
	}
	x, err := ch.vhost().exchange(exchange)
	if err != nil {
		return nil, err
	}
	return &binding{source: x, queue: q, key: key, args: args}, nil
}

// queueBind is queue.bind (1.7.2.3).
func (ch *channel) queueBind(m *wire.QueueBind) *wire.Error {
	b, err := ch.queueBinding(m.Queue, m.Exchange, m.RoutingKey, m.Arguments)
	if err != nil {
		return err
	}
	if b.source.kind == "headers" {
		switch mode := argument(m.Arguments, "x-match"); mode {
		case nil, "all", "any", "all-with-x", "any-with-x":
		default:
			return wire.Errorf(wire.PreconditionFailed, "Invalid x-match field value %v; expected all, any, all-with-x, or any-with-x", mode)
		}
	}
	if err := b.add(); err != nil {
		return err
	}
	ch.reply(m.NoWait, &wire.QueueBindOk{})
	return nil
}

// queueUnbind is queue.unbind (1.7.2.5). What is not there is unbound already;
// as in RabbitMQ that holds for the binding, its queue and its exchange.
func (ch *channel) queueUnbind(m *wire.QueueUnbind) *wire.Error {
	b, err := ch.queueBinding(m.Queue, m.Exchange, m.RoutingKey, m.Arguments)
	if err != nil && (err.Code != wire.NotFound || m.Queue == "") {
		return err
	}
	if err == nil {
		if b = b.source.find(b); b != nil {
			b.remove()
		}
	}
	ch.send(&wire.QueueUnbindOk{})
	return nil
}

// queuePurge is queue.purge (1.7.2.7): it drops what is ready, not what clients
// hold.
func (ch *channel) queuePurge(m *wire.QueuePurge) *wire.Error {
	q, err := ch.namedQueue(m.Queue)
	if err != nil {
		return err
	}
	n := q.empty("purged")
	ch.reply(m.NoWait, &wire.QueuePurgeOk{MessageCount: uint32(n)})
	return nil
}

// queueDelete is queue.delete (1.7.2.9). Deleting what is not there is done
// already.
func (ch *channel) queueDelete(m *wire.QueueDelete) *wire.Error {
	q, err := ch.namedQueue(m.Queue)
	if err != nil {
		if err.Code != wire.NotFound || m.Queue == "" {
			return err
		}
		ch.reply(m.NoWait, &wire.QueueDeleteOk{})
		return nil
	}
	switch {
	case m.IfUnused && len(q.consumers) > 0:
		return wire.Errorf(wire.PreconditionFailed, "queue '%s' in vhost '%s' in use", q.name, q.vhost.name)
	case m.IfEmpty && q.ready() > 0:
		return wire.Errorf(wire.PreconditionFailed, "queue '%s' in vhost '%s' not empty", q.name, q.vhost.name)
	}
	n := q.delete("queue deleted")
	ch.reply(m.NoWait, &wire.QueueDeleteOk{MessageCount: uint32(n)})
	return nil
}
