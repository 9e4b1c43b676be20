package event

import (
	"errors"
	"testing"
	"time"
)

func TestLogNumbersAndStamps(t *testing.T) {
	now := 5 * time.Second
	l := NewLog(func() time.Duration { return now }, 3)
	a, err := l.Append(Event{Kind: LogLine})
	if err != nil || a.Seq != 1 || a.At != 5*time.Second {
		t.Fatalf("first = %+v, %v", a, err)
	}
	now = 2 * time.Second
	if b, _ := l.Append(Event{Kind: LogLine}); b.Seq != 2 || b.At != 5*time.Second {
		t.Errorf("the clock went back in the log: %+v", b)
	}
	if c, _ := l.Append(Event{Kind: LogLine, At: 9 * time.Second}); c.At != 9*time.Second {
		t.Errorf("a given time was not kept: %+v", c)
	}
	if _, err := l.Append(Event{}); !errors.Is(err, ErrLogFull) {
		t.Errorf("over the limit: %v, want ErrLogFull", err)
	}
}

func TestLogWakesReaders(t *testing.T) {
	l := NewLog(func() time.Duration { return 0 }, 0)
	got, more, _ := l.After(0)
	if len(got) != 0 {
		t.Fatalf("empty log gave %v", got)
	}
	l.Append(Event{Kind: StepBegun})
	<-more
	got, more, closed := l.After(0)
	if len(got) != 1 || closed {
		t.Fatalf("after one append: %v, closed %v", got, closed)
	}
	l.Finish(Event{Kind: RunEnded})
	l.Finish(Event{Kind: RunEnded})
	<-more
	if got, _, closed := l.After(1); len(got) != 1 || got[0].Seq != 2 || !closed {
		t.Errorf("after its end: %v, closed %v", got, closed)
	}
	if got, _, _ := l.After(99); len(got) != 0 {
		t.Errorf("after a number beyond the end: %v", got)
	}
	if _, err := l.Append(Event{}); !errors.Is(err, ErrLogClosed) {
		t.Errorf("append after its end: %v, want ErrLogClosed", err)
	}
}
