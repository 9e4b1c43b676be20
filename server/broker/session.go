package broker

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"drainlab/exercises/event"
	"drainlab/server/broker/wire"
)

// phase is where a connection is in its life (section 2.2.4). It only grows,
// except that a refused client goes from any phase to a later one.
type phase int

const (
	phaseHeader  phase = iota // accepted; waits for the protocol header
	phaseStart                // sent connection.start; waits for start-ok
	phaseTune                 // sent connection.tune; waits for tune-ok
	phaseOpen                 // waits for connection.open
	phaseRunning              // in use
	phaseClosing              // sent connection.close; waits for close-ok, drops all else
	phaseLeaving              // nothing more to say; waits for the client to close its end
	phaseGone                 // reset, or the socket is closed
)

// session is a connection as the owner sees it.
//
// Invariant: only a session in phaseRunning has channels, consumers, exclusive
// queues, or counts in core.open.
type session struct {
	core  *core
	conn  *conn
	peer  string
	phase phase

	id         string // "c1", given when it is opened
	user       string
	vhost      *vhost
	frameMax   int
	channelMax int
	// What the client said that it understands (RabbitMQ's "capabilities").
	takesCancel, takesAuthFailure bool

	channels map[uint16]*channel
	slow     bool // too much waits for the client: nothing is delivered to it

	patience *timer // ends the handshake, or the closing
	beat     *timer
	interval time.Duration // of heartbeats; 0 is none
	seen     uint64        // frames at the last beat
	silent   int           // beats without a frame
	doomed   string        // why it will be reset when the command at hand is done
}

func newSession(c *core, conn *conn, peer string) *session {
	s := &session{core: c, conn: conn, peer: peer, channels: map[uint16]*channel{}, frameMax: wire.FrameMinSize}
	s.patience = newTimer(func() { s.abort("timeout") })
	s.beat = newTimer(s.heartbeat)
	c.after(s.patience, c.opt.HandshakeTimeout)
	return s
}

func (s *session) event(e event.Event) {
	e.Conn, e.Peer = s.id, s.peer
	s.core.emit(e)
}

// tell is event for what the schema ties to a peer but to no connection.
func (s *session) tell(e event.Event) {
	e.Peer = s.peer
	s.core.emit(e)
}

// send sends a method. The client may be too slow for its own answers: then it
// is cut off, but only when the command at hand is done, so that nothing that
// sends has to reckon with its session vanishing under it.
func (s *session) send(channel uint16, m wire.Method) {
	s.sent(s.conn.out.method(channel, m))
}

func (s *session) sendContent(channel uint16, m wire.Method, msg *message) {
	s.sent(s.conn.out.content(channel, m, msg.props, msg.body, s.frameMax))
}

func (s *session) sent(err error) {
	switch {
	case err != nil:
		s.doom("internal error: " + err.Error())
	case s.conn.out.pending() > s.core.opt.Limits.outgoingMax():
		s.doom("the client does not read: too much waits for it")
	}
}

func (s *session) doom(why string) {
	if s.doomed == "" {
		s.doomed = why
		s.core.doomed = append(s.core.doomed, s)
	}
}

// canTake says whether a delivery may be appended. Once it says no, it says no
// until half of what waits has been read.
func (s *session) canTake() bool {
	if s.phase != phaseRunning || s.slow || s.doomed != "" {
		return false
	}
	limit := s.core.opt.Limits.Outgoing
	if s.conn.out.pending() < limit {
		return true
	}
	s.slow = s.conn.out.tellAt(limit / 2)
	return !s.slow
}

func (s *session) drained() {
	s.slow = false
	for _, ch := range s.inOrder() {
		ch.touchQueues()
	}
}

// inOrder is the open channels by number, so that the same happens every time.
func (s *session) inOrder() []*channel {
	chs := make([]*channel, 0, len(s.channels))
	for _, ch := range s.channels {
		chs = append(chs, ch)
	}
	slices.SortFunc(chs, func(a, b *channel) int { return cmp.Compare(a.number, b.number) })
	return chs
}

// arrive handles a method.
func (s *session) arrive(a *arrival) {
	kept := false
	defer func() {
		if !kept {
			s.core.memory.give(int64(len(a.body)))
		}
	}()
	var err *wire.Error
	switch {
	case s.phase == phaseClosing:
		s.arriveClosing(a)
	case s.phase > phaseRunning:
		// What it says no longer matters.
	case s.phase < phaseRunning:
		err = s.handshake(a)
	case a.channel == 0:
		err = s.arriveZero(a.method)
	default:
		kept, err = s.arriveChannel(a)
	}
	if err != nil {
		err.Method = a.method.ID()
		s.fail(a.channel, err)
	}
}

func (s *session) arriveClosing(a *arrival) {
	if a.channel != 0 {
		return
	}
	switch a.method.(type) {
	case *wire.ConnectionCloseOk:
		s.leave()
	case *wire.ConnectionClose: // they crossed
		s.send(0, &wire.ConnectionCloseOk{})
		s.leave()
	}
}

func (s *session) arriveChannel(a *arrival) (kept bool, err *wire.Error) {
	ch := s.channels[a.channel]
	if ch != nil {
		return ch.arrive(a)
	}
	if _, ok := a.method.(*wire.ChannelOpen); !ok {
		return false, wire.Errorf(wire.ChannelError, "expected 'channel.open' on channel %d", a.channel)
	}
	return false, s.openChannel(a.channel)
}

// fail ends what err's code says must end.
func (s *session) fail(channel uint16, err *wire.Error) {
	ch := s.channels[channel]
	if err.Code.Hard() || ch == nil {
		s.closeWith(err)
		return
	}
	ch.closeWith(err)
}

// malformed answers what is no frame; the reader has already given up on the
// stream, so that close-ok cannot come.
func (s *session) malformed(err *wire.Error) {
	switch {
	case s.phase > phaseRunning:
	case s.phase == phaseHeader:
		s.abort(err.ReplyText())
	default:
		s.closeWith(err)
		s.leave()
	}
}

// closeWith tells the client why and waits for its close-ok.
func (s *session) closeWith(err *wire.Error) {
	if s.phase >= phaseClosing {
		return
	}
	s.tearDown("connection closed", event.Event{Kind: event.ConnClosed, Code: event.Ptr(int(err.Code)), Text: err.ReplyText()})
	s.phase = phaseClosing
	s.send(0, &wire.ConnectionClose{ReplyCode: err.Code, ReplyText: err.ReplyText(), ClassID: err.Method.Class(), MethodID: err.Method.Method()})
	s.core.after(s.patience, s.core.opt.CloseTimeout)
}

// leave lets what waits be written, then the socket be closed by both sides.
func (s *session) leave() {
	if s.phase >= phaseLeaving {
		return
	}
	s.phase = phaseLeaving
	s.conn.out.finish()
	s.core.after(s.patience, s.core.opt.CloseTimeout)
}

// abort resets the connection now.
func (s *session) abort(why string) {
	if s.phase == phaseGone {
		return
	}
	s.tearDown("connection reset", event.Event{Kind: event.ConnReset, Text: why})
	s.phase = phaseGone
	s.conn.reset()
}

// ended notes that the socket is closed.
func (s *session) ended(err error) {
	why := "the client closed its socket without connection.close"
	if err != nil && !errors.Is(err, io.EOF) {
		why = strings.TrimPrefix(err.Error(), "read ")
	}
	s.tearDown("connection reset", event.Event{Kind: event.ConnReset, Text: why})
	s.phase = phaseGone
	s.core.timers.stop(s.patience)
}

// shutdown begins an orderly end that the broker wants.
func (s *session) shutdown() {
	if s.phase < phaseRunning {
		s.abort("broker shutdown")
		return
	}
	s.closeWith(wire.Errorf(wire.ConnectionForced, "broker forced connection closure with reason 'shutdown'"))
}

// tearDown takes everything out of the broker that lives with the connection:
// consumers first, so that nothing which is put back comes to it again.
func (s *session) tearDown(why string, last event.Event) {
	s.core.timers.stop(s.beat)
	if s.phase != phaseRunning {
		return
	}
	chs := s.inOrder()
	for _, ch := range chs {
		ch.dropConsumers()
	}
	for _, ch := range chs {
		ch.requeueAll(why)
		if ch.phase == channelOpen {
			ch.event(event.Event{Kind: event.ChannelClosed})
		}
	}
	clear(s.channels)
	s.vhost.connectionGone(s)
	s.core.open--
	s.event(last)
}

// heartbeat is called twice in an interval: it sends one unless something else
// is on its way, and ends a connection from which nothing came for two
// intervals (section 4.2.7).
func (s *session) heartbeat() {
	if s.phase != phaseRunning {
		return
	}
	if now := s.conn.frames.Load(); now != s.seen {
		s.seen, s.silent = now, 0
	} else if s.silent++; s.silent >= 4 {
		s.abort(fmt.Sprintf("missed heartbeats from client, timeout: %s", s.interval))
		return
	}
	if s.conn.out.pending() == 0 {
		s.conn.out.raw(wire.AppendHeartbeat(nil))
	}
	s.core.after(s.beat, s.interval/2)
}
