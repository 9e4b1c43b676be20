// A handler has taken its connection over, as WebSocket libraries do.
package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
)

func main() {
	hooked := make(chan struct{})
	conns := make(chan net.Conn, 1)
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		fmt.Fprint(conn, "hello\n")
		conns <- conn
	})}
	srv.RegisterOnShutdown(func() { close(hooked) })
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go srv.Serve(ln)

	client, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		panic(err)
	}
	fmt.Fprint(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	in := bufio.NewReader(client)
	in.ReadString('\n')
	server := <-conns

	//region stop
	fmt.Println("shutdown:", srv.Shutdown(context.Background()))
	<-hooked
	fmt.Fprint(server, "still here\n")
	line, err := in.ReadString('\n')
	fmt.Printf("client read: %q, %v\n", line, err)
	//endregion stop
}
