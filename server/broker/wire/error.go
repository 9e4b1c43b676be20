package wire

import "fmt"

// Code is a reply code (section 1.1, "constants").
type Code uint16

// Reply codes of AMQP 0-9-1.
const (
	ReplySuccess       Code = 200
	ContentTooLarge    Code = 311
	NoRoute            Code = 312
	NoConsumers        Code = 313
	ConnectionForced   Code = 320
	InvalidPath        Code = 402
	AccessRefused      Code = 403
	NotFound           Code = 404
	ResourceLocked     Code = 405
	PreconditionFailed Code = 406
	FrameError         Code = 501
	SyntaxError        Code = 502
	CommandInvalid     Code = 503
	ChannelError       Code = 504
	UnexpectedFrame    Code = 505
	ResourceError      Code = 506
	NotAllowed         Code = 530
	NotImplemented     Code = 540
	InternalError      Code = 541
)

// Hard says whether an error of this code ends the connection; the others end
// only their channel. This is the specification's class="hard-error".
func (c Code) Hard() bool {
	switch c {
	case ContentTooLarge, NoRoute, NoConsumers, AccessRefused, NotFound, ResourceLocked, PreconditionFailed:
		return false
	}
	return true
}

// String is the code's name as RabbitMQ begins its reply texts with.
func (c Code) String() string {
	switch c {
	case ReplySuccess:
		return "OK"
	case ContentTooLarge:
		return "CONTENT_TOO_LARGE"
	case NoRoute:
		return "NO_ROUTE"
	case NoConsumers:
		return "NO_CONSUMERS"
	case ConnectionForced:
		return "CONNECTION_FORCED"
	case InvalidPath:
		return "INVALID_PATH"
	case AccessRefused:
		return "ACCESS_REFUSED"
	case NotFound:
		return "NOT_FOUND"
	case ResourceLocked:
		return "RESOURCE_LOCKED"
	case PreconditionFailed:
		return "PRECONDITION_FAILED"
	case FrameError:
		return "FRAME_ERROR"
	case SyntaxError:
		return "SYNTAX_ERROR"
	case CommandInvalid:
		return "COMMAND_INVALID"
	case ChannelError:
		return "CHANNEL_ERROR"
	case UnexpectedFrame:
		return "UNEXPECTED_FRAME"
	case ResourceError:
		return "RESOURCE_ERROR"
	case NotAllowed:
		return "NOT_ALLOWED"
	case NotImplemented:
		return "NOT_IMPLEMENTED"
	case InternalError:
		return "INTERNAL_ERROR"
	}
	return fmt.Sprintf("CODE_%d", uint16(c))
}

// Error is what one side tells the other before it closes a channel or the
// connection.
type Error struct {
	Code Code
	Text string
	// Method is the one that caused it, 0 when none did.
	Method ID
}

// Errorf makes an Error without a method.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Text: fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string { return e.ReplyText() }

// maxShort is the longest short string (section 4.2.5.3).
const maxShort = 255

// ReplyText is the text as sent: the code's name, then the explanation, cut to
// what a short string holds, with an ellipsis as RabbitMQ does.
func (e *Error) ReplyText() string {
	s := e.Code.String() + " - " + e.Text
	if len(s) > maxShort {
		s = s[:maxShort-3] + "..."
	}
	return s
}
