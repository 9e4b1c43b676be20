package lab

// link is a run's way to its broker. Each process gets a door of its own, so
// that the broker's side knows whose a connection is.
type link interface {
	// door makes the address at which the process peer will reach the broker.
	door(peer string) (*door, error)
	// url is the address at which the Director reaches it.
	url() string
	// cut resets a process's connections and returns how many there were.
	cut(peer string) int
	// queue is the name at the broker of one of the exercise's queues.
	queue(name string) string
	// close ends all connections and removes what the run has at the broker.
	close()
}

// door is one address. Connections made before open wait for it: so nothing
// of a process is seen before the process itself.
type door struct {
	url  string
	open func()
	// shut takes no more connections; those that are live on.
	shut func()
}
