package site

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

// bodyLimit bounds what a request may send, in bytes.
const bodyLimit = 64 << 10

// problem is an answer to a request that cannot be met: what is wrong and
// what to do.
type problem struct {
	Error string `json:"error"`
	Do    string `json:"do"`
}

func fail(w http.ResponseWriter, status int, what, do string) {
	answer(w, status, problem{what, do})
}

func answer(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // the client may have left; nothing to be done
}

// read decodes a request's JSON body into v, strictly. It answers itself when
// it cannot, and returns false.
func read(w http.ResponseWriter, r *http.Request, v any) bool {
	if t, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); t != "" && strings.TrimSpace(t) != "application/json" {
		fail(w, http.StatusUnsupportedMediaType, "the body is "+t, "send application/json")
		return false
	}
	dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, bodyLimit))
	dec.DisallowUnknownFields()
	err := dec.Decode(v)
	if err == nil {
		if _, more := dec.Token(); more != io.EOF {
			err = errors.New("there is more behind the object")
		}
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		fail(w, http.StatusRequestEntityTooLarge, "the body is too large", "send at most 64 KiB")
	case err != nil:
		fail(w, http.StatusBadRequest, "the body cannot be read: "+err.Error(), "send one JSON object with known keys")
	}
	return err == nil
}
