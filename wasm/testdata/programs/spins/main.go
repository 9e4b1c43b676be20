// A loop that only looks at the clock comes to an end.
package main

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	began := time.Now()
	for time.Since(began) < 50*time.Millisecond {
	}
	fmt.Println(time.Since(began) >= 50*time.Millisecond)
	done := false
	time.AfterFunc(20*time.Millisecond, func() { done = true })
	for !done {
		runtime.Gosched()
	}
	fmt.Println("done")
}
