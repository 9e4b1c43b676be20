package lab

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"sync"
)

// ports gives out loopback ports for programs that listen by themselves.
//
// A program cannot be handed a port that is surely free: between our looking
// and its listening somebody else may take it. The kernel is the likeliest
// somebody, since every ":0" and every outgoing connection takes a port from
// its ephemeral range; so ours are taken from outside that range, at random,
// and stay ours until the run ends. What is left is a server that somebody
// configured to just this port within these milliseconds: the program then
// says "address already in use", and the learner sees what happens at work.
type ports struct {
	low, high int // half-open

	mu    sync.Mutex
	taken map[int]bool
}

func newPorts() *ports {
	p := &ports{low: 20_000, high: 32_000, taken: map[int]bool{}}
	var first, last int
	if b, err := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range"); err == nil {
		if _, err := fmt.Fscan(strings.NewReader(string(b)), &first, &last); err == nil && first < p.high && last >= p.low {
			// The machine was configured otherwise than usual.
			switch {
			case first > 2048+1000:
				p.low, p.high = 2048, first
			case last < 65535-1000:
				p.low, p.high = last+1, 65536
			}
		}
	}
	return p
}

var errNoPort = errors.New("no free port was found")

func (p *ports) take() (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for range 200 {
		n := p.low + rand.IntN(p.high-p.low)
		if p.taken[n] {
			continue
		}
		ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", n))
		if err != nil {
			continue
		}
		ln.Close()
		p.taken[n] = true
		return n, nil
	}
	return 0, errNoPort
}

func (p *ports) giveBack(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.taken, n)
}
