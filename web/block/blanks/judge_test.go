package blanks

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
		Accept []string
		Wrong  []Wrong
		Answer string
		Want   Verdict
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		if got := JudgeGap(Gap{Accept: v.Accept, Wrong: v.Wrong}, v.Answer); got != v.Want {
			t.Errorf("%s: %+v, want %+v", v.Name, got, v.Want)
		}
	}
}
