package broker_test

import (
	"context"
	"errors"
	"net"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"

	"drainlab/server/broker"
)

// Serve ends with its context; what it accepted lives on.
func TestServeEndsWithItsContext(t *testing.T) {
	br, _ := startBroker(t, broker.Options{}, "x")
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- br.Serve(ctx, ln, "y") }()
	b := &bench{T: t, url: "amqp://guest:guest@" + ln.Addr().String() + "/"}
	c := b.connect()
	cancel()
	if err := <-served; !errors.Is(err, context.Canceled) {
		t.Errorf("Serve: %v", err)
	}
	if _, err := net.Dial("tcp", ln.Addr().String()); err == nil {
		t.Error("the listener is still open")
	}
	b.channel(c) // works
	if n := br.Cut("y"); n != 1 {
		t.Errorf("cut %d", n)
	}
}

func TestAuthenticate(t *testing.T) {
	opt := broker.Options{Authenticate: func(user, password string) bool { return user == "me" && password == "right" }}
	_, addr := startBroker(t, opt, "x")
	for _, tt := range []struct {
		auth amqp.Authentication
		ok   bool
	}{
		{&amqp.PlainAuth{Username: "me", Password: "right"}, true},
		{&amqp.PlainAuth{Username: "me", Password: "wrong"}, false},
		{&amqp.AMQPlainAuth{Username: "me", Password: "right"}, true},
		{&amqp.AMQPlainAuth{Username: "you", Password: "right"}, false},
	} {
		c, err := amqp.DialConfig("amqp://"+addr+"/", amqp.Config{SASL: []amqp.Authentication{tt.auth}})
		if tt.ok != (err == nil) {
			t.Errorf("%+v: %v", tt.auth, err)
		}
		var refused *amqp.Error
		if err != nil && (!errors.As(err, &refused) || refused.Code != amqp.AccessRefused) {
			t.Errorf("%+v: %v", tt.auth, err)
		}
		if err == nil {
			c.Close()
		}
	}
}

// Vhosts are apart; one that nobody uses is gone.
func TestVHosts(t *testing.T) {
	_, addr := startBroker(t, broker.Options{Limits: broker.Limits{VHosts: 2}}, "x")
	declare := func(vhost string) (int, error) {
		c, err := amqp.DialConfig("amqp://guest:guest@"+addr, amqp.Config{Vhost: vhost})
		if err != nil {
			return 0, err
		}
		defer c.Close()
		ch, err := c.Channel()
		if err != nil {
			return 0, err
		}
		q, err := ch.QueueDeclare("q", false, false, vhost == "c", false, nil)
		if err != nil {
			return 0, err
		}
		return q.Messages, ch.PublishWithContext(t.Context(), "", "q", false, false, amqp.Publishing{})
	}
	for _, vhost := range []string{"c", "a", "c"} { // c holds an exclusive queue only, and goes
		if n, err := declare(vhost); n != 0 || err != nil {
			t.Errorf("%s: %d messages, %v", vhost, n, err)
		}
	}
	if _, err := declare("b"); err != nil {
		t.Error(err)
	}
	var refused *amqp.Error
	if _, err := declare("d"); !errors.As(err, &refused) || refused.Code != amqp.NotAllowed {
		t.Errorf("a third vhost: %v", err)
	}
}
