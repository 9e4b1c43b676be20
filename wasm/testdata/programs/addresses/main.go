// How addresses are understood and shown.
package main

import (
	"fmt"
	"net"
)

func main() {
	for _, at := range []string{":0", "127.0.0.1:0", "localhost:0", "0.0.0.0:0", "[::1]:0"} {
		ln, err := net.Listen("tcp", at)
		if err != nil {
			fmt.Println(at, err)
			continue
		}
		host, port, _ := net.SplitHostPort(ln.Addr().String())
		fmt.Println(at, host, port != "0", ln.Addr().Network())
		for _, to := range []string{"127.0.0.1", "localhost"} {
			if at == "[::1]:0" {
				to = "::1"
			}
			c, err := net.Dial("tcp", net.JoinHostPort(to, port))
			if err != nil {
				fmt.Println(err)
				continue
			}
			s, err := ln.Accept()
			fmt.Println(err, c.LocalAddr().String() == s.RemoteAddr().String(), c.RemoteAddr().String() == s.LocalAddr().String())
			host, _, _ := net.SplitHostPort(s.LocalAddr().String())
			fmt.Println(host)
			c.Close()
			s.Close()
		}
		ln.Close()
	}
}
