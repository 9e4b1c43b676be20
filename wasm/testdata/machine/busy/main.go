// A program that never yields, not even to look at the clock.
package main

import "fmt"

func main() {
	fmt.Println("busy")
	for n := 0; ; n++ {
		if n < 0 {
			n = 0
		}
	}
}
