package broker

import (
	"slices"

	"drainlab/exercises/event"
	"drainlab/server/broker/wire"
)

// Dead-lettering, as https://www.rabbitmq.com/docs/dlx describes it.

// reason is why a message left its queue without an ack.
type reason string

const (
	reasonRejected reason = "rejected"
	reasonExpired  reason = "expired"
	reasonMaxLen   reason = "maxlen"
)

// deadLetter publishes a copy of m to the dead-letter exchange of the queue it
// left. Where that exchange does not exist, or leads nowhere, m is gone.
func (c *core) deadLetter(m *message, q *queue, why reason) {
	if !q.policy.hasDLX {
		return
	}
	x := q.vhost.exchanges[q.policy.dlx]
	if x == nil {
		c.emit(event.Event{Kind: event.MessageDropped, Message: m.id, Queue: q.name, Text: "there is no dead-letter exchange '" + q.policy.dlx + "'"})
		return
	}
	key := m.key
	if q.policy.hasDLKey {
		key = q.policy.dlKey
	}
	props := m.props
	props.Present |= wire.HasHeaders
	props.Headers = deathHeaders(m, q, why, wire.Timestamp(c.opt.Now().Unix()))
	// It would expire again at once: its own TTL does not go with it.
	props.Present &^= wire.HasExpiration
	props.Expiration = ""

	c.memory.used.Add(int64(len(m.body))) // a copy shares the body, yet outlives it
	copied, err := c.newMessage(x.name, key, props, m.body)
	if err != nil {
		c.memory.give(int64(len(m.body)))
		c.emit(event.Event{Kind: event.MessageDropped, Message: m.id, Queue: q.name, Text: err.Text})
		return
	}
	copied.id = m.id
	defer c.release(copied)
	to := x.route(copied)
	if len(to) == 0 {
		c.emit(event.Event{Kind: event.MessageDropped, Message: m.id, Text: "unroutable dead letter"})
	}
	for _, t := range to {
		if inCycle(t.name, props.Headers) {
			c.emit(event.Event{Kind: event.MessageDropped, Message: m.id, Queue: t.name, Text: "dead-letter cycle"})
			continue
		}
		c.emit(event.Event{Kind: event.MessagePublished, Message: m.id, Queue: t.name, Peer: "broker", Text: "dead letter"})
		t.push(copied) // a full queue says so itself
	}
}

// deathHeaders adds this death to x-death: one table for each queue and
// reason, the latest first, with a count.
func deathHeaders(m *message, q *queue, why reason, now wire.Timestamp) wire.Table {
	headers := m.props.Headers
	old, _ := headers.Get("x-death")
	deaths, _ := old.([]any)
	deaths = slices.Clone(deaths) // the message we were given is not to change
	var death wire.Table
	for i, d := range deaths {
		t, _ := d.(wire.Table)
		if t.String("queue") == q.name && t.String("reason") == string(why) {
			n, _ := t.Int("count")
			death = t.Set("count", n+1)
			deaths = slices.Delete(deaths, i, i+1)
			break
		}
	}
	if death == nil {
		death = wire.Table{
			{Name: "count", Value: int64(1)},
			{Name: "reason", Value: string(why)},
			{Name: "queue", Value: q.name},
			{Name: "time", Value: now},
			{Name: "exchange", Value: m.exchange},
			{Name: "routing-keys", Value: []any{m.key}},
		}
		if m.props.Present&wire.HasExpiration != 0 {
			death = death.Set("original-expiration", m.props.Expiration)
		}
	}
	headers = headers.Set("x-death", append([]any{death}, deaths...))
	if _, ok := headers.Get("x-first-death-reason"); !ok {
		headers = headers.Set("x-first-death-reason", string(why)).Set("x-first-death-queue", q.name).Set("x-first-death-exchange", m.exchange)
	}
	return headers
}

// inCycle says whether a message would come to a queue that it already died
// in, with no client's reject on its way round: it would go round for ever.
func inCycle(queue string, headers wire.Table) bool {
	v, _ := headers.Get("x-death")
	deaths, _ := v.([]any)
	for _, d := range deaths {
		t, _ := d.(wire.Table)
		if t.String("reason") == string(reasonRejected) {
			return false
		}
		if t.String("queue") == queue {
			return true
		}
	}
	return false
}
