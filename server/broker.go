package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"time"

	"drainlab/server/broker"
)

// brokerStop bounds the broker's stop: clients get connection.close and that long to answer.
const brokerStop = 8 * time.Second

// serveBroker is "drainlab broker": the embedded broker alone, until a signal.
func serveBroker(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("drainlab broker", flag.ContinueOnError)
	addr := fs.String("addr", "127.0.0.1:5672", "host:port to listen on; everybody who reaches it may use it")
	if code, ok := parse(fs, args, stderr); !ok {
		return code
	}
	ln, err := net.Listen("tcp", *addr)
	if err != nil {
		fmt.Fprintf(stderr, "drainlab broker: %v; choose another address with -addr\n", err)
		return exitUsage
	}
	b := broker.New(broker.Options{})
	fmt.Fprintf(stdout, "AMQP 0-9-1 broker on amqp://guest:guest@%s/\n", ln.Addr())
	err = b.Serve(ctx, ln, "")
	if ctx.Err() == nil {
		fmt.Fprintln(stderr, "drainlab broker:", errors.Join(err, b.Close()))
		return exitFailed
	}
	stop, cancel := context.WithTimeout(context.Background(), brokerStop)
	defer cancel()
	if err := b.Shutdown(stop); err != nil {
		fmt.Fprintln(stderr, "drainlab broker: some clients did not answer and were cut off:", err)
	}
	fmt.Fprintln(stdout, "stopped")
	return exitOK
}
