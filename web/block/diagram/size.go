package diagram

import "strings"

// size guesses how large Mermaid draws a diagram, in its own units. The page
// reserves a place of this shape before anything is drawn, so that nothing
// moves; the drawing is scaled into it, so that a bad guess costs some air.
func size(source string) (width, height int) {
	lines := strings.Split(source, "\n")
	switch strings.TrimSpace(lines[0]) {
	case "sequenceDiagram":
		participants, messages := 0, 0
		for _, line := range lines[1:] {
			switch line = strings.TrimSpace(line); {
			case strings.HasPrefix(line, "participant "), strings.HasPrefix(line, "actor "):
				participants++
			case line != "" && line != "end" && !strings.HasPrefix(line, "%%"):
				messages++
			}
		}
		return 134 * max(participants, 3), 44 + 50*messages
	default:
		return 660, 60 + 34*min(max(len(lines)-1, 3), 16)
	}
}
