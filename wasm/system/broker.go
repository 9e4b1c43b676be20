//go:build js && wasm

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"

	"drainlab/exercises/event"
	"drainlab/server/broker"
)

const (
	brokerPort = "5672"
	// brokerListens is what the broker says on stderr once it can be reached.
	brokerListens = "listening"
)

func runBroker(ctx context.Context) error {
	out := json.NewEncoder(os.Stdout)
	b := broker.New(broker.ForRun(func(e event.Event) {
		_ = out.Encode(e) // the machine's stdout takes everything
	}))
	defer b.Close()
	ln, err := net.Listen("tcp", ":"+brokerPort)
	if err != nil {
		return err
	}
	doors := doors{broker: b, open: map[string]*door{}}
	defer doors.close()
	fmt.Fprintln(os.Stderr, brokerListens)
	for {
		conn, err := ln.Accept()
		if err != nil {
			return err
		}
		doors.enter(ctx, hostOf(ctx, conn.RemoteAddr()), conn)
	}
}

// hostOf is the name of the process at the other end.
func hostOf(ctx context.Context, addr net.Addr) string {
	host, _, err := net.SplitHostPort(addr.String())
	if err != nil {
		return ""
	}
	names, err := net.DefaultResolver.LookupAddr(ctx, host)
	if err != nil || len(names) == 0 {
		return host
	}
	return strings.TrimSuffix(names[0], ".")
}

// doors sorts connections by who opened them: the broker knows its peers by
// the listener at which they came.
type doors struct {
	broker *broker.Broker
	open   map[string]*door
	owned  sync.WaitGroup
}

func (d *doors) enter(ctx context.Context, peer string, conn net.Conn) {
	to := d.open[peer]
	if to == nil {
		to = &door{addr: conn.LocalAddr(), conns: make(chan net.Conn), done: make(chan struct{})}
		d.open[peer] = to
		d.owned.Go(func() {
			_ = d.broker.Serve(ctx, to, peer) // until the broker closes
		})
	}
	select {
	case to.conns <- conn:
	case <-to.done:
		conn.Close()
	}
}

func (d *doors) close() {
	for _, to := range d.open {
		to.Close()
	}
	d.owned.Wait()
}

// door is a net.Listener to which connections are handed.
type door struct {
	addr  net.Addr
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func (d *door) Accept() (net.Conn, error) {
	select {
	case conn := <-d.conns:
		return conn, nil
	case <-d.done:
		return nil, net.ErrClosed
	}
}

func (d *door) Close() error {
	d.once.Do(func() { close(d.done) })
	return nil
}

func (d *door) Addr() net.Addr { return d.addr }
