package exercises

import (
	"fmt"
	"strings"

	"drainlab/web/block"
)

const (
	regionMark    = "//region "
	endRegionMark = "//endregion "
)

// Region finds a named part of a program, or all of it for region "". The
// lines that mark regions are left out, at the edges and inside.
// The error's text is for an author.
func (c *Catalog) Region(exercise, program, region string) (block.Region, error) {
	e := c.Exercise(exercise)
	if e == nil {
		return block.Region{}, fmt.Errorf("there is no exercise %q", exercise)
	}
	p := e.Program(program)
	if p == nil {
		return block.Region{}, fmt.Errorf("exercise %s has no program %q; it has %s", exercise, program, strings.Join(c.Programs(exercise), ", "))
	}
	out := block.Region{Path: "exercises/" + exercise + "/" + program + "/main.go"}
	inside, found := region == "", region == ""
	var others []string
	for i, line := range strings.Split(strings.TrimSuffix(p.Source, "\n"), "\n") {
		mark := strings.TrimSpace(line)
		switch name, begins := strings.CutPrefix(mark, regionMark); {
		case begins && name == region:
			inside, found = true, true
		case begins:
			others = append(others, name)
		case mark == endRegionMark+region && region != "":
			inside = false
		case strings.HasPrefix(mark, endRegionMark):
		case inside:
			if out.Start == 0 {
				out.Start = i + 1
			}
			out.Gaps = out.Gaps || out.Start+len(out.Lines) != i+1
			out.Lines = append(out.Lines, line)
		}
	}
	if !found {
		return block.Region{}, fmt.Errorf("%s has no region %q; it has %s", out.Path, region, strings.Join(others, ", "))
	}
	if inside && region != "" {
		return block.Region{}, fmt.Errorf("region %q of %s does not end; add %s%s", region, out.Path, endRegionMark, region)
	}
	if region != "" { // blank lines keep the marks out of doc comments
		for len(out.Lines) > 0 && out.Lines[0] == "" {
			out.Lines = out.Lines[1:]
			out.Start++
		}
		for len(out.Lines) > 0 && out.Lines[len(out.Lines)-1] == "" {
			out.Lines = out.Lines[:len(out.Lines)-1]
		}
	}
	return out, nil
}

// Programs lists an exercise's programs by name; nil when there is no such exercise.
func (c *Catalog) Programs(exercise string) []string {
	e := c.Exercise(exercise)
	if e == nil {
		return nil
	}
	var names []string
	for _, p := range e.Programs {
		names = append(names, p.Name)
	}
	return names
}

// Scenarios lists an exercise's scenarios by name; nil when there is no such exercise.
func (c *Catalog) Scenarios(exercise string) []string {
	e := c.Exercise(exercise)
	if e == nil {
		return nil
	}
	var names []string
	for _, s := range e.Scenarios {
		names = append(names, s.Name)
	}
	return names
}
