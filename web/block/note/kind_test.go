package note

import (
	"strings"
	"testing"

	"drainlab/web/block/blocktest"
)

func TestRender(t *testing.T)   { blocktest.Render(t, Kind(), nil) }
func TestProblems(t *testing.T) { blocktest.Problems(t, Kind(), nil) }

func FuzzParse(f *testing.F) {
	f.Add("kind: version\ntitle: On 4.3\ntext: It differs.")
	f.Add("kind: [a]\ntext: {a: b}")
	f.Fuzz(func(t *testing.T, source string) {
		b, problems := Kind().Parse([]byte(source), blocktest.Course{})
		if (b == nil) != (len(problems) > 0) {
			t.Fatalf("block %v with %d problems", b, len(problems))
		}
		if b != nil {
			if err := b.Render(&strings.Builder{}, blocktest.Course{}); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestInstructorNotesAreNotForLearners(t *testing.T) {
	b, problems := Kind().Parse([]byte("kind: instructor\ntext: Ask them first."), blocktest.Course{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var page strings.Builder
	if err := b.Render(&page, blocktest.Course{}); err != nil || page.Len() > 0 {
		t.Errorf("a learner's page has %q (%v)", page.String(), err)
	}
}
