// Publishes to an exchange that does not exist, and asks twice how it went.
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
	ch, err := conn.Channel()
	check(err)
	//region publish
	check(ch.Confirm(false))
	confirm, err := ch.PublishWithDeferredConfirm("no-such-exchange", "orders", false, false,
		amqp.Publishing{MessageId: "1"})
	fmt.Println("publish:", err)
	fmt.Println("confirmed:", confirm.Wait())
	//endregion publish
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
