package tap

import (
	"fmt"
	"slices"

	"drainlab/exercises/event"
	"drainlab/server/broker/wire"
)

// session is what is known of a connection. It is guarded by the tap's mutex.
type session struct {
	tap      *Tap
	client   *side
	server   *side
	id       string // "" until connection.open-ok
	ended    bool   // nothing of it is told any more
	channels map[uint16]*channel
}

// channel is what is known of a channel.
type channel struct {
	session   *session
	number    uint16
	closing   bool // the program said channel.close: what still comes goes back
	lastQueue string
	consumers []*consumer
	known     map[string]consumer // by tag, those that were cancelled too: deliveries may be on their way
	consumes  []pending           // consume without an answer so far
	gets      []pending           // get without one
	declares  []pending           // queue.declare without one
	held      held
}

type consumer struct {
	tag, queue string
	noAck      bool
}

// knownMax bounds the tags that are kept of a channel.
const knownMax = 1024

// pending is a method whose answer is on its way. Answers come in order.
type pending struct {
	queue string
	noAck bool
	dlx   bool
}

func newSession(t *Tap) *session {
	s := &session{tap: t, channels: map[uint16]*channel{}}
	s.client = &side{session: s, splitter: wire.NewSplitter(frameMax), skip: len(wire.ProtocolHeader), contents: map[uint16]*content{}, handle: s.fromClient}
	s.server = &side{session: s, splitter: wire.NewSplitter(frameMax), contents: map[uint16]*content{}, handle: s.fromServer}
	return s
}

func (s *session) emit(e event.Event) {
	e.From, e.Inferred = "broker", true
	s.tap.opt.Observer(e)
}

func (s *session) log(text string) {
	s.emit(event.Event{Kind: event.LogLine, Peer: s.tap.opt.Peer, Text: "tap: " + text})
}

func (s *session) event(e event.Event) {
	e.Conn, e.Peer = s.id, s.tap.opt.Peer
	s.emit(e)
}

// tell is event for what the schema ties to a peer but to no connection.
func (s *session) tell(e event.Event) {
	e.Peer = s.tap.opt.Peer
	s.emit(e)
}

func (ch *channel) event(e event.Event) {
	e.Channel = ch.number
	ch.session.event(e)
}

func (s *session) opened() {
	if s.ended {
		return
	}
	s.tap.lastConn++
	s.id = fmt.Sprintf("%s/%d", s.tap.opt.Peer, s.tap.lastConn)
	s.event(event.Event{Kind: event.ConnOpened})
}

// end tells of a connection that was lost; nothing happens when it was closed
// in order, or was never open.
func (s *session) end(why string) {
	s.finish("connection reset", event.Event{Kind: event.ConnReset, Text: why})
}

// finish tells what the end of the connection brings with it.
func (s *session) finish(why string, last event.Event) {
	opened := s.id != "" && !s.ended
	s.ended = true
	if !opened {
		return
	}
	numbers := make([]uint16, 0, len(s.channels))
	for n := range s.channels {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		s.channels[n].end(why, event.Event{Kind: event.ChannelClosed})
	}
	clear(s.channels)
	s.event(last)
}

// end tells what the end of the channel brings with it.
func (ch *channel) end(why string, last event.Event) {
	for len(ch.consumers) > 0 {
		ch.cancelled(ch.consumers[0].tag, "")
	}
	ch.requeue(ch.held.takeAll(), why)
	if !ch.closing { // else it was told then
		ch.event(last)
	}
}

func (ch *channel) registered(k *consumer) {
	ch.consumers = append(ch.consumers, k)
	if len(ch.known) >= knownMax {
		clear(ch.known)
	}
	ch.known[k.tag] = *k
	ch.event(event.Event{Kind: event.ConsumerRegistered, Consumer: k.tag, Queue: ch.session.tap.opt.QueueName(k.queue)})
}

func (ch *channel) cancelled(tag, why string) {
	i := slices.IndexFunc(ch.consumers, func(k *consumer) bool { return k.tag == tag })
	if i < 0 {
		return
	}
	k := ch.consumers[i]
	ch.consumers = slices.Delete(ch.consumers, i, i+1)
	ch.event(event.Event{Kind: event.ConsumerCancelled, Consumer: k.tag, Queue: ch.session.tap.opt.QueueName(k.queue), Text: why})
}

// delivered tells of a delivery, and keeps it until it is settled.
func (ch *channel) delivered(d delivery, noAck, redelivered bool, consumer string) {
	ch.event(event.Event{Kind: event.MessageDelivered, Message: d.message, Queue: ch.name(d), Tag: d.tag, Redelivered: redelivered, Consumer: consumer})
	switch {
	case noAck:
		ch.event(event.Event{Kind: event.MessageAcked, Message: d.message, Queue: ch.name(d), Tag: d.tag, Text: "automatic"})
	case ch.closing:
		ch.requeue([]delivery{d}, "channel closed")
	default:
		ch.held.add(d)
	}
}

func (ch *channel) name(d delivery) string { return ch.session.tap.opt.QueueName(d.queue) }

func (ch *channel) requeue(ds []delivery, why string) {
	for _, d := range ds {
		ch.session.tell(event.Event{Kind: event.MessageRequeued, Message: d.message, Queue: ch.name(d), Text: why})
	}
}

func messageID(p *wire.Properties) string {
	if p == nil {
		return ""
	}
	return p.MessageID
}
