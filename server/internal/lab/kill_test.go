package lab

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"drainlab/exercises/event"

	amqp "github.com/rabbitmq/amqp091-go"
)

// serverEnv makes this test binary a small server: "programs state url".
const serverEnv = "LAB_TEST_SERVER"

// serverMain runs two programs, says their pids and its own run's queue, and
// waits to be killed.
func serverMain() {
	fail := func(err error) {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	args := strings.Split(os.Getenv(serverEnv), "|")
	m, err := New(Options{Programs: args[0], Catalog: newStage(), StateDir: args[1], AMQPURL: args[2]})
	if err != nil {
		fail(err)
	}
	for _, q := range []Request{{Exercise: "amqp", Program: "consumes"}, {Exercise: "plain", Program: "stubborn"}} {
		r, err := m.Start(context.Background(), q)
		if err != nil {
			fail(err)
		}
		for seen, ready := uint64(0), false; !ready; {
			events, more, closed := r.Log.After(seen)
			for _, e := range events {
				seen = e.Seq
				if e.Kind == event.ProcessStarted {
					fmt.Println("pid", e.Pid)
				}
				ready = ready || e.Kind == event.ReadyChanged
			}
			if closed {
				fail(fmt.Errorf("run ended:\n%s", transcript(all(r))))
			}
			if !ready {
				<-more
			}
		}
		fmt.Println("queue", r.machine.Queue("tasks"))
	}
	fmt.Println("running")
	select {}
}

func TestNothingSurvivesAServerThatIsKilled(t *testing.T) {
	brokers := map[string]string{"embedded": ""}
	if url := os.Getenv("AMQP_URL"); url != "" {
		brokers["rabbitmq"] = url
	}
	for name, url := range brokers {
		t.Run(name, func(t *testing.T) {
			programs, err := actors()
			if err != nil {
				t.Fatal(err)
			}
			state := t.TempDir()
			server := exec.Command(os.Args[0])
			server.Env = append(os.Environ(), serverEnv+"="+programs+"|"+state+"|"+url)
			server.Stderr = os.Stderr
			out, err := server.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := server.Start(); err != nil {
				t.Fatal(err)
			}
			defer server.Wait()
			defer server.Process.Kill()
			timeout := time.AfterFunc(30*time.Second, func() { server.Process.Kill() })
			defer timeout.Stop()
			var pids []int
			var queues []string
			running := false
			for in := bufio.NewScanner(out); !running && in.Scan(); {
				switch word, rest, _ := strings.Cut(in.Text(), " "); word {
				case "pid":
					pid, _ := strconv.Atoi(rest)
					pids = append(pids, pid)
				case "queue":
					queues = append(queues, rest)
				case "running":
					running = true
				default:
					t.Fatal(in.Text())
				}
			}
			if !running || len(pids) != 2 {
				t.Fatalf("the server did not come up: pids %v", pids)
			}
			for _, pid := range pids {
				if !alive(pid) {
					t.Fatalf("process %d is not there", pid)
				}
			}
			if err := server.Process.Kill(); err != nil { // as kill -9 does
				t.Fatal(err)
			}
			server.Wait()
			for _, pid := range pids {
				poll(t, fmt.Sprintf("process %d to be gone", pid), func() bool { return !alive(pid) })
			}
			// The next server clears the disk, and RabbitMQ.
			if left, _ := filepath.Glob(filepath.Join(state, "*", "run-*")); len(left) != 2 {
				t.Errorf("the dead server's directories: %v; there is nothing to clear", left)
			}
			if url != "" && !queueExists(t, url, queues[0]) {
				t.Error("the dead server's queue is gone already; there is nothing to clear")
			}
			again, err := New(Options{Programs: programs, Catalog: newStage(), StateDir: state, AMQPURL: url})
			if err != nil {
				t.Fatal(err)
			}
			if err := again.Shutdown(within(t)); err != nil {
				t.Fatal(err)
			}
			if left, _ := os.ReadDir(state); len(left) != 0 {
				t.Errorf("left in the state directory: %v", left)
			}
			if url != "" {
				for _, q := range []string{queues[0], queues[0] + ".dead"} {
					if queueExists(t, url, q) {
						t.Errorf("queue %s is left in RabbitMQ", q)
					}
				}
			}
		})
	}
}

func queueExists(t *testing.T, url, name string) bool {
	t.Helper()
	conn, err := amqp.Dial(url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ch, err := conn.Channel()
	if err != nil {
		t.Fatal(err)
	}
	_, err = ch.QueueDeclarePassive(name, true, false, false, false, nil)
	return err == nil
}
