package broker

import (
	"cmp"
	"slices"
	"strconv"

	"drainlab/server/broker/wire"
)

func itoa(n int) string { return strconv.Itoa(n) }

// vhost is a namespace of queues and exchanges. Any name is a vhost: it is
// there from the first connection to it, and goes with the last unless
// something was left in it.
type vhost struct {
	core        *core
	name        string
	connections int
	queues      map[string]*queue
	exchanges   map[string]*exchange
}

func (c *core) vhost(name string) (*vhost, *wire.Error) {
	if v := c.vhosts[name]; v != nil {
		return v, nil
	}
	if len(c.vhosts) >= c.opt.Limits.VHosts {
		return nil, wire.Errorf(wire.NotAllowed, "access to vhost '%s' refused: the limit of %d vhosts is reached", name, c.opt.Limits.VHosts)
	}
	v := &vhost{core: c, name: name, queues: map[string]*queue{}, exchanges: map[string]*exchange{}}
	for _, x := range predeclared() {
		v.exchanges[x.name] = &exchange{vhost: v, name: x.name, kind: x.kind, durable: true}
	}
	c.vhosts[name] = v
	return v, nil
}

// connectionGone deletes the exclusive queues of s, and the vhost when it is
// of no more use.
func (v *vhost) connectionGone(s *session) {
	var own []*queue
	for _, q := range v.queues {
		if q.owner == s {
			own = append(own, q)
		}
	}
	slices.SortFunc(own, func(a, b *queue) int { return cmp.Compare(a.number, b.number) })
	for _, q := range own {
		q.delete("exclusive queue's connection ended")
	}
	v.connections--
	if v.connections == 0 && len(v.queues) == 0 && len(v.exchanges) == len(predeclared()) {
		delete(v.core.vhosts, v.name)
	}
}

// queue finds a queue that s may use, for passive operations and the like.
func (v *vhost) queue(s *session, name string) (*queue, *wire.Error) {
	q := v.queues[name]
	if q == nil {
		return nil, wire.Errorf(wire.NotFound, "no queue '%s' in vhost '%s'", name, v.name)
	}
	if q.owner != nil && q.owner != s {
		return nil, q.locked()
	}
	return q, nil
}

func (v *vhost) exchange(name string) (*exchange, *wire.Error) {
	x := v.exchanges[name]
	if x == nil {
		return nil, wire.Errorf(wire.NotFound, "no exchange '%s' in vhost '%s'", name, v.name)
	}
	return x, nil
}
