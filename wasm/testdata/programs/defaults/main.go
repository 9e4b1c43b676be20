// What a signal does to a program that has not asked for it.
//
//machine:run HUP
//machine:run INT
//machine:run QUIT
//machine:run ABRT
//machine:run TERM
//machine:run KILL
//machine:run USR1
//machine:run PIPE
//machine:run ALRM
//machine:run CHLD
//machine:run CONT
//machine:run WINCH
package main

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

var signals = map[string]syscall.Signal{
	"HUP": syscall.SIGHUP, "INT": syscall.SIGINT, "QUIT": syscall.SIGQUIT, "ABRT": syscall.SIGABRT,
	"TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL, "USR1": syscall.SIGUSR1, "PIPE": syscall.SIGPIPE,
	"ALRM": syscall.SIGALRM, "CHLD": syscall.SIGCHLD, "CONT": syscall.SIGCONT, "WINCH": syscall.SIGWINCH,
}

func main() {
	defer fmt.Println("deferred")
	fmt.Println("sent:", syscall.Kill(os.Getpid(), signals[os.Args[1]]))
	time.Sleep(50 * time.Millisecond)
	fmt.Println("still here")
}
