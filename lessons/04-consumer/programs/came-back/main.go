// Takes one of three prefetched messages, finishes it, and closes the channel.
package main

import (
	"cmp"
	"fmt"
	"log"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"
)

func main() {
	conn, err := amqp.Dial(cmp.Or(os.Getenv("AMQP_URL"), "amqp://guest:guest@localhost:5672/"))
	check(err)
	defer conn.Close()
	queue := fill(conn, "1", "2", "3", "4")

	//region return
	first, err := conn.Channel()
	check(err)
	check(first.Qos(3, 0, false))
	deliveries, err := first.Consume(queue, "first", false, false, false, false, nil)
	check(err)
	d := <-deliveries // 1; nobody ever receives 2 and 3
	check(first.Cancel("first", false))
	check(d.Ack(false))
	check(first.Close())

	second, err := conn.Channel()
	check(err)
	deliveries, err = second.Consume(queue, "second", false, false, false, false, nil)
	check(err)
	for range 3 {
		d := <-deliveries
		fmt.Println(d.MessageId, d.Redelivered)
		check(d.Ack(false))
	}
	//endregion return
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

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
