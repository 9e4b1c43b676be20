package lab

import (
	"cmp"
	"time"
)

// Limits bound what runs may take. A zero field has the default named at it.
type Limits struct {
	Runs     int           // at once; 8
	FreePlay time.Duration // the length of a run that a learner drives; 5 min
	Play     time.Duration // the length of a run that plays a scenario; 10 min
	Idle     time.Duration // a run that a learner drives ends after so long without a viewer or an action; 2 min
	Output   int64         // bytes of output of a run's programs together; 1 MiB
	Line     int           // bytes of a line, at least 16; the rest of a longer one is not kept; 8 KiB
	Events   int           // of a run; 20,000
	Kept     int           // finished runs that are remembered; 64
	Stop     time.Duration // between TERM and KILL when a run ends; 3 s
	Grace    time.Duration // the longest grace period that may be asked for; 3 min
}

func (l Limits) withDefaults() Limits {
	l.Runs = cmp.Or(l.Runs, 8)
	l.FreePlay = cmp.Or(l.FreePlay, 5*time.Minute)
	l.Play = cmp.Or(l.Play, 10*time.Minute)
	l.Idle = cmp.Or(l.Idle, 2*time.Minute)
	l.Output = cmp.Or(l.Output, 1<<20)
	l.Line = cmp.Or(l.Line, 8<<10)
	l.Events = cmp.Or(l.Events, 20_000)
	l.Kept = cmp.Or(l.Kept, 64)
	l.Stop = cmp.Or(l.Stop, 3*time.Second)
	l.Grace = cmp.Or(l.Grace, 3*time.Minute)
	return l
}

// limitError ends a run that went past one of its limits.
type limitError struct {
	text string
	// kill: the programs are not asked first.
	kill bool
}

func (e *limitError) Error() string { return e.text }
