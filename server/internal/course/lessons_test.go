package course

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"drainlab/exercises"
	"drainlab/lessons"
	"drainlab/server/broker"
	"drainlab/web/block/kinds"
	"drainlab/web/block/predict"
)

func catalog(t *testing.T) *exercises.Catalog {
	t.Helper()
	c, problems, err := exercises.Load(exercises.Files)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
	return c
}

func TestLessonsHaveNoMistakes(t *testing.T) {
	for _, p := range Lint(lessons.Files, catalog(t), kinds.All()) {
		t.Error(p)
	}
}

func TestLessonsHavePages(t *testing.T) {
	c, _ := Load(lessons.Files, catalog(t), kinds.All())
	shell := Shell{Assets: plainAssets{}}
	written := 0
	for _, lang := range Languages {
		for _, page := range []func(io.Writer, Shell, string) error{c.Map, c.Cards} {
			if err := page(io.Discard, shell, lang); err != nil {
				t.Error(err)
			}
		}
		for _, l := range c.Lessons {
			if l.Planned {
				continue
			}
			written++
			var page bytes.Buffer
			if err := c.Lesson(&page, shell, lang, l.Slug); err != nil {
				t.Error(err)
			}
			for what, pattern := range forbidden {
				if m := pattern.Find(page.Bytes()); m != nil {
					t.Errorf("%s in %s has %s: %s", l.Slug, lang, what, m)
				}
			}
		}
	}
	if written == 0 {
		t.Error("no lesson is written")
	}
}

// What a predict block says that its program prints is what it prints: on the
// embedded broker, and on the one in AMQP_URL when there is one.
func TestPredictedOutput(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	brokers := map[string]string{"embedded": embeddedBroker(t)}
	if url := os.Getenv("AMQP_URL"); url != "" {
		brokers["rabbitmq"] = url
	}
	c, _ := Load(lessons.Files, catalog(t), kinds.All())
	ran := 0
	for _, l := range c.Lessons {
		text := l.Texts[Languages[0]]
		if text == nil {
			continue
		}
		for _, b := range text.Blocks {
			p, ok := b.Block.(*predict.Predict)
			if !ok {
				continue
			}
			ran++
			t.Run(l.Slug+"/"+p.ID(), func(t *testing.T) {
				binary := filepath.Join(t.TempDir(), p.Program())
				source := filepath.Join("..", "..", "..", "lessons", l.Slug, filepath.Dir(predict.Path(p.Program())))
				if out, err := exec.Command("go", "build", "-o", binary, "./"+source).CombinedOutput(); err != nil {
					t.Fatalf("go build: %v\n%s", err, out)
				}
				for name, url := range brokers {
					t.Run(name, func(t *testing.T) { play(t, p, binary, url) })
				}
			})
		}
	}
	if ran == 0 {
		t.Error("no lesson has a predict block")
	}
}

func play(t *testing.T, p *predict.Predict, binary, url string) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary)
	cmd.Env = append(os.Environ(), "AMQP_URL="+url)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	// A program may well end with an error: its output is what is asked for.
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	if strings.TrimRight(p.Output(), "\n") != strings.TrimRight(stdout.String(), "\n") {
		t.Errorf("%s prints\n%s\nand not\n%s\nstderr: %s", p.Program(), stdout.String(), p.Output(), stderr.String())
	}
}

func embeddedBroker(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := broker.New(broker.Options{})
	served := make(chan error, 1)
	go func() { served <- b.Serve(context.Background(), ln, "") }()
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("close broker: %v", err)
		}
		ln.Close()
		<-served
	})
	return "amqp://guest:guest@" + ln.Addr().String() + "/"
}
