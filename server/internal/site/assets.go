package site

import (
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

// assets serves the front end's files, compressed beforehand where the
// browser takes it. A name carries a hash of the content, so an answer may be
// kept for ever.
func assets(files fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(path.Clean("/"+r.PathValue("name")), "/")
		ext := path.Ext(name)
		if ext == ".br" || ext == ".gz" || ext == ".json" || !fs.ValidPath(name) {
			http.NotFound(w, r)
			return
		}
		info, err := fs.Stat(files, name)
		if err != nil || info.IsDir() {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		if t := mime.TypeByExtension(ext); t != "" {
			h.Set("Content-Type", t)
		}
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		h.Add("Vary", "Accept-Encoding")
		for _, c := range []struct{ encoding, ext string }{{"br", ".br"}, {"gzip", ".gz"}} {
			if !accepts(r.Header.Get("Accept-Encoding"), c.encoding) {
				continue
			}
			if _, err := fs.Stat(files, name+c.ext); err == nil {
				h.Set("Content-Encoding", c.encoding)
				name += c.ext
				break
			}
		}
		http.ServeFileFS(w, r, files, name)
	})
}

// accepts reads Accept-Encoding (RFC 9110, section 12.5.3).
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), encoding) {
			q := strings.ReplaceAll(params, " ", "")
			return !strings.HasPrefix(q, "q=0") || strings.Trim(q, "q=0.") != ""
		}
	}
	return false
}
