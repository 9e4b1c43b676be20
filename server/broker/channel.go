package broker

import (
	"drainlab/exercises/event"
	"drainlab/server/broker/wire"
)

// Class channel (section 1.5): opening, closing and flow of a channel, and
// where its methods go.

// channelPhase is where a channel is in its life.
type channelPhase int

const (
	channelOpen    channelPhase = iota
	channelClosing              // sent channel.close; waits for close-ok, drops all else
)

// channel is one of a session's channels.
//
// Invariant: unacked holds exactly the deliveries that the client may still
// settle, by ascending tag; those of an open transaction's acks are in tx.
type channel struct {
	session *session
	number  uint16
	phase   channelPhase
	crossed bool // in channelClosing: the client's own close came too

	consumers []*consumer // in the order they were registered
	unacked   unacked
	lastTag   uint64 // delivery tags are per channel (section 1.8.3.13)

	prefetch uint16 // for consumers yet to come; 0 is no limit
	shared   uint16 // for all consumers together (global=true); 0 is no limit
	inShared int    // deliveries that count against it

	confirms  bool
	published uint64 // with confirms: the last publish's number
	tx        *transaction

	lastQueue string // declared last: what an empty queue name means
}

func (ch *channel) event(e event.Event) {
	e.Channel = ch.number
	ch.session.event(e)
}

func (ch *channel) send(m wire.Method) { ch.session.send(ch.number, m) }

// reply sends an answer unless the client wants none.
func (ch *channel) reply(noWait bool, m wire.Method) {
	if !noWait {
		ch.send(m)
	}
}

func (ch *channel) core() *core { return ch.session.core }

func (ch *channel) vhost() *vhost { return ch.session.vhost }

// openChannel answers channel.open for a number that is free.
func (s *session) openChannel(number uint16) *wire.Error {
	if int(number) > s.channelMax || len(s.channels) >= s.channelMax {
		return wire.Errorf(wire.NotAllowed, "number of channels opened (%d) has reached the negotiated channel_max (%d)", len(s.channels), s.channelMax)
	}
	ch := &channel{session: s, number: number, unacked: newUnacked()}
	s.channels[number] = ch
	ch.event(event.Event{Kind: event.ChannelOpened})
	ch.send(&wire.ChannelOpenOk{})
	return nil
}

// arrive handles a method on a channel that is open or closing. kept says that
// the memory of the arrival's body now is a message's.
func (ch *channel) arrive(a *arrival) (kept bool, err *wire.Error) {
	if ch.phase == channelClosing {
		return false, ch.arriveClosing(a.method)
	}
	switch m := a.method.(type) {
	case *wire.ChannelOpen:
		return false, wire.Errorf(wire.ChannelError, "second 'channel.open' seen")
	case *wire.ChannelClose:
		ch.end("channel closed", event.Event{Kind: event.ChannelClosed})
		delete(ch.session.channels, ch.number)
		ch.send(&wire.ChannelCloseOk{})
		return false, nil
	case *wire.ChannelFlow:
		if !m.Active { // as RabbitMQ: qos is the way to hold deliveries back
			return false, wire.Errorf(wire.NotImplemented, "active=false")
		}
		ch.send(&wire.ChannelFlowOk{Active: true})
		return false, nil
	case *wire.ChannelFlowOk:
		return false, nil
	case *wire.BasicPublish:
		return ch.basicPublish(m, a)
	}
	return false, ch.handle(a.method)
}

// handle is the table of methods that a client may send on an open channel.
func (ch *channel) handle(m wire.Method) *wire.Error {
	switch m := m.(type) {
	case *wire.QueueDeclare:
		return ch.queueDeclare(m)
	case *wire.QueueBind:
		return ch.queueBind(m)
	case *wire.QueueUnbind:
		return ch.queueUnbind(m)
	case *wire.QueuePurge:
		return ch.queuePurge(m)
	case *wire.QueueDelete:
		return ch.queueDelete(m)
	case *wire.ExchangeDeclare:
		return ch.exchangeDeclare(m)
	case *wire.ExchangeDelete:
		return ch.exchangeDelete(m)
	case *wire.ExchangeBind:
		return ch.exchangeBind(m)
	case *wire.ExchangeUnbind:
		return ch.exchangeUnbind(m)
	case *wire.BasicQos:
		return ch.basicQos(m)
	case *wire.BasicConsume:
		return ch.basicConsume(m)
	case *wire.BasicCancel:
		return ch.basicCancel(m)
	case *wire.BasicCancelOk: // an answer to our own cancel
		return nil
	case *wire.BasicGet:
		return ch.basicGet(m)
	case *wire.BasicAck:
		return ch.basicAck(m)
	case *wire.BasicNack:
		return ch.basicNack(m)
	case *wire.BasicReject:
		return ch.basicReject(m)
	case *wire.BasicRecover:
		return ch.basicRecover(m.Requeue, true)
	case *wire.BasicRecoverAsync:
		return ch.basicRecover(m.Requeue, false)
	case *wire.ConfirmSelect:
		return ch.confirmSelect(m)
	case *wire.TxSelect:
		return ch.txSelect()
	case *wire.TxCommit:
		return ch.txCommit()
	case *wire.TxRollback:
		return ch.txRollback()
	}
	return wire.Errorf(wire.CommandInvalid, "%s is not for a client to send on a channel", m.ID())
}

// arriveClosing waits for close-ok. The client's own close may cross ours: it
// then gets its answer, and may take the number as free without sending one.
func (ch *channel) arriveClosing(m wire.Method) *wire.Error {
	switch m.(type) {
	case *wire.ChannelClose:
		ch.crossed = true
		ch.send(&wire.ChannelCloseOk{})
	case *wire.ChannelCloseOk:
		delete(ch.session.channels, ch.number)
	case *wire.ChannelOpen:
		if ch.crossed {
			delete(ch.session.channels, ch.number)
			return ch.session.openChannel(ch.number)
		}
	}
	return nil
}

// closeWith ends the channel for an error of the client's.
func (ch *channel) closeWith(err *wire.Error) {
	ch.end("channel closed", event.Event{Kind: event.ChannelClosed, Code: event.Ptr(int(err.Code)), Text: err.ReplyText()})
	ch.phase = channelClosing
	ch.send(&wire.ChannelClose{ReplyCode: err.Code, ReplyText: err.ReplyText(), ClassID: err.Method.Class(), MethodID: err.Method.Method()})
}

// end takes out of the broker what lives with the channel.
func (ch *channel) end(why string, last event.Event) {
	ch.dropConsumers()
	ch.requeueAll(why)
	ch.event(last)
}

// requeueAll puts back everything that the client has not settled, acks of a
// transaction that was not committed included.
func (ch *channel) requeueAll(why string) {
	if ch.tx != nil {
		ch.txUndo()
	}
	ch.requeue(ch.unacked.takeAll(), why)
}

// touchQueues has deliver look at every queue the channel consumes from.
func (ch *channel) touchQueues() {
	for _, k := range ch.consumers {
		ch.core().touch(k.queue)
	}
}
