package tap

import (
	"drainlab/exercises/event"
	"drainlab/server/broker/wire"
)

// fromServer reads what RabbitMQ says. p are the properties of a content.
func (s *session) fromServer(number uint16, m wire.Method, p *wire.Properties) {
	switch m := m.(type) {
	case *wire.ConnectionOpenOk:
		s.opened()
		return
	case *wire.ConnectionClose:
		s.finish("connection closed", event.Event{Kind: event.ConnClosed, Code: event.Ptr(int(m.ReplyCode)), Text: m.ReplyText})
		return
	case *wire.ChannelOpenOk:
		if s.ended {
			return
		}
		ch := &channel{session: s, number: number, known: map[string]consumer{}}
		s.channels[number] = ch
		ch.event(event.Event{Kind: event.ChannelOpened})
		return
	}
	ch := s.channels[number]
	if ch == nil {
		return
	}
	switch m := m.(type) {
	case *wire.ChannelClose:
		ch.end("channel closed", event.Event{Kind: event.ChannelClosed, Code: event.Ptr(int(m.ReplyCode)), Text: m.ReplyText})
		ch.closing = true
	case *wire.ChannelCloseOk:
		delete(s.channels, number)
	case *wire.QueueDeclareOk:
		if ask, ok := next(&ch.declares); ok {
			ch.declared(m.Queue, ask.dlx)
		}
	case *wire.BasicConsumeOk:
		if ask, ok := next(&ch.consumes); ok {
			ch.registered(&consumer{m.ConsumerTag, ask.queue, ask.noAck})
		}
	case *wire.BasicCancelOk:
		ch.cancelled(m.ConsumerTag, "")
	case *wire.BasicCancel:
		ch.cancelled(m.ConsumerTag, "queue deleted")
	case *wire.BasicGetEmpty:
		next(&ch.gets)
	case *wire.BasicGetOk:
		if ask, ok := next(&ch.gets); ok {
			ch.delivered(delivery{m.DeliveryTag, messageID(p), ask.queue}, ask.noAck, m.Redelivered, "")
		}
	case *wire.BasicDeliver:
		ch.deliver(m, p)
	case *wire.BasicReturn:
		s.tell(event.Event{Kind: event.MessageDropped, Message: messageID(p), Queue: s.tap.opt.QueueName(m.RoutingKey), Text: "unroutable, returned to its publisher"})
	}
}

// deliver reads basic.deliver. It may come after its consumer was cancelled
// with no-wait, or on a channel that is closing.
func (ch *channel) deliver(m *wire.BasicDeliver, p *wire.Properties) {
	k := ch.known[m.ConsumerTag]
	ch.delivered(delivery{m.DeliveryTag, messageID(p), k.queue}, k.noAck, m.Redelivered, m.ConsumerTag)
}

// next takes the oldest of what waits for an answer.
func next(ps *[]pending) (pending, bool) {
	if len(*ps) == 0 {
		return pending{}, false
	}
	p := (*ps)[0]
	*ps = (*ps)[1:]
	return p, true
}
