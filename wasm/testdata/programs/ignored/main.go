// Ignore, Ignored, Reset and Stop.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func send(sig syscall.Signal) {
	syscall.Kill(os.Getpid(), sig)
	time.Sleep(30 * time.Millisecond)
}

func main() {
	signal.Ignore(syscall.SIGINT)
	send(syscall.SIGINT)
	fmt.Println("ignored:", signal.Ignored(syscall.SIGINT), signal.Ignored(syscall.SIGTERM))

	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGINT)
	fmt.Println("ignored:", signal.Ignored(syscall.SIGINT))
	send(syscall.SIGINT)
	fmt.Println("came:", <-c)

	signal.Notify(c, syscall.SIGHUP)
	signal.Stop(c)
	signal.Ignore(syscall.SIGHUP)
	send(syscall.SIGHUP)
	fmt.Println("waiting:", len(c))

	d := make(chan os.Signal, 1)
	signal.Notify(d, syscall.SIGTERM)
	signal.Reset(syscall.SIGTERM)
	send(syscall.SIGTERM)
	fmt.Println("not reached")
}
