package lab

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// estate is what would be left if the server were killed now: the runs'
// directories, and the names of their queues in a RabbitMQ. It is a directory
// in the state directory, with a lock that the kernel takes away with the
// process: a directory that can be locked is a dead server's.
//
//	STATE/<random>/lock
//	STATE/<random>/run-<id>/      a run's working directory
//	STATE/<random>/queues-<id>    the broker's place, then a queue's name a line
type estate struct {
	root  string // the state directory
	dir   string
	place string // the RabbitMQ that the queues are in
	lock  *os.File
}

// unfinished begins the name of an estate that is being made. It has its
// final name only once it is locked, so that nobody takes it for a dead one.
const unfinished = ".new-"

// ownDir makes sure that a directory in a place where everybody may write is
// this user's, and not somebody's trap.
func ownDir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err == nil || !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); !info.IsDir() || !ok || int(st.Uid) != os.Getuid() {
		return fmt.Errorf("%s is not a directory of this user", dir)
	}
	return nil
}

func claimEstate(root, place string) (*estate, error) {
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(root, unfinished)
	if err != nil {
		return nil, err
	}
	lock, err := lockFile(filepath.Join(dir, "lock"), os.O_CREATE)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	final := filepath.Join(root, strings.TrimPrefix(filepath.Base(dir), unfinished))
	if err := os.Rename(dir, final); err != nil {
		lock.Close()
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &estate{root: root, dir: final, place: place, lock: lock}, nil
}

// lockFile opens a file and locks it, or fails if somebody else has.
func lockFile(name string, flag int) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|flag, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	return f, nil
}

func (e *estate) makeDir(id string) (string, error) {
	dir := filepath.Join(e.dir, "run-"+id)
	return dir, os.Mkdir(dir, 0o700)
}

func (e *estate) removeDir(dir string) {
	_ = os.RemoveAll(dir) // what a program made unremovable goes with the estate, or stays
}

func (e *estate) noteQueues(id string, names []string) error {
	return os.WriteFile(filepath.Join(e.dir, "queues-"+id), []byte(e.place+"\n"+strings.Join(names, "\n")+"\n"), 0o600)
}

func (e *estate) forgetQueues(id string) {
	_ = os.Remove(filepath.Join(e.dir, "queues-"+id)) // at worst they are deleted twice
}

// release gives the estate up, with whatever could not be cleared in it.
func (e *estate) release() {
	if notes, _ := filepath.Glob(filepath.Join(e.dir, "queues-*")); len(notes) == 0 {
		_ = os.RemoveAll(e.dir) // the next server tries again
	}
	e.lock.Close()
}

// clearOthers clears the estates of dead servers. Queues in another RabbitMQ
// than rabbit, which may be nil, are left for a server that uses that one.
func (e *estate) clearOthers(rabbit *upstream, log *slog.Logger) {
	entries, err := os.ReadDir(e.root)
	if err != nil {
		log.Warn("the state directory cannot be read", "error", err)
		return
	}
	for _, entry := range entries {
		dir := filepath.Join(e.root, entry.Name())
		if dir == e.dir || !entry.IsDir() {
			continue
		}
		if strings.HasPrefix(entry.Name(), unfinished) {
			if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > time.Minute {
				_ = os.RemoveAll(dir) // a server died while it made it
			}
			continue
		}
		lock, err := lockFile(filepath.Join(dir, "lock"), 0)
		if err != nil {
			if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, fs.ErrNotExist) {
				log.Warn("what a server left behind cannot be looked at", "dir", dir, "error", err)
			}
			continue
		}
		if err := clearEstate(dir, rabbit); err != nil {
			log.Warn("what a server left behind could not all be cleared", "dir", dir, "error", err)
		}
		lock.Close()
	}
}

func clearEstate(dir string, rabbit *upstream) error {
	var problems []error
	runs, _ := filepath.Glob(filepath.Join(dir, "run-*"))
	for _, run := range runs {
		problems = append(problems, os.RemoveAll(run))
	}
	notes, _ := filepath.Glob(filepath.Join(dir, "queues-*"))
	elsewhere := 0
	for _, note := range notes {
		b, err := os.ReadFile(note)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		place, names, _ := strings.Cut(string(b), "\n")
		if rabbit == nil || place != rabbit.place() {
			elsewhere++
			continue
		}
		if err := rabbit.deleteQueues(strings.Fields(names)); err != nil {
			problems = append(problems, err)
			continue
		}
		problems = append(problems, os.Remove(note))
	}
	if err := errors.Join(problems...); err != nil || elsewhere > 0 {
		return err
	}
	return os.RemoveAll(dir)
}
