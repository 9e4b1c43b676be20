package scenario

import (
	"fmt"
	"regexp"
	"slices"

	"drainlab/exercises/event"
)

// marker turns log lines into the events that an exercise's marks make of them.
type marker struct {
	marks []Mark
	match []*regexp.Regexp
	http  bool // ids are requests, not messages
}

func newMarker(ex Exercise) (*marker, error) {
	m := &marker{marks: ex.Marks, http: !ex.needs("amqp")}
	for _, mark := range ex.Marks {
		re, err := regexp.Compile(mark.Match)
		if err != nil {
			return nil, fmt.Errorf("mark %s: %w", mark.Event, err)
		}
		m.match = append(m.match, re)
	}
	return m, nil
}

// derive returns what a log line means; nothing for any other event.
func (m *marker) derive(e event.Event) []event.Event {
	if e.Kind != event.LogLine {
		return nil
	}
	var out []event.Event
	for i, re := range m.match {
		groups := re.FindStringSubmatch(e.Text)
		if groups == nil {
			continue
		}
		d := event.Event{From: e.From, Kind: m.marks[i].Event}
		group := ""
		if len(groups) > 1 {
			group = groups[1]
		}
		switch d.Kind {
		case event.WorkStarted, event.WorkFinished, event.AckFailed:
			if m.http {
				d.Request = group
			} else {
				d.Message = group
			}
			if len(groups) > 2 {
				d.Text = groups[2]
			}
		case event.PhaseReached:
			d.Text = m.marks[i].Phase
		case event.ReadyChanged:
			d.Ready = event.Ptr(true)
		case event.SignalTaken:
			d.Signal = group
		}
		out = append(out, d)
	}
	return out
}

func (ex Exercise) needs(what string) bool {
	return slices.Contains(ex.Needs, what)
}
