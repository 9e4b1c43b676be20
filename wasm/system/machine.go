//go:build js && wasm

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"syscall"
	"syscall/js"
	"time"

	"drainlab/exercises/event"
	"drainlab/exercises/scenario"
)

const (
	brokerName = "broker"
	httpPort   = "8080"
	// What a run may make, as on the real machine.
	maxOutput = 1 << 20 // bytes, of all programs together
	maxLine   = 8 << 10 // bytes of a line that are kept
	maxEvents = 20_000
	// stopWithin is how long a program has to leave when the run is over.
	stopWithin = 3 * time.Second
)

// The machine's signals have the numbers that they have on Linux.
const sigKill = 9

var signals = map[scenario.Signal]int{
	scenario.HUP:  1,
	scenario.INT:  2,
	scenario.KILL: sigKill,
	scenario.TERM: 15,
}

// machine is the scenario.Machine of which this process is a part: its other
// processes are started, signalled and watched through the host.
type machine struct {
	host js.Value
	play play
	log  *event.Log
	post func(text string) // what the host sends
	end  func(error)       // ends the run

	brokerListens chan struct{}
	brokerGone    chan struct{}

	mu    sync.Mutex
	procs map[string]*member
	order []*member
	said  map[string][]byte // output that is no whole line yet, by process and stream
	wrote int
	over  bool // a limit was reached: what the programs do is not kept any more
}

// limitError ends a run that has made too much of something. Its programs are
// not asked to leave first.
type limitError struct{ text string }

func (e *limitError) Error() string { return e.text }

type member struct {
	name   string
	exited chan struct{} // closed once its event is in the log
}

// spec is the host's Spec.
type spec struct {
	Name    string            `json:"name"`
	Program string            `json:"program"`
	Argv    []string          `json:"argv"`
	Env     map[string]string `json:"env,omitempty"`
}

func newMachine(p play, log *event.Log, post func(string), end func(error)) *machine {
	m := &machine{host: js.Global().Get("machine"), play: p, log: log, post: post, end: end,
		brokerListens: make(chan struct{}), brokerGone: make(chan struct{}),
		procs: map[string]*member{}, said: map[string][]byte{}}
	m.host.Call("onMessage", js.FuncOf(func(js.Value, []js.Value) any {
		for {
			msg := m.host.Call("next")
			if msg.IsNull() {
				return nil
			}
			m.take(msg)
		}
	}))
	return m
}

// keep appends what programs and broker did, up to the limit.
func (m *machine) keep(e event.Event) {
	m.mu.Lock()
	over := m.over
	m.mu.Unlock()
	if over {
		return
	}
	if kept, err := m.log.Append(e); err == nil && kept.Seq >= maxEvents {
		m.exceed(fmt.Sprintf("the run has made %d events, and may not make more", maxEvents))
	}
}

// keepAlways appends what must be known of a process or a run, limit or no.
func (m *machine) keepAlways(e event.Event) { _, _ = m.log.Append(e) }

func (m *machine) exceed(text string) {
	m.mu.Lock()
	m.over = true
	m.mu.Unlock()
	m.end(&limitError{text})
}

func (m *machine) needs(what string) bool { return slices.Contains(m.play.Exercise.Needs, what) }

func (m *machine) spawn(s spec) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	m.host.Call("spawn", string(text))
	return nil
}

// begin starts what the exercise needs beside its program.
func (m *machine) begin(ctx context.Context) error {
	if !m.needs("amqp") {
		return nil
	}
	if err := m.spawn(spec{Name: brokerName, Program: "system", Argv: []string{"system", "broker"}}); err != nil {
		return err
	}
	select {
	case <-m.brokerListens:
		return nil
	case <-m.brokerGone:
		return errors.New("the broker did not start")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// take handles one message of the host.
func (m *machine) take(msg js.Value) {
	switch kind := msg.Get("kind").String(); kind {
	case "output":
		b := make([]byte, msg.Get("bytes").Length())
		js.CopyBytesToGo(b, msg.Get("bytes"))
		m.output(msg.Get("name").String(), msg.Get("fd").Int(), b)
	case "exit":
		m.gone(msg.Get("name").String(), msg.Get("code").Int(), msg.Get("signal").Int(), msg.Get("reason").String())
	case "post":
		m.post(msg.Get("text").String())
	}
}

func (m *machine) output(name string, fd int, b []byte) {
	stream := "stdout"
	if fd == 2 {
		stream = "stderr"
	}
	key := name + " " + stream
	m.mu.Lock()
	if m.over {
		m.mu.Unlock()
		return
	}
	if name != brokerName {
		m.wrote += len(b)
	}
	b = append(m.said[key], b...)
	var lines []string
	for {
		line, rest, ok := bytes.Cut(b, []byte("\n"))
		if !ok {
			break
		}
		lines, b = append(lines, string(line)), rest
	}
	m.said[key] = b
	m.mu.Unlock()
	if m.wrote > maxOutput {
		m.exceed("the programs have written more than 1 MiB, and may not write more")
		return
	}
	for _, line := range lines {
		m.line(name, stream, line)
	}
}

// line is one line that a process wrote. The broker's are events.
func (m *machine) line(name, stream, line string) {
	if name != brokerName {
		kept := strings.TrimRight(line, "\r")
		kept = kept[:min(len(kept), maxLine)]
		m.keep(event.Event{From: name, Kind: event.LogLine, Stream: stream, Text: strings.ToValidUTF8(kept, "\uFFFD")})
		if len(line) > maxLine {
			m.keep(event.Event{From: name, Kind: event.LogDropped,
				Text: fmt.Sprintf("the line had about %d bytes; %d are kept", len(line), maxLine)})
		}
		return
	}
	if stream == "stderr" {
		if line == brokerListens {
			close(m.brokerListens)
		} else {
			m.keep(event.Event{From: name, Kind: event.LogLine, Stream: stream, Text: line})
		}
		return
	}
	var e event.Event
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		m.keep(event.Event{From: name, Kind: event.LogLine, Stream: stream, Text: line})
		return
	}
	m.keep(e)
}

func (m *machine) gone(name string, code, signal int, reason string) {
	for _, stream := range []string{"stdout", "stderr"} {
		m.mu.Lock()
		rest := m.said[name+" "+stream]
		delete(m.said, name+" "+stream)
		m.mu.Unlock()
		if len(rest) > 0 {
			m.line(name, stream, string(rest))
		}
	}
	if name == brokerName {
		close(m.brokerGone)
		return
	}
	e := event.Event{From: name, Kind: event.ProcessExited, Code: &code, Text: reason}
	if signal != 0 {
		for short, n := range signals {
			if n == signal {
				e.Signal = string(short)
			}
		}
		if e.Text == "" {
			e.Text = fmt.Sprintf("ended by signal %d, %s", signal, syscall.Signal(signal))
			if e.Signal != "" {
				e.Text = "ended by SIG" + e.Signal
			}
		}
	}
	m.keepAlways(e)
	if p := m.member(name); p != nil {
		close(p.exited)
	}
}

func (m *machine) member(name string) *member {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.procs[name]
}

// Start implements scenario.Machine.
func (m *machine) Start(_ context.Context, name string) error {
	if old := m.member(name); old != nil {
		select {
		case <-old.exited:
		default:
			return fmt.Errorf("%s is running", name)
		}
	}
	s := spec{Name: name, Program: "program", Argv: []string{m.play.Program}, Env: map[string]string{"GOTRACEBACK": "single"}}
	if m.needs("amqp") {
		s.Env["AMQP_URL"] = m.Broker()
		s.Env["QUEUE"] = m.Queue(m.play.Exercise.Queue)
	}
	if m.needs("http") {
		s.Env["ADDR"] = ":" + httpPort
	}
	p := &member{name: name, exited: make(chan struct{})}
	m.mu.Lock()
	m.procs[name] = p
	m.order = append(m.order, p)
	m.mu.Unlock()
	m.keepAlways(event.Event{From: name, Kind: event.ProcessStarted, Program: m.play.Exercise.Slug + "/" + m.play.Program})
	return m.spawn(s)
}

// Signal implements scenario.Machine.
func (m *machine) Signal(name string, s scenario.Signal, from string) error {
	if m.member(name) == nil {
		return fmt.Errorf("there is no process %s", name)
	}
	n, ok := signals[s]
	if !ok {
		return fmt.Errorf("signal %s cannot be sent", s)
	}
	m.keepAlways(event.Event{From: from, Kind: event.SignalSent, Signal: string(s), Target: name})
	// Who has left in this instant cannot be sent it any more.
	m.host.Call("signal", name, n)
	return nil
}

// Exited implements scenario.Machine.
func (m *machine) Exited(name string) <-chan struct{} {
	if p := m.member(name); p != nil {
		return p.exited
	}
	return nil
}

// Cut implements scenario.Machine.
func (m *machine) Cut(name string) (int, error) {
	if !m.needs("amqp") {
		return 0, nil
	}
	return m.host.Call("cut", name, brokerName).Int(), nil
}

// Broker implements scenario.Machine.
func (m *machine) Broker() string {
	if !m.needs("amqp") {
		return ""
	}
	return "amqp://guest:guest@" + net.JoinHostPort(brokerName, brokerPort) + "/"
}

// Queue implements scenario.Machine.
func (m *machine) Queue(name string) string { return name }

// Addr implements scenario.Machine.
func (m *machine) Addr(name string) string {
	if !m.needs("http") {
		return ""
	}
	return net.JoinHostPort(name, httpPort)
}

// stop ends every program: TERM, some time, KILL, or KILL at once.
func (m *machine) stop(kill bool) {
	m.mu.Lock()
	all := slices.Clone(m.order)
	m.mu.Unlock()
	if !kill {
		m.signalAll(all, scenario.TERM)
		timer := time.NewTimer(stopWithin)
		defer timer.Stop()
		for _, p := range all {
			select {
			case <-p.exited:
				continue
			case <-timer.C:
			}
			break
		}
	}
	m.signalAll(all, scenario.KILL)
	for _, p := range all {
		<-p.exited
	}
}

func (m *machine) signalAll(all []*member, s scenario.Signal) {
	for _, p := range all {
		select {
		case <-p.exited:
		default:
			_ = m.Signal(p.name, s, "platform")
		}
	}
}

// stopBroker ends the broker, once nobody needs it.
func (m *machine) stopBroker() {
	if m.needs("amqp") {
		m.host.Call("signal", brokerName, sigKill)
		<-m.brokerGone
	}
}
