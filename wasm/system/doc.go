// Command system holds the processes of the simulated machine that are not the
// learner's. It is one program for all of them, so that the page fetches one
// file; its first argument says which it is:
//
//	broker    server/broker on port 5672; its events go to stdout, one a line
//	director  plays an exercise on the machine: starts the broker and the
//	          program under test, and writes the run's events to stdout
//
// The director reads what to play from /drainlab/play.json (type play). It is
// the machine's first process, named "you", and the only one that may start
// others. A line of stdout is an event; the last one is {"verdict": …} when a
// scenario was played.
//
// Both are for js/wasm. Elsewhere the program only says so.
package main
