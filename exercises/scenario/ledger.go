package scenario

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"drainlab/exercises/event"
)

// You is the name under which the Director itself speaks and connects.
const You = "you"

// ledger is what a run's events add up to: what became of every message and
// request, and of every process. It is a fold: the same events make the same
// ledger.
type ledger struct {
	messages  map[string]*messageLife
	requests  map[string]*requestLife
	processes map[string]*processLife
	order     []string // processes, as they were started
	ready     int      // messages waiting in the exercise's queue
	unacked   int      // messages out with a process
	ackFailed []string
}

type messageLife struct {
	published   bool
	out         int  // deliveries not yet settled
	delivered   int  // deliveries to processes
	came        int  // times it came back after a delivery
	redelivered bool // was seen with the flag, or was requeued
	done        int
	acked       bool
	dead        bool
	dropped     bool
	left        bool
}

type requestLife struct {
	started  time.Duration
	accepted bool // it was written to a connection
	finished bool
	status   int
	ended    bool
	to       string
}

type processLife struct {
	started bool
	exited  bool
	code    int
	told    time.Duration // when it was first told to stop
	toldBy  string
	left    time.Duration
	expired bool
	grace   time.Duration
	phases  []phase
}

type phase struct {
	name string
	at   time.Duration
}

func newLedger(events []event.Event) *ledger {
	l := &ledger{messages: map[string]*messageLife{}, requests: map[string]*requestLife{}, processes: map[string]*processLife{}}
	for _, e := range events {
		l.add(e)
	}
	return l
}

func (l *ledger) message(id string) *messageLife {
	m := l.messages[id]
	if m == nil {
		m = &messageLife{}
		l.messages[id] = m
	}
	return m
}

func (l *ledger) request(id string) *requestLife {
	r := l.requests[id]
	if r == nil {
		r = &requestLife{}
		l.requests[id] = r
	}
	return r
}

func (l *ledger) process(name string) *processLife {
	p := l.processes[name]
	if p == nil {
		p = &processLife{}
		l.processes[name] = p
	}
	return p
}

func (l *ledger) add(e event.Event) {
	switch e.Kind {
	case event.ProcessStarted:
		l.process(e.From).started = true
		l.order = append(l.order, e.From)
	case event.ProcessExited:
		p := l.process(e.From)
		p.exited, p.left = true, e.At
		if e.Code != nil {
			p.code = *e.Code
		}
	case event.SignalSent:
		if p := l.process(e.Target); p.told == 0 {
			p.told, p.toldBy = e.At, e.Signal
		}
	case event.GraceBegun:
		l.process(e.Target).grace = e.Grace
	case event.GraceEnded:
		if e.Text == graceExpired {
			l.process(e.Target).expired = true
		}
	case event.PhaseReached:
		p := l.process(e.From)
		p.phases = append(p.phases, phase{e.Text, e.At})
	case event.WorkFinished:
		if e.Message != "" {
			l.message(e.Message).done++
		}
	case event.AckFailed:
		l.ackFailed = append(l.ackFailed, e.Message)
	case event.RequestStarted:
		r := l.request(e.Request)
		r.started, r.accepted, r.to = e.At, true, e.Peer
	case event.RequestFinished:
		r := l.request(e.Request)
		r.finished, r.ended, r.status = true, true, e.Status
	case event.RequestRefused, event.RequestReset:
		l.request(e.Request).ended = true
	default:
		l.addMessage(e)
	}
}

func (l *ledger) addMessage(e event.Event) {
	if e.Message == "" {
		return
	}
	m := l.message(e.Message)
	switch e.Kind {
	case event.MessagePublished:
		m.published = true
		l.ready++
	case event.MessageDelivered:
		l.ready--
		m.out++
		l.unacked++
		if e.Peer != You {
			m.delivered++
			m.redelivered = m.redelivered || e.Redelivered
		}
	case event.MessageAcked:
		l.settle(m)
		if e.Peer != You {
			m.acked = true
		}
	case event.MessageRequeued:
		l.settle(m)
		l.ready++
		m.came++
	case event.MessageDeadLetter:
		l.leave(m)
		m.dead = true
	case event.MessageDropped:
		l.leave(m)
		m.dropped = true
	case event.MessageLeft:
		m.left = true
		m.redelivered = m.redelivered || e.Redelivered
	}
}

func (l *ledger) settle(m *messageLife) {
	if m.out > 0 {
		m.out--
		l.unacked--
	}
}

// leave takes a message out of wherever it is: a process's hands, or the
// queue, where it expired or found no room.
func (l *ledger) leave(m *messageLife) {
	if m.out > 0 {
		l.settle(m)
		return
	}
	l.ready--
}

// settled says whether nothing is on its way any more.
func (l *ledger) settled() bool {
	for _, m := range l.messages {
		if m.published && !m.acked && !m.dead && !m.dropped && !m.left {
			return false
		}
	}
	for _, r := range l.requests {
		if r.accepted && !r.ended {
			return false
		}
	}
	return true
}

// begun says whether each request was written to a connection or has failed.
func (l *ledger) begun(ids []string) bool {
	for _, id := range ids {
		if r := l.requests[id]; r == nil || !r.accepted && !r.ended {
			return false
		}
	}
	return true
}

// first is the process that the scenario stops: the one started first.
func (l *ledger) first() (string, *processLife) {
	if len(l.order) == 0 {
		return "", &processLife{}
	}
	return l.order[0], l.process(l.order[0])
}

// which lists the published messages for which f holds, in numeric order.
func (l *ledger) which(f func(*messageLife) bool) []string {
	var ids []string
	for id, m := range l.messages {
		if m.published && f(m) {
			ids = append(ids, id)
		}
	}
	sortIDs(ids)
	return ids
}

func sortIDs(ids []string) {
	slices.SortFunc(ids, func(a, b string) int {
		x, errX := strconv.Atoi(a)
		y, errY := strconv.Atoi(b)
		if errX == nil && errY == nil {
			return cmp.Compare(x, y)
		}
		return cmp.Compare(a, b)
	})
}
