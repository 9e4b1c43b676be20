package broker

import (
	"sync"

	"drainlab/server/broker/wire"
)

// outbox is what waits to be written to one client. The owner appends and
// never blocks; the connection's writer takes. Its bounds are the owner's to
// keep: it asks pending before it appends.
type outbox struct {
	mu       sync.Mutex
	buf      []byte
	spare    []byte // the buffer that the writer gave back
	writing  int    // octets taken and not yet written
	low      int    // tell when pending falls to this; 0: do not tell
	finished bool   // nothing more will be appended; close when all is written
	dead     bool   // what is appended is dropped
	wake     chan struct{}
}

func newOutbox() *outbox { return &outbox{wake: make(chan struct{}, 1)} }

func (o *outbox) append(f func([]byte) ([]byte, error)) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.finished || o.dead {
		return nil
	}
	out, err := f(o.buf)
	if err != nil {
		return err
	}
	o.buf = out
	o.signal()
	return nil
}

func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *outbox) raw(b []byte) {
	_ = o.append(func(dst []byte) ([]byte, error) { return append(dst, b...), nil })
}

func (o *outbox) method(channel uint16, m wire.Method) error {
	return o.append(func(b []byte) ([]byte, error) { return wire.AppendMethod(b, channel, m) })
}

// content appends a method and its content, all or nothing.
func (o *outbox) content(channel uint16, m wire.Method, p wire.Properties, body []byte, frameMax int) error {
	return o.append(func(b []byte) ([]byte, error) {
		out, err := wire.AppendMethod(b, channel, m)
		if err != nil {
			return b, err
		}
		h := wire.Header{Class: wire.ClassBasic, BodySize: uint64(len(body)), Properties: p}
		return wire.AppendContent(out, channel, h, body, frameMax)
	})
}

// pending is how many octets the client has not been given.
func (o *outbox) pending() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.buf) + o.writing
}

// tellAt asks for one drained command once pending has fallen to low. It
// returns false when it already has.
func (o *outbox) tellAt(low int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.buf)+o.writing <= low {
		return false
	}
	o.low = low
	return true
}

// finish lets the writer end once everything is written.
func (o *outbox) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.finished = true
	o.signal()
}

// kill drops what waits and ends the writer.
func (o *outbox) kill() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.dead, o.buf, o.spare = true, nil, nil
	o.signal()
}

// take returns what waits, with more=false when there will be nothing after it.
func (o *outbox) take() (b []byte, more bool) {
	for {
		o.mu.Lock()
		if o.dead {
			o.mu.Unlock()
			return nil, false
		}
		if len(o.buf) > 0 {
			b, o.buf, o.spare = o.buf, o.spare, nil
			o.writing = len(b)
			o.mu.Unlock()
			return b, true
		}
		done := o.finished
		o.mu.Unlock()
		if done {
			return nil, false
		}
		<-o.wake
	}
}

// keepBuffer is up to which size a buffer is used again, in octets.
const keepBuffer = 256 << 10

// wrote notes that n octets of those taken are written, and gives the buffer
// back after the last. It says whether the owner wants to hear of it.
func (o *outbox) wrote(n int, taken []byte) (tell bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.writing -= n
	if o.writing == 0 && cap(taken) <= keepBuffer && !o.dead {
		o.spare = taken[:0]
		if len(o.buf) == 0 && cap(o.buf) == 0 {
			o.buf, o.spare = o.spare, nil
		}
	}
	if o.low > 0 && len(o.buf)+o.writing <= o.low {
		o.low = 0
		return true
	}
	return false
}
