// Package lab is the real machine: it runs the exercises' programs as
// processes, with real signals, real connections and a real clock, and has
// everything that happens written to an event log.
//
// Reading order:
//
//   - [Manager] (lab.go) starts runs, bounds how many there are, remembers
//     finished ones, and ends all of them at Shutdown.
//   - [Run] (run.go) is one play of a program: it owns an event log, a
//     scenario.Director, and the machine that the Director drives. What a
//     learner may do to it is in control.go.
//   - machine (machine.go) is the scenario.Machine: a process by its name, its
//     addresses, its environment, its output.
//   - process (process.go) is one operating-system process. It is started and
//     awaited by one goroutine on one thread, and says why.
//   - link (link.go) is a run's way to its broker: embedded.go is the broker
//     in this process, rabbit.go is RabbitMQ behind taps.
//   - estate (estate.go) is what would outlive a server that is killed,
//     working directories and queues, kept so that the next one clears it.
//
// Who waits for whom: Manager.Shutdown waits for every run; a run waits for
// its Director, its processes and its link; a process waits for its readers.
// Nothing that lab starts is left to itself.
//
// # What survives
//
// Nothing of a run survives its end: programs get TERM, a short time, then
// KILL, and with each program all of its process group. Nothing survives the
// server either. On a clean stop Shutdown ends every run; when the server is
// killed, the kernel kills each program (its parent-death signal), and what is
// left on the disk and in RabbitMQ is cleared at the next start. A child that
// a program forked is killed with its group when the program ends, but it has
// no parent-death signal of its own: the course's programs fork none.
package lab
