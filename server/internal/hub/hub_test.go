package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"drainlab/exercises/event"

	"github.com/coder/websocket"
)

func newLog() *event.Log {
	began := time.Now()
	return event.NewLog(func() time.Duration { return time.Since(began) }, 0)
}

// serve serves log at the returned websocket URL.
func serve(t *testing.T, h *Hub, log *event.Log) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		after, err := strconv.ParseUint(r.FormValue("after"), 10, 64)
		if err != nil {
			t.Errorf("after: %v", err)
		}
		if err := h.Stream(w, r, log, after); errors.Is(err, ErrFull) || errors.Is(err, ErrStopping) {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := h.Shutdown(ctx); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		srv.Close()
	})
	return "ws" + strings.TrimPrefix(srv.URL, "http") + "/?after="
}

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// read gets events until the socket ends, or until stop says so. It returns
// the error that ended it.
func read(ctx context.Context, c *websocket.Conn, each func(event.Event) (stop bool)) error {
	for {
		kind, text, err := c.Read(ctx)
		if err != nil {
			return err
		}
		var e event.Event
		if err := json.Unmarshal(text, &e); err != nil || kind != websocket.MessageText {
			return fmt.Errorf("message of kind %v: %q: %v", kind, text, err)
		}
		if each(e) {
			return nil
		}
	}
}

func TestEveryEventOnceThoughTheReaderReconnects(t *testing.T) {
	const total = 2000
	log := newLog()
	url := serve(t, New(Options{}), log)
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := range total {
			log.Append(event.Event{From: "w", Kind: event.LogLine, Text: fmt.Sprint(i)})
			if i%97 == 0 {
				runtime.Gosched()
			}
		}
		log.Finish(event.Event{Kind: event.RunEnded})
	})
	var last uint64
	reconnects := 0
	for random := rand.New(rand.NewPCG(1, 2)); ; reconnects++ {
		c, _, err := websocket.Dial(within(t), url+strconv.FormatUint(last, 10), nil)
		if err != nil {
			t.Fatal(err)
		}
		left := random.IntN(200) // events until it leaves
		err = read(within(t), c, func(e event.Event) bool {
			if e.Seq != last+1 {
				t.Fatalf("event %d after %d", e.Seq, last)
			}
			last = e.Seq
			left--
			return left < 0
		})
		if err == nil { // it leaves in the middle, with or without a word
			if random.IntN(2) == 0 {
				c.CloseNow()
			} else {
				c.Close(websocket.StatusNormalClosure, "")
			}
			continue
		}
		if websocket.CloseStatus(err) != websocket.StatusNormalClosure {
			t.Fatalf("the stream ended with %v, want status 1000", err)
		}
		break
	}
	writer.Wait()
	if last != total+1 {
		t.Errorf("read up to event %d of %d", last, total+1)
	}
	if reconnects < 5 {
		t.Errorf("reconnected %d times only", reconnects)
	}
}

func TestSlowReaderIsDroppedAndHoldsUpNobody(t *testing.T) {
	log := newLog()
	h := New(Options{Write: 2 * time.Second})
	url := serve(t, h, log)
	// A client that does the handshake and then does not read.
	slow, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(url, "ws://"), "/?after="))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	slow.(*net.TCPConn).SetReadBuffer(4096)
	fmt.Fprintf(slow, "GET /?after=0 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
	quick, _, err := websocket.Dial(within(t), url+"0", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer quick.CloseNow()
	waitFor(t, "both sockets", func() bool { return h.Open() == 2 })

	// More than the sockets' buffers hold, so that a write to the slow one blocks.
	text := strings.Repeat("x", 16<<10)
	const total = 1000
	var writer sync.WaitGroup
	writer.Go(func() {
		for range total {
			log.Append(event.Event{Kind: event.LogLine, Text: text})
		}
	})
	seen := uint64(0)
	began := time.Now()
	if err := read(within(t), quick, func(e event.Event) bool { seen = e.Seq; return seen == total }); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d events of 16 KiB reached the quick reader in %v", total, time.Since(began))
	writer.Wait()
	waitFor(t, "the slow one to be dropped", func() bool { return h.Open() == 1 })
	// And it is the quick one that is left.
	log.Append(event.Event{Kind: event.LogLine})
	if err := read(within(t), quick, func(e event.Event) bool { return e.Seq == total+1 }); err != nil {
		t.Errorf("the quick reader was dropped as well: %v", err)
	}
}

func TestShutdownSays1001(t *testing.T) {
	log := newLog()
	log.Append(event.Event{Kind: event.LogLine})
	h := New(Options{})
	url := serve(t, h, log)
	const sockets = 20
	ended := make(chan error, sockets)
	for range sockets {
		c, _, err := websocket.Dial(within(t), url+"0", nil)
		if err != nil {
			t.Fatal(err)
		}
		go func() { ended <- read(within(t), c, func(event.Event) bool { return false }) }()
	}
	waitFor(t, "all sockets", func() bool { return h.Open() == sockets })
	if err := h.Shutdown(within(t)); err != nil {
		t.Fatal(err)
	}
	if n := h.Open(); n != 0 {
		t.Errorf("%d sockets are open after Shutdown", n)
	}
	for range sockets {
		if err := <-ended; websocket.CloseStatus(err) != websocket.StatusGoingAway {
			t.Errorf("a socket ended with %v, want status 1001", err)
		}
	}
	if _, resp, err := websocket.Dial(within(t), url+"0", nil); err == nil || resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("after Shutdown: %v, want 503", err)
	}
}

func TestShutdownBreaksThoseWhoDoNotAnswer(t *testing.T) {
	h := New(Options{})
	url := serve(t, h, newLog())
	// This client never reads, so it never answers a close.
	deaf, _, err := websocket.Dial(within(t), url+"0", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.CloseNow()
	waitFor(t, "the socket", func() bool { return h.Open() == 1 })
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if err := h.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Shutdown: %v, want its context's error", err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("Shutdown took %v; the library's own patience is 5 s", took)
	}
	if h.Open() != 0 {
		t.Error("the socket is still open")
	}
}

func TestClientsThatAreGoneAreNoticed(t *testing.T) {
	h := New(Options{Ping: 50 * time.Millisecond, Write: 100 * time.Millisecond})
	url := serve(t, h, newLog())
	// Nothing is sent, and it does not answer pings.
	deaf, _, err := websocket.Dial(within(t), url+"0", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.CloseNow()
	alive, _, err := websocket.Dial(within(t), url+"0", nil)
	if err != nil {
		t.Fatal(err)
	}
	answering := alive.CloseRead(context.Background())
	defer alive.CloseNow()
	waitFor(t, "the deaf one to be dropped", func() bool { return h.Open() == 1 })
	if answering.Err() != nil {
		t.Error("the one that answers was dropped")
	}
}

func TestLimits(t *testing.T) {
	log := newLog()
	h := New(Options{Sockets: 1, Origins: []string{"https://lab.example.org"}})
	url := serve(t, h, log)
	dial := func(origin string) (*websocket.Conn, int) {
		opt := &websocket.DialOptions{HTTPHeader: http.Header{}}
		if origin != "" {
			opt.HTTPHeader.Set("Origin", origin)
		}
		c, resp, err := websocket.Dial(within(t), url+"0", opt)
		if err != nil && resp == nil {
			t.Fatal(err)
		}
		return c, resp.StatusCode
	}
	if _, status := dial("https://elsewhere.example"); status != http.StatusForbidden {
		t.Errorf("a foreign page: status %d, want 403", status)
	}
	for _, origin := range []string{"", "https://lab.example.org", "http://" + strings.TrimSuffix(strings.TrimPrefix(url, "ws://"), "/?after=")} {
		c, status := dial(origin)
		if status != http.StatusSwitchingProtocols {
			t.Errorf("origin %q: status %d, want 101", origin, status)
			continue
		}
		if _, status := dial(""); status != http.StatusServiceUnavailable {
			t.Errorf("one socket too many: status %d, want 503", status)
		}
		// A client may not send.
		if err := c.Write(within(t), websocket.MessageText, []byte("hello")); err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.Read(within(t)); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
			t.Errorf("a client that sends: %v, want status 1008", err)
		}
		waitFor(t, "the socket to be gone", func() bool { return h.Open() == 0 })
	}
}

// waitFor polls a condition that nothing announces.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(15 * time.Second); !ok(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}
