package broker

import (
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"drainlab/exercises/event"
	"drainlab/server/broker/wire"
)

// core is everything that the broker knows. It belongs to one goroutine, run;
// nothing in it is locked, and nothing outside holds a reference into it.
//
// Each command is handled whole. Queues that gained a message or a consumer
// with room are noted in dirty, and deliveries are made only when the command
// is done: so a reply goes out before what it causes, and a message that comes
// back from a dying connection can only go to a living one.
type core struct {
	opt      Options
	commands chan command
	memory   *memory
	timers   timers
	conns    sync.WaitGroup

	sessions []*session // in the order they were accepted
	open     int        // of them, those past connection.open
	vhosts   map[string]*vhost
	dirty    []*queue
	doomed   []*session // to be reset when the command at hand is done
	stopping bool

	queues, exchanges, bindings, consumers int // in all, for the limits
	lastConn, lastMessage, lastName        int // names given so far
}

// command is what reaches the owner from outside.
type command interface{ apply(*core) }

type (
	// acceptCommand: a listener accepted a connection.
	acceptCommand struct {
		nc   net.Conn
		peer string
	}
	// headerCommand: the client sent its protocol header.
	headerCommand struct{ conn *conn }
	// badHeaderCommand: it sent something else.
	badHeaderCommand struct{ conn *conn }
	// arriveCommand: a method came, with its content.
	arriveCommand struct{ *arrival }
	// malformedCommand: something came that is no frame, or no method.
	malformedCommand struct {
		conn    *conn
		channel uint16
		err     *wire.Error
	}
	// drainedCommand: a client that was slow has read.
	drainedCommand struct{ conn *conn }
	// endCommand: the socket is closed and its goroutines are done.
	endCommand struct {
		conn *conn
		err  error
	}
	// cutCommand resets a peer's connections and answers how many.
	cutCommand struct {
		peer  string
		count chan<- int
	}
	// stopCommand ends the broker.
	stopCommand struct{ graceful bool }
)

func newCore(opt Options, commands chan command) *core {
	return &core{
		opt:      opt,
		commands: commands,
		memory:   &memory{limit: opt.Limits.Memory},
		vhosts:   map[string]*vhost{},
	}
}

// run is the owner. It returns when the broker was told to stop and the last
// connection is gone.
func (c *core) run() {
	defer c.conns.Wait()
	for !c.stopping || len(c.sessions) > 0 {
		c.await()
		c.deliver()
	}
}

// await handles one command, or the timers that are due.
func (c *core) await() {
	var fired <-chan time.Time
	if at, ok := c.timers.next(); ok {
		var stop func()
		fired, stop = c.opt.Timer(max(at.Sub(c.opt.Now()), 0))
		defer stop()
	}
	select {
	case cmd := <-c.commands:
		cmd.apply(c)
	case <-fired:
		now := c.opt.Now()
		for t := c.timers.due(now); t != nil; t = c.timers.due(now) {
			t.do()
			c.deliver()
		}
	}
}

// deliver ends a command: it resets the sessions that did not read, and gives
// queues that were touched a chance to deliver.
func (c *core) deliver() {
	for len(c.dirty) > 0 || len(c.doomed) > 0 {
		if len(c.doomed) > 0 {
			s := c.doomed[0]
			c.doomed = c.doomed[1:]
			s.abort(s.doomed)
			continue
		}
		q := c.dirty[0]
		c.dirty = c.dirty[1:]
		q.isDirty = false
		q.dispatch()
	}
	c.dirty = nil
}

func (c *core) touch(q *queue) {
	if !q.isDirty && !q.deleted {
		q.isDirty = true
		c.dirty = append(c.dirty, q)
	}
}

func (c *core) emit(e event.Event) {
	e.From = "broker"
	c.opt.Observer(e)
}

// name makes a name that this broker did not give before.
func (c *core) name(prefix string) string {
	c.lastName++
	return fmt.Sprintf("%s%d", prefix, c.lastName)
}

// after sets t to fire d from now.
func (c *core) after(t *timer, d time.Duration) { c.timers.set(t, c.opt.Now().Add(d)) }

// acceptSlack is how many connections beyond the limit may be in their
// handshake, to be told at connection.open that they are too many.
const acceptSlack = 64

func (cmd acceptCommand) apply(c *core) {
	if c.stopping || len(c.sessions) >= c.opt.Limits.Connections+acceptSlack {
		cmd.nc.Close()
		return
	}
	conn := &conn{nc: cmd.nc, out: newOutbox(), limits: c.opt.Limits, memory: c.memory, commands: c.commands}
	conn.session = newSession(c, conn, cmd.peer)
	c.sessions = append(c.sessions, conn.session)
	c.conns.Go(conn.run)
}

func (cmd headerCommand) apply(*core) { cmd.conn.session.start() }

func (cmd badHeaderCommand) apply(*core) { cmd.conn.session.refuseHeader() }

func (cmd arriveCommand) apply(c *core) { cmd.conn.session.arrive(cmd.arrival) }

func (cmd malformedCommand) apply(*core) { cmd.conn.session.malformed(cmd.err) }

func (cmd drainedCommand) apply(*core) { cmd.conn.session.drained() }

func (cmd endCommand) apply(c *core) {
	s := cmd.conn.session
	s.ended(cmd.err)
	if i := slices.Index(c.sessions, s); i >= 0 {
		c.sessions = slices.Delete(c.sessions, i, i+1)
	}
}

func (cmd cutCommand) apply(c *core) {
	n := 0
	for _, s := range c.sessions {
		if s.peer != cmd.peer {
			continue
		}
		if s.phase < phaseLeaving { // the others were closed already
			n++
		}
		s.abort("cut")
	}
	cmd.count <- n
}

func (cmd stopCommand) apply(c *core) {
	c.stopping = true
	for _, s := range c.sessions {
		if cmd.graceful {
			s.shutdown()
		} else {
			s.abort("broker closed")
		}
	}
}
