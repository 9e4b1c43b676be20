package tap

import (
	"fmt"

	"drainlab/exercises/event"
	"drainlab/server/broker/wire"
)

// fromClient reads what the program says. p are the properties of a content.
func (s *session) fromClient(number uint16, m wire.Method, p *wire.Properties) {
	if number == 0 {
		if m, ok := m.(*wire.ConnectionClose); ok {
			last := event.Event{Kind: event.ConnClosed}
			if m.ReplyCode != wire.ReplySuccess {
				last.Text = m.ReplyText
			}
			s.finish("connection closed", last)
		}
		return
	}
	if _, ok := m.(*wire.ChannelCloseOk); ok { // to the broker's close
		delete(s.channels, number)
		return
	}
	ch := s.channels[number]
	if ch == nil {
		return
	}
	switch m := m.(type) {
	case *wire.ChannelClose:
		// The broker may have deliveries on their way: they go back too.
		ch.end("channel closed", event.Event{Kind: event.ChannelClosed})
		ch.closing = true
	case *wire.QueueDeclare:
		_, dlx := m.Arguments.Get("x-dead-letter-exchange")
		if m.NoWait {
			ch.declared(m.Queue, dlx)
		} else {
			ch.declares = append(ch.declares, pending{queue: m.Queue, dlx: dlx && !m.Passive})
		}
	case *wire.BasicPublish:
		ch.published(m, p)
	case *wire.BasicConsume:
		ask := pending{queue: ch.queue(m.Queue), noAck: m.NoAck}
		if m.NoWait {
			ch.registered(&consumer{m.ConsumerTag, ask.queue, ask.noAck})
		} else {
			ch.consumes = append(ch.consumes, ask)
		}
	case *wire.BasicCancel:
		if m.NoWait {
			ch.cancelled(m.ConsumerTag, "")
		}
	case *wire.BasicGet:
		ch.gets = append(ch.gets, pending{queue: ch.queue(m.Queue), noAck: m.NoAck})
	case *wire.BasicAck:
		for _, d := range ch.held.take(m.DeliveryTag, m.Multiple) {
			ch.event(event.Event{Kind: event.MessageAcked, Message: d.message, Queue: ch.name(d), Tag: d.tag})
		}
	case *wire.BasicNack:
		ch.refused(ch.held.take(m.DeliveryTag, m.Multiple), m.Requeue, "nack")
	case *wire.BasicReject:
		ch.refused(ch.held.take(m.DeliveryTag, false), m.Requeue, "reject")
	case *wire.BasicRecover:
		ch.recovered(m.Requeue)
	case *wire.BasicRecoverAsync:
		ch.recovered(m.Requeue)
	}
}

func (ch *channel) recovered(requeue bool) {
	if requeue { // otherwise RabbitMQ refuses it
		ch.requeue(ch.held.takeAll(), "recover")
	}
}

// queue is the queue that a name means: the empty one is that declared last.
func (ch *channel) queue(name string) string {
	if name == "" {
		return ch.lastQueue
	}
	return name
}

func (ch *channel) declared(name string, dlx bool) {
	ch.lastQueue = name
	if dlx {
		ch.session.tap.deadLetter[name] = true
	}
}

func (ch *channel) published(m *wire.BasicPublish, p *wire.Properties) {
	e := event.Event{Kind: event.MessagePublished, Message: messageID(p)}
	if m.Exchange == "" {
		e.Queue = ch.session.tap.opt.QueueName(m.RoutingKey)
	} else {
		e.Text = fmt.Sprintf("to exchange %q with key %q", m.Exchange, m.RoutingKey)
	}
	ch.session.tell(e)
}

// refused tells of nack and reject, and of what becomes of the messages.
func (ch *channel) refused(ds []delivery, requeue bool, by string) {
	for _, d := range ds {
		ch.session.tell(event.Event{Kind: event.MessageNacked, Message: d.message, Queue: ch.name(d), Tag: d.tag, Text: by})
		switch {
		case requeue:
		case ch.session.tap.deadLetter[d.queue]:
			ch.session.emit(event.Event{Kind: event.MessageDeadLetter, Message: d.message, Queue: ch.name(d), Text: "rejected"})
		default:
			ch.session.emit(event.Event{Kind: event.MessageDropped, Message: d.message, Queue: ch.name(d), Text: "rejected"})
		}
	}
	if requeue {
		ch.requeue(ds, by)
	}
}
