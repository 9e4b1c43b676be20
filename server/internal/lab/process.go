package lab

import (
	"errors"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// errGone is returned by signal when the process has exited.
var errGone = errors.New("the process has exited")

// process is one operating-system process, the leader of its own group.
//
// The kernel sends a child its parent-death signal when the thread that
// started it ends, not the whole parent. Go moves goroutines between threads
// and ends threads as it likes, so one goroutine, locked to its thread, both
// starts the process and waits for it: the thread lives as long as the process.
type process struct {
	cmd *exec.Cmd
	pid int
	// ended is closed once the process is reaped and nothing of its group runs.
	ended chan struct{}

	mu   sync.Mutex
	gone bool // it has exited: its pid may soon be another's
}

// startProcess starts cmd. owner counts the goroutine that waits for it.
func startProcess(cmd *exec.Cmd, owner *sync.WaitGroup) (*process, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Setpgid:   true, // for Ctrl-C in the server's terminal not to reach it, and to end it whole
		Pdeathsig: syscall.SIGKILL,
	}
	p := &process{cmd: cmd, ended: make(chan struct{})}
	started := make(chan error, 1)
	owner.Go(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		if err == nil {
			p.pid = cmd.Process.Pid
		}
		started <- err
		if err == nil {
			p.await()
		}
	})
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// await waits for the exit, then ends what the process leaves running. The
// group is killed before the process is reaped: until then its number cannot
// be given to anybody else.
func (p *process) await() {
	for {
		err := unix.Waitid(unix.P_PID, p.pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	p.mu.Lock()
	p.gone = true
	_ = unix.Kill(-p.pid, unix.SIGKILL) // the zombie itself is in the group, so it exists
	p.mu.Unlock()
	// How it ended is read from ProcessState; its output is not Wait's.
	_ = p.cmd.Wait()
	close(p.ended)
}

// signal sends s to the process, and KILL to its whole group. said is called
// just before, so that what the process answers is written down behind it.
func (p *process) signal(s syscall.Signal, said func()) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone {
		return errGone
	}
	said()
	if s == syscall.SIGKILL {
		return unix.Kill(-p.pid, s)
	}
	return unix.Kill(p.pid, s)
}

// exit says how the process ended, as a shell does: 128+n when signal n ended
// it. It may be called once ended is closed.
func (p *process) exit() (code int, signal string) {
	ws, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && ws.Signaled() {
		return 128 + int(ws.Signal()), strings.TrimPrefix(unix.SignalName(ws.Signal()), "SIG")
	}
	return p.cmd.ProcessState.ExitCode(), ""
}
