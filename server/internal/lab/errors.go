package lab

import "errors"

// Why a request to the lab was refused. They are told apart with errors.Is;
// errors.As finds the *Error that says what is wrong and what to do.
var (
	// ErrNotFound: there is no such exercise, program, scenario or run.
	ErrNotFound = errors.New("not found")
	// ErrInvalid: the request makes no sense, whoever asks and whenever.
	ErrInvalid = errors.New("invalid")
	// ErrBusy: as many runs as may be are running.
	ErrBusy = errors.New("busy")
	// ErrEnded: the run has ended, or plays by itself; nothing can be done to it.
	ErrEnded = errors.New("ended")
	// ErrStopping: the server is stopping and begins nothing.
	ErrStopping = errors.New("stopping")
	// ErrUnavailable: what a run needs is not there: a built program, a broker.
	ErrUnavailable = errors.New("unavailable")
)

// Error is a refusal, in words for the person who asked.
type Error struct {
	Reason error  // one of the above
	What   string // what is wrong
	Do     string // the way out
	Cause  error  // what the system said, if it did
}

func (e *Error) Error() string { return e.What + "; " + e.Do }

// Unwrap gives the reason, and what was behind it.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Reason}
	}
	return []error{e.Reason, e.Cause}
}

func refuse(reason error, what, do string) *Error { return &Error{Reason: reason, What: what, Do: do} }
