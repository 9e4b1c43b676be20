// Deadlocks that Go finds.
//
//machine:run channel
//machine:run waitgroup
//machine:run mutex
//machine:run select
//machine:run late
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

func main() {
	fmt.Println("begin")
	switch os.Args[1] {
	case "channel":
		<-make(chan int)
	case "waitgroup":
		var wg sync.WaitGroup
		wg.Add(1)
		go func() { select {} }()
		wg.Wait()
	case "mutex":
		var mu sync.Mutex
		mu.Lock()
		mu.Lock()
	case "select":
		select {}
	case "late":
		time.Sleep(20 * time.Millisecond)
		done := make(chan int)
		go func() {
			time.Sleep(20 * time.Millisecond)
			fmt.Println("leaves without a word")
		}()
		<-done
	}
}
