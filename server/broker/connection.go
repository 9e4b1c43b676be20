package broker

import (
	"strings"
	"time"

	"drainlab/exercises/event"
	"drainlab/server/broker/wire"
)

// Class connection (section 1.4): the handshake, its security and limits, and
// the orderly end.
//
//	client: protocol header   broker: start
//	client: start-ok          broker: tune
//	client: tune-ok, open     broker: open-ok

const (
	mechanisms = "PLAIN AMQPLAIN"
	locales    = "en_US"
)

// serverProperties introduces the broker. It names RabbitMQ as its product, as
// browsers name Mozilla: clients look there for whether to expect RabbitMQ's
// ways (amqp091-go's own tests do, for basic.recover), and those it has.
func serverProperties() wire.Table {
	capabilities := wire.Table{}
	for _, name := range []string{
		"publisher_confirms", "exchange_exchange_bindings", "basic.nack", "consumer_cancel_notify",
		"per_consumer_qos", "consumer_priorities", "authentication_failure_close",
	} {
		capabilities = append(capabilities, wire.Field{Name: name, Value: true})
	}
	return wire.Table{
		{Name: "capabilities", Value: capabilities},
		{Name: "product", Value: "RabbitMQ"},
		{Name: "version", Value: "3.10.8"},
		{Name: "platform", Value: "Drainlab"},
		{Name: "information", Value: "Drainlab's embedded broker, which behaves as RabbitMQ does. Nothing it holds outlives it."},
	}
}

// start answers the protocol header.
func (s *session) start() {
	if s.phase != phaseHeader {
		return
	}
	s.phase = phaseStart
	s.send(0, &wire.ConnectionStart{VersionMajor: 0, VersionMinor: 9, ServerProperties: serverProperties(), Mechanisms: mechanisms, Locales: locales})
}

// refuseHeader answers anything else with the header we want (section 4.2.2).
func (s *session) refuseHeader() {
	if s.phase != phaseHeader {
		return
	}
	s.conn.out.raw([]byte(wire.ProtocolHeader))
	s.leave()
}

func (s *session) handshake(a *arrival) *wire.Error {
	if a.channel == 0 {
		switch m := a.method.(type) {
		case *wire.ConnectionStartOk:
			if s.phase == phaseStart {
				return s.startOk(m)
			}
		case *wire.ConnectionTuneOk:
			if s.phase == phaseTune {
				return s.tuneOk(m)
			}
		case *wire.ConnectionOpen:
			if s.phase == phaseOpen {
				return s.openVHost(m)
			}
		case *wire.ConnectionClose:
			s.send(0, &wire.ConnectionCloseOk{})
			s.leave()
			return nil
		}
	}
	return wire.Errorf(wire.CommandInvalid, "%s on channel %d during the handshake", a.method.ID(), a.channel)
}

func (s *session) startOk(m *wire.ConnectionStartOk) *wire.Error {
	caps, _ := m.ClientProperties.Get("capabilities")
	if t, ok := caps.(wire.Table); ok {
		s.takesCancel = isTrue(t, "consumer_cancel_notify")
		s.takesAuthFailure = isTrue(t, "authentication_failure_close")
	}
	user, password, ok := credentials(m)
	if !ok || !s.core.opt.Authenticate(user, password) {
		if !s.takesAuthFailure {
			// Without the capability, 0-9-1 has no other answer than to hang up
			// (section 2.2.4).
			s.leave()
			return nil
		}
		return wire.Errorf(wire.AccessRefused, "Login was refused using authentication mechanism %s.", m.Mechanism)
	}
	s.user = user
	s.phase = phaseTune
	l := s.core.opt.Limits
	s.send(0, &wire.ConnectionTune{ChannelMax: uint16(min(l.Channels, 65535)), FrameMax: uint32(l.FrameSize),
		Heartbeat: uint16(s.core.opt.Heartbeat / time.Second)})
	return nil
}

func isTrue(t wire.Table, name string) bool {
	v, _ := t.Get(name)
	b, _ := v.(bool)
	return b
}

// credentials reads a SASL response: PLAIN is RFC 4616, AMQPLAIN a table
// without its length.
func credentials(m *wire.ConnectionStartOk) (user, password string, ok bool) {
	switch m.Mechanism {
	case "PLAIN":
		parts := strings.Split(m.Response, "\x00")
		if len(parts) != 3 {
			return "", "", false
		}
		return parts[1], parts[2], true
	case "AMQPLAIN":
		t, err := wire.DecodeFields([]byte(m.Response))
		if err != nil {
			return "", "", false
		}
		return t.String("LOGIN"), t.String("PASSWORD"), true
	}
	return "", "", false
}

func (s *session) tuneOk(m *wire.ConnectionTuneOk) *wire.Error {
	l := s.core.opt.Limits
	if m.FrameMax != 0 && (m.FrameMax < wire.FrameMinSize || uint64(m.FrameMax) > uint64(l.FrameSize)) {
		return wire.Errorf(wire.NotAllowed, "negotiated frame_max = %d is not between %d and %d", m.FrameMax, wire.FrameMinSize, l.FrameSize)
	}
	if int(m.ChannelMax) > l.Channels {
		return wire.Errorf(wire.NotAllowed, "negotiated channel_max = %d is higher than the maximum allowed value (%d)", m.ChannelMax, l.Channels)
	}
	s.frameMax = l.frameMax(m.FrameMax)
	s.channelMax = int(m.ChannelMax)
	if s.channelMax == 0 {
		s.channelMax = l.Channels
	}
	s.interval = time.Duration(m.Heartbeat) * time.Second
	s.phase = phaseOpen
	return nil
}

func (s *session) openVHost(m *wire.ConnectionOpen) *wire.Error {
	c := s.core
	if c.open >= c.opt.Limits.Connections {
		return wire.Errorf(wire.NotAllowed, "connection refused: the limit of %d connections is reached", c.opt.Limits.Connections)
	}
	v, err := c.vhost(m.VirtualHost)
	if err != nil {
		return err
	}
	s.vhost = v
	v.connections++
	c.open++
	c.lastConn++
	s.id = "c" + itoa(c.lastConn)
	s.phase = phaseRunning
	c.timers.stop(s.patience)
	if s.interval > 0 {
		c.after(s.beat, s.interval/2)
	}
	s.event(event.Event{Kind: event.ConnOpened})
	s.send(0, &wire.ConnectionOpenOk{})
	return nil
}

// arriveZero handles channel 0 of an open connection.
func (s *session) arriveZero(m wire.Method) *wire.Error {
	switch m := m.(type) {
	case *wire.ConnectionClose:
		text := ""
		if m.ReplyCode != wire.ReplySuccess {
			text = m.ReplyText
		}
		s.tearDown("connection closed", event.Event{Kind: event.ConnClosed, Text: text})
		s.send(0, &wire.ConnectionCloseOk{})
		s.leave()
		return nil
	case *wire.ConnectionUpdateSecret: // PLAIN has nothing that expires
		s.send(0, &wire.ConnectionUpdateSecretOk{})
		return nil
	case *wire.ConnectionBlocked, *wire.ConnectionUnblocked:
		return nil
	}
	return wire.Errorf(wire.ChannelError, "unexpected %s on channel 0", m.ID())
}
