package lab

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"drainlab/exercises"
	"drainlab/exercises/scenario"
)

// Catalog finds an exercise by its folder's name; nil when there is none.
type Catalog interface {
	Exercise(slug string) *exercises.Exercise
}

// Options of a Manager. Programs and Catalog are required.
type Options struct {
	// Programs is the directory of the built programs: <exercise>/<program>.
	Programs string
	Catalog  Catalog
	// AMQPURL is the RabbitMQ that runs use, amqp://…; "" is the embedded broker.
	AMQPURL string
	// StateDir holds what must be cleared after a server that was killed. It
	// may be shared by several servers. "" is a directory of this user below
	// the system's one for temporary files.
	StateDir string
	// Logger is told what nobody asked for and somebody should know; nil is slog.Default().
	Logger *slog.Logger
	Limits Limits
}

// Manager starts runs and ends them. Its methods may be called by several
// goroutines at once.
//
// Invariant: runs holds every run that has not ended, and at most Limits.Kept
// that have, whose ids are in ended, oldest first.
type Manager struct {
	opt    Options
	broker string
	open   opener
	estate *estate
	ports  *ports

	hurry     chan struct{} // closed when Shutdown has no more time
	hurryOnce sync.Once

	mu       sync.Mutex
	runs     map[string]*Run
	ended    []string
	running  int // begun or about to begin
	stopping bool
	released bool // the estate is given up
	owned    sync.WaitGroup
}

// opener makes a run's way to its broker.
type opener func(ctx context.Context, r *Run) (link, error)

// New makes a Manager and clears what servers that were killed left behind.
// Shutdown ends it.
func New(opt Options) (*Manager, error) {
	opt.Limits = opt.Limits.withDefaults()
	if opt.Logger == nil {
		opt.Logger = slog.Default()
	}
	if opt.StateDir == "" {
		opt.StateDir = filepath.Join(os.TempDir(), fmt.Sprintf("drainlab-%d", os.Getuid()))
		if err := ownDir(opt.StateDir); err != nil {
			return nil, fmt.Errorf("keep state: %w", err)
		}
	}
	for _, dir := range []*string{&opt.Programs, &opt.StateDir} { // programs run elsewhere
		abs, err := filepath.Abs(*dir)
		if err != nil {
			return nil, fmt.Errorf("find %s: %w", *dir, err)
		}
		*dir = abs
	}
	m := &Manager{opt: opt, broker: "embedded", open: openEmbedded, runs: map[string]*Run{}, ports: newPorts(), hurry: make(chan struct{})}
	var rabbit *upstream
	var err error
	if opt.AMQPURL != "" {
		if rabbit, err = parseUpstream(opt.AMQPURL); err != nil {
			return nil, err
		}
		m.broker, m.open = "rabbitmq", rabbit.open
	}
	if m.estate, err = claimEstate(opt.StateDir, rabbit.place()); err != nil {
		return nil, fmt.Errorf("keep state: %w", err)
	}
	m.estate.clearOthers(rabbit, opt.Logger)
	return m, nil
}

// Broker is which broker runs use: "embedded" or "rabbitmq".
func (m *Manager) Broker() string { return m.broker }

// Start begins a run. ctx bounds the beginning only: the run goes on until
// its scenario is played, Stop is called, a limit is reached, or Shutdown.
// Errors are *Error where the one who asks can do something about them.
func (m *Manager) Start(ctx context.Context, q Request) (*Run, error) {
	r, sc, err := m.prepare(q)
	if err != nil {
		return nil, err
	}
	if err := m.admit(); err != nil {
		return nil, err
	}
	if err := r.begin(ctx); err != nil {
		r.release()
		m.mu.Lock()
		m.running--
		m.mu.Unlock()
		m.owned.Done()
		return nil, err
	}
	m.mu.Lock()
	m.runs[r.ID] = r
	if m.stopping { // Shutdown was called while it began
		r.end(errShutdown)
	}
	m.mu.Unlock()
	go func() { // Shutdown waits for owned
		defer m.owned.Done()
		r.live(sc)
	}()
	return r, nil
}

// admit counts one more run, if one more may be.
func (m *Manager) admit() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stopping {
		return refuse(ErrStopping, "the server is stopping", "try again in a moment")
	}
	if m.running >= m.opt.Limits.Runs {
		return refuse(ErrBusy, fmt.Sprintf("%d runs are going on, and no more may", m.running), "stop one, or wait until one ends")
	}
	m.running++
	m.owned.Add(1)
	return nil
}

// Run finds a run that is going on or is remembered.
func (m *Manager) Run(id string) (*Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r := m.runs[id]; r != nil {
		return r, nil
	}
	return nil, refuse(ErrNotFound, "there is no such run", "begin a new one: finished runs are kept for a while only")
}

// retire takes an ended run off the count, and forgets the oldest.
func (m *Manager) retire(r *Run) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.running--
	m.ended = append(m.ended, r.ID)
	for len(m.ended) > m.opt.Limits.Kept {
		delete(m.runs, m.ended[0])
		m.ended = slices.Delete(m.ended, 0, 1)
	}
}

// Shutdown refuses new runs and ends those that go on, as a platform does:
// TERM, Limits.Stop, KILL. When ctx ends first it sends KILL at once. It
// returns when every process, goroutine and file of every run is gone, with
// ctx's error if that came first. It may be called again.
func (m *Manager) Shutdown(ctx context.Context) error {
	m.mu.Lock()
	m.stopping = true
	for _, r := range m.runs {
		r.end(errShutdown)
	}
	m.mu.Unlock()
	gone := make(chan struct{})
	go func() { // ends with the runs, which Shutdown waits for
		m.owned.Wait()
		close(gone)
	}()
	var err error
	select {
	case <-gone:
	case <-ctx.Done():
		err = context.Cause(ctx)
		m.hurryOnce.Do(func() { close(m.hurry) })
		<-gone
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.released {
		m.released = true
		m.estate.release()
	}
	return err
}

// needs says whether an exercise needs "amqp" or "http".
func needs(ex scenario.Exercise, what string) bool { return slices.Contains(ex.Needs, what) }
