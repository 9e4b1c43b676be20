package lab

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"drainlab/exercises/event"
	"drainlab/exercises/scenario"
	"drainlab/server/broker/tap"

	amqp "github.com/rabbitmq/amqp091-go"
)

// upstream is a RabbitMQ that runs share.
type upstream struct {
	url  string
	uri  amqp.URI
	path string // of the URL: the virtual host, escaped
}

// reachWithin bounds each of our own exchanges with RabbitMQ.
const reachWithin = 5 * time.Second

func parseUpstream(raw string) (*upstream, error) {
	bad := func(what, do string) error { return refuse(ErrInvalid, "AMQP_URL "+what, do) }
	u, err := url.Parse(raw)
	if err != nil {
		// The parser's error repeats the whole URL, with its password.
		return nil, bad("is no URL", "write amqp://user:password@host:5672/")
	}
	if u.Scheme == "amqps" {
		return nil, bad("asks for TLS, through which the lab cannot see", "use amqp:// here, or leave AMQP_URL empty for the embedded broker")
	}
	uri, err := amqp.ParseURI(raw)
	if err != nil {
		return nil, bad("cannot be used: "+err.Error(), "write amqp://user:password@host:5672/")
	}
	return &upstream{raw, uri, u.EscapedPath()}, nil
}

func (u *upstream) host() string { return net.JoinHostPort(u.uri.Host, fmt.Sprint(u.uri.Port)) }

// place names the broker and virtual host without a password; "" for none.
func (u *upstream) place() string {
	if u == nil {
		return ""
	}
	return u.host() + "/" + url.PathEscape(u.uri.Vhost)
}

func (u *upstream) dial(ctx context.Context) (*amqp.Connection, error) {
	return amqp.DialConfig(u.url, amqp.Config{
		Heartbeat:  10 * time.Second,
		Locale:     "en_US",
		Properties: amqp.Table{"connection_name": "drainlab"},
		Dial: func(network, addr string) (net.Conn, error) {
			conn, err := (&net.Dialer{Timeout: reachWithin}).DialContext(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			// Of the handshake; the client takes it off afterwards.
			return conn, conn.SetDeadline(time.Now().Add(reachWithin))
		},
	})
}

// deleteQueues deletes queues, whether they are there or not.
func (u *upstream) deleteQueues(names []string) error {
	conn, err := u.dial(context.Background())
	if err != nil {
		return fmt.Errorf("reach RabbitMQ to delete queues: %w", err)
	}
	// Whatever is wrong with a connection that we are done with is no news.
	defer conn.CloseDeadline(time.Now().Add(reachWithin))
	ch, err := conn.Channel()
	if err != nil {
		return fmt.Errorf("delete queues: %w", err)
	}
	for _, name := range names {
		if _, err := ch.QueueDelete(name, false, false, false); err != nil {
			return fmt.Errorf("delete queue %s: %w", name, err)
		}
	}
	return nil
}

// tapped is a run's way to RabbitMQ: each process speaks through a tap of its
// own, and so does the Director.
type tapped struct {
	upstream *upstream
	keep     func(event.Event)
	prefix   string // of the names of the run's queues
	queues   []string
	estate   *estate
	id       string
	logger   *slog.Logger
	doors    doors
	you      string

	mu   sync.Mutex
	taps map[string]*tap.Tap
}

func (u *upstream) open(ctx context.Context, r *Run) (link, error) {
	// Asked now, whoever begins a run gets an answer instead of a run that fails.
	conn, err := u.dial(ctx)
	if err != nil {
		return nil, &Error{ErrUnavailable, "RabbitMQ at " + u.host() + " does not answer", "start it, or start the server without AMQP_URL", err}
	}
	_ = conn.CloseDeadline(time.Now().Add(reachWithin))
	t := &tapped{upstream: u, keep: r.keep, prefix: "drainlab." + r.ID + ".", estate: r.manager.estate, id: r.ID,
		logger: r.manager.opt.Logger, taps: map[string]*tap.Tap{}}
	main := t.queue(r.ex.Queue)
	t.queues = []string{main, main + ".dead"}
	if err := t.estate.noteQueues(t.id, t.queues); err != nil {
		return nil, fmt.Errorf("note the run's queues: %w", err)
	}
	you, err := t.door(scenario.You)
	if err != nil {
		t.close()
		return nil, err
	}
	you.open()
	t.you = you.url
	return t, nil
}

func (t *tapped) door(peer string) (*door, error) {
	tp := tap.New(tap.Options{
		Upstream: t.upstream.host(), Peer: peer, Observer: t.keep,
		QueueName: func(name string) string { return strings.TrimPrefix(name, t.prefix) },
	})
	user := url.UserPassword(t.upstream.uri.Username, t.upstream.uri.Password).String()
	format := "amqp://" + strings.ReplaceAll(user, "%", "%%") + "@%s" + strings.ReplaceAll(t.upstream.path, "%", "%%")
	d, err := t.doors.make(format, func(ctx context.Context, ln net.Listener) {
		if err := tp.Serve(ctx, ln); !errors.Is(err, tap.ErrClosed) && ctx.Err() == nil {
			t.logger.Warn("a program's way to RabbitMQ is closed", "program", peer, "error", err)
		}
	})
	if err != nil {
		tp.Close()
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.taps[peer] = tp
	return d, nil
}

func (t *tapped) url() string              { return t.you }
func (t *tapped) queue(name string) string { return t.prefix + name }

func (t *tapped) cut(peer string) int {
	t.mu.Lock()
	tp := t.taps[peer]
	t.mu.Unlock()
	if tp == nil {
		return 0
	}
	return tp.Cut()
}

func (t *tapped) close() {
	t.mu.Lock()
	for _, tp := range t.taps {
		tp.Close()
	}
	t.mu.Unlock()
	t.doors.wait()
	if err := t.upstream.deleteQueues(t.queues); err != nil {
		t.logger.Warn("a run's queues are left in RabbitMQ until the next start", "queues", t.queues, "error", err)
		return
	}
	t.estate.forgetQueues(t.id)
}
