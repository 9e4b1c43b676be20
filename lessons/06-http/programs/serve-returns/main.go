// One request is being answered when Shutdown begins. Which call returns first?
package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
)

func main() {
	entered, release := make(chan struct{}), make(chan struct{})
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		<-release
		fmt.Fprint(w, "whole")
	})}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	answered := make(chan string, 1)
	go func() { answered <- get(ln.Addr().String()) }()
	<-entered

	//region stop
	shut := make(chan error, 1)
	go func() { shut <- srv.Shutdown(context.Background()) }()

	fmt.Println("serve:", <-served)
	select {
	case err := <-shut:
		fmt.Println("shutdown:", err)
	default:
		fmt.Println("shutdown: not yet")
	}
	close(release) // the handler goes on
	fmt.Println("shutdown:", <-shut)
	fmt.Println("client:", <-answered)
	//endregion stop
}

func get(addr string) string {
	resp, err := http.Get("http://" + addr)
	if err != nil {
		return "error"
	}
	defer resp.Body.Close()
	return resp.Status
}
