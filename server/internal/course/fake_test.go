package course

import (
	"errors"
	"strings"

	"drainlab/web/block"
)

// oneExercise is a catalog of one exercise, consumer, with one program of one
// region.
type oneExercise struct{}

const drainSource = `select {
case <-finished:
	log.Print("drained")
case <-time.After(drainTimeout):
}`

func (oneExercise) Region(exercise, program, region string) (block.Region, error) {
	switch {
	case exercise != "consumer":
		return block.Region{}, errors.New("there is no such exercise")
	case program != "solution":
		return block.Region{}, errors.New("there is no such program; there is solution")
	case region != "drain":
		return block.Region{}, errors.New("there is no such region; there is drain")
	}
	return block.Region{Path: "exercises/consumer/solution/main.go", Start: 41, Lines: strings.Split(drainSource, "\n")}, nil
}

func (oneExercise) Programs(exercise string) []string {
	if exercise != "consumer" {
		return nil
	}
	return []string{"solution"}
}

func (oneExercise) Scenarios(exercise string) []string {
	if exercise != "consumer" {
		return nil
	}
	return []string{"term", "kill"}
}

func (oneExercise) Describe(exercise string) any {
	return map[string]string{"slug": exercise}
}

// plainAssets have no hash in their names.
type plainAssets struct{}

func (plainAssets) Path(name string) string {
	if strings.HasPrefix(name, "frame-") && name != "frame-diagram.js" {
		return ""
	}
	return "/assets/" + name
}
func (plainAssets) Imports(string) []string    { return []string{"/assets/chunk.js"} }
func (plainAssets) Fonts(lang string) []string { return []string{"/assets/inter-" + lang + ".woff2"} }
