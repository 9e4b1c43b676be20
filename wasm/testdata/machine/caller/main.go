// A client and supervisor for the tests of the machine: what each action on
// the server's process looks like from the other end of a connection.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"syscall/js"
	"time"
)

var machine = js.Global().Get("machine")

var exits = make(chan string, 10)

func supervise() {
	machine.Call("onMessage", js.FuncOf(func(js.Value, []js.Value) any {
		for msg := machine.Call("next"); !msg.IsNull(); msg = machine.Call("next") {
			switch msg.Get("kind").String() {
			case "output":
				b := make([]byte, msg.Get("bytes").Length())
				js.CopyBytesToGo(b, msg.Get("bytes"))
				fmt.Printf("%s: %s", msg.Get("name").String(), b)
			case "exit":
				exits <- fmt.Sprint(msg.Get("name").String(), " exited ", msg.Get("code").Int(), " signal ", msg.Get("signal").Int())
			}
		}
		return nil
	}))
}

func start(generation string) {
	machine.Call("spawn", `{"name":"server","program":"echo","argv":["echo","`+generation+`"]}`)
	time.Sleep(50 * time.Millisecond)
}

func dial() net.Conn {
	c, err := net.Dial("tcp", "server:7000")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	return c
}

func kind(err error) string {
	for name, e := range map[string]error{"reset": syscall.ECONNRESET, "EOF": io.EOF, "refused": syscall.ECONNREFUSED, "no route": syscall.EHOSTUNREACH} {
		if errors.Is(err, e) {
			return name
		}
	}
	return fmt.Sprint(err)
}

func main() {
	supervise()
	start("one")
	c := dial()
	fmt.Fprintln(c, "hello")
	line, err := bufio.NewReader(c).ReadString('\n')
	fmt.Printf("%q %s\n", line, kind(err))

	host, _, _ := net.SplitHostPort(c.RemoteAddr().String())
	names, err := net.LookupAddr(host)
	fmt.Println(names, err)
	_, err = net.Dial("tcp", "127.0.0.1:7000")
	fmt.Println("its port is not on my loopback:", kind(err))
	_, err = net.Dial("tcp", "10.0.0.77:7000")
	fmt.Println("nobody's address:", kind(err))

	fmt.Println("cut:", machine.Call("cut", "main", "server").Int())
	_, err = c.Read(make([]byte, 1))
	fmt.Println(kind(err))

	c, busy := dial(), dial()
	fmt.Fprintln(busy, "hold")
	time.Sleep(20 * time.Millisecond)
	fmt.Fprintln(busy, "is never read")
	time.Sleep(20 * time.Millisecond)
	machine.Call("signal", "server", 9)
	fmt.Println(<-exits)
	_, err = c.Read(make([]byte, 1))
	fmt.Println("had nothing unread:", kind(err))
	_, err = busy.Read(make([]byte, 1))
	fmt.Println("had something unread:", kind(err))
	_, err = net.Dial("tcp", "server:7000")
	fmt.Println("gone:", kind(err))

	start("two")
	c = dial()
	fmt.Println(c.RemoteAddr().String() != "")
	machine.Call("signal", "server", 15)
	fmt.Println(<-exits)
	fmt.Println("to nobody:", machine.Call("signal", "server", 15).Int())
}
