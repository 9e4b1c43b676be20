// Programs that do not know when to stop.
package main

import (
	"fmt"
	"os"
	"time"
)

var kept [][]byte

func main() {
	switch os.Args[1] {
	case "clock":
		for end := time.Now().Add(time.Hour); time.Now().Before(end); {
		}
	case "output":
		for {
			fmt.Println("again and again and again and again")
		}
	case "memory":
		for {
			kept = append(kept, make([]byte, 1<<20))
		}
	case "goroutines":
		for range 1_000_000 {
			go func() { select {} }()
		}
		time.Sleep(time.Hour)
	case "ticks":
		for range time.Tick(time.Microsecond) {
		}
	}
}
