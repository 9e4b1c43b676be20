// Package hub sends event logs to browsers over websockets. It is the only
// package that knows websockets.
//
// [Hub.Stream] serves one socket from one log: every event above a number, in
// order, each as one text message with one JSON object, and the end. Nothing
// is kept for a socket: its place in the log is all its state, so a socket
// that is slow costs no memory, and one that breaks is taken up again by the
// number of the last event that came:
//
//	GET …/stream?after=SEQ
//
// How a socket ends tells the client what to do:
//
//	1000  the log has ended and every event of it was sent: do not come back
//	1001  the server stops: come back in a while
//	1008  the client sent a message: it should not
//	1006  (no close at all) the socket was too slow or the network broke: come back
//
// The sockets are read from, and pings sent, by goroutines that belong to
// Stream, which waits for them. [Hub.Shutdown] waits for every Stream.
package hub
