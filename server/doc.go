// Command drainlab is the whole course in one binary: its pages, the lab that
// runs the programs for real, and an AMQP broker for them.
//
//	drainlab serve    the course and the lab, over HTTP
//	drainlab run      play an exercise's scenarios in the terminal
//	drainlab broker   the embedded AMQP 0-9-1 broker alone
//	drainlab lint     what is wrong in the lessons and exercises
//
// # The map
//
//	main.go      the commands; serve.go, run.go, broker.go, lint.go are one each
//	content.go   where pages come from: the binary, or a checkout
//	internal/site      routes and who may ask      → course, lab, hub
//	internal/course    lessons to pages            → web/block, exercises
//	internal/lab       runs of real programs       → exercises/scenario, broker
//	internal/hub       event logs to websockets    → exercises/event
//	broker             AMQP 0-9-1                  → broker/wire
//
// To change what a run does, begin at exercises/scenario (Director, Judge), then
// internal/lab. To change what a page shows, begin at web/block/KIND, then
// internal/course. ARCHITECTURE.md at the top has the whole map, rules_test.go
// the import rules.
package main
