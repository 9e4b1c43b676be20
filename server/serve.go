package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"drainlab/server/internal/hub"
	"drainlab/server/internal/lab"
	"drainlab/server/internal/site"

	"golang.org/x/net/netutil"
)

// Bounds of what listens.
const (
	maxConnections = 2048
	maxSockets     = 1024
)

// serve is "drainlab serve": the course and the lab, until a signal. It exits
// 0 after a stop in order, 1 when it could not serve or not stop in time.
func serve(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("drainlab serve", flag.ContinueOnError)
	addr := fs.String("addr", "127.0.0.1:8080", "host:port to listen on")
	hosts := fs.String("host", "", "names that the server goes by, beside localhost and addresses, with commas between them")
	dev := fs.Bool("dev", false, "read lessons, exercises and web/dist from this folder, and reload pages when they change")
	programs := fs.String("programs", "", "folder of the exercises' built programs; beside this binary when empty")
	if code, ok := parse(fs, args, stderr); !ok {
		return code
	}
	if fs.NArg() > 0 {
		fmt.Fprintf(stderr, "drainlab serve: unexpected %q\n", fs.Arg(0))
		return exitUsage
	}
	s := &server{log: slog.New(slog.NewTextHandler(stderr, nil)), stdout: stdout, dev: *dev, from: embedded()}
	if *dev {
		s.from = checkout(".")
	}
	if err := s.open(*addr, *programs, strings.FieldsFunc(*hosts, func(r rune) bool { return r == ',' })); err != nil {
		fmt.Fprintln(stderr, "drainlab serve:", err)
		return exitUsage
	}
	if err := s.run(ctx); err != nil {
		fmt.Fprintln(stderr, "drainlab serve:", err)
		return exitFailed
	}
	return exitOK
}

// server is everything that serves, and its stop.
type server struct {
	log    *slog.Logger
	stdout io.Writer
	dev    bool
	from   sources

	listener net.Listener
	lab      *lab.Manager
	hub      *hub.Hub
	site     *site.Site
	http     *http.Server
}

// open makes everything and listens; nothing is answered yet.
func (s *server) open(addr, programs string, hosts []string) error {
	content, problems, err := s.from.load()
	if err != nil {
		return err
	}
	for _, p := range problems {
		s.log.Warn("mistake in the course", "problem", p.String())
	}
	if programs == "" {
		if programs, err = programsDir(); err != nil {
			return err
		}
	}
	s.listener, err = net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("%w; choose another address with -addr (ADDR= with make)", err)
	}
	s.lab, err = lab.New(lab.Options{Programs: programs, Catalog: content.Catalog, AMQPURL: os.Getenv("AMQP_URL"), Logger: s.log})
	if err != nil {
		return errors.Join(err, s.listener.Close())
	}
	s.hub = hub.New(hub.Options{Sockets: maxSockets})
	s.site = site.New(site.Options{Content: content, Lab: s.lab, Hub: s.hub, Hosts: hosts, Dev: s.dev, Log: s.log})
	s.http = &http.Server{
		Handler:           s.site.Handler(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	return nil
}

// run serves until ctx ends or serving fails, and then stops in order.
func (s *server) run(ctx context.Context) error {
	served := make(chan error, 1)
	go func() { served <- s.http.Serve(netutil.LimitListener(s.listener, maxConnections)) }()
	watching, unwatch := context.WithCancel(context.Background())
	defer unwatch()
	watched := make(chan struct{})
	go func() { defer close(watched); s.watch(watching) }()

	fmt.Fprintf(s.stdout, "drainlab is at http://%s\n", s.listener.Addr())
	var failed error
	select {
	case <-ctx.Done():
		fmt.Fprintf(s.stdout, "stopping: %v\n", context.Cause(ctx))
	case failed = <-served:
		failed = fmt.Errorf("serving ended: %w", failed)
		served <- http.ErrServerClosed
	}
	unwatch()
	<-watched
	return errors.Join(failed, s.stop(served))
}

// stop stops as the lessons teach, within one budget: say so, take nothing
// new, tell those who wait, finish what runs, leave.
func (s *server) stop(served <-chan error) error {
	budget, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	s.site.Drain()
	drained := make(chan error, 1)
	go func() { drained <- s.http.Shutdown(budget) }() // closes the listener at once
	<-served                                           // and here it is closed
	told := s.hub.Shutdown(budget)
	ended := s.lab.Shutdown(budget)
	err := <-drained
	if err != nil {
		err = errors.Join(fmt.Errorf("requests were cut off: %w", err), s.http.Close())
	}
	if err = errors.Join(told, ended, err); err == nil {
		fmt.Fprintln(s.stdout, "stopped: no run, no socket and no request is left")
	}
	return err
}
