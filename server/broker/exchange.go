package broker

import (
	"slices"
	"strings"

	"drainlab/server/broker/wire"
)

// exchange routes messages to queues and to other exchanges.
type exchange struct {
	vhost      *vhost
	name       string
	kind       string
	durable    bool
	autoDelete bool
	internal   bool
	args       wire.Table
	alternate  string // where it sends what it cannot route

	from  []*binding // with this exchange as source, in the order they were made
	bound []*binding // with it as destination
	was   bool       // was ever a source: auto-delete waits for that
}

// predeclared are the exchanges that every vhost has (section 3.1.3; the
// headers exchanges are RabbitMQ's names for them).
func predeclared() []exchange {
	return []exchange{
		{name: "", kind: "direct"},
		{name: "amq.direct", kind: "direct"},
		{name: "amq.fanout", kind: "fanout"},
		{name: "amq.topic", kind: "topic"},
		{name: "amq.headers", kind: "headers"},
		{name: "amq.match", kind: "headers"},
	}
}

// binding leads from an exchange to a queue or to another exchange. The
// default exchange's bindings are implied by the queues' names.
type binding struct {
	source *exchange
	key    string
	args   wire.Table
	queue  *queue // or
	target *exchange
}

func (b *binding) same(o *binding) bool {
	return b.source == o.source && b.queue == o.queue && b.target == o.target && b.key == o.key && equalTables(b.args, o.args)
}

// add makes the binding unless there is one like it.
func (b *binding) add() *wire.Error {
	if slices.ContainsFunc(b.source.from, b.same) {
		return nil
	}
	c := b.source.vhost.core
	if c.bindings >= c.opt.Limits.Bindings {
		return wire.Errorf(wire.ResourceError, "the limit of %d bindings is reached", c.opt.Limits.Bindings)
	}
	c.bindings++
	b.source.from = append(b.source.from, b)
	b.source.was = true
	if b.queue != nil {
		b.queue.bound = append(b.queue.bound, b)
	} else {
		b.target.bound = append(b.target.bound, b)
	}
	return nil
}

// remove takes the binding out, and its source when that was the last of an
// auto-delete exchange.
func (b *binding) remove() {
	is := func(o *binding) bool { return o == b }
	b.source.from = slices.DeleteFunc(b.source.from, is)
	if b.queue != nil {
		b.queue.bound = slices.DeleteFunc(b.queue.bound, is)
	} else {
		b.target.bound = slices.DeleteFunc(b.target.bound, is)
	}
	b.source.vhost.core.bindings--
	if x := b.source; x.autoDelete && x.was && len(x.from) == 0 {
		x.delete()
	}
}

func (x *exchange) find(like *binding) *binding {
	if i := slices.IndexFunc(x.from, like.same); i >= 0 {
		return x.from[i]
	}
	return nil
}

func (x *exchange) delete() {
	if x.vhost.exchanges[x.name] != x {
		return
	}
	delete(x.vhost.exchanges, x.name)
	x.vhost.core.exchanges--
	x.autoDelete = false // it is gone already
	for len(x.from) > 0 {
		x.from[0].remove()
	}
	for len(x.bound) > 0 {
		x.bound[0].remove()
	}
}

// route lists the queues that a message sent to x goes to, each once, in the
// order in which the bindings were made.
func (x *exchange) route(m *message) []*queue {
	r := routing{message: m, exchanges: map[*exchange]bool{}, queues: map[*queue]bool{}}
	r.follow(x)
	return r.found
}

type routing struct {
	message   *message
	exchanges map[*exchange]bool // seen: exchanges may be bound in a circle
	queues    map[*queue]bool
	found     []*queue
}

func (r *routing) queue(q *queue) {
	if !r.queues[q] {
		r.queues[q] = true
		r.found = append(r.found, q)
	}
}

func (r *routing) follow(x *exchange) {
	if r.exchanges[x] {
		return
	}
	r.exchanges[x] = true
	matched := false
	if x.name == "" {
		if q := x.vhost.queues[r.message.key]; q != nil {
			matched = true
			r.queue(q)
		}
	}
	for _, b := range x.from {
		if !b.matches(r.message) {
			continue
		}
		matched = true
		if b.queue != nil {
			r.queue(b.queue)
		} else {
			r.follow(b.target)
		}
	}
	if !matched && x.alternate != "" {
		if alt := x.vhost.exchanges[x.alternate]; alt != nil {
			r.follow(alt)
		}
	}
}

func (b *binding) matches(m *message) bool {
	switch b.source.kind {
	case "fanout":
		return true
	case "topic":
		return matchTopic(strings.Split(b.key, "."), strings.Split(m.key, "."))
	case "headers":
		return matchHeaders(b.args, m.props.Headers)
	}
	return b.key == m.key
}

// matchTopic matches words: * stands for one, # for any number (section
// 3.1.3.3). It keeps, for each length of key, whether the pattern so far
// matches it, so that many # cost no more than one.
func matchTopic(pattern, key []string) bool {
	reach := make([]bool, len(key)+1)
	reach[0] = true
	for _, p := range pattern {
		if p == "#" {
			for i := 1; i <= len(key); i++ {
				reach[i] = reach[i] || reach[i-1]
			}
			continue
		}
		for i := len(key); i > 0; i-- {
			reach[i] = reach[i-1] && (p == "*" || p == key[i-1])
		}
		reach[0] = false
	}
	return reach[len(key)]
}

// matchHeaders holds a binding's arguments against a message's headers (section
// 3.1.3.4). Names that begin with x- count only with the -with-x kinds.
func matchHeaders(args, headers wire.Table) bool {
	mode := args.String("x-match")
	withX := strings.HasSuffix(mode, "-with-x")
	any := strings.HasPrefix(mode, "any")
	tried := 0
	for _, f := range args {
		if f.Name == "x-match" || strings.HasPrefix(f.Name, "x-") && !withX {
			continue
		}
		tried++
		v, ok := headers.Get(f.Name)
		ok = ok && (f.Value == nil || equalValues(f.Value, v))
		if ok && any {
			return true
		}
		if !ok && !any {
			return false
		}
	}
	return !any
}
