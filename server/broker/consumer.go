package broker

import (
	"slices"

	"drainlab/exercises/event"
	"drainlab/server/broker/wire"
)

// consumer is a subscription of a channel to a queue.
//
// Invariant: it is in its channel's and in its queue's list, or in neither.
type consumer struct {
	tag       string
	channel   *channel
	queue     *queue
	noAck     bool
	exclusive bool
	prefetch  uint16 // 0 is no limit
	priority  int64
	unacked   int // deliveries that count against prefetch
}

func (k *consumer) event(e event.Event) {
	e.Consumer, e.Queue = k.tag, k.queue.name
	k.channel.event(e)
}

// ready says whether a message may be delivered to it now.
func (k *consumer) ready() bool {
	if !k.noAck {
		if k.prefetch > 0 && k.unacked >= int(k.prefetch) {
			return false
		}
		if ch := k.channel; ch.shared > 0 && ch.inShared >= int(ch.shared) {
			return false
		}
	}
	return k.channel.session.canTake()
}

// add registers k. Consumers of a higher priority come first; within one they
// take turns.
func (k *consumer) add() {
	k.channel.consumers = append(k.channel.consumers, k)
	q := k.queue
	q.consumers = append(q.consumers, k)
	q.wasConsumed = true
	k.channel.core().consumers++
	q.sortConsumers()
	q.used()
	k.event(event.Event{Kind: event.ConsumerRegistered})
	k.channel.core().touch(q)
}

// remove cancels k. The messages that were delivered to it stay unacknowledged
// on its channel: only the channel's end puts them back. why is empty when that
// follows from what the client did.
func (k *consumer) remove(why string) {
	ch, q := k.channel, k.queue
	ch.consumers = slices.DeleteFunc(ch.consumers, func(o *consumer) bool { return o == k })
	q.consumers = slices.DeleteFunc(q.consumers, func(o *consumer) bool { return o == k })
	ch.core().consumers--
	k.event(event.Event{Kind: event.ConsumerCancelled, Text: why})
	q.used()
}

// dropConsumers cancels all of a channel's, at its end. Queues that delete
// themselves after their last consumer go afterwards.
func (ch *channel) dropConsumers() {
	var queues []*queue
	for len(ch.consumers) > 0 {
		k := ch.consumers[0]
		k.remove("")
		queues = append(queues, k.queue)
	}
	for _, q := range queues {
		q.maybeAutoDelete()
	}
}

// cancelByBroker tells the client that its subscription is over since the
// queue is (RabbitMQ's consumer_cancel_notify).
func (k *consumer) cancelByBroker(why string) {
	k.remove(why)
	if k.channel.session.takesCancel {
		k.channel.send(&wire.BasicCancel{ConsumerTag: k.tag, NoWait: true})
	}
}
