package lab

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"drainlab/exercises/event"
	"drainlab/exercises/scenario"

	"golang.org/x/sys/unix"
)

func TestGrandchildrenDoNotRemain(t *testing.T) {
	m := newManager(t, Limits{})
	for _, do := range []scenario.Do{scenario.DoInt, scenario.DoKill} {
		t.Run(string(do), func(t *testing.T) {
			r := start(t, m, Request{Exercise: "plain", Program: "forks"})
			said := until(t, r, "the child's pid", func(e event.Event) bool { return strings.HasPrefix(e.Text, "child ") })
			pid, err := strconv.Atoi(strings.TrimPrefix(said.Text, "child "))
			if err != nil {
				t.Fatal(err)
			}
			untilKind(t, r, "worker-1", event.ReadyChanged)
			if !alive(pid) {
				t.Fatal("there is no child")
			}
			if err := r.Act(within(t), scenario.Step{Do: do}); err != nil {
				t.Fatal(err)
			}
			untilKind(t, r, "worker-1", event.ProcessExited)
			// It was sent KILL before that event; its parent is now init, who may take its time.
			poll(t, "the grandchild to be gone", func() bool { return !alive(pid) })
			r.Stop()
			wait(t, r)
		})
	}
}

// The parent-death signal is sent when the starting thread ends. This is why
// process.go keeps that thread; should Linux or Go change, this test says so.
func TestParentDeathSignalIsTheThreads(t *testing.T) {
	dir, err := actors()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(dir, "plain", "stubborn"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := <-onEndingThread(cmd.Start); err != nil {
		t.Fatal(err)
	}
	hung := time.AfterFunc(20*time.Second, func() { cmd.Process.Signal(syscall.SIGABRT) })
	defer hung.Stop()
	cmd.Wait()
	if ws := cmd.ProcessState.Sys().(syscall.WaitStatus); !ws.Signaled() || ws.Signal() != syscall.SIGKILL {
		t.Errorf("it ended with %v, want KILL from the kernel", cmd.ProcessState)
	}
}

// onEndingThread calls f on a thread that ends right after.
func onEndingThread(f func() error) <-chan error {
	result := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		if unix.Gettid() == unix.Getpid() {
			// The main thread never ends. While it is held here, another
			// goroutine gets another one.
			defer runtime.UnlockOSThread()
			result <- <-onEndingThread(f)
			return
		}
		result <- f() // still locked: the thread ends with the goroutine
	}()
	return result
}

func TestProcessesOutliveOtherThreads(t *testing.T) {
	m := newManager(t, Limits{})
	var runs []*Run
	for range 4 {
		r := start(t, m, Request{Exercise: "plain", Program: "polite"})
		untilKind(t, r, "worker-1", event.ReadyChanged)
		runs = append(runs, r)
	}
	// Threads come and go all around them.
	for range 20 {
		var threads sync.WaitGroup
		for range 10 {
			threads.Go(func() { runtime.LockOSThread() }) // never unlocked: its thread ends
		}
		threads.Wait()
		runtime.GC()
	}
	for _, r := range runs {
		r.Stop()
		wait(t, r)
		if e := untilKind(t, r, "worker-1", event.ProcessExited); *e.Code != 0 {
			t.Errorf("exit %d %s: it did not live until it was stopped", *e.Code, e.Signal)
		}
	}
}
