package quiz

import (
	"encoding/json"
	"os"
	"testing"
)

func TestJudge(t *testing.T) {
	data, err := os.ReadFile("testdata/judge.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Name   string
		Right  []int
		Chosen []string
		Want   bool
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		if got := Judge(v.Right, v.Chosen); got != v.Want {
			t.Errorf("%s: %v, want %v", v.Name, got, v.Want)
		}
	}
}
