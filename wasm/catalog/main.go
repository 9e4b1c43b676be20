// Command catalog prints what the simulated machine must know of the
// exercises, as JSON: each one's marks and scenarios as exercises/scenario has
// them, and by which checks its programs fail.
//
//	go run ./wasm/catalog
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"

	"drainlab/exercises"
	"drainlab/exercises/scenario"
)

type exercise struct {
	Exercise  scenario.Exercise   `json:"exercise"`
	Scenarios []scenario.Scenario `json:"scenarios"`
	Programs  []program           `json:"programs"`
}

type program struct {
	Name  string                          `json:"name"`
	Fails map[string][]scenario.CheckName `json:"fails"` // by scenario
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("wasm/catalog: ")
	catalog, problems, err := exercises.Load(exercises.Files)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range problems {
		fmt.Fprintln(os.Stderr, p)
	}
	if len(problems) > 0 {
		os.Exit(1)
	}
	var all []exercise
	for _, e := range catalog.Exercises {
		one := exercise{Exercise: e.Exercise, Scenarios: e.Scenarios}
		for _, p := range e.Programs {
			one.Programs = append(one.Programs, program{p.Name, p.Fails})
		}
		all = append(all, one)
	}
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		log.Fatal(err)
	}
}
