package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"drainlab/exercises/event"
	"drainlab/exercises/scenario"
)

// machine is the real scenario.Machine of one run.
type machine struct {
	run  *Run
	link link   // nil when the exercise needs no broker
	dir  string // the programs' working directory: it outlives each of them
	// over is set when a limit was reached: what programs and broker do from
	// then on is not kept, so that the log stays bounded.
	over   atomic.Bool
	output allowance
	owned  sync.WaitGroup // a goroutine or more a process

	starting sync.Mutex // held by Start and stop; guards closed
	closed   bool

	mu    sync.Mutex
	procs map[string]*member
	order []*member
	ports []int
}

func newMachine(r *Run) *machine {
	m := &machine{run: r, procs: map[string]*member{}}
	m.output.left.Store(r.manager.opt.Limits.Output)
	return m
}

// member is a process with what the machine gave it.
type member struct {
	*process
	name   string
	addr   string
	door   *door
	exited chan struct{} // closed once its event is in the log
}

// drainWithin is how long output may still come after the last process of a
// group is gone: only a descendant that left the group can hold the pipe.
const drainWithin = time.Second

var errMachineClosed = errors.New("the run is ending")

var signals = map[scenario.Signal]syscall.Signal{
	scenario.TERM: syscall.SIGTERM,
	scenario.INT:  syscall.SIGINT,
	scenario.HUP:  syscall.SIGHUP,
	scenario.KILL: syscall.SIGKILL,
}

// Start implements scenario.Machine.
func (m *machine) Start(ctx context.Context, name string) (err error) {
	m.starting.Lock()
	defer m.starting.Unlock()
	if m.closed {
		return errMachineClosed
	}
	if old := m.member(name); old != nil {
		select {
		case <-old.exited:
		default:
			return fmt.Errorf("%s is running", name)
		}
	}
	p := &member{name: name, exited: make(chan struct{})}
	cmd := exec.Command(m.run.binary)
	cmd.Dir = m.dir
	cmd.Env = []string{"HOME=" + m.dir, "TMPDIR=" + m.dir, "GOTRACEBACK=single"}
	if m.link != nil {
		if p.door, err = m.link.door(name); err != nil {
			return err
		}
		defer func() {
			if err != nil {
				p.door.shut()
			}
		}()
		cmd.Env = append(cmd.Env, "AMQP_URL="+p.door.url, "QUEUE="+m.link.queue(m.run.ex.Queue))
	}
	if needs(m.run.ex, "http") {
		port, err := m.run.manager.ports.take()
		if err != nil {
			return err
		}
		m.mu.Lock()
		m.ports = append(m.ports, port)
		m.mu.Unlock()
		p.addr = fmt.Sprintf("127.0.0.1:%d", port)
		cmd.Env = append(cmd.Env, "ADDR="+p.addr)
	}
	var pipes [2]*os.File // what it writes to stdout and stderr comes out here
	for i, to := range []func(*os.File){func(f *os.File) { cmd.Stdout = f }, func(f *os.File) { cmd.Stderr = f }} {
		r, w, err := os.Pipe()
		if err != nil {
			if i == 1 {
				pipes[0].Close()
			}
			return fmt.Errorf("make a pipe for output: %w", err)
		}
		defer w.Close() // the child has its own by then
		to(w)
		pipes[i] = r
	}
	if p.process, err = startProcess(cmd, &m.owned); err != nil {
		pipes[0].Close()
		pipes[1].Close()
		return fmt.Errorf("start %s: %w", name, err)
	}
	m.run.keepAlways(event.Event{From: name, Kind: event.ProcessStarted, Program: m.run.Exercise + "/" + m.run.Program, Pid: p.pid})
	m.mu.Lock()
	m.procs[name] = p
	m.order = append(m.order, p)
	m.mu.Unlock()
	if p.door != nil {
		p.door.open()
	}
	m.owned.Go(func() { m.follow(p, pipes) })
	return nil
}

// follow writes down what a process says, and in the end that it has exited.
func (m *machine) follow(p *member, pipes [2]*os.File) {
	limits := m.run.manager.opt.Limits
	var readers sync.WaitGroup
	for i, stream := range []string{"stdout", "stderr"} {
		readers.Go(func() {
			defer pipes[i].Close()
			readLines(pipes[i], limits.Line, &m.output,
				func(line string) {
					m.run.keep(event.Event{From: p.name, Kind: event.LogLine, Stream: stream, Text: line})
				},
				func(length int) {
					m.run.keep(event.Event{From: p.name, Kind: event.LogDropped, Text: cutText(length, limits.Line)})
				},
				func() {
					m.run.exceed(fmt.Sprintf("the programs have written more than %s, and may not write more", bytesText(limits.Output)))
				})
		})
	}
	<-p.ended
	for _, f := range pipes {
		_ = f.SetReadDeadline(time.Now().Add(drainWithin)) // it is closed already when its reader is done
	}
	readers.Wait()
	code, signal := p.exit()
	e := event.Event{From: p.name, Kind: event.ProcessExited, Code: &code, Signal: signal}
	if signal != "" {
		e.Text = "ended by SIG" + signal
	}
	m.run.keepAlways(e)
	if p.door != nil {
		p.door.shut()
	}
	close(p.exited)
}

// stop ends every process: TERM, some time, KILL, or KILL at once. It returns
// when all are gone and everything that they said is written down. Nothing can
// be started afterwards.
func (m *machine) stop(kill bool) {
	m.starting.Lock()
	m.closed = true
	m.starting.Unlock()
	m.mu.Lock()
	all := m.order
	m.mu.Unlock()
	if !kill {
		m.signalAll(all, scenario.TERM)
		timer := time.NewTimer(m.run.manager.opt.Limits.Stop)
		defer timer.Stop()
		for _, p := range all {
			select {
			case <-p.exited:
				continue
			case <-timer.C:
			case <-m.run.manager.hurry:
			}
			break
		}
	}
	m.signalAll(all, scenario.KILL)
	m.owned.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, n := range m.ports {
		m.run.manager.ports.giveBack(n)
	}
	m.ports = nil
}

func (m *machine) signalAll(all []*member, s scenario.Signal) {
	for _, p := range all {
		_ = m.send(p, s, "platform") // who has exited needs none
	}
}

func (m *machine) member(name string) *member {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.procs[name]
}

func (m *machine) send(p *member, s scenario.Signal, from string) error {
	return p.signal(signals[s], func() {
		m.run.keepAlways(event.Event{From: from, Kind: event.SignalSent, Signal: string(s), Target: p.name})
	})
}

// Signal implements scenario.Machine.
func (m *machine) Signal(name string, s scenario.Signal, from string) error {
	p := m.member(name)
	if p == nil {
		return fmt.Errorf("there is no process %s", name)
	}
	if _, ok := signals[s]; !ok {
		return fmt.Errorf("signal %s cannot be sent", s)
	}
	err := m.send(p, s, from)
	if errors.Is(err, errGone) {
		// It left between the Director's look and this: as if it had been
		// sent a moment earlier, to a process that is about to be reaped.
		m.run.keepAlways(event.Event{From: from, Kind: event.SignalSent, Signal: string(s), Target: name})
		return nil
	}
	if err != nil {
		return fmt.Errorf("send %s to %s: %w", s, name, err)
	}
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
	if m.link == nil {
		return 0, nil
	}
	return m.link.cut(name), nil
}

// Broker implements scenario.Machine.
func (m *machine) Broker() string {
	if m.link == nil {
		return ""
	}
	return m.link.url()
}

// Queue implements scenario.Machine.
func (m *machine) Queue(name string) string {
	if m.link == nil {
		return name
	}
	return m.link.queue(name)
}

// Addr implements scenario.Machine.
func (m *machine) Addr(name string) string {
	if p := m.member(name); p != nil {
		return p.addr
	}
	return ""
}

func bytesText(n int64) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}
