package broker

import (
	"drainlab/exercises/event"
	"drainlab/server/broker/wire"
)

// The publishing half of class basic (section 1.8), and publisher confirms,
// which are RabbitMQ's: basic.publish, basic.return, confirm.select.

// publication is a publish that was accepted and not yet routed.
type publication struct {
	exchange  *exchange
	message   *message
	mandatory bool
}

// basicPublish is basic.publish (1.8.3.7). kept says that the memory of the
// body is the message's from now on.
func (ch *channel) basicPublish(m *wire.BasicPublish, a *arrival) (kept bool, err *wire.Error) {
	x, err := ch.vhost().exchange(m.Exchange)
	if err != nil {
		return false, err
	}
	if err := ch.checkPublish(m, a, x); err != nil {
		return false, err
	}
	msg, err := ch.core().newMessage(m.Exchange, m.RoutingKey, a.header.Properties, a.body)
	if err != nil {
		return false, err
	}
	if ch.confirms {
		ch.published++
	}
	p := publication{x, msg, m.Mandatory}
	if ch.tx != nil {
		ch.tx.publications = append(ch.tx.publications, p)
		return true, nil
	}
	accepted := ch.publish(p)
	if ch.confirms {
		// Nothing is written to disk, so a message is safe, as far as it ever
		// will be, once it is in its queues.
		if accepted {
			ch.send(&wire.BasicAck{DeliveryTag: ch.published})
		} else {
			ch.send(&wire.BasicNack{DeliveryTag: ch.published})
		}
	}
	return true, nil
}

func (ch *channel) checkPublish(m *wire.BasicPublish, a *arrival, x *exchange) *wire.Error {
	p := &a.header.Properties
	switch {
	case m.Immediate:
		return wire.Errorf(wire.NotImplemented, "immediate=true")
	case x.internal:
		return wire.Errorf(wire.AccessRefused, "cannot publish to internal exchange '%s' in vhost '%s'", x.name, x.vhost.name)
	case a.tooLarge:
		return wire.Errorf(wire.PreconditionFailed, "message size %d is larger than configured max size %d", a.header.BodySize, ch.core().opt.Limits.MessageSize)
	case p.Present&wire.HasUserID != 0 && p.UserID != ch.session.user:
		return wire.Errorf(wire.PreconditionFailed, "user_id property set to '%s' but authenticated user was '%s'", p.UserID, ch.session.user)
	}
	_, _, err := expiration(p)
	return err
}

// publish routes a message into its queues. It returns false when a queue that
// is full refused it.
func (ch *channel) publish(p publication) (accepted bool) {
	c, m := ch.core(), p.message
	defer c.release(m)
	queues := p.exchange.route(m)
	if len(queues) == 0 {
		ch.unroutable(p)
		return true
	}
	accepted = true
	for _, q := range queues {
		ch.session.tell(event.Event{Kind: event.MessagePublished, Message: m.id, Queue: q.name})
		accepted = q.push(m) && accepted
	}
	return accepted
}

// unroutable returns a message to a publisher that wants it back, or drops it.
func (ch *channel) unroutable(p publication) {
	m, why := p.message, "unroutable"
	if p.mandatory {
		why = "unroutable, returned to its publisher"
	}
	ch.session.tell(event.Event{Kind: event.MessagePublished, Message: m.id})
	ch.session.tell(event.Event{Kind: event.MessageDropped, Message: m.id, Text: why})
	if p.mandatory {
		ch.session.sendContent(ch.number, &wire.BasicReturn{ReplyCode: wire.NoRoute, ReplyText: wire.NoRoute.String(),
			Exchange: m.exchange, RoutingKey: m.key}, m)
	}
}

// confirmSelect is confirm.select: from now on publishes are numbered and
// acknowledged.
func (ch *channel) confirmSelect(m *wire.ConfirmSelect) *wire.Error {
	if ch.tx != nil {
		return wire.Errorf(wire.PreconditionFailed, "cannot switch from tx to confirm mode")
	}
	ch.confirms = true
	ch.reply(m.NoWait, &wire.ConfirmSelectOk{})
	return nil
}
