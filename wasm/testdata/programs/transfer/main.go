// Many bytes and many connections at once.
package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"sync"
)

func main() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				io.Copy(c, c)
			}()
		}
	}()
	send := func(size int) {
		c, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			fmt.Println(err)
			return
		}
		defer c.Close()
		data := make([]byte, size)
		for i := range data {
			data[i] = byte(i * i >> 8)
		}
		go func() {
			c.Write(data)
			c.(*net.TCPConn).CloseWrite()
		}()
		back, err := io.ReadAll(c)
		if err != nil || sha256.Sum256(back) != sha256.Sum256(data) {
			fmt.Println("differs:", len(back), err)
		}
	}
	send(8 << 20)
	fmt.Println("big one done")
	var wg sync.WaitGroup
	for range 200 {
		wg.Go(func() { send(5000) })
	}
	wg.Wait()
	fmt.Println("many done")
	ln.Close()
}
