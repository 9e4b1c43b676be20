// An HTTP server, until it is ended.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

func main() {
	log.SetFlags(0) // whoever keeps the log adds the time
	log.SetOutput(os.Stdout)
	if err := run(); err != nil {
		log.Print(err)
		os.Exit(1)
	}
}

func run() error {
	db := &store{}
	defer db.close()

	//region server
	srv := &http.Server{
		Handler:           routes(db),
		ReadHeaderTimeout: 5 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       60 * time.Second,
	}
	ln, err := net.Listen("tcp", cmp.Or(os.Getenv("ADDR"), "127.0.0.1:8081"))
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	//endregion server

	//region serve
	log.Printf("ready on %s", ln.Addr())
	return srv.Serve(ln)
	//endregion serve
}

//region handler

func routes(db *store) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /work", func(w http.ResponseWriter, r *http.Request) {
		id := cmp.Or(r.Header.Get("X-Request-Id"), "-")
		takes, err := time.ParseDuration(r.FormValue("for"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		log.Printf("start %s", id)
		select {
		case <-time.After(takes): // stands for the work itself
		case <-r.Context().Done():
			log.Printf("left %s: %v", id, r.Context().Err())
			return
		}
		if err := db.save(id); err != nil {
			log.Printf("failed %s: %v", id, err)
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintf(w, "done %s\n", id)
		log.Printf("done %s", id)
	})
	return mux
}

//endregion handler

//region store

// store stands for the database that the handlers use.
type store struct {
	mu     sync.Mutex
	closed bool
	saved  []string
}

func (s *store) save(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errors.New("store is closed")
	}
	s.saved = append(s.saved, id)
	return nil
}

func (s *store) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

//endregion store
