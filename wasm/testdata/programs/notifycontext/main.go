// A signal ends a NotifyContext, and its cause says which.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGUSR1} {
		ctx, stop := signal.NotifyContext(context.Background(), sig)
		fmt.Println(ctx)
		syscall.Kill(os.Getpid(), sig)
		<-ctx.Done()
		fmt.Println(context.Cause(ctx), ctx.Err(), errors.Is(context.Cause(ctx), context.Canceled))
		stop()
		fmt.Println(context.Cause(ctx))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	stop()
	<-ctx.Done()
	fmt.Println("stopped:", context.Cause(ctx))
}
