package event

import (
	"errors"
	"sync"
	"time"
)

// ErrLogFull is returned by Append when a log holds as many events as it may.
var ErrLogFull = errors.New("event log is full")

// ErrLogClosed is returned by Append after Finish.
var ErrLogClosed = errors.New("event log is closed")

// Log is the record of one run: events in order, numbered from 1, and a way
// to wait for the next. It is safe for use by several goroutines. It starts
// none.
//
// Invariant: events[i].Seq == i+1, and At never goes back.
type Log struct {
	mu     sync.Mutex
	now    func() time.Duration
	limit  int
	derive func(Event) []Event
	events []Event
	more   chan struct{} // closed and replaced at each append
	closed bool
}

// NewLog makes an empty log whose clock is now, the time since the run began.
// It keeps at most limit events; 0 is no limit.
func NewLog(now func() time.Duration, limit int) *Log {
	return &Log{now: now, limit: limit, more: make(chan struct{})}
}

// Derive has f called with each event as it is kept; what f returns is kept
// right behind it, at the same time. It is how a line of output becomes
// "work.started". f must be quick and must not use the log.
func (l *Log) Derive(f func(Event) []Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.derive = f
}

// Append stamps e with the next number and, when e.At is zero, the clock's
// time, and keeps it. It returns the event as kept.
func (l *Log) Append(e Event) (Event, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return Event{}, ErrLogClosed
	}
	if l.limit > 0 && len(l.events) >= l.limit {
		return Event{}, ErrLogFull
	}
	if e.At == 0 {
		e.At = l.now()
	}
	if n := len(l.events); n > 0 && e.At < l.events[n-1].At {
		e.At = l.events[n-1].At
	}
	e.Seq = uint64(len(l.events)) + 1
	l.events = append(l.events, e)
	if l.derive != nil {
		for _, d := range l.derive(e) {
			d.Seq, d.At = uint64(len(l.events))+1, e.At
			l.events = append(l.events, d)
		}
	}
	close(l.more)
	l.more = make(chan struct{})
	return e, nil
}

// After returns the events numbered above seq, whether the log is closed, and
// a channel that is closed when there is more to see: another event, or the
// log's end. The slice is shared and must not be changed.
func (l *Log) After(seq uint64) (events []Event, more <-chan struct{}, closed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := min(seq, uint64(len(l.events)))
	return l.events[n:len(l.events):len(l.events)], l.more, l.closed
}

// Finish adds the last events, past the limit if need be, and ends the log:
// what is kept stays readable, nothing is added. Only the first call counts.
func (l *Log) Finish(last ...Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	for _, e := range last {
		e.Seq, e.At = uint64(len(l.events))+1, l.now()
		if n := len(l.events); n > 0 {
			e.At = max(e.At, l.events[n-1].At)
		}
		l.events = append(l.events, e)
	}
	l.closed = true
	close(l.more)
}
