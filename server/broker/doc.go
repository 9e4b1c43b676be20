// Package broker is an AMQP 0-9-1 broker in memory that behaves as RabbitMQ
// 3.10 does, and tells an observer what RabbitMQ tells nobody: each delivery,
// ack and requeue, as an event, the moment it happens.
//
// # Use
//
//	b := broker.New(broker.Options{Observer: func(e event.Event) { log.Append(e) }})
//	go b.Serve(ctx, ln, "worker-1") // once for each listener; the peer goes into events
//	b.Cut("worker-1")               // reset its connections, as a pulled cable would
//	b.Shutdown(ctx)                 // or Close: wait for every goroutine
//
// # Shape
//
// One goroutine, the owner ([core.run]), has all state. Nothing is locked. A
// connection ([conn]) is a reader and a writer around a socket; the reader hands
// the owner one command for each method, and the owner puts answers into the
// connection's outbox, which never blocks it. Time is the owner's too: every
// deadline (handshake, heartbeats, TTLs, closing) is one of its timers.
//
// Reading order:
//
//   - broker.go, options.go: the API and the bounds
//   - core.go: the owner, its commands, and when deliveries are made
//   - conn.go, outbox.go, assembler.go: sockets, frames, contents
//   - session.go: the phases of a connection, and what its end takes with it
//   - channel.go: the phases of a channel, and the table of methods
//   - one file for each class of methods: connection.go, exchangeclass.go,
//     queueclass.go, basicclass.go and settle.go and publish.go, txclass.go
//   - vhost.go, exchange.go, queue.go, consumer.go, unacked.go, message.go: state
//   - policy.go, deadletter.go: what a queue's arguments ask for
//   - package wire: octets; package tap: the same events from in front of a
//     real RabbitMQ
//
// To add a method: its arguments in package wire, a case in channel.handle, and
// a function in the file of its class.
//
// # Invariants
//
//   - A command is handled whole before anything is delivered. So a reply goes
//     out before what it causes, and what a dying connection held can only go
//     to a living one.
//   - A message that comes back takes its old place: see queue.
//   - The owner never waits for a client, a socket or a goroutine; only the
//     observer can hold it up. It leaves when the last connection is gone.
//   - Events are told in the order in which things happened, and before the
//     octets that they are about can be read by a client.
//   - The same input in the same order makes the same output: names are counted,
//     and nothing depends on the order of a map. (Which of two clients is heard
//     first is the network's.)
//   - What clients can make the broker hold is bounded by [Limits].
//
// # Events
//
// From is "broker". A message is named by its message-id, or "m1", "m2", … .
// message.published is told once for each queue that a message reaches, and with
// no queue, followed by message.dropped, when it reaches none. What arrives from
// a dead-letter exchange is published with the peer "broker". A delivery that
// needs no ack (no-ack) is followed at once by its message.acked, with the text
// "automatic". A connection's end tells its consumers cancelled, its messages
// requeued, its channels closed, then itself. Connections that never came to
// connection.open are not told.
//
// # Where it differs from RabbitMQ
//
//   - Nothing is on disk: durable and persistent are kept and compared, and no
//     more. Confirms come at once, one by one.
//   - Classic queues only: x-queue-type quorum and stream are refused with 406.
//     x-max-priority is kept and compared, but does not order messages.
//   - Any vhost exists; any user may do anything, unless Options.Authenticate
//     says no at login. There are no policies, no management, no CC and BCC.
//   - Instead of blocking publishers (connection.blocked), a full memory is
//     answered with 506.
//   - A malformed method on a channel that is not open is answered for what is
//     malformed first.
//   - Acknowledgements are not subject to consumer_timeout (30 minutes).
package broker
