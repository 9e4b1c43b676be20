// net/http's server: how it stops, with each kind of connection.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

type server struct {
	*http.Server
	addr   string
	served chan error
	left   chan error // what a handler's context ended with
}

func start() *server {
	mux := http.NewServeMux()
	s := &server{served: make(chan error, 1), left: make(chan error, 8)}
	mux.HandleFunc("GET /work", func(w http.ResponseWriter, r *http.Request) {
		d, _ := time.ParseDuration(r.FormValue("for"))
		select {
		case <-time.After(d):
			fmt.Fprint(w, "done")
		case <-r.Context().Done():
			s.left <- r.Context().Err()
		}
	})
	mux.HandleFunc("GET /hijack", func(w http.ResponseWriter, r *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			fmt.Println(err)
			return
		}
		go func() {
			time.Sleep(300 * time.Millisecond)
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nalive")
			c.Close()
		}()
	})
	mux.HandleFunc("GET /panic", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	s.addr = ln.Addr().String()
	s.Server = &http.Server{Handler: mux, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { s.served <- s.Serve(ln) }()
	return s
}

func get(client *http.Client, url string) string {
	resp, err := client.Get(url)
	if err != nil {
		if errors.Is(err, io.EOF) {
			return "EOF"
		}
		var op *net.OpError
		if errors.As(err, &op) {
			return op.Op + ": " + op.Err.Error()
		}
		return err.Error()
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return fmt.Sprint(resp.StatusCode, " ", string(b), " ", err, " close:", resp.Close)
}

func client() *http.Client { return &http.Client{Transport: &http.Transport{}} }

func shutdown(s *server, within time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	began := time.Now()
	err := s.Shutdown(ctx)
	fmt.Println("shutdown:", err, time.Since(began) < within)
	err = <-s.served
	fmt.Println("serve:", err, errors.Is(err, http.ErrServerClosed))
}

func main() {
	fmt.Println("active")
	s := start()
	answer := make(chan string)
	go func() { answer <- get(client(), "http://"+s.addr+"/work?for=400ms") }()
	time.Sleep(100 * time.Millisecond)
	go func() {
		time.Sleep(100 * time.Millisecond)
		fmt.Println("late:", get(client(), "http://"+s.addr+"/work?for=1ms"))
	}()
	shutdown(s, 5*time.Second)
	fmt.Println(<-answer)

	fmt.Println("active, no time")
	s = start()
	go func() { answer <- get(client(), "http://"+s.addr+"/work?for=10s") }()
	time.Sleep(100 * time.Millisecond)
	shutdown(s, 200*time.Millisecond)
	fmt.Println("close:", s.Close())
	fmt.Println(<-answer, <-s.left)

	fmt.Println("idle")
	s = start()
	c := client()
	for range 2 {
		fmt.Println(get(c, "http://"+s.addr+"/work?for=1ms"))
	}
	shutdown(s, 5*time.Second)
	fmt.Println(get(c, "http://"+s.addr+"/work?for=1ms"))

	fmt.Println("silent")
	s = start()
	silent, err := net.Dial("tcp", s.addr)
	fmt.Println(err)
	time.Sleep(50 * time.Millisecond)
	shutdown(s, 300*time.Millisecond)
	s.Close()
	n, err := silent.Read(make([]byte, 1))
	fmt.Println(n, err)

	fmt.Println("hijacked")
	s = start()
	go func() { answer <- get(client(), "http://"+s.addr+"/hijack") }()
	time.Sleep(100 * time.Millisecond)
	shutdown(s, 5*time.Second)
	fmt.Println(<-answer)

	fmt.Println("the client leaves")
	s = start()
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	req, _ := http.NewRequestWithContext(ctx, "GET", "http://"+s.addr+"/work?for=10s", nil)
	_, err = client().Do(req)
	cancel()
	fmt.Println(errors.Is(err, context.DeadlineExceeded), <-s.left)
	fmt.Println(get(client(), "http://"+s.addr+"/panic"))
	fmt.Println(get(client(), "http://"+s.addr+"/missing"))
	shutdown(s, 5*time.Second)
	fmt.Println("again:", s.ListenAndServe())

	fmt.Println("timeouts")
	s = start()
	s.ReadHeaderTimeout = 100 * time.Millisecond
	slow, err := net.Dial("tcp", s.addr)
	fmt.Println(err)
	io.WriteString(slow, "GET /work HTTP/1.1\r\n")
	b, err := io.ReadAll(slow)
	fmt.Printf("%q %v\n", b, err)
	s.Close()
	fmt.Println(<-s.served)
}
