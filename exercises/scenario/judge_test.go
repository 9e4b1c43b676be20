package scenario

import (
	"testing"
	"time"

	"drainlab/exercises/event"
)

// story builds a run's events the way a machine would log them.
type story struct {
	log *event.Log
	now time.Duration
}

func newStory() *story {
	s := &story{}
	s.log = event.NewLog(func() time.Duration { return s.now }, 0)
	return s
}

func (s *story) add(events ...event.Event) *story {
	for _, e := range events {
		s.now += 10 * time.Millisecond
		s.log.Append(e)
	}
	return s
}

func (s *story) events() []event.Event {
	ev, _, _ := s.log.After(0)
	return ev
}

func published(id string) event.Event {
	return event.Event{From: "broker", Kind: event.MessagePublished, Message: id, Peer: You}
}
func delivered(id, peer string, again bool) event.Event {
	return event.Event{From: "broker", Kind: event.MessageDelivered, Message: id, Peer: peer, Redelivered: again}
}
func acked(id, peer string) event.Event {
	return event.Event{From: "broker", Kind: event.MessageAcked, Message: id, Peer: peer}
}
func requeued(id, peer string) event.Event {
	return event.Event{From: "broker", Kind: event.MessageRequeued, Message: id, Peer: peer}
}
func done(id, peer string) event.Event {
	return event.Event{From: peer, Kind: event.WorkFinished, Message: id}
}
func exited(name string, code int) event.Event {
	return event.Event{From: name, Kind: event.ProcessExited, Code: event.Ptr(code)}
}
func started(name string) event.Event { return event.Event{From: name, Kind: event.ProcessStarted} }
func reached(name, phase string) event.Event {
	return event.Event{From: name, Kind: event.PhaseReached, Text: phase}
}
func told(name string) event.Event {
	return event.Event{From: "platform", Kind: event.SignalSent, Signal: "TERM", Target: name}
}

func TestJudgeMessages(t *testing.T) {
	const w1, w2 = "worker-1", "worker-2"
	tests := []struct {
		name   string
		events []event.Event
		check  CheckName
		want   int // how many
		ids    string
		detail string
	}{
		{"acked and never done is lost", []event.Event{published("1"), delivered("1", w1, false), acked("1", w1)},
			CheckLost, 1, "1", "1 message was lost: acked or dropped, and never done (1); expected 0"},
		{"requeued is not lost", []event.Event{published("1"), delivered("1", w1, false), requeued("1", w1)}, CheckLost, 0, "", "no message was lost"},
		{"dropped is lost", []event.Event{published("1"), delivered("1", w1, false), {Kind: event.MessageDropped, Message: "1"}}, CheckLost, 1, "1", ""},
		{"dead-lettered is counted as that", []event.Event{published("1"), delivered("1", w1, false), {Kind: event.MessageDeadLetter, Message: "1"}}, CheckLost, 0, "", ""},
		{"dead-lettered", []event.Event{published("1"), delivered("1", w1, false), {Kind: event.MessageDeadLetter, Message: "1"}}, CheckDeadLettered, 1, "1", ""},
		{"done twice", []event.Event{published("7"), delivered("7", w1, false), done("7", w1), requeued("7", w1), delivered("7", w2, true), done("7", w2), acked("7", w2)},
			CheckDuplicates, 1, "7", "1 message was finished and came again (7); expected 0"},
		{"done and left", []event.Event{published("7"), delivered("7", w1, false), done("7", w1), requeued("7", w1), {From: You, Kind: event.MessageLeft, Message: "7", Redelivered: true}}, CheckDuplicates, 1, "7", ""},
		{"came back untouched", []event.Event{published("9"), published("10"), delivered("9", w1, false), delivered("10", w1, false), requeued("9", w1), requeued("10", w1), delivered("9", w2, true), delivered("10", w2, true)},
			CheckRedelivered, 2, "9, 10", "2 messages came back after a delivery (9, 10); expected 0"},
		{"the Director's own get does not count as a redelivery", []event.Event{published("9"), delivered("9", You, false), acked("9", You), {From: You, Kind: event.MessageLeft, Message: "9"}}, CheckRedelivered, 0, "", ""},
		{"an ack that failed", []event.Event{{From: w1, Kind: event.AckFailed, Message: "3"}}, CheckAckErrors, 1, "3", "1 ack failed (3); expected 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := Judge(Scenario{Checks: []Check{{Name: tt.check}}}, newStory().add(started(w1)).add(tt.events...).events())
			r := v.Checks[0]
			if got := len(r.Messages); got != tt.want || r.Pass != (tt.want == 0) || v.Pass != r.Pass {
				t.Errorf("found %v, pass %v; want %d (%s)", r.Messages, r.Pass, tt.want, tt.ids)
			}
			if tt.detail != "" && r.Detail != tt.detail {
				t.Errorf("detail %q\n  want %q", r.Detail, tt.detail)
			}
		})
	}
}

func TestJudgeBounds(t *testing.T) {
	ev := newStory().add(started("w"), published("1"), delivered("1", "w", true)).events()
	for _, tt := range []struct {
		min, max int
		pass     bool
		want     string
	}{{0, 0, false, "0"}, {1, 1, true, "1"}, {1, 3, true, "1–3"}, {2, 3, false, "2–3"}} {
		r := Judge(Scenario{Checks: []Check{{Name: CheckRedelivered, Min: tt.min, Max: tt.max}}}, ev).Checks[0]
		if r.Pass != tt.pass || r.Want != tt.want {
			t.Errorf("[%d, %d]: pass %v want %q; expected %v %q", tt.min, tt.max, r.Pass, r.Want, tt.pass, tt.want)
		}
	}
}

func TestJudgeProcess(t *testing.T) {
	order := []string{"stopping", "drained", "closed"}
	sc := Scenario{Checks: []Check{{Name: CheckExit}, {Name: CheckWithinGrace}, {Name: CheckOrder, Phases: order}}}
	grace := event.Event{From: "platform", Kind: event.GraceBegun, Target: "w", Grace: 10 * time.Second}
	tests := []struct {
		name   string
		events []event.Event
		pass   [3]bool
		detail [3]string
	}{
		{"in order", []event.Event{started("w"), grace, told("w"), reached("w", "stopping"), reached("w", "drained"), reached("w", "closed"), exited("w", 0), started("v"), exited("v", 1)},
			[3]bool{true, true, true}, [3]string{"w exited with 0", "w stopped in 0.0 s of 10.0 s", "w: stopping → drained → closed"}},
		{"killed", []event.Event{started("w"), grace, told("w"), {From: "platform", Kind: event.GraceEnded, Target: "w", Text: graceExpired}, exited("w", 137)},
			[3]bool{}, [3]string{"w exited with 137 (ended by KILL); expected 0", "w was still running when its 10.0 s ended, and was killed", "w never reached stopping, drained, closed; expected stopping → drained → closed"}},
		{"wrong order", []event.Event{started("w"), grace, told("w"), reached("w", "stopping"), reached("w", "closed"), reached("w", "drained"), exited("w", 0)},
			[3]bool{true, true, false}, [3]string{"", "", "w went stopping → closed → drained; expected stopping → drained → closed"}},
		{"never told, never left", []event.Event{started("w")},
			[3]bool{}, [3]string{"w did not exit", "w was never told to stop", ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for i, r := range Judge(sc, newStory().add(tt.events...).events()).Checks {
				if r.Pass != tt.pass[i] || tt.detail[i] != "" && r.Detail != tt.detail[i] {
					t.Errorf("%s: pass %v, %q; want %v, %q", r.Check, r.Pass, r.Detail, tt.pass[i], tt.detail[i])
				}
			}
		})
	}
}

func TestJudgeRequests(t *testing.T) {
	ask := func(id string) event.Event {
		return event.Event{From: "client", Kind: event.RequestStarted, Request: id, Peer: "s"}
	}
	answer := func(id string, status int) event.Event {
		return event.Event{From: "client", Kind: event.RequestFinished, Request: id, Status: status}
	}
	s := newStory().add(started("s"), ask("1"), ask("2"), ask("3"), ask("4"), answer("1", 200), answer("2", 503),
		event.Event{From: "client", Kind: event.RequestReset, Request: "3"},
		event.Event{From: "client", Kind: event.RequestRefused, Request: "5"})
	r := Judge(Scenario{Checks: []Check{{Name: CheckUnanswered}}}, s.events()).Checks[0]
	if r.Detail != "3 accepted requests were cut off or failed (2, 3, 4); expected 0" {
		t.Errorf("unanswered: %q", r.Detail)
	}
	s.add(reached("s", "stopping"), ask("6"))
	s.now += time.Second
	s.add(ask("7"))
	r = Judge(Scenario{Checks: []Check{{Name: CheckAccepted, Phases: []string{"stopping"}}}}, s.events()).Checks[0]
	if r.Detail != "1 request was accepted after the process said that it stops (7); expected 0" {
		t.Errorf("accepted: %q", r.Detail)
	}
}

func TestLedgerCountsWhatIsInTheQueue(t *testing.T) {
	const w = "worker-1"
	for _, tt := range []struct {
		name           string
		events         []event.Event
		ready, unacked int
	}{
		{"published", []event.Event{published("1"), published("2")}, 2, 0},
		{"delivered", []event.Event{published("1"), published("2"), delivered("1", w, false)}, 1, 1},
		{"requeued", []event.Event{published("1"), delivered("1", w, false), requeued("1", w)}, 1, 0},
		{"dead-lettered by a process", []event.Event{published("1"), delivered("1", w, false), {Kind: event.MessageDeadLetter, Message: "1"}}, 0, 0},
		{"expired in the queue", []event.Event{published("1"), {Kind: event.MessageDeadLetter, Message: "1"}}, 0, 0},
		{"dropped, for no queue had it", []event.Event{published("1"), {Kind: event.MessageDropped, Message: "1"}}, 0, 0},
	} {
		l := newLedger(newStory().add(started(w)).add(tt.events...).events())
		if l.ready != tt.ready || l.unacked != tt.unacked {
			t.Errorf("%s: %d ready, %d unacked; want %d, %d", tt.name, l.ready, l.unacked, tt.ready, tt.unacked)
		}
	}
}

func TestRussianCounts(t *testing.T) {
	s := saying{ru1: "one", ru2: "few", ru5: "many"}
	for n, want := range map[int]string{1: "one", 2: "few", 4: "few", 5: "many", 11: "many", 12: "many", 14: "many", 21: "one", 22: "few", 111: "many"} {
		if got := russian(n, s); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
