package course

import (
	"cmp"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"drainlab/web/block"
)

// Languages of the course; the first is the one that others are held against.
var Languages = []string{"en", "ru"}

// Exercises is what a course wants to know of the exercises. Package exercises
// has it.
type Exercises interface {
	// Region, Programs and Scenarios are those of block.Course.
	Region(exercise, program, region string) (block.Region, error)
	Programs(exercise string) []string
	Scenarios(exercise string) []string
	// Describe returns what the lab in a page must know of an exercise, to be
	// written as JSON: what GET /api/exercises/{slug} answers. It is nil when
	// there is no such exercise.
	Describe(exercise string) any
}

// Course is all lessons, in order. It does not change, and may be used from
// several goroutines.
type Course struct {
	Lessons []*Lesson

	exercises Exercises
	files     fs.FS
}

// Lesson is one folder.
type Lesson struct {
	Slug   string // "04-consumer"
	Number int    // its place in the course, from 1
	// Planned lessons are not written yet: they have a title and a lead.
	Planned bool
	Texts   map[string]*Text // by language; one may be missing
}

var lessonFolder = regexp.MustCompile(`^([0-9]+)-[a-z0-9]+(-[a-z0-9]+)*$`)

// Load reads every lesson below lessons, the tree of folders NN-slug. Problems
// are in the order of files and lines; a course is returned whatever they are.
func Load(lessons fs.FS, exercises Exercises, kinds []block.Kind) (*Course, []block.Problem) {
	c := &Course{exercises: exercises, files: lessons}
	problems := c.load(kinds)
	sortProblems(problems)
	return c, problems
}

func (c *Course) load(kinds []block.Kind) []block.Problem {
	entries, err := fs.ReadDir(c.files, ".")
	if err != nil {
		return []block.Problem{{File: "lessons", Line: 1, Column: 1, What: err.Error(), Do: "make the folder readable"}}
	}
	texts := c.texts(entries, kinds)
	var problems []block.Problem
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		match := lessonFolder.FindStringSubmatch(entry.Name())
		if match == nil {
			problems = append(problems, block.Problem{
				File: "lessons/" + entry.Name(), Line: 1, Column: 1,
				What: fmt.Sprintf("the folder %q is no lesson's", entry.Name()), Do: "call it NN-slug, such as 04-consumer, or move it away",
			})
			continue
		}
		number, _ := strconv.Atoi(match[1]) // digits; past the range it is the largest
		lesson := &Lesson{Slug: entry.Name(), Number: number, Texts: map[string]*Text{}}
		for _, lang := range Languages {
			read := texts[lesson.Slug+"/"+lang]
			problems = append(problems, read.problems...)
			if read.text != nil {
				lesson.Texts[lang] = read.text
				lesson.Planned = lesson.Planned || read.text.Planned
			}
		}
		if len(lesson.Texts) > 0 {
			c.Lessons = append(c.Lessons, lesson)
		}
	}
	slices.SortStableFunc(c.Lessons, func(a, b *Lesson) int { return cmp.Compare(a.Number, b.Number) })
	return problems
}

// readText is a text with the mistakes in it.
type readText struct {
	text     *Text
	problems []block.Problem
}

// texts reads the texts of all lessons at once, by "SLUG/LANG": an author who
// has saved a file waits for it.
func (c *Course) texts(entries []fs.DirEntry, kinds []block.Kind) map[string]*readText {
	all := map[string]*readText{}
	var reading sync.WaitGroup
	for _, entry := range entries {
		if !entry.IsDir() || !lessonFolder.MatchString(entry.Name()) {
			continue
		}
		for _, lang := range Languages {
			one := &readText{}
			all[entry.Name()+"/"+lang] = one
			reading.Go(func() { one.text, one.problems = c.text(entry.Name(), lang, kinds) })
		}
	}
	reading.Wait()
	return all
}

// Find finds a lesson by its folder's name; nil when there is none.
func (c *Course) Find(slug string) *Lesson {
	for _, l := range c.Lessons {
		if l.Slug == slug {
			return l
		}
	}
	return nil
}

// Written says whether there is a page of the lesson in lang.
func (l *Lesson) Written(lang string) bool {
	return l != nil && !l.Planned && l.Texts[lang] != nil
}

func sortProblems(problems []block.Problem) {
	slices.SortStableFunc(problems, func(a, b block.Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.What, b.What))
	})
}
