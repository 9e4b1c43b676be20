// Signals have their numbers and names.
package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

func main() {
	for n := syscall.Signal(0); n <= 34; n++ {
		fmt.Println(int(n), n)
	}
	fmt.Println(os.Interrupt, os.Kill, os.Interrupt == syscall.SIGINT)
	for _, e := range []syscall.Errno{syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE, syscall.ETIMEDOUT, syscall.EADDRINUSE, syscall.EHOSTUNREACH, syscall.ENOENT, syscall.EAGAIN} {
		fmt.Println(int(e), e)
	}
	p, err := os.FindProcess(os.Getpid())
	fmt.Println(err, p.Signal(syscall.Signal(0)))
	fmt.Println(errors.Is(syscall.Kill(999999999, syscall.SIGTERM), syscall.ESRCH))
}
