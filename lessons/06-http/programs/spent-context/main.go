// Shutdown gets a context that is over already, as the signal's context is.
package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
)

func main() {
	entered, release := make(chan struct{}), make(chan struct{})
	contextErr := make(chan error, 1)
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		<-release
		contextErr <- r.Context().Err()
		fmt.Fprint(w, "whole")
	})}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go srv.Serve(ln)
	answered := make(chan string, 1)
	go func() { answered <- get(ln.Addr().String()) }()
	<-entered

	//region stop
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // what the signal does to its context

	fmt.Println("shutdown:", srv.Shutdown(ctx))
	fmt.Println("a new client:", get(ln.Addr().String()))
	close(release) // the handler looks at its own context, and answers
	fmt.Println("request's context:", <-contextErr)
	fmt.Println("the first client:", <-answered)
	//endregion stop
}

func get(addr string) string {
	resp, err := http.Get("http://" + addr)
	if err != nil {
		return "refused"
	}
	defer resp.Body.Close()
	return resp.Status
}
