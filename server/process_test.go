package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"drainlab/exercises/event"
	"drainlab/exercises/scenario"
	"drainlab/web"

	"github.com/coder/websocket"
	amqp "github.com/rabbitmq/amqp091-go"
)

// installed is a folder as make build leaves it: the binary, and beside it the
// programs that these tests run.
var installed = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "drainlab-test-")
	if err != nil {
		return "", err
	}
	for out, pkg := range map[string]string{
		"drainlab":                    "drainlab/server",
		"exercises/consumer/solution": "drainlab/exercises/consumer/solution",
		"exercises/consumer/start":    "drainlab/exercises/consumer/start",
	} {
		cmd := exec.Command("go", "build", "-o", filepath.Join(dir, out), pkg)
		if said, err := cmd.CombinedOutput(); err != nil {
			return dir, fmt.Errorf("build %s: %w\n%s", pkg, err, said)
		}
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, _ := installed(); dir != "" && filepath.IsAbs(dir) {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

func binary(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and starts processes")
	}
	dir, err := installed()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "drainlab")
}

// embeddedEnv is the environment without RabbitMQ: what these tests are about
// is the same with both brokers.
func embeddedEnv(t *testing.T) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "AMQP_URL=") })
	return append(env, "TMPDIR="+t.TempDir())
}

// transcript is a buffer that several may write to and read.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(p)
}

func (t *transcript) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

// served is a "drainlab serve" that runs.
type served struct {
	cmd    *exec.Cmd
	url    string
	output *transcript // what it printed, but for the first line
	exited chan error
}

func startServer(t *testing.T) *served {
	t.Helper()
	path := binary(t)
	if _, err := web.Assets(); err != nil {
		t.Fatal(err)
	}
	s := &served{cmd: exec.Command(path, "serve", "-addr", "127.0.0.1:0"), output: &transcript{}, exited: make(chan error, 1)}
	s.cmd.Env = embeddedEnv(t)
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.cmd.Stderr = s.output
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("it printed no address: %v\n%s", err, s.output)
	}
	s.url = regexp.MustCompile(`http://\S+`).FindString(first)
	go func() {
		_, _ = io.Copy(s.output, lines)
		s.exited <- s.cmd.Wait()
	}()
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	return s
}

// wait returns how the server ended.
func (s *served) wait(t *testing.T, within time.Duration) *os.ProcessState {
	t.Helper()
	select {
	case err := <-s.exited:
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return s.cmd.ProcessState
	case <-time.After(within):
		t.Fatalf("it still runs after %s", within)
		return nil
	}
}

// drive starts a run, follows it until its program is ready, and returns the
// run's address, its program's process id, and its socket.
func (s *served) drive(t *testing.T, program string) (run string, pid int, ws *websocket.Conn) {
	t.Helper()
	body := fmt.Sprintf(`{"exercise":"consumer","program":%q}`, program)
	resp, err := http.Post(s.url+"/api/runs", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var begun struct{ ID string }
	if err := json.NewDecoder(resp.Body).Decode(&begun); err != nil || begun.ID == "" {
		t.Fatal(resp.Status, err)
	}
	run = s.url + "/api/runs/" + begun.ID
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	ws, _, err = websocket.Dial(ctx, run+"/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.CloseNow() })
	for {
		_, data, err := ws.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var e event.Event
		if err := json.Unmarshal(data, &e); err != nil {
			t.Fatal(err)
		}
		switch e.Kind {
		case event.ProcessStarted:
			pid = e.Pid
		case event.ReadyChanged:
			return run, pid, ws
		}
	}
}

func (s *served) act(t *testing.T, run, body string) {
	t.Helper()
	resp, err := http.Post(run+"/actions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusAccepted {
		t.Fatalf("%s: %s", body, resp.Status)
	}
}

// gone waits until no process has the pid; a zombie is gone: it runs nothing.
func gone(t *testing.T, pid int) {
	t.Helper()
	deadline := time.Now().Add(15 * time.Second)
	for {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if errors.Is(err, fs.ErrNotExist) || err == nil && bytes.Contains(stat, []byte(") Z ")) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there: %s", pid, stat)
		}
		time.Sleep(20 * time.Millisecond) // nothing tells that somebody else's child has gone
	}
}

func TestServerStopsAsItTeaches(t *testing.T) {
	s := startServer(t)
	_, pid, ws := s.drive(t, "solution")
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	for {
		if _, _, err := ws.Read(ctx); err != nil {
			if code := websocket.CloseStatus(err); code != websocket.StatusGoingAway {
				t.Errorf("the socket was told %v, want 1001", err)
			}
			break
		}
	}
	if resp, err := http.Get(s.url + "/readyz"); err == nil {
		resp.Body.Close()
		t.Errorf("it still accepts after the sockets were told: %s", resp.Status)
	}
	if state := s.wait(t, 10*time.Second); state.ExitCode() != 0 {
		t.Errorf("exit code %d\n%s", state.ExitCode(), s.output)
	}
	gone(t, pid)
	if !strings.Contains(s.output.String(), "stopped: no run, no socket and no request is left") {
		t.Errorf("output:\n%s", s.output)
	}
}

func TestSecondSignalKills(t *testing.T) {
	s := startServer(t)
	run, pid, ws := s.drive(t, "solution")
	s.act(t, run, `{"do":"hang"}`) // its program will not leave at once, so neither will the server
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	for { // once the sockets are told, the stop is under way and the first signal used up
		if _, _, err := ws.Read(ctx); err != nil {
			break
		}
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	state := s.wait(t, 5*time.Second)
	if status := state.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGTERM {
		t.Errorf("ended by %v, want SIGTERM\n%s", state, s.output)
	}
	gone(t, pid)
}

func TestKilledServerLeavesNoProcess(t *testing.T) {
	s := startServer(t)
	run, pid, _ := s.drive(t, "solution")
	s.act(t, run, `{"do":"publish","count":20}`)
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	s.wait(t, 5*time.Second)
	gone(t, pid)
}

func TestRunCommand(t *testing.T) {
	path := binary(t)
	tests := []struct {
		name   string
		args   []string
		code   int
		stdout string
		stderr string
	}{
		{"all checks pass", []string{"consumer", "-scenario", "term-idle"}, 0, "✓ exit", ""},
		{"a check fails", []string{"consumer", "-program", "start", "-scenario", "term-idle"}, 1, "✗ exit                   worker-1 exited with 143 (ended by TERM: nothing caught it); expected 0", ""},
		{"flags first", []string{"-scenario", "term-idle", "consumer"}, 0, "all 1 scenarios pass", ""},
		{"not built", []string{"consumer", "-program", "wrong-acks-before-work"}, 2, "", "make build"},
		{"no such exercise", []string{"nothing"}, 2, "", "name one exercise of: consumer, http"},
		{"no such program", []string{"consumer", "-program", "nothing"}, 2, "", "nothing"},
		{"no such scenario", []string{"consumer", "-scenario", "nothing"}, 2, "", "it has: term-idle"},
		{"no such flag", []string{"consumer", "-nothing"}, 2, "", "not defined: -nothing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(path, append([]string{"run"}, tt.args...)...)
			cmd.Env = embeddedEnv(t)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			err := cmd.Run()
			if cmd.ProcessState == nil {
				t.Fatal(err)
			}
			if code := cmd.ProcessState.ExitCode(); code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			if !strings.Contains(stdout.String(), tt.stdout) || !strings.Contains(stderr.String(), tt.stderr) {
				t.Errorf("stdout:\n%s\nstderr:\n%s\nwant %q and %q", &stdout, &stderr, tt.stdout, tt.stderr)
			}
		})
	}
}

func TestRunCommandPrintsARecording(t *testing.T) {
	cmd := exec.Command(binary(t), "run", "consumer", "-scenario", "term-idle", "-json")
	cmd.Env = embeddedEnv(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var events []event.Event
	for line := range bytes.Lines(out) {
		var e event.Event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if e.Seq != uint64(len(events))+1 {
			t.Fatalf("event %d follows %d", e.Seq, len(events))
		}
		events = append(events, e)
	}
	if last := events[len(events)-1]; last.Kind != event.RunEnded || last.Pass == nil || !*last.Pass {
		t.Errorf("the last event is %+v", last)
	}
	// A recording is judged as the run was.
	if v := scenario.Judge(scenario.Scenario{Checks: []scenario.Check{{Name: scenario.CheckExit}}}, events); !v.Pass {
		t.Errorf("judged anew: %+v", v)
	}
}

func TestBrokerCommand(t *testing.T) {
	cmd := exec.Command(binary(t), "broker", "-addr", "127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	conn, err := amqp.Dial(regexp.MustCompile(`amqp://\S+`).FindString(first))
	if err != nil {
		t.Fatal(err)
	}
	closed := conn.NotifyClose(make(chan *amqp.Error, 1))
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if e := <-closed; e == nil || e.Code != amqp.ConnectionForced {
		t.Errorf("the client was told %v, want 320", e)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("exit: %v", err)
	}
}

func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{nil, 2, "usage: drainlab COMMAND"},
		{[]string{"help"}, 0, "usage: drainlab COMMAND"},
		{[]string{"nothing"}, 2, `there is no command "nothing"`},
		{[]string{"serve", "-h"}, 0, "-addr"},
		{[]string{"serve", "-addr", "nowhere:x"}, 2, "choose another address"},
		{[]string{"serve", "extra"}, 2, `unexpected "extra"`},
		{[]string{"broker", "-addr", "nowhere:x"}, 2, "choose another address"},
		{[]string{"lint", "-dir", "/nowhere"}, 2, "has no folder lessons"},
	} {
		var out bytes.Buffer
		if code := dispatch(t.Context(), tt.args, &out, &out); code != tt.code || !strings.Contains(out.String(), tt.want) {
			t.Errorf("%v: %d\n%s\nwant %d, %q", tt.args, code, &out, tt.code, tt.want)
		}
	}
}
