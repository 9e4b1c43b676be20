// Command rabbit runs a command with a RabbitMQ of its own: it starts one in
// a temporary folder, waits until it listens, sets AMQP_URL for the command,
// and stops it afterwards. When AMQP_URL is set already, that broker is used.
//
//	go run ./server/internal/rabbit -- go test ./...
//
// It needs Debian's rabbitmq-server. It exits as the command does.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

func main() {
	// The death signal below is tied to the thread that starts the broker.
	runtime.LockOSThread()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	code, err := run(ctx, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "rabbit:", err)
		code = 1
	}
	os.Exit(code)
}

func run(ctx context.Context, args []string) (code int, err error) {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return 0, errors.New("no command; use: rabbit -- COMMAND")
	}
	url := os.Getenv("AMQP_URL")
	if url == "" {
		var end func() error
		url, end, err = start(ctx)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, end()) }()
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "AMQP_URL="+url)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 30 * time.Second
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil
	}
	return 0, err
}

// start runs a broker on free ports, so that one which is there already is
// left alone. The node's name carries a port for the same reason.
func start(ctx context.Context) (url string, end func() error, err error) {
	dir, err := os.MkdirTemp("", "drainlab-rabbit-")
	if err != nil {
		return "", nil, err
	}
	ports, err := freePorts(2)
	if err != nil {
		return "", nil, err
	}
	log, err := os.Create(filepath.Join(dir, "console.log"))
	if err != nil {
		return "", nil, err
	}
	defer log.Close()
	node := "drainlab" + strconv.Itoa(ports[0]) + "@localhost"
	// The wrapper in /usr/sbin would start it in a session of another user,
	// where the signals below do not reach it.
	cmd := exec.Command("/usr/lib/rabbitmq/bin/rabbitmq-server")
	cmd.Env = append(os.Environ(),
		"HOME="+dir, // of the Erlang cookie
		"RABBITMQ_NODENAME="+node,
		"RABBITMQ_NODE_IP_ADDRESS=127.0.0.1",
		"RABBITMQ_NODE_PORT="+strconv.Itoa(ports[0]),
		"RABBITMQ_DIST_PORT="+strconv.Itoa(ports[1]),
		"RABBITMQ_MNESIA_BASE="+dir,
		"RABBITMQ_LOG_BASE="+dir,
		"RABBITMQ_PID_FILE="+filepath.Join(dir, "pid"),
		"RABBITMQ_ENABLED_PLUGINS_FILE="+filepath.Join(dir, "plugins"),
	)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	if err := cmd.Start(); err != nil {
		return "", nil, fmt.Errorf("start RabbitMQ: %w; install it with: sudo apt-get install rabbitmq-server", err)
	}
	gone := make(chan error, 1)
	go func() { gone <- cmd.Wait() }() // end waits for it
	end = func() error {
		defer os.RemoveAll(dir)
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		select {
		case <-gone:
		case <-time.After(20 * time.Second):
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			<-gone
		}
		return nil
	}
	url = fmt.Sprintf("amqp://guest:guest@127.0.0.1:%d/", ports[0])
	deadline := time.After(90 * time.Second)
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		if conn, err := amqp.Dial(url); err == nil {
			return url, end, conn.Close()
		}
		select {
		case err := <-gone:
			gone <- err
			said, _ := os.ReadFile(log.Name())
			return "", nil, errors.Join(fmt.Errorf("RabbitMQ ended at its start (%v):\n%s", err, said), end())
		case <-deadline:
			said, _ := os.ReadFile(log.Name())
			return "", nil, errors.Join(fmt.Errorf("RabbitMQ does not listen after 90 s:\n%s", said), end())
		case <-ctx.Done():
			return "", nil, errors.Join(context.Cause(ctx), end())
		case <-tick.C:
		}
	}
}

func freePorts(n int) ([]int, error) {
	var ports []int
	var open []io.Closer
	defer func() {
		for _, c := range open {
			c.Close()
		}
	}()
	for range n {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		open = append(open, ln)
		ports = append(ports, ln.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
