package site_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"drainlab/exercises"
	"drainlab/exercises/event"
	"drainlab/exercises/scenario"
	"drainlab/lessons"
	"drainlab/server/internal/course"
	"drainlab/server/internal/hub"
	"drainlab/server/internal/lab"
	"drainlab/server/internal/site"
	"drainlab/web"
	"drainlab/web/block/kinds"

	"github.com/coder/websocket"
)

// newServer serves the real course with a front end of two files, and the
// programs that are built into programs; "" is none.
func newServer(t *testing.T, programs string, limits lab.Limits) (*httptest.Server, *site.Site, *hub.Hub) {
	t.Helper()
	catalog, problems, err := exercises.Load(exercises.Files)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	c, _ := course.Load(lessons.Files, catalog, kinds.All())
	bundle, err := web.Open(fstest.MapFS{
		"manifest.json":    {Data: []byte(`{"main.js":{"file":"main-1.js"},"main.css":{"file":"main-2.css"},"theme.js":{"file":"theme-3.js"}}`)},
		"main-1.js":        {Data: []byte("console.log('plain')")},
		"main-1.js.br":     {Data: []byte("brotli")},
		"main-1.js.gz":     {Data: []byte("gzip")},
		"main-2.css":       {Data: []byte("body{}")},
		"sub/secret-4.txt": {Data: []byte("deep")},
	})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	m, err := lab.New(lab.Options{Programs: programs, Catalog: catalog, StateDir: t.TempDir(), Limits: limits, Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	h := hub.New(hub.Options{})
	s := site.New(site.Options{Content: &site.Content{Course: c, Catalog: catalog, Bundle: bundle}, Lab: m, Hub: h,
		Hosts: []string{"lab.example.org"}, Log: log})
	srv := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		s.Drain()
		if err := h.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		if err := m.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		srv.Close()
	})
	return srv, s, h
}

type ask struct {
	name, method, path string
	header             map[string]string
	body               string
	status             int
	in                 string            // in the body
	answer             map[string]string // headers of the answer
}

func (a ask) do(t *testing.T, base string) *http.Response {
	t.Helper()
	method := a.method
	if method == "" {
		method = http.MethodGet
	}
	req, err := http.NewRequest(method, base+a.path, strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range a.header {
		if k == "Host" {
			req.Host = v
			continue
		}
		req.Header.Set(k, v)
	}
	resp, err := (&http.Transport{DisableCompression: true}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

func TestAnswers(t *testing.T) {
	srv, _, _ := newServer(t, "", lab.Limits{})
	run := `{"exercise":"consumer","program":"solution","play":true}`
	post := http.MethodPost
	jsonType := map[string]string{"Content-Type": "application/json"}
	for _, a := range []ask{
		{name: "English by default", path: "/", status: 302, answer: map[string]string{"Location": "/en/", "Vary": "Accept-Language"}},
		{name: "Russian when it is preferred", path: "/", header: map[string]string{"Accept-Language": "ru-RU,ru;q=0.9,en;q=0.8"}, status: 302, answer: map[string]string{"Location": "/ru/"}},
		{name: "English before Russian", path: "/", header: map[string]string{"Accept-Language": "de, en;q=0.7, ru;q=0.6"}, status: 302, answer: map[string]string{"Location": "/en/"}},
		{name: "a language header that makes no sense", path: "/", header: map[string]string{"Accept-Language": ";;q=x"}, status: 302, answer: map[string]string{"Location": "/en/"}},
		{name: "map", path: "/ru/", status: 200, in: `<html lang="ru"`, answer: map[string]string{"Content-Type": "text/html; charset=utf-8"}},
		{name: "lesson", path: "/en/lessons/04-consumer", status: 200, in: "Stopping a RabbitMQ consumer"},
		{name: "cards", path: "/en/cards", status: 200, in: `id="cards"`},
		{name: "no such lesson, in its language", path: "/ru/lessons/nothing", status: 404, in: `<html lang="ru"`},
		{name: "no such language", path: "/de/", status: 404, in: "<html"},
		{name: "no such page", path: "/favicon.ico", status: 404},
		{name: "a page is not posted to", method: post, path: "/en/", status: 404},
		{name: "health", path: "/healthz", status: 200, in: "ok"},
		{name: "readiness", path: "/readyz", status: 200, in: "ready"},
		{name: "policy", path: "/en/", status: 200, answer: map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}},

		{name: "asset", path: "/assets/main-1.js", status: 200, in: "plain", answer: map[string]string{"Cache-Control": "public, max-age=31536000, immutable"}},
		{name: "asset, brotli", path: "/assets/main-1.js", header: map[string]string{"Accept-Encoding": "gzip, br"}, status: 200, in: "brotli", answer: map[string]string{"Content-Encoding": "br", "Content-Type": "text/javascript; charset=utf-8"}},
		{name: "asset, gzip only", path: "/assets/main-1.js", header: map[string]string{"Accept-Encoding": "br;q=0, gzip"}, status: 200, in: "gzip", answer: map[string]string{"Content-Encoding": "gzip"}},
		{name: "asset that is not compressed", path: "/assets/main-2.css", header: map[string]string{"Accept-Encoding": "br"}, status: 200, in: "body{}"},
		{name: "asset above the folder", path: "/assets/..%2f..%2fgo.mod", status: 404},
		{name: "asset folder", path: "/assets/sub", status: 404},
		{name: "the manifest is not for the world", path: "/assets/manifest.json", status: 404},

		{name: "exercise", path: "/api/exercises/consumer", status: 200, in: `"default":"term-under-load"`},
		{name: "no such exercise", path: "/api/exercises/nope", status: 404, in: `"do":`},
		{name: "no such call", path: "/api/nope", status: 404, in: `"error":"there is no GET /api/nope"`},

		{name: "another host name", path: "/en/", header: map[string]string{"Host": "evil.example"}, status: 421, in: "evil.example"},
		{name: "another host name with our port", path: "/api/exercises/consumer", header: map[string]string{"Host": "evil.example:8080"}, status: 421},
		{name: "a name that was given", path: "/en/", header: map[string]string{"Host": "LAB.example.org:8080"}, status: 200},
		{name: "localhost", path: "/en/", header: map[string]string{"Host": "localhost:8080"}, status: 200},
		{name: "an address", path: "/en/", header: map[string]string{"Host": "[::1]:8080"}, status: 200},

		{name: "foreign origin drives", method: post, path: "/api/runs", header: map[string]string{"Origin": "http://evil.example", "Content-Type": "text/plain"}, body: run, status: 403, in: "another site"},
		{name: "foreign origin reads", path: "/api/exercises/consumer", header: map[string]string{"Origin": "http://evil.example"}, status: 403},
		{name: "the null origin", method: post, path: "/api/runs", header: map[string]string{"Origin": "null"}, body: run, status: 403},
		{name: "cross-site by fetch metadata", path: "/api/exercises/consumer", header: map[string]string{"Sec-Fetch-Site": "cross-site"}, status: 403},
		{name: "another port of this host", path: "/api/exercises/consumer", header: map[string]string{"Sec-Fetch-Site": "same-site"}, status: 403},
		{name: "a link from elsewhere opens a page", path: "/en/", header: map[string]string{"Sec-Fetch-Site": "cross-site"}, status: 200},

		{name: "not built", method: post, path: "/api/runs", header: jsonType, body: run, status: 503, in: "make build"},
		{name: "body is no JSON", method: post, path: "/api/runs", header: jsonType, body: "hello", status: 400, in: `"do":`},
		{name: "empty body", method: post, path: "/api/runs", header: jsonType, status: 400},
		{name: "two objects", method: post, path: "/api/runs", header: jsonType, body: run + run, status: 400, in: "more behind"},
		{name: "unknown key", method: post, path: "/api/runs", header: jsonType, body: `{"exercise":"consumer","shell":"rm"}`, status: 400, in: "shell"},
		{name: "wrong type", method: post, path: "/api/runs", header: jsonType, body: `{"exercise":7}`, status: 400},
		{name: "a form", method: post, path: "/api/runs", header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, body: "a=b", status: 415},
		{name: "oversized", method: post, path: "/api/runs", header: jsonType, body: `{"exercise":"` + strings.Repeat("x", 1<<20) + `"}`, status: 413, in: "64 KiB"},
		{name: "unknown exercise", method: post, path: "/api/runs", header: jsonType, body: `{"exercise":"../../etc","program":"passwd"}`, status: 404},
		{name: "unknown program", method: post, path: "/api/runs", header: jsonType, body: `{"exercise":"consumer","program":"../solution"}`, status: 404},
		{name: "unknown scenario", method: post, path: "/api/runs", header: jsonType, body: `{"exercise":"consumer","program":"solution","scenario":"nope"}`, status: 404},
		{name: "grace that is none", method: post, path: "/api/runs", header: jsonType, body: `{"exercise":"consumer","program":"solution","platform":{"grace":"soon"}}`, status: 400, in: `write it as \"10s\"`},
		{name: "grace below zero", method: post, path: "/api/runs", header: jsonType, body: `{"exercise":"consumer","program":"solution","platform":{"grace":"-1s"}}`, status: 400},
		{name: "grace without end", method: post, path: "/api/runs", header: jsonType, body: `{"exercise":"consumer","program":"solution","platform":{"grace":"9999h"}}`, status: 400},
		{name: "no such run", path: "/api/runs/1", status: 404, in: `"error"`},
		{name: "no such run's events", path: "/api/runs/1/events", status: 404},
		{name: "no such run's stream", path: "/api/runs/1/stream", status: 404},
		{name: "no such run's actions", method: post, path: "/api/runs/1/actions", header: jsonType, body: `{"do":"term"}`, status: 404},
		{name: "no such run's stop", method: post, path: "/api/runs/1/stop", status: 404},
	} {
		t.Run(a.name, func(t *testing.T) {
			resp := a.do(t, srv.URL)
			body, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			if resp.StatusCode != a.status || !strings.Contains(string(body), a.in) {
				t.Errorf("%d, want %d\n%.300s\nwant %q in it", resp.StatusCode, a.status, body, a.in)
			}
			for k, want := range a.answer {
				if got := resp.Header.Get(k); got != want {
					t.Errorf("%s: %q, want %q", k, got, want)
				}
			}
			if csp := resp.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "script-src 'self';") || strings.Contains(csp, "'unsafe-eval'") {
				t.Errorf("policy %q", csp)
			}
		})
	}
}

// Pages may hold neither scripts nor styles of their own: the policy would
// block them in silence.
func TestPagesHoldNothingInline(t *testing.T) {
	srv, _, _ := newServer(t, "", lab.Limits{})
	for _, path := range []string{"/en/", "/ru/", "/en/cards", "/ru/cards", "/en/lessons/04-consumer", "/ru/lessons/04-consumer", "/en/lessons/06-http", "/ru/lessons/06-http", "/en/none"} {
		resp := ask{path: path}.do(t, srv.URL)
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{" style=", " onclick=", " onload=", "<style", "javascript:"} {
			if i := bytes.Index(body, []byte(bad)); i >= 0 {
				t.Errorf("%s holds %q: …%s…", path, bad, body[max(0, i-80):min(len(body), i+80)])
			}
		}
		for _, script := range bytes.Split(body, []byte("<script"))[1:] {
			open := script[:bytes.IndexByte(script, '>')]
			if !bytes.Contains(open, []byte("src=")) && !bytes.Contains(open, []byte("application/json")) {
				t.Errorf("%s holds a script of its own: <script%s>", path, open)
			}
		}
	}
}

// buildProgram builds one program as make build does.
func buildProgram(t *testing.T, exercise, program string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, exercise, program), "drainlab/exercises/"+exercise+"/"+program)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return dir
}

// post sends v and decodes the answer.
func post(t *testing.T, url string, v, into any) int {
	t.Helper()
	body, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if into != nil {
		if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	return resp.StatusCode
}

func TestDriveARun(t *testing.T) {
	srv, _, _ := newServer(t, buildProgram(t, "consumer", "solution"), lab.Limits{Runs: 1})
	var begun struct{ ID string }
	start := map[string]any{"exercise": "consumer", "program": "solution", "platform": map[string]string{"preset": "docker-stop", "grace": "10s"}}
	if code := post(t, srv.URL+"/api/runs", start, &begun); code != 201 || begun.ID == "" {
		t.Fatalf("start: %d %+v", code, begun)
	}
	run := srv.URL + "/api/runs/" + begun.ID
	var refused struct{ Error, Do string }
	if code := post(t, srv.URL+"/api/runs", start, &refused); code != 429 || refused.Do == "" {
		t.Errorf("one run too many: %d %+v", code, refused)
	}

	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	if _, resp, err := websocket.Dial(ctx, run+"/stream", &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"http://evil.example"}}}); err == nil || resp == nil || resp.StatusCode != 403 {
		t.Errorf("a page elsewhere reads the events: %v", err)
	}

	seen := map[event.Kind]int{}
	var seq uint64
	read := func(until func(event.Event) bool) {
		t.Helper()
		ws, _, err := websocket.Dial(ctx, fmt.Sprintf("%s/stream?after=%d", run, seq), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer ws.CloseNow()
		for {
			_, data, err := ws.Read(ctx)
			if err != nil {
				if websocket.CloseStatus(err) == websocket.StatusNormalClosure {
					return
				}
				t.Fatal(err)
			}
			var e event.Event
			if err := json.Unmarshal(data, &e); err != nil {
				t.Fatal(err)
			}
			if e.Seq != seq+1 {
				t.Fatalf("event %d after %d", e.Seq, seq)
			}
			seq = e.Seq
			seen[e.Kind]++
			if until != nil && until(e) {
				return // and a new socket goes on after this one
			}
		}
	}
	do := func(action string, count int) {
		t.Helper()
		var said struct{ Error, Do string }
		if code := post(t, run+"/actions", map[string]any{"do": action, "count": count}, &said); code != 202 {
			t.Fatalf("%s: %d %+v", action, code, said)
		}
	}
	read(func(e event.Event) bool { return e.Kind == event.ReadyChanged })
	do("publish", 4)
	read(func(e event.Event) bool { return e.Kind == event.WorkFinished })
	do("term", 0)
	read(func(e event.Event) bool { return e.Kind == event.ProcessExited })
	var said struct{ Error, Do string }
	if code := post(t, run+"/actions", map[string]any{"do": "term"}, &said); code != 409 || !strings.Contains(said.Do, "restart") {
		t.Errorf("TERM after the exit: %d %+v", code, said)
	}
	if code := post(t, run+"/actions", map[string]any{"do": "explode"}, &said); code != 409 && code != 400 {
		t.Errorf("unknown action: %d %+v", code, said)
	}
	do("restart", 0)
	read(func(e event.Event) bool { return e.Kind == event.ReadyChanged && e.From == "worker-2" })
	if code := post(t, run+"/stop", nil, nil); code != 202 {
		t.Errorf("stop: %d", code)
	}
	read(nil)
	if seen[event.RunEnded] != 1 || seen[event.ProcessStarted] != 2 || seen[event.MessagePublished] != 4 || seen[event.ConnOpened] < 2 {
		t.Errorf("seen: %v", seen)
	}
	resp := ask{path: "/events"}.do(t, run)
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(body, []byte("\n")); uint64(lines) != seq {
		t.Errorf("events has %d lines, the streams had %d", lines, seq)
	}
	var status struct {
		State, Broker string
		Began         time.Time
		Verdict       *scenario.Verdict
	}
	if err := json.NewDecoder(ask{}.do(t, run).Body).Decode(&status); err != nil || status.State != "ended" || status.Broker != "embedded" || status.Began.IsZero() || status.Verdict != nil {
		t.Errorf("status %+v, %v", status, err)
	}
}

func TestReadinessGoesOff(t *testing.T) {
	srv, s, _ := newServer(t, "", lab.Limits{})
	s.Drain()
	if resp := (ask{path: "/readyz"}).do(t, srv.URL); resp.StatusCode != 503 {
		t.Errorf("readyz while stopping: %d", resp.StatusCode)
	}
	if resp := (ask{path: "/healthz"}).do(t, srv.URL); resp.StatusCode != 200 {
		t.Errorf("healthz while stopping: %d", resp.StatusCode)
	}
}
