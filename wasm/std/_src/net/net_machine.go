//go:build js && wasm

package net

import (
	"context"
	"internal/poll"
	"io"
	"os"
	"runtime"
	"sync"
	"syscall"
	"syscall/js"
	"time"
	"unsafe"
)

// The host's sockets. Numbers below zero are -errno. Addresses are 16 bytes
// of IP and two of port, both in network order.
//
//go:wasmimport machine tcp_listen
//go:noescape
func tcpListen(local unsafe.Pointer) int32

//go:wasmimport machine tcp_connect
//go:noescape
func tcpConnect(local, remote unsafe.Pointer) int32

// tcpConnected says how a connect has ended.
//
//go:wasmimport machine tcp_connected
func tcpConnected(socket int32) int32

//go:wasmimport machine tcp_accept
func tcpAccept(socket int32) int32

//go:wasmimport machine tcp_names
//go:noescape
func tcpNames(socket int32, local, remote unsafe.Pointer)

//go:wasmimport machine tcp_read
//go:noescape
func tcpRead(socket int32, p unsafe.Pointer, n int32) int32

//go:wasmimport machine tcp_write
//go:noescape
func tcpWrite(socket int32, p unsafe.Pointer, n int32) int32

//go:wasmimport machine tcp_shutdown
func tcpShutdown(socket, how int32) int32

//go:wasmimport machine tcp_close
func tcpClose(socket, reset int32)

// tcpReady takes out what has become ready: socket*2, and 1 when it is the
// writing side; -1 when there is nothing more.
//
//go:wasmimport machine tcp_ready
func tcpReady() int32

var (
	tcpMu      sync.Mutex
	tcpSockets = map[int32]*tcpSocket{}
	tcpWatched sync.Once
)

// tcpWatch has the host tell this process when a socket is ready.
func tcpWatch() {
	js.Global().Get("machine").Call("onNetwork", js.FuncOf(func(js.Value, []js.Value) any {
		for {
			n := tcpReady()
			if n < 0 {
				return nil
			}
			tcpMu.Lock()
			s := tcpSockets[n>>1]
			tcpMu.Unlock()
			if s == nil {
				continue
			}
			side := &s.in
			if n&1 == 1 {
				side = &s.out
			}
			select {
			case side.ready <- struct{}{}:
			default:
			}
		}
	}))
}

// tcpSide is one direction of a socket: one goroutine at a time uses it.
type tcpSide struct {
	turn     sync.Mutex
	ready    chan struct{} // has room for one
	mu       sync.Mutex
	deadline *deadlineTimer
}

func (s *tcpSide) timer() *deadlineTimer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.deadline
}

func (s *tcpSide) set(t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.deadline.Reset(t) {
		s.deadline = newDeadlineTimer(t)
	}
}

type tcpSocket struct {
	id      int32
	net     string
	family  int
	in, out tcpSide

	mu     sync.Mutex
	linger int // as SetLinger was given it, -1 until then
	closed bool
	done   chan struct{} // closed by close
}

func newTCPSocket(id int32, net string, family int) *netFD {
	tcpWatched.Do(tcpWatch)
	s := &tcpSocket{id: id, net: net, family: family, linger: -1, done: make(chan struct{})}
	for _, side := range []*tcpSide{&s.in, &s.out} {
		side.ready = make(chan struct{}, 1)
		side.deadline = newDeadlineTimer(noDeadline)
	}
	tcpMu.Lock()
	tcpSockets[id] = s
	tcpMu.Unlock()
	fd := &netFD{family: family, sotype: syscall.SOCK_STREAM, net: net}
	fd.fakeNetFD = &fakeNetFD{fd: fd, tcp: s}
	runtime.SetFinalizer(fd, (*netFD).Close) // as on Linux: a connection that nobody has any more is closed
	return fd
}

func (s *tcpSocket) name(fd *netFD) {
	var local, remote [18]byte
	tcpNames(s.id, unsafe.Pointer(&local), unsafe.Pointer(&remote))
	fd.laddr = tcpAddrOf(local, fd.family)
	if a := tcpAddrOf(remote, fd.family); a.Port != 0 {
		fd.raddr = a
	}
}

func tcpAddrOf(b [18]byte, family int) *TCPAddr {
	ip := IP(b[:16])
	if v4 := ip.To4(); v4 != nil {
		ip = v4
	} else if family == syscall.AF_INET {
		ip = IPv4zero.To4()
	}
	return &TCPAddr{IP: append(IP(nil), ip...), Port: int(b[16])<<8 | int(b[17])}
}

func tcpBytes(a sockaddr, family int) (b [18]byte) {
	t, _ := a.(*TCPAddr)
	if t == nil {
		return b
	}
	if ip := t.IP.To16(); ip != nil && !(family == syscall.AF_INET6 && ip.IsUnspecified()) {
		copy(b[:], ip)
	}
	b[16], b[17] = byte(t.Port>>8), byte(t.Port)
	return b
}

func tcpSocketFor(ctx context.Context, net string, family int, laddr, raddr sockaddr) (*netFD, error) {
	local := tcpBytes(laddr, family)
	if raddr == nil {
		id := tcpListen(unsafe.Pointer(&local))
		if id < 0 {
			return nil, os.NewSyscallError("bind", syscall.Errno(-id))
		}
		fd := newTCPSocket(id, net, family)
		fd.tcp.name(fd)
		return fd, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, mapErr(err)
	}
	remote := tcpBytes(raddr, family)
	if IP(remote[:16]).IsUnspecified() || remote == [18]byte{16: remote[16], 17: remote[17]} {
		copy(remote[:], IPv4(127, 0, 0, 1)) // Linux takes it so too
	}
	id := tcpConnect(unsafe.Pointer(&local), unsafe.Pointer(&remote))
	if id < 0 {
		return nil, os.NewSyscallError("connect", syscall.Errno(-id))
	}
	fd := newTCPSocket(id, net, family)
	fd.raddr = raddr
	s := fd.tcp
	for {
		n := tcpConnected(id)
		if n == 0 {
			fd.isConnected = true
			s.name(fd)
			return fd, nil
		}
		if n != -int32(syscall.EAGAIN) {
			s.close()
			return nil, os.NewSyscallError("connect", syscall.Errno(-n))
		}
		select {
		case <-s.out.ready:
		case <-ctx.Done():
			s.close()
			return nil, mapErr(ctx.Err())
		}
	}
}

// wait returns nil when the side may be tried again.
func (s *tcpSocket) wait(side *tcpSide) error {
	timer := side.timer()
	select {
	case <-side.ready:
	case <-timer.expired:
	case <-s.done:
	}
	return s.check(side)
}

// check says whether the side can be used now.
func (s *tcpSocket) check(side *tcpSide) error {
	select {
	case <-s.done:
		return ErrClosed
	default:
	}
	select {
	case <-side.timer().expired:
		return os.ErrDeadlineExceeded
	default:
		return nil
	}
}

func (s *tcpSocket) read(p []byte) (int, error) {
	s.in.turn.Lock()
	defer s.in.turn.Unlock()
	if err := s.check(&s.in); err != nil {
		return 0, err
	}
	if len(p) == 0 {
		return 0, nil
	}
	for {
		n := tcpRead(s.id, unsafe.Pointer(unsafe.SliceData(p)), int32(min(len(p), 1<<30)))
		switch {
		case n > 0:
			return int(n), nil
		case n == 0:
			return 0, io.EOF
		case n != -int32(syscall.EAGAIN):
			return 0, os.NewSyscallError("read", syscall.Errno(-n))
		}
		if err := s.wait(&s.in); err != nil {
			return 0, err
		}
	}
}

func (s *tcpSocket) write(p []byte) (int, error) {
	s.out.turn.Lock()
	defer s.out.turn.Unlock()
	done := 0
	for {
		if err := s.check(&s.out); err != nil {
			return done, err
		}
		if done == len(p) && done > 0 || len(p) == 0 {
			return done, nil
		}
		n := tcpWrite(s.id, unsafe.Pointer(unsafe.SliceData(p[done:])), int32(min(len(p)-done, 1<<30)))
		switch {
		case n >= 0:
			if done += int(n); done == len(p) {
				return done, nil
			}
		case n != -int32(syscall.EAGAIN):
			return done, os.NewSyscallError("write", syscall.Errno(-n))
		default:
			if err := s.wait(&s.out); err != nil {
				return done, err
			}
		}
	}
}

func (s *tcpSocket) accept() (*netFD, error) {
	s.in.turn.Lock()
	defer s.in.turn.Unlock()
	if err := s.check(&s.in); err != nil {
		return nil, err
	}
	for {
		id := tcpAccept(s.id)
		if id >= 0 {
			fd := newTCPSocket(id, s.net, s.family)
			fd.isConnected = true
			fd.tcp.name(fd)
			return fd, nil
		}
		if id != -int32(syscall.EAGAIN) {
			return nil, os.NewSyscallError("accept", syscall.Errno(-id))
		}
		if err := s.wait(&s.in); err != nil {
			return nil, err
		}
	}
}

func (s *tcpSocket) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return poll.ErrNetClosing
	}
	s.closed = true
	close(s.done)
	tcpMu.Lock()
	delete(tcpSockets, s.id)
	tcpMu.Unlock()
	for _, side := range []*tcpSide{&s.in, &s.out} {
		side.timer().Reset(noDeadline)
	}
	reset := int32(0)
	if s.linger == 0 {
		reset = 1
	}
	tcpClose(s.id, reset)
	return nil
}

func (s *tcpSocket) shutdown(read bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	how := int32(1)
	if read {
		how = 0
	}
	if n := tcpShutdown(s.id, how); n < 0 {
		return os.NewSyscallError("shutdown", syscall.Errno(-n))
	}
	return nil
}

func (s *tcpSocket) setDeadline(t time.Time, in, out bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	if in {
		s.in.set(t)
	}
	if out {
		s.out.set(t)
	}
	return nil
}

func (s *tcpSocket) setLinger(sec int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.linger = sec
	return nil
}
