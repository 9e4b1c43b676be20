package lab

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"drainlab/exercises/event"
	"drainlab/exercises/scenario"
)

// brokers are the brokers that tests of both kinds run on, by name.
func brokers() map[string]string {
	out := map[string]string{"embedded": ""}
	if url := os.Getenv("AMQP_URL"); url != "" {
		out["rabbitmq"] = url
	}
	return out
}

func TestBrokerOfARun(t *testing.T) {
	for name, url := range brokers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newManagerOn(t, url, Limits{})
			r := start(t, m, Request{Exercise: "amqp", Program: "consumes"})
			other := start(t, m, Request{Exercise: "amqp", Program: "consumes"})
			if r.Broker != name || m.Broker() != name {
				t.Errorf("broker %q", r.Broker)
			}
			untilKind(t, r, "worker-1", event.ReadyChanged)
			untilKind(t, other, "worker-1", event.ReadyChanged)
			act := func(s scenario.Step) {
				t.Helper()
				if err := r.Act(within(t), s); err != nil {
					t.Fatalf("%s: %v", s, err)
				}
			}
			act(scenario.Step{Do: scenario.DoPublish, Count: 2})
			until(t, r, "message 2 to be in hand", func(e event.Event) bool { return e.Kind == event.WorkStarted && e.Message == "2" })
			act(scenario.Step{Do: scenario.DoCut})
			until(t, r, "message 2 to come back", func(e event.Event) bool { return e.Kind == event.MessageRequeued && e.Message == "2" })
			act(scenario.Step{Do: scenario.DoTerm})
			untilKind(t, r, "worker-1", event.ProcessExited)
			queue := r.machine.Queue("tasks")
			if url != "" && !queueExists(t, url, queue) {
				t.Error("the run's queue is not in RabbitMQ")
			}
			r.Stop()
			events := wait(t, r)

			published := map[string]int{}
			for _, e := range events {
				if e.Kind == event.MessagePublished {
					published[e.Message]++
					if e.Peer != scenario.You || e.Queue != "tasks" {
						t.Errorf("%+v, want Peer you and Queue tasks", e)
					}
				}
				if strings.Contains(e.Queue, r.ID) {
					t.Errorf("a queue's name has the run's prefix: %+v", e)
				}
			}
			if len(published) != 2 || published["1"] != 1 || published["2"] != 1 {
				t.Errorf("published %v, want 1 and 2 once each", published)
			}
			opened := map[string]bool{}
			reset := 0
			for _, e := range events {
				switch e.Kind {
				case event.ConnOpened:
					if opened[e.Conn] {
						t.Errorf("two connections are named %s", e.Conn)
					}
					opened[e.Conn] = true
					if e.Peer == "worker-1" && e.Seq < untilKind(t, r, "worker-1", event.ProcessStarted).Seq {
						t.Error("a connection before its process")
					}
				case event.ConnReset:
					if e.Peer == "worker-1" {
						reset++
					}
				}
			}
			if reset != 1 {
				t.Errorf("%d connections of worker-1 were reset, want the one that was cut", reset)
			}
			for _, e := range all(other) {
				if e.Kind == event.MessageDelivered {
					t.Errorf("another run got a message: %+v", e)
				}
			}
			if url != "" {
				for _, q := range []string{queue, queue + ".dead"} {
					if queueExists(t, url, q) {
						t.Errorf("queue %s is left in RabbitMQ", q)
					}
				}
			}
			other.Stop()
			wait(t, other)
		})
	}
}

func TestRabbitThatDoesNotAnswer(t *testing.T) {
	port, err := newPorts().take()
	if err != nil {
		t.Fatal(err)
	}
	m := newManagerOn(t, "amqp://guest:secret@127.0.0.1:"+strconv.Itoa(port)+"/", Limits{Runs: 1})
	for range 2 { // the second time says that the first left no run behind
		_, err := m.Start(within(t), Request{Exercise: "amqp", Program: "consumes"})
		if !errors.Is(err, ErrUnavailable) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v, want ErrUnavailable without the password", err)
		}
	}
	r := start(t, m, Request{Exercise: "plain", Program: "polite"}) // which needs no broker
	r.Stop()
	wait(t, r)
}
