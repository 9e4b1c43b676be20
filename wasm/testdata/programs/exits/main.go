// The ways in which a program ends.
//
//machine:run return
//machine:run exit
//machine:run fatal
//machine:run panic
//machine:run error
//machine:run goexit
//machine:run closed
//machine:run negative
//machine:run nilmap
//machine:run index
//machine:run nil
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"runtime"
	"sync"
	"time"
)

func main() {
	log.SetFlags(0)
	defer fmt.Println("deferred")
	go func() {
		time.Sleep(10 * time.Second)
		fmt.Println("not reached")
	}()
	fmt.Fprintln(os.Stderr, "on stderr")
	switch os.Args[1] {
	case "exit":
		os.Exit(3)
	case "fatal":
		log.Fatal("fatal")
	case "panic":
		panic("boom")
	case "error":
		panic(fmt.Errorf("wrapped: %w", errors.New("cause")))
	case "goexit":
		go func() {
			time.Sleep(20 * time.Millisecond)
			os.Exit(4)
		}()
		runtime.Goexit()
	case "closed":
		c := make(chan int)
		close(c)
		close(c)
	case "negative":
		var wg sync.WaitGroup
		wg.Done()
	case "nilmap":
		var m map[string]int
		m["a"] = 1
	case "nil":
		var p *struct{ a int }
		fmt.Println(p.a)
	case "index":
		var s []int
		fmt.Println(s[len(os.Args)])
	}
}
