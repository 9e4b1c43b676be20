package broker

import "strings"

// archive is a txtar file: a comment, then named files, each behind a line
// "-- NAME --".
type archive struct {
	comment string
	files   []archiveFile
}

type archiveFile struct{ name, data string }

func parseArchive(text string) archive {
	var a archive
	for line := range strings.Lines(text) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "-- ")
		name, end := strings.CutSuffix(name, " --")
		switch {
		case ok && end:
			a.files = append(a.files, archiveFile{name: name})
		case len(a.files) == 0:
			a.comment += line
		default:
			a.files[len(a.files)-1].data += line
		}
	}
	return a
}

func (a archive) format() string {
	text := a.comment
	for _, f := range a.files {
		text += "-- " + f.name + " --\n" + f.data
	}
	return text
}
