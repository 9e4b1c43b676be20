package lab

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
)

// allowance is how much output the programs of a run may still write, all together.
type allowance struct{ left atomic.Int64 }

// take says whether n more bytes may be kept.
func (a *allowance) take(n int) bool { return a.left.Add(-int64(n)) >= 0 }

// readLines calls line with each line of in, without its end. Of a line that
// is longer than max bytes the rest is dropped, and cut is told how long it
// was. Every byte is taken from a; once a has none left, spent is called, and
// what follows is read and forgotten, so that the writer is not blocked. It
// returns when in ends.
func readLines(in io.Reader, max int, a *allowance, line func(string), cut func(length int), spent func()) {
	// ReadSlice fills the buffer before it gives up: its size is the bound.
	r := bufio.NewReaderSize(in, max)
	long := 0 // how much of a line that is too long has been seen
	for {
		part, err := r.ReadSlice('\n')
		if len(part) > 0 && !a.take(len(part)) {
			spent()
			_, _ = io.Copy(io.Discard, r) // until the writers are gone
			return
		}
		whole := err == nil || !errors.Is(err, bufio.ErrBufferFull)
		switch {
		case long == 0 && len(part) > 0:
			line(text(part))
			if !whole {
				long = len(part)
			}
		case long > 0:
			long += len(bytes.TrimRight(part, "\r\n"))
			if whole {
				if long > max { // more came than the end of the line
					cut(long)
				}
				long = 0
			}
		}
		if err != nil && whole {
			return
		}
	}
}

func text(line []byte) string {
	return strings.ToValidUTF8(string(bytes.TrimRight(line, "\r\n")), "\uFFFD")
}

func cutText(length, max int) string {
	return fmt.Sprintf("the line had about %d bytes; %d are kept", length, max)
}
