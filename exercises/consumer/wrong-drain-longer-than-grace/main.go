// A consumer that does jobs from a RabbitMQ queue. Told to stop, it finishes
// the jobs it holds, leaves the rest to others, and says how it went.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

const (
	workers  = 2
	prefetch = 3 // two in hand, and one at hand for whoever is free first

	// Longer than any job that we have seen.
	drainTimeout = 30 * time.Second
)

func main() {
	log.SetFlags(0) // whoever keeps the log adds the time
	log.SetOutput(os.Stdout)
	if err := run(); err != nil {
		log.Print(err)
		os.Exit(1)
	}
}

func run() error {
	//region connect
	conn, err := amqp.Dial(cmp.Or(os.Getenv("AMQP_URL"), "amqp://guest:guest@localhost:5672/"))
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close() // when something below fails; a stop closes it in its turn

	ch, err := conn.Channel()
	if err != nil {
		return fmt.Errorf("open channel: %w", err)
	}
	closed := ch.NotifyClose(make(chan *amqp.Error, 1))
	//endregion connect

	queue := cmp.Or(os.Getenv("QUEUE"), "tasks")
	if err := declare(ch, queue); err != nil {
		return fmt.Errorf("declare queues: %w", err)
	}

	//region signal
	// Up to here there is nothing to finish, and a signal may simply end us.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	//endregion signal

	//region consume
	if err := ch.Qos(prefetch, 0, false); err != nil {
		return fmt.Errorf("set prefetch: %w", err)
	}
	// When ctx ends, the client cancels this subscription: nothing new comes,
	// and deliveries closes after what has come. The channel stays open for acks.
	tag := fmt.Sprintf("worker-%d", os.Getpid())
	deliveries, err := ch.ConsumeWithContext(ctx, queue, tag, false, false, false, false, nil)
	if err != nil {
		return fmt.Errorf("consume: %w", err)
	}
	//endregion consume

	//region workers
	// Jobs live longer than ctx: the signal must not interrupt them.
	jobs, abandon := context.WithCancel(context.Background())
	defer abandon()

	var pool sync.WaitGroup
	for range workers {
		pool.Go(func() {
			for d := range deliveries {
				handle(jobs, d)
			}
		})
	}
	finished := make(chan struct{})
	go func() { pool.Wait(); close(finished) }()
	log.Printf("ready: %d workers on %s", workers, queue)
	//endregion workers

	//region wait
	select {
	case <-ctx.Done():
	case <-finished: // which the signal brings about too, when there is nothing to do
		if ctx.Err() == nil {
			return errors.New("the deliveries ended")
		}
	case err := <-closed:
		return fmt.Errorf("connection lost: %w", err)
	}
	stop() // a second signal kills
	log.Printf("stopping: %v", context.Cause(ctx))
	//endregion wait

	//region drain
	var unfinished error
	select {
	case <-finished:
		log.Print("drained")
	case <-time.After(drainTimeout):
		log.Printf("abandoning what is not done after %v", drainTimeout)
		unfinished = errors.New("stopped with jobs unfinished")
		abandon()
		select {
		case <-finished: // every job has listened to its context
		case <-time.After(time.Second):
		}
	}
	//endregion drain

	//region close
	// Closing the channel gives back what is not acked: nobody has to wait
	// until the broker misses us.
	if err := ch.Close(); err != nil {
		return fmt.Errorf("close channel: %w", err)
	}
	// Close has nothing to say of a channel that the broker closed first, for
	// a wrong ack perhaps.
	if err := <-closed; err != nil {
		return fmt.Errorf("channel lost: %w", err)
	}
	log.Print("channel closed")
	if err := conn.Close(); err != nil {
		return fmt.Errorf("close connection: %w", err)
	}
	log.Print("connection closed")
	return unfinished
	//endregion close
}

//region topology

// declare makes the queue, and another for the jobs that cannot be done.
func declare(ch *amqp.Channel, queue string) error {
	dead := queue + ".dead"
	if _, err := ch.QueueDeclare(dead, true, false, false, false, nil); err != nil {
		return err
	}
	_, err := ch.QueueDeclare(queue, true, false, false, false, amqp.Table{
		"x-dead-letter-exchange":    "", // the default one: straight to the queue named
		"x-dead-letter-routing-key": dead,
	})
	return err
}

//endregion topology

//region handle

// handle does one job, and only then tells the broker to forget it.
func handle(ctx context.Context, d amqp.Delivery) {
	log.Printf("start %s", d.MessageId)
	err := work(ctx, string(d.Body))
	switch {
	case err == nil:
		log.Printf("done %s", d.MessageId)
		err = d.Ack(false)
	case ctx.Err() != nil:
		// Interrupted is not failed. Without an answer the job goes back to
		// the queue when the channel closes.
		log.Printf("left %s: %v", d.MessageId, err)
		return
	default:
		log.Printf("failed %s: %v", d.MessageId, err)
		err = d.Nack(false, false)
	}
	if err != nil {
		log.Printf("ack %s: %v", d.MessageId, err)
	}
}

//endregion handle

//region work

// work stands for the job itself, which takes as long as its message says.
func work(ctx context.Context, takes string) error {
	d, err := time.ParseDuration(takes)
	if err != nil {
		return fmt.Errorf("bad job: %w", err)
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

//endregion work
