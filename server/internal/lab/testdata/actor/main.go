// Actor is a program for the lab's tests. It does what its own file name says.
package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	amqp "github.com/rabbitmq/amqp091-go"
)

func main() {
	behave := map[string]func(){
		"polite":      polite,
		"stubborn":    stubborn,
		"chatty":      chatty,
		"forks":       forks,
		"child":       child,
		"panics":      func() { panic("as it says") },
		"environment": environment,
		"streams":     streams,
		"remembers":   remembers,
		"listens":     listens,
		"consumes":    consumes,
	}[filepath.Base(os.Args[0])]
	behave()
}

func polite() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	fmt.Println("ready")
	fmt.Println("stopping:", <-stop)
}

func stubborn() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
	fmt.Println("ready")
	select {}
}

func chatty() {
	fmt.Println("ready")
	for {
		fmt.Println("and another thing")
	}
}

// forks leaves a child behind that holds its output open.
func forks() {
	cmd := exec.Command(filepath.Join(filepath.Dir(os.Args[0]), "child"))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("child", cmd.Process.Pid)
	polite()
}

func child() {
	signal.Ignore(syscall.SIGTERM)
	select {}
}

func environment() {
	env := os.Environ()
	slices.Sort(env)
	dir, err := os.Getwd()
	fmt.Println(strings.Join(env, "\n"))
	fmt.Println("dir", dir, err)
	n, err := os.Stdin.Read(make([]byte, 1))
	fmt.Println("stdin", n, err)
}

func streams() {
	for i := range 50 {
		fmt.Println("out", i)
		fmt.Fprintln(os.Stderr, "err", i)
	}
	fmt.Println(strings.Repeat("x", 100))
	fmt.Println("\xff bytes")
	fmt.Print("no end of line")
}

// remembers finds on the disk what it left there before.
func remembers() {
	before, _ := os.ReadFile("checkpoint")
	fmt.Printf("found %q\n", before)
	if err := os.WriteFile("checkpoint", append(before, 'x'), 0o600); err != nil {
		fmt.Println(err)
	}
	polite()
}

func listens() {
	ln, err := net.Listen("tcp", os.Getenv("ADDR"))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	defer ln.Close()
	polite()
}

// consumes takes messages and never answers.
func consumes() {
	conn, err := amqp.Dial(os.Getenv("AMQP_URL"))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	ch, err := conn.Channel()
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	queue := os.Getenv("QUEUE")
	for _, q := range []string{queue, queue + ".dead"} {
		if _, err := ch.QueueDeclare(q, true, false, false, false, nil); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	deliveries, err := ch.Consume(queue, "", false, false, false, false, nil)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	go func() {
		for d := range deliveries {
			fmt.Println("start", d.MessageId)
		}
	}()
	polite()
}
