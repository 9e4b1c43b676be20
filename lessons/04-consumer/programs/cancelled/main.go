// Cancels the context of a subscription while three deliveries are held.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"
)

func main() {
	conn, err := amqp.Dial(cmp.Or(os.Getenv("AMQP_URL"), "amqp://guest:guest@localhost:5672/"))
	check(err)
	defer conn.Close()
	ch, err := conn.Channel()
	check(err)
	queue := fill(conn, "1", "2", "3", "4")

	//region cancel
	ctx, cancel := context.WithCancel(context.Background())
	check(ch.Qos(3, 0, false))
	deliveries, err := ch.ConsumeWithContext(ctx, queue, "", false, false, false, false, nil)
	check(err)
	cancel()

	var held []amqp.Delivery
	for d := range deliveries {
		fmt.Println("took", d.MessageId)
		held = append(held, d)
	}
	fmt.Println("range ended, ready:", ready(conn, queue))
	fmt.Println("ack of the first:", held[0].Ack(false))
	check(ch.Close())
	fmt.Println("channel closed, ready:", ready(conn, queue))
	//endregion cancel
}

// fill declares a queue of this connection's own and returns its name once
// the broker has confirmed a message for each id.
func fill(conn *amqp.Connection, ids ...string) string {
	ch, err := conn.Channel()
	check(err)
	defer ch.Close()
	check(ch.Confirm(false))
	q, err := ch.QueueDeclare("", false, false, true, false, nil)
	check(err)
	for _, id := range ids {
		dc, err := ch.PublishWithDeferredConfirm("", q.Name, false, false, amqp.Publishing{MessageId: id})
		check(err)
		if !dc.Wait() {
			log.Fatalf("message %s was not confirmed", id)
		}
	}
	return q.Name
}

// ready counts the messages that wait in the queue and are in nobody's hands.
func ready(conn *amqp.Connection, queue string) int {
	ch, err := conn.Channel()
	check(err)
	defer ch.Close()
	q, err := ch.QueueDeclarePassive(queue, false, false, true, false, nil)
	check(err)
	return q.Messages
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
