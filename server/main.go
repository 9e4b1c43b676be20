package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Exit codes of every command.
const (
	exitOK     = 0
	exitFailed = 1 // a check failed, a lesson has mistakes, a server could not serve
	exitUsage  = 2 // it could not be tried
)

type command struct {
	name, does string
	run        func(ctx context.Context, args []string, stdout, stderr io.Writer) int
}

var commands = []command{
	{"serve", "serve the course and the lab over HTTP", serve},
	{"run", "play an exercise's scenarios in the terminal", runExercise},
	{"broker", "run the AMQP broker alone", serveBroker},
	{"lint", "say what is wrong in the lessons and exercises", lint},
}

func main() {
	// The first signal asks for a stop in order; stop below makes a second one kill.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() { <-ctx.Done(); stop() }()
	code := dispatch(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func dispatch(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		for _, c := range commands {
			if c.name == args[0] {
				return c.run(ctx, args[1:], stdout, stderr)
			}
		}
	}
	out := stderr
	asked := len(args) > 0 && (args[0] == "help" || args[0] == "-h" || args[0] == "-help" || args[0] == "--help")
	if asked {
		out = stdout
	} else if len(args) > 0 {
		fmt.Fprintf(out, "drainlab: there is no command %q\n\n", args[0])
	}
	fmt.Fprintln(out, "usage: drainlab COMMAND [flags]")
	for _, c := range commands {
		fmt.Fprintf(out, "  %-8s %s\n", c.name, c.does)
	}
	fmt.Fprintln(out, "drainlab COMMAND -h tells a command's flags")
	if asked {
		return exitOK
	}
	return exitUsage
}

// parse reads a command's flags. ok is false when the command is to exit with code.
func parse(fs *flag.FlagSet, args []string, stderr io.Writer) (code int, ok bool) {
	fs.SetOutput(stderr)
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return exitOK, false
	case err != nil:
		return exitUsage, false
	}
	return exitOK, true
}
