package lab

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReadLines(t *testing.T) {
	for _, tt := range []struct {
		name, in  string
		allowance int64
		want      []string
	}{
		{"lines", "one\ntwo\r\n\nfour", 1000, []string{"one", "two", "", "four"}},
		{"nothing", "", 1000, nil},
		{"a line as long as may be", strings.Repeat("a", 15) + "\nb\n", 1000, []string{strings.Repeat("a", 15), "b"}},
		{"a line whose end does not fit", strings.Repeat("a", 16) + "\nb\n", 1000, []string{strings.Repeat("a", 16), "b"}},
		{"one byte too long", strings.Repeat("a", 17) + "\nb\n", 1000, []string{strings.Repeat("a", 16), "cut 17", "b"}},
		{"far too long", strings.Repeat("a", 100) + "\nb\n", 1000, []string{strings.Repeat("a", 16), "cut 100", "b"}},
		{"far too long, at the end", strings.Repeat("a", 100), 1000, []string{strings.Repeat("a", 16), "cut 100"}},
		{"too much", "one\ntwo\nthree\n", 8, []string{"one", "two", "spent"}},
		{"too much in one line", strings.Repeat("a", 100), 20, []string{strings.Repeat("a", 16), "spent"}},
	} {
		for _, slow := range []bool{false, true} {
			var got []string
			var a allowance
			a.left.Store(tt.allowance)
			in := strings.NewReader(tt.in)
			say := func(s string) { got = append(got, s) }
			cut := func(n int) { say(fmt.Sprintf("cut %d", n)) }
			spent := func() { say("spent") }
			if slow {
				readLines(iotest.OneByteReader(in), 16, &a, say, cut, spent)
			} else {
				readLines(in, 16, &a, say, cut, spent)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s (byte by byte: %v): %q, want %q", tt.name, slow, got, tt.want)
			}
			if in.Len() > 0 {
				t.Errorf("%s: %d bytes were not read: the writer would be blocked", tt.name, in.Len())
			}
		}
	}
}
