// Package wire reads and writes AMQP 0-9-1: frames, methods, field tables and
// content headers. It owns no connection, no goroutine and no clock; both the
// embedded broker and the tap in front of a real one are built on it.
//
// Section numbers in this package are those of "AMQP Advanced Message Queuing
// Protocol, Protocol Specification, Version 0-9-1, 13 November 2008". Where
// RabbitMQ's extensions (exchange.bind, basic.nack, confirm, more types of
// field) differ from it, RabbitMQ wins, since that is what clients speak.
//
// Reading order:
//
//   - frame.go: the envelope; [Reader] and the Append functions
//   - codec.go: how one description of a method's arguments serves both for
//     reading and for writing
//   - method.go: numbers to methods; then one file for each class
//   - table.go: field tables, which keep their order
//   - header.go: content headers and properties
//   - error.go: reply codes and which of them end a connection
//
// Invariants:
//
//   - No length read from the wire causes an allocation before it was held
//     against a bound or against the bytes that are really there.
//   - Everything decoded can be encoded again to bytes that decode the same;
//     the fuzz targets hold this.
//   - A decoded value never refers to the reader's buffer.
//   - What the other side did wrong is an *[Error] with its reply code; any
//     other error is the transport's.
package wire
