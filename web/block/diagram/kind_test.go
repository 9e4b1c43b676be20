package diagram

import (
	"testing"

	"drainlab/web/block/blocktest"
)

func TestRender(t *testing.T)   { blocktest.Render(t, Kind(), nil) }
func TestProblems(t *testing.T) { blocktest.Problems(t, Kind(), nil) }
func FuzzParse(f *testing.F)    { blocktest.Fuzz(f, Kind(), nil) }
