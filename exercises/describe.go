package exercises

import "drainlab/exercises/scenario"

// Description is what a page must know of an exercise; GET
// /api/exercises/{slug} answers with it.
type Description struct {
	Slug      string                `json:"slug"`
	Title     scenario.Text         `json:"title"`
	Needs     []string              `json:"needs"`
	Default   string                `json:"default"` // the scenario played when none is named
	Programs  []ProgramDescription  `json:"programs"`
	Scenarios []ScenarioDescription `json:"scenarios"`
}

// ProgramDescription is a program without its source.
type ProgramDescription struct {
	Name  string        `json:"name"`
	Title scenario.Text `json:"title"`
	Fault string        `json:"fault,omitempty"`
}

// ScenarioDescription is a scenario without its steps; Grace is in nanoseconds.
type ScenarioDescription struct {
	Name     string            `json:"name"`
	Title    scenario.Text     `json:"title"`
	Platform scenario.Platform `json:"platform"`
}

// Describe returns an exercise's *Description, or nil when there is none.
func (c *Catalog) Describe(exercise string) any {
	e := c.Exercise(exercise)
	if e == nil {
		return nil
	}
	d := &Description{Slug: e.Slug, Title: e.Title, Needs: e.Needs, Default: e.Default}
	for _, p := range e.Programs {
		d.Programs = append(d.Programs, ProgramDescription{p.Name, p.Title, p.Fault})
	}
	for _, s := range e.Scenarios {
		d.Scenarios = append(d.Scenarios, ScenarioDescription{s.Name, s.Title, s.Platform})
	}
	return d
}
