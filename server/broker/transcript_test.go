package broker

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"drainlab/exercises/event"
	"drainlab/server/broker/wire"
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
							t.Errorf("got\n%s\nwant\n%s", got, f.data)
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

// stage is one scenario's broker and its clients.
type stage struct {
	t       *testing.T
	broker  *Broker
	events  []string
	clients map[string]*rawClient
	others  sync.WaitGroup // Serve, Shutdown and the clients' readers
}

func play(t *testing.T, script string) string {
	s := &stage{t: t, clients: map[string]*rawClient{}}
	s.broker = New(Options{
		Observer: func(e event.Event) { s.events = append(s.events, describeEvent(e)) },
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
	return strings.TrimRight(out.String(), "\n") + "\n\n"
}

func (s *stage) happened() []string {
	lines := slices.Clone(s.events)
	s.events = nil
	names := make([]string, 0, len(s.clients))
	for name := range s.clients {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		c := s.clients[name]
		for _, line := range c.received {
			lines = append(lines, name+" < "+line)
		}
		c.received = nil
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
		s.events = append(s.events, fmt.Sprintf("cut %d", s.broker.Cut(words[1])))
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

// rawClient speaks frames, and answers nothing by itself.
type rawClient struct {
	conn     net.Conn
	capable  bool
	received []string
}

func (c *rawClient) read() {
	r := wire.NewReader(c.conn, 1<<20)
	for {
		f, err := r.ReadFrame()
		if err != nil {
			switch {
			case errors.Is(err, io.EOF), errors.Is(err, io.ErrClosedPipe), errors.Is(err, io.ErrUnexpectedEOF):
				c.received = append(c.received, "(end)")
			default:
				c.received = append(c.received, "(not a frame)")
				r.Discard()
			}
			return
		}
		c.received = append(c.received, describeFrame(f))
	}
}

func (c *rawClient) write(b []byte) error {
	_, err := c.conn.Write(b)
	return err
}

func (c *rawClient) raw(hex string) error {
	var b []byte
	if _, err := fmt.Sscanf(hex, "%x", &b); err != nil {
		return err
	}
	return c.write(b)
}

func (c *rawClient) method(channel uint16, m wire.Method) error {
	b, err := wire.AppendMethod(nil, channel, m)
	if err != nil {
		return err
	}
	err = c.write(b)
	synctest.Wait()
	return err
}

// handshake opens the connection and forgets what came up to then.
func (c *rawClient) handshake(args []string) error {
	tune := &wire.ConnectionTuneOk{}
	for _, a := range args {
		k, v, _ := strings.Cut(a, "=")
		n, _ := strconv.Atoi(v)
		switch k {
		case "heartbeat":
			tune.Heartbeat = uint16(n)
		case "frame-max":
			tune.FrameMax = uint32(n)
		case "channel-max":
			tune.ChannelMax = uint16(n)
		}
	}
	caps := wire.Table{}
	if c.capable {
		caps = wire.Table{{Name: "consumer_cancel_notify", Value: true}, {Name: "authentication_failure_close", Value: true}}
	}
	if err := c.write([]byte(wire.ProtocolHeader)); err != nil {
		return err
	}
	synctest.Wait()
	for _, m := range []wire.Method{
		&wire.ConnectionStartOk{Mechanism: "PLAIN", Response: "\x00guest\x00guest", ClientProperties: wire.Table{{Name: "capabilities", Value: caps}}},
		tune,
		&wire.ConnectionOpen{VirtualHost: "/"},
	} {
		if err := c.method(0, m); err != nil {
			return err
		}
	}
	c.received = slices.DeleteFunc(c.received, func(s string) bool {
		return strings.HasPrefix(s, "connection.start ") || strings.HasPrefix(s, "connection.tune ") || s == "connection.open-ok"
	})
	return nil
}

func parseValue(s string) any {
	if n, err := strconv.ParseInt(s, 10, 32); err == nil {
		return int32(n)
	}
	if s == "true" || s == "false" {
		return s == "true"
	}
	return s
}

// send makes a method from words and sends it, with its content.
func (c *rawClient) send(verb string, args []string) error {
	m := methodNamed(verb)
	if m == nil {
		return fmt.Errorf("no method %q", verb)
	}
	channel := uint16(1)
	if m.ID().Class() == wire.ClassConnection {
		channel = 0
	}
	var p wire.Properties
	var body string
	var table wire.Table
	for _, a := range args {
		k, v, hasValue := strings.Cut(a, "=")
		kind, name, isTable := strings.Cut(k, ":")
		switch {
		case k == "channel":
			n, _ := strconv.Atoi(v)
			channel = uint16(n)
		case k == "body":
			body = v
		case k == "id":
			p.MessageID, p.Present = v, p.Present|wire.HasMessageID
		case k == "expiration":
			p.Expiration, p.Present = v, p.Present|wire.HasExpiration
		case k == "user-id":
			p.UserID, p.Present = v, p.Present|wire.HasUserID
		case isTable && kind == "header":
			p.Headers, p.Present = append(p.Headers, wire.Field{Name: name, Value: parseValue(v)}), p.Present|wire.HasHeaders
		case isTable && kind == "arg":
			table = append(table, wire.Field{Name: name, Value: parseValue(v)})
		default:
			if err := setField(m, k, v, hasValue); err != nil {
				return err
			}
		}
	}
	if f := reflect.ValueOf(m).Elem().FieldByName("Arguments"); f.IsValid() {
		f.Set(reflect.ValueOf(table))
	}
	b, err := wire.AppendMethod(nil, channel, m)
	if err == nil && m.ID().HasContent() {
		b, err = wire.AppendContent(b, channel, wire.Header{Class: wire.ClassBasic, BodySize: uint64(len(body)), Properties: p}, []byte(body), 4096)
	}
	if err != nil {
		return err
	}
	return c.write(b)
}

func setField(m wire.Method, key, value string, hasValue bool) error {
	name := strings.ToLower(strings.ReplaceAll(key, "-", ""))
	f := reflect.ValueOf(m).Elem().FieldByNameFunc(func(s string) bool { return strings.ToLower(s) == name })
	if !f.IsValid() {
		return fmt.Errorf("%s has no field %q", m.ID(), key)
	}
	switch f.Kind() {
	case reflect.String:
		f.SetString(strings.ReplaceAll(value, `\0`, "\x00"))
	case reflect.Bool:
		f.SetBool(!hasValue || value == "true")
	default:
		n, err := strconv.ParseUint(value, 10, 64)
		f.SetUint(n)
		return err
	}
	return nil
}

func methodNamed(name string) wire.Method {
	for class := uint32(10); class <= 90; class++ {
		for method := uint32(10); method <= 120; method++ {
			if id := wire.ID(class<<16 | method); id.String() == name {
				return wire.New(id)
			}
		}
	}
	return nil
}

func describeFrame(f wire.Frame) string {
	switch f.Type {
	case wire.FrameHeartbeat:
		return "heartbeat"
	case wire.FrameBody:
		return fmt.Sprintf("  body %q", f.Payload)
	case wire.FrameHeader:
		h, err := wire.DecodeHeader(f.Payload)
		if err != nil {
			return err.Error()
		}
		line := fmt.Sprintf("  header %d octets", h.BodySize)
		if h.MessageID != "" {
			line += " id=" + h.MessageID
		}
		if len(h.Headers) > 0 {
			line += " " + h.Headers.Describe()
		}
		return line
	}
	m, err := wire.DecodeMethod(f.Payload)
	if err != nil {
		return err.Error()
	}
	line := m.ID().String()
	if f.Channel > 1 {
		line += fmt.Sprintf(" channel=%d", f.Channel)
	}
	v := reflect.ValueOf(m).Elem()
	for i := range v.NumField() {
		switch field := v.Field(i); {
		case field.IsZero():
		case field.Kind() == reflect.Slice:
			line += " " + v.Type().Field(i).Name + "=(" + field.Interface().(wire.Table).Describe() + ")"
		case field.Kind() == reflect.String:
			line += fmt.Sprintf(" %s=%q", v.Type().Field(i).Name, field.String())
		case field.Kind() == reflect.Bool:
			line += " " + v.Type().Field(i).Name
		default:
			line += fmt.Sprintf(" %s=%d", v.Type().Field(i).Name, field.Uint())
		}
	}
	return line
}

func describeEvent(e event.Event) string {
	line := "* " + string(e.Kind)
	add := func(name, value string) {
		if value != "" {
			line += " " + name + "=" + value
		}
	}
	add("message", e.Message)
	add("queue", e.Queue)
	if e.Tag > 0 {
		add("tag", fmt.Sprint(e.Tag))
	}
	if e.Redelivered {
		line += " redelivered"
	}
	add("consumer", e.Consumer)
	add("conn", e.Conn)
	if e.Channel > 0 {
		add("channel", fmt.Sprint(e.Channel))
	}
	add("peer", e.Peer)
	if e.Code != nil {
		add("code", fmt.Sprint(*e.Code))
	}
	if e.Text != "" {
		line += fmt.Sprintf(" %q", e.Text)
	}
	return line
}
