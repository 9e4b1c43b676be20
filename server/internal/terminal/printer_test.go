package terminal

import (
	"errors"
	"strings"
	"testing"
	"time"

	"drainlab/exercises/event"
	"drainlab/exercises/scenario"
)

func TestPrinter(t *testing.T) {
	var out strings.Builder
	p := &Printer{W: &out}
	p.Title("consumer", "solution", "term", "embedded")
	for _, e := range []event.Event{
		{At: 5 * time.Millisecond, From: "worker-1", Kind: event.ProcessStarted, Pid: 7},
		{At: time.Second, From: "platform", Kind: event.GraceBegun, Target: "worker-1", Grace: 10 * time.Second},
		{At: time.Second, From: "platform", Kind: event.SignalSent, Signal: "TERM", Target: "worker-1"},
		{At: 2 * time.Second, From: "worker-1", Kind: event.PhaseReached, Text: "drained"}, // its log line says it already
		{At: 3 * time.Second, From: "broker", Kind: event.MessageDelivered, Message: "4", Peer: "worker-2", Redelivered: true},
		{At: 3 * time.Second, From: "client", Kind: event.RequestFinished, Request: "1", Status: 200},
		{At: 3 * time.Second, From: "client", Kind: event.RequestFinished, Request: "2", Status: 500},
		{At: 4 * time.Second, From: "worker-1", Kind: event.ProcessExited, Code: event.Ptr(137), Signal: "KILL"},
		{At: 4 * time.Second, From: "platform", Kind: event.GraceEnded, Target: "worker-1", Text: "exited"},
	} {
		p.Event(e)
	}
	v := scenario.Verdict{Scenario: "term", Checks: []scenario.Result{{Check: "exit", Pass: true, Detail: "fine"}, {Check: "lost", Detail: "one"}}}
	p.Verdict(v)
	p.Summary([]scenario.Verdict{v})
	want := `
consumer/solution · term · broker: embedded

    0.005  worker-1   started, pid 7
    1.000  platform   grace period of 10s begins for worker-1
    1.000  platform   ▲ TERM → worker-1
    3.000  broker     message 4 → worker-2 (redelivered)
    3.000  client     ✓ request 1: 200
    3.000  client     ✗ request 2: 500
    4.000  worker-1   ■ exit 137, ended by KILL
    4.000  platform   grace period: exited after 3.0 s

  ✓ exit                   fine
  ✗ lost                   one

1 of 1 scenarios fail: term
`
	if got := out.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if p.Err != nil {
		t.Error(p.Err)
	}
}

type broken struct{ writes int }

func (b *broken) Write([]byte) (int, error) { b.writes++; return 0, errors.New("pipe closed") }

func TestPrinterStopsAtABrokenPipe(t *testing.T) {
	b := &broken{}
	p := &Printer{W: b, JSON: true}
	for range 3 {
		p.Event(event.Event{Kind: event.LogLine})
	}
	if p.Err == nil || b.writes != 1 {
		t.Errorf("err %v after %d writes", p.Err, b.writes)
	}
}
