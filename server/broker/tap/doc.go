// Package tap shows what passes between a program and a real RabbitMQ, as the
// events that the embedded broker would have told.
//
// A [Tap] is a TCP proxy: a program connects to it in place of the broker. It
// passes every octet on unchanged, and reads along in both directions with
// package wire. What it makes of that is marked Inferred: RabbitMQ itself
// tells nobody what it delivers, requeues or has acknowledged.
//
// Reading order: tap.go (connections), relay.go (octets), session.go (what is
// known of a connection), client.go and server.go (what each side says),
// held.go (what a channel has unacknowledged).
//
// Invariants:
//
//   - An event is told before the octets that it was read from are passed on.
//     So a delivery is told before the program can act on it, and a
//     requeue before RabbitMQ can deliver the message to somebody else.
//   - The observer is called by one goroutine at a time.
//   - What cannot be understood is passed on like anything else; the tap says
//     once that it is blind from there.
//
// What it cannot know: which queues an exchange other than the default one
// sends a message to (the event then has no Queue); what a queue does on its
// own, such as expiry; whether a refused message is dead-lettered when the
// queue was not declared through this tap; names for messages that have no
// message-id (the events then have no Message). Acks within a transaction
// (tx.select) are told when they are sent, not when they are committed.
//
// TLS to the broker (amqps) is out of scope: there is nothing to be read in it.
package tap
