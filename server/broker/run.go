package broker

import "drainlab/exercises/event"

// ForRun returns the options of a broker that serves one run of an exercise,
// on whichever machine: it holds what one run may need, and not more, and
// tells the run's log what the log wants to know.
func ForRun(observer func(event.Event)) Options {
	return Options{
		Limits: Limits{
			Connections: 128,
			Channels:    256,
			VHosts:      1,
			Queues:      64,
			Exchanges:   64,
			Bindings:    256,
			Consumers:   256,
			MessageSize: 1 << 20,
			Memory:      32 << 20,
		},
		Observer: func(e event.Event) {
			// That a copy arrives in the dead-letter queue, message.deadletter
			// has said; as a publish of its own it would count twice.
			if e.Kind == event.MessagePublished && e.Peer == "broker" {
				return
			}
			observer(e)
		},
	}
}
