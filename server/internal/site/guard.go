package site

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// contentPolicy is sent with every page: everything from here, nothing inline.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// guard lets a request through only when it is meant for this server and does
// not come from a page elsewhere. Names are the host names, beside localhost
// and plain addresses, under which the server may be asked: a page that makes
// its own name point here (DNS rebinding) sends that name, and is refused.
func guard(names []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if !knownHost(r.Host, names) {
			fail(w, http.StatusMisdirectedRequest, "this server is not "+r.Host, "use its address, or start it with -host "+hostOnly(r.Host))
			return
		}
		if api := strings.HasPrefix(r.URL.Path, "/api/"); (api || unsafeMethod(r.Method)) && foreign(r) {
			fail(w, http.StatusForbidden, "a page of another site may not use this server", "open the lesson at this server's own address")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func unsafeMethod(m string) bool {
	return m != http.MethodGet && m != http.MethodHead && m != http.MethodOptions
}

func knownHost(host string, names []string) bool {
	name := hostOnly(host)
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		return true
	}
	return strings.EqualFold(name, "localhost") || slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

func hostOnly(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}

// foreign says whether a browser made the request for a page of another
// origin. A client that is no browser sends neither header.
func foreign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return true
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || !strings.EqualFold(u.Host, r.Host)
}
