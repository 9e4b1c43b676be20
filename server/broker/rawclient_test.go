package broker

import (
	"errors"
	"fmt"
	"io"
	"net"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing/synctest"

	"drainlab/exercises/event"
	"drainlab/server/broker/wire"
)

// rawClient speaks frames, and answers nothing by itself.
type rawClient struct {
	conn     net.Conn
	capable  bool
	mu       sync.Mutex
	received []string
}

func (c *rawClient) receive(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.received = append(c.received, line)
}

func (c *rawClient) take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := c.received
	c.received = nil
	return lines
}

func (c *rawClient) read() {
	r := wire.NewReader(c.conn, 1<<20)
	for {
		f, err := r.ReadFrame()
		if err != nil {
			switch {
			case errors.Is(err, io.EOF), errors.Is(err, io.ErrClosedPipe), errors.Is(err, io.ErrUnexpectedEOF):
				c.receive("(end)")
			default:
				c.receive("(not a frame)")
				r.Discard()
			}
			return
		}
		c.receive(describeFrame(f))
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
	for _, line := range c.take() {
		if !strings.HasPrefix(line, "connection.start ") && !strings.HasPrefix(line, "connection.tune ") && line != "connection.open-ok" {
			c.receive(line)
		}
	}
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
