// Deadlines of reads, writes and accepts.
package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"time"
)

func is(err error) string {
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() && errors.Is(err, os.ErrDeadlineExceeded) {
		return "deadline"
	}
	return fmt.Sprint(err)
}

func main() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	began := time.Now()
	ln.(*net.TCPListener).SetDeadline(began.Add(80 * time.Millisecond))
	_, err = ln.Accept()
	fmt.Println("accept:", is(err), time.Since(began) >= 80*time.Millisecond)
	ln.(*net.TCPListener).SetDeadline(time.Time{})

	c, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		panic(err)
	}
	s, err := ln.Accept()
	if err != nil {
		panic(err)
	}
	b := make([]byte, 10)
	began = time.Now()
	s.SetReadDeadline(began.Add(80 * time.Millisecond))
	_, err = s.Read(b)
	fmt.Println("read:", is(err), time.Since(began) >= 80*time.Millisecond)
	_, err = s.Read(b)
	fmt.Println("read again:", is(err))
	c.Write([]byte("hello"))
	time.Sleep(20 * time.Millisecond)
	_, err = s.Read(b)
	fmt.Println("with data there:", is(err))
	s.SetReadDeadline(time.Time{})
	n, err := s.Read(b)
	fmt.Printf("without: %q %v\n", b[:n], err)

	// A deadline in the past ends a read that is waiting.
	done := make(chan error)
	go func() {
		_, err := s.Read(b)
		done <- err
	}()
	time.Sleep(20 * time.Millisecond)
	s.SetDeadline(time.Unix(1, 0))
	fmt.Println("woken:", is(<-done))
	_, err = s.Write(b)
	fmt.Println("write:", is(err))
	s.SetDeadline(time.Time{})

	// A deadline that is moved while a read waits.
	began = time.Now()
	s.SetReadDeadline(began.Add(10 * time.Second))
	go func() {
		_, err := s.Read(b)
		done <- err
	}()
	time.Sleep(20 * time.Millisecond)
	s.SetReadDeadline(time.Now().Add(60 * time.Millisecond))
	fmt.Println("moved:", is(<-done), time.Since(began) >= 80*time.Millisecond)

	// Nobody reads: a write fills what the connection holds, and waits.
	c.SetWriteDeadline(time.Now().Add(300 * time.Millisecond))
	n, err = c.Write(make([]byte, 64<<20))
	fmt.Println("full:", is(err), n > 0, n < 64<<20)
	runtime.KeepAlive(s) // a connection that nobody has any more is closed
}
