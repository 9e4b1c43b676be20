package predict

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

func TestJudge(t *testing.T) {
	data, err := os.ReadFile("testdata/judge.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Name, Output, Answer string
		Want                 Verdict
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		if got := JudgeOutput(v.Output, v.Answer); !reflect.DeepEqual(got, v.Want) {
			t.Errorf("%s: %+v, want %+v", v.Name, got, v.Want)
		}
	}
}
