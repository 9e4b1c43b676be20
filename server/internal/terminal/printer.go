// Package terminal prints a run for a person who reads it in a terminal: a
// line an event, then a line a check. It knows events and verdicts only.
package terminal

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"drainlab/exercises/event"
	"drainlab/exercises/scenario"
)

// Printer writes events to w as they come. JSON makes it write each as one
// JSON object a line instead. The first error of w is kept in Err, and
// nothing is written after it.
type Printer struct {
	W    io.Writer
	JSON bool
	Err  error

	began time.Duration // when the grace period began
}

func (p *Printer) printf(format string, args ...any) {
	if p.Err == nil {
		_, p.Err = fmt.Fprintf(p.W, format, args...)
	}
}

// Title begins the output of one scenario.
func (p *Printer) Title(exercise, program, sc, broker string) {
	if p.JSON {
		return
	}
	p.printf("\n%s/%s · %s", exercise, program, sc)
	if broker != "" {
		p.printf(" · broker: %s", broker)
	}
	p.printf("\n\n")
}

// Event prints one event; some say nothing to a person and are left out.
func (p *Printer) Event(e event.Event) {
	if p.JSON {
		line, err := json.Marshal(e)
		if err != nil {
			p.Err = err
			return
		}
		p.printf("%s\n", line)
		return
	}
	if e.Kind == event.GraceBegun {
		p.began = e.At
	}
	text := p.say(e)
	if text == "" {
		return
	}
	p.printf("%9.3f  %-10s %s\n", e.At.Seconds(), e.From, text)
}

func (p *Printer) say(e event.Event) string {
	about := ""
	if e.Peer != "" {
		about = " → " + e.Peer
	}
	back := ""
	if e.Redelivered {
		back = " (redelivered)"
	}
	switch e.Kind {
	case event.ProcessStarted:
		return fmt.Sprintf("started, pid %d", e.Pid)
	case event.ProcessExited:
		if e.Signal != "" {
			return fmt.Sprintf("■ exit %d, ended by %s", *e.Code, e.Signal)
		}
		return fmt.Sprintf("■ exit %d", *e.Code)
	case event.LogLine:
		return "│ " + e.Text
	case event.SignalSent:
		return "▲ " + e.Signal + " → " + e.Target
	case event.GraceBegun:
		return fmt.Sprintf("grace period of %s begins for %s", e.Grace, e.Target)
	case event.GraceEnded:
		return fmt.Sprintf("grace period: %s after %.1f s", e.Text, (e.At - p.began).Seconds())
	case event.ConnOpened:
		return "connection of " + e.Peer
	case event.ConnClosed:
		return "connection of " + e.Peer + " closed"
	case event.ConnReset:
		return "connection of " + e.Peer + " lost"
	case event.ChannelClosed:
		if e.Code != nil && *e.Code != 0 {
			return fmt.Sprintf("channel of %s closed: %d %s", e.Peer, *e.Code, e.Text)
		}
		return "channel of " + e.Peer + " closed"
	case event.ConsumerRegistered:
		return "subscription of " + e.Peer
	case event.ConsumerCancelled:
		return "subscription of " + e.Peer + " cancelled"
	case event.MessagePublished:
		return "message " + e.Message + " published"
	case event.MessageDelivered:
		return "message " + e.Message + about + back
	case event.MessageAcked:
		return "✓ message " + e.Message + " acked by " + e.Peer
	case event.MessageRequeued:
		return "↩ message " + e.Message + " requeued"
	case event.MessageDeadLetter:
		return "✗ message " + e.Message + " dead-lettered"
	case event.MessageDropped:
		return "✗ message " + e.Message + " dropped"
	case event.MessageLeft:
		return "message " + e.Message + " is left in the queue" + back
	case event.RequestStarted:
		return "request " + e.Request + about + ": " + e.Text
	case event.RequestFinished:
		if e.Status >= 500 {
			return fmt.Sprintf("✗ request %s: %d", e.Request, e.Status)
		}
		return fmt.Sprintf("✓ request %s: %d", e.Request, e.Status)
	case event.RequestRefused:
		return "✗ request " + e.Request + " refused: " + e.Text
	case event.RequestReset:
		return "✗ request " + e.Request + " cut off: " + e.Text
	case event.StepBegun:
		return "▸ " + e.Text
	case event.RunLimited, event.RunFailed, event.LogDropped:
		return "✗ " + e.Text
	}
	return ""
}

// Verdict prints what each check found.
func (p *Printer) Verdict(v scenario.Verdict) {
	if p.JSON {
		return
	}
	p.printf("\n")
	for _, r := range v.Checks {
		mark := "✓"
		if !r.Pass {
			mark = "✗"
		}
		p.printf("  %s %-22s %s\n", mark, r.Check, r.Detail)
	}
}

// Summary ends the output: how many scenarios passed.
func (p *Printer) Summary(verdicts []scenario.Verdict) {
	if p.JSON {
		return
	}
	var failed []string
	for _, v := range verdicts {
		if !v.Pass {
			failed = append(failed, v.Scenario)
		}
	}
	if len(failed) == 0 {
		p.printf("\nall %d scenarios pass\n", len(verdicts))
		return
	}
	p.printf("\n%d of %d scenarios fail: %s\n", len(failed), len(verdicts), strings.Join(failed, ", "))
}
