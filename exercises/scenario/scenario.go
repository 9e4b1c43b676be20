// Package scenario holds what an exercise plays, its steps, and how it is
// judged, its checks. A Director plays steps on a Machine, of which there are
// two kinds: real processes (server/internal/lab) and the simulated machine.
// The steps, the checks and this code are the same on both. A check reads the
// run's events and nothing else.
package scenario

import (
	"context"
	"time"

	"drainlab/exercises/event"
)

// Signal is a signal by its POSIX name, without SIG.
type Signal string

// The signals that a scenario or a learner can send.
const (
	TERM Signal = "TERM"
	INT  Signal = "INT"
	HUP  Signal = "HUP"
	KILL Signal = "KILL"
)

// Machine is where programs run. Its methods are called by one Director, from
// several goroutines.
type Machine interface {
	// Start starts the program under test as the process name, which is free
	// or has exited, and returns once it runs. The machine gives it its
	// addresses in the environment and appends its events to the run's log:
	// process.started, log, process.exited (exactly one, the last of the
	// process), and those of its connections to the broker.
	Start(ctx context.Context, name string) error
	// Signal sends a signal to a running process, and appends signal.sent
	// with the sender in From.
	Signal(name string, s Signal, from string) error
	// Exited is closed once the process name has exited and its event is in
	// the log; nil when no such process was started.
	Exited(name string) <-chan struct{}
	// Cut resets every connection between the process and the broker, and
	// returns how many there were. Connections of HTTP clients are cut by the
	// Director, which is their client.
	Cut(name string) (int, error)
	// Broker is the AMQP URL at which the Director itself reaches the broker,
	// "" when the exercise needs none. Queue is the real name of the
	// exercise's queue: it carries the run's prefix on a shared broker.
	Broker() string
	Queue(name string) string
	// Addr is the host:port at which the process listens for HTTP, "" when
	// the exercise has no HTTP.
	Addr(name string) string
}

// Platform is who stops the program: its grace period between TERM and KILL.
type Platform struct {
	Preset string        `json:"preset" yaml:"preset"`
	Grace  time.Duration `json:"grace" yaml:"grace"`
}

// Exercise is what a scenario needs to know of its exercise.
type Exercise struct {
	Slug  string   `json:"slug"`
	Needs []string `json:"needs"` // "amqp", "http"
	Queue string   `json:"queue"` // the queue that publish fills, "" without amqp
	Marks []Mark   `json:"marks"`
}

// Mark turns a line of a program's output into an event: what a program says
// of itself in its log, as programs do at work.
type Mark struct {
	// Event is the kind made of the line: signal.taken, work.started,
	// work.finished, phase.reached, ack.failed, ready.changed.
	Event event.Kind `json:"event"`
	// Match is a regular expression over the line. Its first group, if any,
	// is the message's or request's id, or the reason.
	Match string `json:"match"`
	// Phase is the phase's name, for phase.reached.
	Phase string `json:"phase,omitempty"`
}

// Scenario is one play: steps, then checks.
type Scenario struct {
	Name     string   `json:"name"`
	Title    Text     `json:"title"`
	Platform Platform `json:"platform"`
	Steps    []Step   `json:"steps"`
	Checks   []Check  `json:"checks"`
}

// Text is a short text in both languages of the course.
type Text struct {
	En string `json:"en" yaml:"en"`
	Ru string `json:"ru" yaml:"ru"`
}
