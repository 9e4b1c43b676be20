//go:build js && wasm

package signal

import (
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"syscall/js"
)

const numSig = 65

// What the host does with a signal.
const (
	actionDefault = iota
	actionHandled
	actionIgnored
)

//go:wasmimport machine signal_action
func signalAction(signal, action int32)

var (
	pending    = make(chan os.Signal, 64)
	delivering atomic.Int32 // signals on their way to the channels
	ignored    [numSig]bool
)

func init() {
	watchSignalLoop = loop
	js.Global().Get("machine").Call("onSignal", js.FuncOf(func(_ js.Value, args []js.Value) any {
		delivering.Add(1)
		select {
		case pending <- syscall.Signal(args[0].Int()):
		default: // as many wait already as anybody could want
			delivering.Add(-1)
		}
		return nil
	}))
}

func loop() {
	for sig := range pending {
		process(sig)
		delivering.Add(-1)
	}
}

// waitUntilIdle returns when every signal that came has reached its channels.
func waitUntilIdle() {
	for delivering.Load() > 0 {
		runtime.Gosched()
	}
}

func signum(sig os.Signal) int {
	s, ok := sig.(syscall.Signal)
	if !ok || s < 0 || s >= numSig {
		return -1
	}
	return int(s)
}

func enableSignal(sig int) {
	ignored[sig] = false
	signalAction(int32(sig), actionHandled)
}

func disableSignal(sig int) {
	if !ignored[sig] {
		signalAction(int32(sig), actionDefault)
	}
}

func ignoreSignal(sig int) {
	ignored[sig] = true
	signalAction(int32(sig), actionIgnored)
}

func signalIgnored(sig int) bool { return ignored[sig] }
