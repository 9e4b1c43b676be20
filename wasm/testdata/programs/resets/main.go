// How a connection ends, as its other end sees it.
package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"
)

func pair() (client, server *net.TCPConn) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer ln.Close()
	c, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		panic(err)
	}
	s, err := ln.Accept()
	if err != nil {
		panic(err)
	}
	return c.(*net.TCPConn), s.(*net.TCPConn)
}

func settle() { time.Sleep(30 * time.Millisecond) }

func kind(err error) string {
	for name, e := range map[string]error{"reset": syscall.ECONNRESET, "broken pipe": syscall.EPIPE, "EOF": io.EOF, "closed": net.ErrClosed} {
		if errors.Is(err, e) {
			return name
		}
	}
	return fmt.Sprint(err)
}

func read(c net.Conn) {
	b := make([]byte, 100)
	n, err := c.Read(b)
	fmt.Printf("read %q %s\n", b[:n], kind(err))
}

func write(c net.Conn, text string) {
	n, err := c.Write([]byte(text))
	fmt.Println("wrote", n, kind(err))
}

func main() {
	fmt.Println("closed in order")
	c, s := pair()
	write(c, "last words")
	c.Close()
	settle()
	read(s)
	read(s)
	write(s, "to nobody") // answered by a reset
	settle()
	write(s, "again")
	read(s)
	s.Close()

	fmt.Println("reset")
	c, s = pair()
	c.SetLinger(0)
	c.Close()
	settle()
	read(s)
	read(s)
	write(s, "to nobody")
	s.Close()

	fmt.Println("reset, seen by a writer")
	c, s = pair()
	c.SetLinger(0)
	c.Close()
	settle()
	write(s, "to nobody")
	write(s, "to nobody")
	read(s)
	s.Close()

	fmt.Println("closed with data unread")
	c, s = pair()
	write(s, "never read")
	settle()
	c.Close()
	settle()
	read(s)
	s.Close()

	fmt.Println("half closed")
	c, s = pair()
	write(c, "question")
	fmt.Println(c.CloseWrite())
	write(c, "too late")
	b, err := io.ReadAll(s)
	fmt.Printf("%q %v\n", b, err)
	write(s, "answer")
	s.Close()
	b, err = io.ReadAll(c)
	fmt.Printf("%q %v\n", b, err)
	c.Close()

	fmt.Println("closed while reading")
	c, s = pair()
	done := make(chan struct{})
	go func() {
		defer close(done)
		read(c)
	}()
	settle()
	err = c.Close()
	<-done
	fmt.Println(err)
	fmt.Println(kind(c.Close()))
	read(c)
	write(c, "x")
	fmt.Println(kind(c.SetDeadline(time.Now())))
	s.Close()

	fmt.Println("the listener goes before it accepts")
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	n, err := net.Dial("tcp", ln.Addr().String())
	fmt.Println(err)
	settle()
	ln.Close()
	settle()
	read(n)
}
