package lab

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
)

func TestEstates(t *testing.T) {
	root := filepath.Join(t.TempDir(), "state")
	rabbit, err := parseUpstream("amqp://guest:guest@one.example/team%2Fa")
	if err != nil {
		t.Fatal(err)
	}
	if rabbit.place() != "one.example:5672/team%2Fa" {
		t.Errorf("place %q", rabbit.place())
	}
	claim := func() *estate {
		t.Helper()
		e, err := claimEstate(root, "two.example:5672/%2F")
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	fill := func(e *estate) {
		t.Helper()
		if _, err := e.makeDir("a"); err != nil {
			t.Fatal(err)
		}
		if err := e.noteQueues("a", []string{"q", "q.dead"}); err != nil {
			t.Fatal(err)
		}
	}
	has := func(e *estate, name string) bool {
		_, err := os.Stat(filepath.Join(e.dir, name))
		return err == nil
	}
	living, dead := claim(), claim()
	fill(living)
	fill(dead)
	dead.lock.Close() // as the kernel does when a process is gone
	mine := claim()
	mine.clearOthers(rabbit, slog.Default())
	if !has(living, "run-a") || !has(living, "queues-a") {
		t.Error("a living server's estate was cleared")
	}
	if has(dead, "run-a") {
		t.Error("a dead server's directory was not cleared")
	}
	if !has(dead, "queues-a") {
		t.Error("the names of queues in another RabbitMQ were forgotten")
	}
	living.forgetQueues("a")
	living.release()
	if has(living, "lock") {
		t.Error("an estate with nothing in it outlives its server")
	}
	mine.release()
}

func TestDirectoryOfSomebodyElse(t *testing.T) {
	own, link := filepath.Join(t.TempDir(), "own"), filepath.Join(t.TempDir(), "link")
	for range 2 {
		if err := ownDir(own); err != nil {
			t.Error(err)
		}
	}
	if err := os.Symlink(own, link); err != nil {
		t.Fatal(err)
	}
	if err := ownDir(link); err == nil {
		t.Error("a link to elsewhere was taken for a directory of ours")
	}
}
