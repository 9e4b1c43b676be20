package broker

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"drainlab/exercises/event"
)

var update = flag.Bool("update", false, "rewrite the transcripts in testdata")

// TestTranscripts plays testdata/*.txtar. Each file of an archive is one
// scenario for one broker: commands, each followed by a line of dashes and by
// what happened: first the observer's events, in order, then what each client
// received. The clock is synctest's, so that "advance 30s" takes no time and
// nothing depends on luck.
//
// Commands:
//
//	NAME: connect [heartbeat=SECONDS] [frame-max=N] [channel-max=N] [cap]
//	                          handshake on a listener of peer NAME; cap: the
//	                          client understands consumer_cancel_notify and the like
//	NAME: dial                only the connection, nothing sent
//	NAME: METHOD [channel=N] [field=value] [field] [arg:name=value]
//	                          send a method; publish also takes body=, id=, expiration=, user-id=,
//	                          header:name=value
//	NAME: raw HEX             send octets
//	NAME: drop                close the socket
//	advance DURATION          let time pass
//	cut NAME                  Broker.Cut
//	shutdown                  Broker.Shutdown in the background
//	close                     Broker.Close
func TestTranscripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			a, changed := parseArchive(string(text)), false
			for i, f := range a.files {
				t.Run(f.name, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						got := play(t, f.data)
						if *update {
							a.files[i].data, changed = got, true
						} else if got != f.data {
							t.Errorf("%s (-update rewrites it if that is right)", difference(got, f.data))
						}
					})
				})
			}
			if changed {
				if err := os.WriteFile(path, []byte(a.format()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// difference shows where two texts part.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("after\n\t%s\ngot\n\t%s\nwant\n\t%s", strings.Join(g[max(i-5, 0):i], "\n\t"), g[i], w[i])
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(g), len(w))
}

// stage is one scenario's broker and its clients.
type stage struct {
	t       *testing.T
	broker  *Broker
	mu      sync.Mutex // a timer's goroutine is behind nothing that the test did
	events  []string
	clients map[string]*rawClient
	others  sync.WaitGroup // Serve, Shutdown and the clients' readers
}

func play(t *testing.T, script string) string {
	s := &stage{t: t, clients: map[string]*rawClient{}}
	s.broker = New(Options{
		Observer: func(e event.Event) { s.happen(describeEvent(e)) },
		Limits:   Limits{MessageSize: 1000, Queues: 5, VHosts: 2, Connections: 3, Channels: 8, FrameSize: 8192},
	})
	var out strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(script), "\n\n") {
		command, _, _ := strings.Cut(block, "\n----")
		for line := range strings.SplitSeq(command, "\n") {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				if err := s.do(line); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				synctest.Wait()
			}
		}
		fmt.Fprintf(&out, "%s\n----\n", command)
		for _, line := range s.happened() {
			fmt.Fprintln(&out, line)
		}
		fmt.Fprintln(&out)
	}
	s.broker.Close()
	s.others.Wait()
	if err := s.broker.core.check(); err != nil {
		t.Error(err)
	}
	return strings.TrimRight(out.String(), "\n") + "\n\n"
}

func (s *stage) happen(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, line)
}

func (s *stage) happened() []string {
	s.mu.Lock()
	lines := s.events
	s.events = nil
	s.mu.Unlock()
	names := make([]string, 0, len(s.clients))
	for name := range s.clients {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		c := s.clients[name]
		for _, line := range c.take() {
			lines = append(lines, name+" < "+line)
		}
	}
	return lines
}

func (s *stage) do(line string) error {
	name, rest, isClient := strings.Cut(line, ": ")
	if isClient {
		words := strings.Fields(rest)
		return s.client(name, words[0], words[1:])
	}
	words := strings.Fields(line)
	switch words[0] {
	case "advance":
		d, err := time.ParseDuration(words[1])
		time.Sleep(d)
		return err
	case "cut":
		s.happen(fmt.Sprintf("cut %d", s.broker.Cut(words[1])))
	case "shutdown":
		s.others.Go(func() { s.broker.Shutdown(context.Background()) })
	case "close":
		return s.broker.Close()
	default:
		return errors.New("unknown command")
	}
	return nil
}

func (s *stage) client(name, verb string, args []string) error {
	c := s.clients[name]
	switch verb {
	case "dial", "connect":
		ln := newPipeListener()
		s.others.Go(func() { s.broker.Serve(s.t.Context(), ln, name) })
		c = &rawClient{conn: ln.dial(), capable: slices.Contains(args, "cap")}
		s.clients[name] = c
		s.others.Go(c.read)
		synctest.Wait()
		ln.Close()
		if verb == "connect" {
			return c.handshake(args)
		}
		return nil
	case "drop":
		return c.conn.Close()
	case "raw":
		return c.raw(strings.Join(args, ""))
	}
	return c.send(verb, args)
}

// pipeListener hands out the ends of net.Pipe.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
}

func (l *pipeListener) dial() net.Conn {
	ours, theirs := net.Pipe()
	l.conns <- theirs
	return ours
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }
