// Who gets a signal: every channel that wants it, once, if it has room.
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
	one, two, all, full := make(chan os.Signal, 4), make(chan os.Signal, 4), make(chan os.Signal, 16), make(chan os.Signal, 1)
	signal.Notify(one, syscall.SIGTERM)
	signal.Notify(two, syscall.SIGTERM, syscall.SIGHUP)
	signal.Notify(full, syscall.SIGTERM)
	full <- syscall.SIGHUP // no room: what comes is lost
	send(syscall.SIGTERM)
	send(syscall.SIGHUP)
	fmt.Println(len(one), len(two), len(full))
	signal.Stop(one)
	signal.Notify(all, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGINT)
	for _, sig := range []syscall.Signal{syscall.SIGUSR2, syscall.SIGINT, syscall.SIGUSR1, syscall.SIGTERM} {
		send(sig)
		fmt.Println(<-all)
	}
	fmt.Println(len(one), len(two), len(all))

	// Stop returns only when what was sent before it has arrived.
	last := make(chan os.Signal, 1)
	signal.Notify(last, syscall.SIGUSR1)
	send(syscall.SIGUSR1)
	signal.Stop(last)
	fmt.Println(len(last))
}
