package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// rounds is how often a short thing is measured.
const rounds = 5

const binary = "bin/drainlab"

// process is a server that was started for a measurement.
type process struct {
	url string
	cmd *exec.Cmd
	out io.Closer
}

// begin starts a command that ends in "drainlab serve", in a process group of
// its own, and waits until it says where it is.
func begin(ctx context.Context, name string, args ...string) (*process, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// A make that is called by make is told to work with it; this one is a user's.
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "MAKE") && !strings.HasPrefix(v, "MFLAGS") && !strings.HasPrefix(v, "AMQP_URL=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var said bytes.Buffer // a make that is told to stop complains
	cmd.Stderr = &said
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 15 * time.Second
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w; run make build first", err)
	}
	p := &process{cmd: cmd, out: out}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "drainlab is at "); ok {
			p.url = url
			return p, nil
		}
	}
	err = p.end()
	return nil, errors.Join(fmt.Errorf("%s did not come up:\n%s", name, &said), err)
}

// end sends TERM to all of the group, and waits.
func (p *process) end() error {
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGTERM) // it may have ended by itself
	_, _ = io.Copy(io.Discard, p.out.(io.Reader))
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) { // make says 2 when it was told to stop
		return nil
	}
	return err
}

func starts(ctx context.Context) ([]float64, error) {
	var took []float64
	for range rounds {
		began := time.Now()
		p, err := begin(ctx, "make", "run", "ADDR=127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		err = get(ctx, p.url+"/en/")
		took = append(took, time.Since(began).Seconds())
		if err = errors.Join(err, p.end()); err != nil {
			return nil, err
		}
	}
	return took, nil
}

func get(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, res.Status)
	}
	return nil
}

func lints(ctx context.Context) ([]float64, error) {
	var took []float64
	for range rounds {
		began := time.Now()
		if out, err := exec.CommandContext(ctx, binary, "lint").CombinedOutput(); err != nil {
			return nil, fmt.Errorf("drainlab lint: %w\n%s", err, out)
		}
		took = append(took, time.Since(began).Seconds())
	}
	return took, nil
}
