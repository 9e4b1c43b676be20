package scenario

import (
	"fmt"
	"time"

	"drainlab/exercises/event"
)

// Do names what a step or a learner's action does.
type Do string

// What can be done. Those marked (a) can also be asked for by a learner, as
// POST /api/runs/{id}/actions.
const (
	// DoStart starts the program as Target and waits until it is ready.
	DoStart Do = "start"
	// DoPublish (a) publishes Count messages, each of which takes Work, or
	// sends Count requests at once when the exercise has HTTP and no AMQP.
	DoPublish Do = "publish"
	// DoHang (a) gives Count pieces of work that take an hour.
	DoHang Do = "hang"
	// DoConnect opens Count connections to Target and leaves them: silent
	// ones send nothing, idle ones have been answered once (Mode).
	DoConnect Do = "connect"
	// DoProbe makes Count requests one after another, on new connections
	// that close, to see whether Target still accepts.
	DoProbe Do = "probe"
	// DoAwait waits until the run's log holds Count events of Kind since
	// the scenario began (of From or Peer Target, when it is set), for at
	// most Within.
	DoAwait Do = "await"
	// DoSleep waits For.
	DoSleep Do = "sleep"
	// DoTerm (a) stops Target as the platform does: TERM, the grace period,
	// then KILL. It does not wait.
	DoTerm Do = "term"
	// DoInt (a) sends INT to Target, as Ctrl-C does: no grace period.
	DoInt Do = "int"
	// DoKill (a) sends KILL to Target.
	DoKill Do = "kill"
	// DoCut (a) resets Target's connections.
	DoCut Do = "cut"
	// DoExit waits until Target has exited, however long the grace period.
	DoExit Do = "exit"
	// DoRestart (a) starts the program once more, under the next name:
	// worker-1, worker-2 …
	DoRestart Do = "restart"
	// DoSettle waits until every message published was acked, dead-lettered or
	// dropped, and every request ended, for at most Within.
	DoSettle Do = "settle"
	// DoCollect takes what is left in the queue, and says so.
	DoCollect Do = "collect"
)

// Step is one step of a scenario, or one action of a learner.
type Step struct {
	Do     Do            `json:"do"`
	Target string        `json:"target,omitempty"` // a process; "" is the newest
	Count  int           `json:"count,omitempty"`
	Work   time.Duration `json:"work,omitempty"`
	For    time.Duration `json:"for,omitempty"`
	Within time.Duration `json:"within,omitempty"`
	Mode   string        `json:"mode,omitempty"` // of connect: "silent", "idle"
	Kind   event.Kind    `json:"kind,omitempty"` // of await
}

// signals says whether the step is done to a process that must be running.
func (s Step) signals() bool {
	switch s.Do {
	case DoTerm, DoInt, DoKill, DoCut:
		return true
	}
	return false
}

// String is the step as a person would say it: "publish 12 (600ms each)".
func (s Step) String() string {
	out := string(s.Do)
	switch {
	case s.Do == DoAwait && s.Kind != "":
		out += fmt.Sprintf(" %s × %d", s.Kind, max(s.Count, 1))
	case s.Do == DoSleep:
		out += " " + s.For.String()
	case s.Count > 0:
		out += fmt.Sprintf(" %d", s.Count)
	}
	if s.Mode != "" {
		out += " " + s.Mode
	}
	if s.Target != "" {
		out += " " + s.Target
	}
	if s.Work > 0 {
		out += fmt.Sprintf(" (%s each)", s.Work)
	}
	return out
}

// Check is one thing that must hold at the end.
type Check struct {
	Name CheckName `json:"name"`
	// Min and Max bound what is counted; exit compares with Min.
	Min int `json:"min"`
	Max int `json:"max"`
	// Phases is the order that the check order wants.
	Phases []string `json:"phases,omitempty"`
}

// CheckName names a check.
type CheckName string

// The checks, each read from events alone. Where they speak of a process they
// mean the first one, which the scenario stops.
const (
	// CheckExit: the exit code is Min.
	CheckExit CheckName = "exit"
	// CheckWithinGrace: the process left before the platform killed it.
	CheckWithinGrace CheckName = "within-grace"
	// CheckLost: between Min and Max messages were published and are neither
	// done, nor in the queue, nor dead-lettered.
	CheckLost CheckName = "lost"
	// CheckRedelivered: how many messages came back after a delivery.
	CheckRedelivered CheckName = "redelivered"
	// CheckDuplicates: how many were done and came back all the same.
	CheckDuplicates CheckName = "duplicates"
	// CheckDeadLettered: how many went to the dead-letter queue.
	CheckDeadLettered CheckName = "dead-lettered"
	// CheckAckErrors: how many acks failed.
	CheckAckErrors CheckName = "ack-errors"
	// CheckOrder: the process reached Phases, all, in this order.
	CheckOrder CheckName = "order"
	// CheckUnanswered: requests that were accepted and not answered whole
	// with a status below 500.
	CheckUnanswered CheckName = "unanswered"
	// CheckPlayed: all steps could be done. It is in a verdict only when one
	// could not.
	CheckPlayed CheckName = "played"
	// CheckAccepted: requests accepted after the process reached the
	// phase in Phases[0], in which it says that it stops listening.
	CheckAccepted CheckName = "accepted-after-close"
)

// Result is what a check found.
type Result struct {
	Check    CheckName `json:"check"`
	Pass     bool      `json:"pass"`
	Want     string    `json:"want"`
	Got      string    `json:"got"`
	Detail   string    `json:"detail"`    // a sentence, in English
	DetailRu string    `json:"detail_ru"` // and in Russian
	Messages []string  `json:"messages,omitempty"`
}

// Verdict is the result of a scenario that was played to its end.
type Verdict struct {
	Scenario string   `json:"scenario"`
	Pass     bool     `json:"pass"`
	Checks   []Result `json:"checks"`
}
