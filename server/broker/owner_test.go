package broker

import (
	"errors"
	"fmt"
	"net"
	"testing"
	"time"

	"drainlab/server/broker/wire"
)

// check holds the owner's state against its invariants.
func (c *core) check() error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	held := map[*message]int{} // entries and publications that hold it
	unacked := map[*consumer]int{}
	var open, consumers, queues, bindings, exchanges int

	for _, s := range c.sessions {
		if s.phase != phaseRunning {
			if len(s.channels) > 0 {
				fail("a session in phase %d has channels", s.phase)
			}
			continue
		}
		open++
		for _, ch := range s.channels {
			consumers += len(ch.consumers)
			inShared, lastTag := 0, uint64(0)
			var ds []*delivery
			for e := ch.unacked.order.Front(); e != nil; e = e.Next() {
				d := e.Value.(*delivery)
				if d.tag <= lastTag || ch.unacked.byTag[d.tag] != e {
					fail("unacked is not in order at tag %d", d.tag)
				}
				lastTag = d.tag
				ds = append(ds, d)
			}
			if len(ds) != len(ch.unacked.byTag) {
				fail("%d unacked in order, %d by tag", len(ds), len(ch.unacked.byTag))
			}
			if ch.tx != nil {
				for _, p := range ch.tx.publications {
					held[p.message]++
				}
				for _, settled := range ch.tx.settlements {
					ds = append(ds, settled.deliveries...)
				}
			}
			for _, d := range ds {
				held[d.entry.msg]++
				if d.limited {
					inShared++
					unacked[d.consumer]++
				}
			}
			if inShared != ch.inShared {
				fail("channel %d counts %d deliveries, has %d", ch.number, ch.inShared, inShared)
			}
			for _, k := range ch.consumers {
				if k.unacked != unacked[k] {
					fail("consumer %s counts %d deliveries, has %d", k.tag, k.unacked, unacked[k])
				}
				if k.prefetch > 0 && k.unacked > int(k.prefetch) {
					fail("consumer %s has %d of %d", k.tag, k.unacked, k.prefetch)
				}
			}
		}
	}
	for _, v := range c.vhosts {
		exchanges += len(v.exchanges) - len(predeclared())
		for _, x := range v.exchanges {
			bindings += len(x.from)
		}
		for _, q := range v.queues {
			queues++
			consumers -= len(q.consumers)
			last, bytes := uint64(0), int64(0)
			for _, es := range [][]*entry{q.returned, q.fresh} {
				for _, e := range es {
					if e.pos <= last {
						fail("queue %s is not in order at %d", q.name, e.pos)
					}
					last = e.pos
					bytes += int64(len(e.msg.body))
					held[e.msg]++
				}
			}
			if bytes != q.bytes {
				fail("queue %s counts %d octets, has %d", q.name, q.bytes, bytes)
			}
			if q.deleted || q.owner != nil && q.owner.phase != phaseRunning {
				fail("queue %s should be gone", q.name)
			}
		}
	}
	var memory int64
	for m, n := range held {
		memory += m.size
		if n != m.refs {
			fail("message %s counts %d holders, has %d", m.id, m.refs, n)
		}
	}
	if used := c.memory.used.Load(); used != memory {
		fail("%d octets are accounted for, messages have %d", used, memory)
	}
	if open != c.open || consumers != 0 || queues != c.queues || bindings != c.bindings || exchanges != c.exchanges {
		fail("counts are off: open %d/%d consumers %d queues %d/%d bindings %d/%d exchanges %d/%d",
			c.open, open, consumers, c.queues, queues, c.bindings, bindings, c.exchanges, exchanges)
	}
	return errors.Join(errs...)
}

// FuzzOwner plays any sequence of methods from two clients, who never read, to
// an owner without goroutines, and holds the invariants after each.
func FuzzOwner(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 5, 0, 3, 6, 0, 0, 9, 0, 0, 1})
	f.Add([]byte("declare, publish, consume, nack, and all the rest of it, twice over"))
	f.Add([]byte{1, 0, 0, 16, 0, 0, 2, 0, 0, 4, 0, 0, 6, 0, 7, 17, 0, 0, 18, 0, 0, 20, 0, 0, 21, 0, 0})
	f.Fuzz(func(t *testing.T, ops []byte) {
		now := time.Unix(0, 0)
		opt := Options{Now: func() time.Time { return now }, Limits: Limits{Memory: 20_000, Outgoing: 2_000, MessageSize: 1_000, Queues: 6, Consumers: 6, Bindings: 6, Exchanges: 2}}
		c := newCore(opt.withDefaults(), nil)
		var conns [2]*conn
		for i := range conns {
			conns[i] = openRaw(c, i)
		}
		for ; len(ops) >= 3; ops = ops[3:] {
			conn := conns[ops[0]>>7]
			a := arbitrary(ops[0]&0x7F, ops[1], ops[2])
			switch {
			case a == nil && ops[1] > 250:
				conn.session.abort("fuzz")
				c.deliver()
				conns[ops[0]>>7] = openRaw(c, int(ops[0]>>7))
			case a == nil:
				now = now.Add(time.Duration(ops[1]) * time.Millisecond)
				for tm := c.timers.due(now); tm != nil; tm = c.timers.due(now) {
					tm.do()
				}
			case c.memory.take(int64(len(a.body))): // as the assembler does
				a.conn = conn
				arriveCommand{a}.apply(c)
			}
			c.deliver()
			if err := c.check(); err != nil {
				t.Fatal(err)
			}
		}
		stopCommand{graceful: true}.apply(c)
		c.deliver()
		for _, conn := range conns {
			endCommand{conn, nil}.apply(c)
			c.deliver()
		}
		if err := c.check(); err != nil || c.open != 0 || c.consumers != 0 {
			t.Fatalf("in the end: %v, %d open, %d consumers", err, c.open, c.consumers)
		}
	})
}

// openRaw gives the owner a connection that is open, has two channels and no
// goroutines.
func openRaw(c *core, i int) *conn {
	ours, theirs := net.Pipe()
	theirs.Close()
	conn := &conn{nc: ours, out: newOutbox(), limits: c.opt.Limits, memory: c.memory}
	conn.session = newSession(c, conn, fmt.Sprint("peer-", i))
	c.sessions = append(c.sessions, conn.session)
	conn.session.start()
	for _, m := range []wire.Method{
		&wire.ConnectionStartOk{Mechanism: "PLAIN", Response: "\x00guest\x00guest"}, &wire.ConnectionTuneOk{}, &wire.ConnectionOpen{VirtualHost: "/"},
	} {
		conn.session.arrive(&arrival{conn: conn, method: m})
	}
	for n := range uint16(2) {
		conn.session.arrive(&arrival{conn: conn, channel: n + 1, method: &wire.ChannelOpen{}})
	}
	return conn
}

// arbitrary makes a method of three octets; nil is a step that is none.
func arbitrary(kind, x, y byte) *arrival {
	queue := fmt.Sprint("q", x&3)
	a := &arrival{channel: uint16(x>>2&1) + 1}
	bit := func(n int) bool { return y>>n&1 == 1 }
	switch kind % 26 {
	case 0:
		args := wire.Table{}
		if bit(0) {
			args = append(args, wire.Field{Name: "x-dead-letter-exchange", Value: ""}, wire.Field{Name: "x-dead-letter-routing-key", Value: "q1"})
		}
		if bit(1) {
			args = append(args, wire.Field{Name: "x-max-length", Value: int32(2)})
		}
		if bit(2) {
			args = append(args, wire.Field{Name: "x-message-ttl", Value: int32(50)})
		}
		if bit(3) {
			args = append(args, wire.Field{Name: "x-overflow", Value: "reject-publish-dlx"})
		}
		a.method = &wire.QueueDeclare{Queue: queue, Exclusive: bit(4), AutoDelete: bit(5), Arguments: args}
	case 1, 2, 3, 4:
		a.method = &wire.BasicPublish{RoutingKey: queue, Mandatory: bit(0)}
		if bit(1) {
			a.method = &wire.BasicPublish{Exchange: "amq.fanout", RoutingKey: queue}
		}
		a.body = make([]byte, y)
		a.header = wire.Header{Class: wire.ClassBasic, BodySize: uint64(y)}
		if bit(7) {
			a.header.Properties = wire.Properties{Present: wire.HasExpiration, Expiration: "20"}
		}
	case 5:
		a.method = &wire.BasicQos{PrefetchCount: uint16(y & 3), Global: bit(3)}
	case 6, 7:
		a.method = &wire.BasicConsume{Queue: queue, ConsumerTag: fmt.Sprint("k", y&3), NoAck: bit(2), Exclusive: y > 250}
	case 8:
		a.method = &wire.BasicCancel{ConsumerTag: fmt.Sprint("k", y&3)}
	case 9, 10:
		a.method = &wire.BasicGet{Queue: queue, NoAck: bit(0)}
	case 11, 12:
		a.method = &wire.BasicAck{DeliveryTag: uint64(y >> 2), Multiple: bit(0)}
	case 13, 14:
		a.method = &wire.BasicNack{DeliveryTag: uint64(y >> 2), Multiple: bit(0), Requeue: bit(1)}
	case 15:
		a.method = &wire.BasicRecover{Requeue: true}
	case 16:
		a.method = &wire.TxSelect{}
	case 17:
		a.method = &wire.TxCommit{}
	case 18:
		a.method = &wire.TxRollback{}
	case 19:
		a.method = &wire.ConfirmSelect{}
	case 20:
		a.method = &wire.QueueDelete{Queue: queue, IfUnused: bit(0), IfEmpty: bit(1)}
	case 21:
		a.method = &wire.QueueBind{Queue: queue, Exchange: "amq.fanout", RoutingKey: fmt.Sprint(y & 1)}
	case 22:
		a.method = &wire.QueueUnbind{Queue: queue, Exchange: "amq.fanout", RoutingKey: fmt.Sprint(y & 1)}
	case 23:
		switch y & 3 {
		case 0:
			a.method = &wire.ChannelClose{}
		case 1:
			a.method = &wire.ChannelCloseOk{}
		default:
			a.method = &wire.ChannelOpen{}
		}
	case 24:
		a.method = &wire.QueuePurge{Queue: queue}
	default:
		return nil
	}
	return a
}
