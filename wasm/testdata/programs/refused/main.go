// Connections that are not to be had.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"time"
)

func main() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	addr := ln.Addr().String()
	plain := func(err error) string { return strings.ReplaceAll(err.Error(), addr, "ADDR") }

	_, err = net.Listen("tcp", addr)
	fmt.Println(plain(err), errors.Is(err, syscall.EADDRINUSE))

	// Close frees the port and wakes Accept.
	accepted := make(chan error)
	go func() {
		_, err := ln.Accept()
		accepted <- err
	}()
	time.Sleep(20 * time.Millisecond)
	fmt.Println(ln.Close())
	err = <-accepted
	fmt.Println(plain(err), errors.Is(err, net.ErrClosed))
	_, err = ln.Accept()
	fmt.Println(plain(err))
	fmt.Println(plain(ln.Close()))

	_, err = net.Dial("tcp", addr)
	fmt.Println(plain(err), errors.Is(err, syscall.ECONNREFUSED))
	var op *net.OpError
	fmt.Println(errors.As(err, &op), op.Op, op.Net, op.Timeout(), op.Temporary())

	again, err := net.Listen("tcp", addr)
	fmt.Println(err)
	again.Close()

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = (&net.Dialer{}).DialContext(ctx, "tcp", addr)
	fmt.Println(plain(err))
	_, err = net.Dial("tcp", "nowhere")
	fmt.Println(err)
	_, err = net.Dial("tcp", "127.0.0.1:99999")
	fmt.Println(err)
}
