package broker

import (
	"container/heap"
	"time"
)

// timer is one thing that the owner will do at a time of its own. index is its
// place in the heap, -1 when it is not set.
type timer struct {
	at    time.Time
	seq   uint64
	do    func()
	index int
}

// timers are all of the owner's; it waits for the earliest only. Timers of the
// same instant fire in the order in which they were set.
type timers struct {
	heap []*timer
	seq  uint64
}

func newTimer(do func()) *timer { return &timer{do: do, index: -1} }

func (ts *timers) set(t *timer, at time.Time) {
	ts.seq++
	t.at, t.seq = at, ts.seq
	if t.index >= 0 {
		heap.Fix(ts, t.index)
	} else {
		heap.Push(ts, t)
	}
}

func (ts *timers) stop(t *timer) {
	if t.index >= 0 {
		heap.Remove(ts, t.index)
	}
}

// next is when the earliest is due.
func (ts *timers) next() (time.Time, bool) {
	if len(ts.heap) == 0 {
		return time.Time{}, false
	}
	return ts.heap[0].at, true
}

// due takes out the earliest when it is due at now, or returns nil.
func (ts *timers) due(now time.Time) *timer {
	if len(ts.heap) == 0 || ts.heap[0].at.After(now) {
		return nil
	}
	return heap.Pop(ts).(*timer)
}

// Len, Less, Swap, Push and Pop are heap.Interface.
func (ts *timers) Len() int { return len(ts.heap) }

func (ts *timers) Less(i, j int) bool {
	a, b := ts.heap[i], ts.heap[j]
	if !a.at.Equal(b.at) {
		return a.at.Before(b.at)
	}
	return a.seq < b.seq
}

func (ts *timers) Swap(i, j int) {
	ts.heap[i], ts.heap[j] = ts.heap[j], ts.heap[i]
	ts.heap[i].index, ts.heap[j].index = i, j
}

func (ts *timers) Push(x any) {
	t := x.(*timer)
	t.index = len(ts.heap)
	ts.heap = append(ts.heap, t)
}

func (ts *timers) Pop() any {
	n := len(ts.heap) - 1
	t := ts.heap[n]
	ts.heap[n] = nil
	ts.heap = ts.heap[:n]
	t.index = -1
	return t
}
