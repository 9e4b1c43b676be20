// Timers, tickers and contexts with a deadline.
package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

var began = time.Now()

// say tells what has happened, and whether it is not too early for it.
func say(atLeast int, what ...any) {
	fmt.Println(append([]any{time.Since(began) >= time.Duration(atLeast)*time.Millisecond}, what...)...)
	began = time.Now()
}

func main() {
	time.Sleep(80 * time.Millisecond)
	say(80, "slept")

	var wg sync.WaitGroup
	for _, d := range []int{120, 40, 200, 80} {
		wg.Go(func() {
			time.Sleep(time.Duration(d) * time.Millisecond)
			fmt.Println("goroutine", d)
		})
	}
	wg.Wait()
	say(200, "all")

	t := time.NewTimer(400 * time.Millisecond)
	say(0, "stop:", t.Stop(), "again:", t.Stop())
	say(0, "reset:", t.Reset(80*time.Millisecond))
	<-t.C
	say(75, "fired; stop:", t.Stop())

	ticker := time.NewTicker(40 * time.Millisecond)
	for range 3 {
		<-ticker.C
		fmt.Println("tick")
	}
	ticker.Stop()
	say(120, "ticked")
	select {
	case <-ticker.C:
		fmt.Println("a tick too many")
	case <-time.After(120 * time.Millisecond):
		say(120, "no more ticks")
	}

	fired := make(chan string)
	time.AfterFunc(40*time.Millisecond, func() { fired <- "func" })
	say(40, <-fired)

	ctx, cancel := context.WithTimeoutCause(context.Background(), 80*time.Millisecond, errors.New("too slow"))
	defer cancel()
	<-ctx.Done()
	say(80, ctx.Err(), context.Cause(ctx))

	ctx, cancel = context.WithCancel(context.Background())
	stopped := context.AfterFunc(ctx, func() { fired <- "after cancel" })
	cancel()
	say(0, <-fired, stopped())
	a, b := time.Now(), time.Now()
	say(0, b.Sub(a) >= 0, b.Before(a))
}
