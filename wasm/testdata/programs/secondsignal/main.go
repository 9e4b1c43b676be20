// After stop() a second signal has its default action.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	syscall.Kill(os.Getpid(), syscall.SIGTERM)
	<-ctx.Done()
	fmt.Println("first:", context.Cause(ctx))
	syscall.Kill(os.Getpid(), syscall.SIGTERM) // still caught, and of no effect
	time.Sleep(50 * time.Millisecond)
	fmt.Println("still here")
	stop()
	syscall.Kill(os.Getpid(), syscall.SIGTERM)
	time.Sleep(time.Second)
	fmt.Println("not reached")
}
