package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"drainlab/exercises/event"

	"golang.org/x/net/websocket"
)

// wanted is how many events are waited for.
const wanted = 400

// eventsSent begins a consumer, gives it work, and compares when its events
// happened with when they are in a client's hands, in ms. Both clocks are this
// machine's.
func eventsSent(ctx context.Context) (took []float64, err error) {
	p, err := begin(ctx, binary, "serve", "-addr", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.end()) }()
	var run struct {
		ID    string
		Began time.Time
	}
	body := `{"exercise":"consumer","program":"solution","platform":{"preset":"docker-stop","grace":"10s"},"play":false}`
	if err := call(ctx, http.MethodPost, p.url+"/api/runs", body, &run); err != nil {
		return nil, err
	}
	address := p.url + "/api/runs/" + run.ID
	if err := call(ctx, http.MethodGet, address, "", &run); err != nil {
		return nil, err
	}
	ws, err := websocket.Dial(strings.Replace(address, "http", "ws", 1)+"/stream", "", p.url)
	if err != nil {
		return nil, fmt.Errorf("open the stream: %w", err)
	}
	defer ws.Close()
	if err := ws.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return nil, err
	}
	for seq := uint64(1); len(took) < wanted; seq++ {
		var e event.Event
		if err := websocket.JSON.Receive(ws, &e); err != nil {
			return nil, fmt.Errorf("after %d events: %w", len(took), err)
		}
		got := time.Since(run.Began)
		if e.Seq != seq {
			return nil, fmt.Errorf("event %d came in place of %d", e.Seq, seq)
		}
		if e.Kind == event.ReadyChanged {
			if err := call(ctx, http.MethodPost, address+"/actions", `{"do":"publish","count":60}`, nil); err != nil {
				return nil, err
			}
		}
		// What happened before the socket was there waited for it.
		if len(took) > 0 || e.Kind == event.ReadyChanged {
			took = append(took, (got-e.At).Seconds()*1000)
		}
	}
	return took, call(ctx, http.MethodPost, address+"/stop", "", nil)
}

func call(ctx context.Context, method, url, body string, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	var text bytes.Buffer
	if _, err := text.ReadFrom(res.Body); err != nil {
		return err
	}
	if res.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s: %s", method, url, res.Status, strings.TrimSpace(text.String()))
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(text.Bytes(), into)
}
