// A program that prints without end.
package main

import "fmt"

func main() {
	for {
		fmt.Println("again and again and again and again")
	}
}
