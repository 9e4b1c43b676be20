// A server for the tests of the machine: it sends back what it gets, and keeps
// a checkpoint on the disk.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
)

func main() {
	if b, err := os.ReadFile("/root/checkpoint"); err == nil {
		fmt.Printf("found %s\n", b)
	}
	if err := os.WriteFile("/root/checkpoint", []byte(os.Args[1]), 0o600); err != nil {
		fmt.Println(err)
	}
	ln, err := net.Listen("tcp", ":7000")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for {
		c, err := ln.Accept()
		if err != nil {
			fmt.Println(err)
			return
		}
		go func() {
			defer c.Close()
			lines := bufio.NewScanner(c)
			for lines.Scan() {
				if lines.Text() == "hold" { // leaves the rest unread
					select {}
				}
				fmt.Fprintln(c, lines.Text())
			}
		}()
	}
}
