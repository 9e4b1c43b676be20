package broker

import (
	"slices"
	"sort"
	"time"

	"drainlab/exercises/event"
	"drainlab/server/broker/wire"
)

// queue holds messages in order.
//
// Invariants: returned and fresh are sorted by position, and every position in
// returned is below every position in fresh, since fresh messages leave from
// the front only and what comes back was once at the front. So a message that
// comes back takes its old place, ahead of all that was never delivered.
type queue struct {
	vhost      *vhost
	number     int // the broker's queues are numbered as they are declared
	name       string
	durable    bool
	autoDelete bool
	owner      *session // exclusive to it; nil is to nobody
	args       wire.Table
	policy     policy

	returned []*entry
	fresh    []*entry
	lastPos  uint64
	bytes    int64 // of the bodies in returned and fresh

	consumers   []*consumer // whose turn it is comes first, within a priority
	wasConsumed bool
	bound       []*binding // with this queue as destination

	isDirty bool
	deleted bool
	expiry  *timer // the first message's
	unused  *timer // x-expires
}

func (q *queue) core() *core { return q.vhost.core }

func (q *queue) ready() int { return len(q.returned) + len(q.fresh) }

func (q *queue) locked() *wire.Error {
	return wire.Errorf(wire.ResourceLocked, "cannot obtain exclusive access to locked queue '%s' in vhost '%s'. It could be originally declared on another connection or the exclusive property value does not match that of the original declaration.", q.name, q.vhost.name)
}

func (q *queue) front() *entry {
	switch {
	case len(q.returned) > 0:
		return q.returned[0]
	case len(q.fresh) > 0:
		return q.fresh[0]
	}
	return nil
}

// pop takes the first message.
func (q *queue) pop() *entry {
	from := &q.returned
	if len(q.returned) == 0 {
		from = &q.fresh
	}
	e := (*from)[0]
	(*from)[0] = nil // the slice's array lives on
	*from = (*from)[1:]
	if len(*from) == 0 {
		*from = nil
	}
	q.bytes -= int64(len(e.msg.body))
	return e
}

// push appends a message. With a maximal length the first go, or this one is
// refused (x-overflow).
func (q *queue) push(m *message) (accepted bool) {
	p := &q.policy
	if p.rejects() && q.isFull(len(m.body)) {
		e := event.Event{Kind: event.MessageDropped, Message: m.id, Queue: q.name, Text: "queue is full"}
		if p.overflow == overflowRejectDLX && p.hasDLX {
			e.Kind, e.Text = event.MessageDeadLetter, string(reasonMaxLen)
		}
		q.core().emit(e)
		if p.overflow == overflowRejectDLX {
			q.core().deadLetter(m, q, reasonMaxLen)
		}
		return false
	}
	q.lastPos++
	e := &entry{msg: m, pos: q.lastPos, expires: q.expiryOf(m)}
	m.refs++
	m.size += messageOverhead
	q.core().memory.used.Add(messageOverhead)
	q.fresh = append(q.fresh, e)
	q.bytes += int64(len(m.body))
	q.core().touch(q)
	return true
}

// isFull says whether one more message, of so many octets, is too much.
func (q *queue) isFull(more int) bool {
	p := &q.policy
	return p.maxLength >= 0 && int64(q.ready())+1 > p.maxLength || p.maxBytes >= 0 && q.bytes+int64(more) > p.maxBytes
}

// trim drops from the front what is above the maximal length.
func (q *queue) trim() {
	p := &q.policy
	if p.rejects() {
		return
	}
	for q.ready() > 0 && (p.maxLength >= 0 && int64(q.ready()) > p.maxLength || p.maxBytes >= 0 && q.bytes > p.maxBytes) {
		q.discard(q.pop(), reasonMaxLen)
	}
}

func (q *queue) expiryOf(m *message) time.Time {
	ttl := q.policy.ttl
	if own, ok, _ := expiration(&m.props); ok && (ttl < 0 || own < ttl) {
		ttl = own
	}
	if ttl < 0 {
		return time.Time{}
	}
	return q.core().opt.Now().Add(ttl)
}

// putBack returns messages to their places. They are redelivered from now on,
// whether anybody looked at them or not.
func (q *queue) putBack(es []*entry) {
	for _, e := range es {
		e.redelivered = true
		q.bytes += int64(len(e.msg.body))
		if n := len(q.returned); n == 0 || q.returned[n-1].pos < e.pos {
			q.returned = append(q.returned, e)
			continue
		}
		i := sort.Search(len(q.returned), func(i int) bool { return q.returned[i].pos > e.pos })
		q.returned = slices.Insert(q.returned, i, e)
	}
	q.core().touch(q)
}

// forget ends an entry's life in this queue.
func (q *queue) forget(e *entry) { q.core().release(e.msg) }

// discard ends an entry that nobody acknowledged: it is dead-lettered, or gone.
func (q *queue) discard(e *entry, why reason) {
	c := q.core()
	if q.policy.hasDLX {
		c.emit(event.Event{Kind: event.MessageDeadLetter, Message: e.msg.id, Queue: q.name, Text: string(why)})
		c.deadLetter(e.msg, q, why)
	} else {
		c.emit(event.Event{Kind: event.MessageDropped, Message: e.msg.id, Queue: q.name, Text: string(why)})
	}
	q.forget(e)
}

// expire discards messages at the front whose time has come. RabbitMQ too looks
// at the front only.
func (q *queue) expire() {
	now := q.core().opt.Now()
	for e := q.front(); e != nil && !e.expires.IsZero() && !e.expires.After(now); e = q.front() {
		q.discard(q.pop(), reasonExpired)
	}
}

// dispatch delivers as long as there is a message and a consumer that may have
// it, then sees to what remains.
func (q *queue) dispatch() {
	q.expire()
	for q.ready() > 0 && !q.deleted {
		k := q.nextConsumer()
		if k == nil {
			break
		}
		k.channel.deliver(k, q.pop())
		q.expire()
	}
	q.trim()
	c := q.core()
	if e := q.front(); e != nil && !e.expires.IsZero() && !q.deleted {
		c.timers.set(q.expiry, e.expires)
	} else {
		c.timers.stop(q.expiry)
	}
}

// nextConsumer is the first that may have a message; it goes behind its equals.
func (q *queue) nextConsumer() *consumer {
	for i, k := range q.consumers {
		if q.policy.single && i > 0 {
			break
		}
		if !k.ready() {
			continue
		}
		if !q.policy.single {
			q.consumers = append(slices.Delete(q.consumers, i, i+1), k)
			q.sortConsumers()
		}
		return k
	}
	return nil
}

func (q *queue) sortConsumers() {
	if q.policy.single {
		return
	}
	slices.SortStableFunc(q.consumers, func(a, b *consumer) int {
		switch {
		case a.priority > b.priority:
			return -1
		case a.priority < b.priority:
			return 1
		}
		return 0
	})
}

// used restarts or stops the time after which an unused queue goes (x-expires).
func (q *queue) used() {
	if q.policy.expires <= 0 || q.deleted {
		return
	}
	if len(q.consumers) > 0 {
		q.core().timers.stop(q.unused)
	} else {
		q.core().after(q.unused, q.policy.expires)
	}
}

func (q *queue) maybeAutoDelete() {
	if q.autoDelete && q.wasConsumed && len(q.consumers) == 0 && !q.deleted {
		q.delete("auto-delete queue's last consumer left")
	}
}

// delete ends the queue with all that is in it. What clients still hold of it
// may be acknowledged; it cannot come back.
func (q *queue) delete(why string) (ready int) {
	if q.deleted {
		return 0
	}
	c := q.core()
	q.deleted = true
	delete(q.vhost.queues, q.name)
	c.queues--
	c.timers.stop(q.expiry)
	c.timers.stop(q.unused)
	for len(q.bound) > 0 {
		q.bound[0].remove()
	}
	for len(q.consumers) > 0 {
		q.consumers[0].cancelByBroker("queue deleted")
	}
	return q.empty(why)
}

// empty drops every message that is ready.
func (q *queue) empty(why string) (dropped int) {
	for ; q.ready() > 0; dropped++ {
		e := q.pop()
		q.core().emit(event.Event{Kind: event.MessageDropped, Message: e.msg.id, Queue: q.name, Text: why})
		q.forget(e)
	}
	return dropped
}
