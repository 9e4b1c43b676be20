package wire

// Header is a content header (section 4.2.6.1).
type Header struct {
	Class    uint16
	BodySize uint64 // octets of body that follow, in all frames together
	Properties
}

// Flag says that a property is present; the bits are those of the property
// flags (section 4.2.6.1).
type Flag uint16

// Flags of the basic class, in the order in which properties follow.
const (
	HasContentType Flag = 1 << (15 - iota)
	HasContentEncoding
	HasHeaders
	HasDeliveryMode
	HasPriority
	HasCorrelationID
	HasReplyTo
	HasExpiration
	HasMessageID
	HasTimestamp
	HasType
	HasUserID
	HasAppID
	HasClusterID
)

// unusedFlags has the continuation bit, and one that means nothing in basic.
const unusedFlags Flag = 3

// Properties of a message. A field counts only when its flag is in Present.
type Properties struct {
	Present         Flag
	ContentType     string
	ContentEncoding string
	Headers         Table
	DeliveryMode    uint8 // 2: persistent
	Priority        uint8
	CorrelationID   string
	ReplyTo         string
	Expiration      string // milliseconds, in digits
	MessageID       string
	Timestamp       Timestamp
	Type            string
	UserID          string
	AppID           string
	ClusterID       string
}

func (p *Properties) walk(c *codec) {
	str := func(f Flag, v *string) {
		if p.Present&f != 0 {
			c.shortstr(v)
		}
	}
	str(HasContentType, &p.ContentType)
	str(HasContentEncoding, &p.ContentEncoding)
	if p.Present&HasHeaders != 0 {
		c.table(&p.Headers)
	}
	if p.Present&HasDeliveryMode != 0 {
		c.octetArg(&p.DeliveryMode)
	}
	if p.Present&HasPriority != 0 {
		c.octetArg(&p.Priority)
	}
	str(HasCorrelationID, &p.CorrelationID)
	str(HasReplyTo, &p.ReplyTo)
	str(HasExpiration, &p.Expiration)
	str(HasMessageID, &p.MessageID)
	if p.Present&HasTimestamp != 0 {
		c.longlong((*uint64)(&p.Timestamp))
	}
	str(HasType, &p.Type)
	str(HasUserID, &p.UserID)
	str(HasAppID, &p.AppID)
	str(HasClusterID, &p.ClusterID)
}

func (h *Header) walk(c *codec) (weight uint16) {
	c.short(&h.Class)
	c.short(&weight)
	c.longlong(&h.BodySize)
	c.short((*uint16)(&h.Present))
	if h.Present&unusedFlags != 0 {
		c.fail("property flags 0x%04x are none of the basic class", uint16(h.Present))
	}
	h.Properties.walk(c)
	return weight
}

// DecodeHeader decodes the payload of a header frame. Its error is an *Error,
// with RabbitMQ's codes: 501, and 505 for a weight, which nobody ever used.
func DecodeHeader(b []byte) (Header, error) {
	c := codec{buf: b}
	var h Header
	weight := h.walk(&c)
	switch {
	case c.err != nil:
		return Header{}, Errorf(FrameError, "cannot decode content header: %v", c.err)
	case len(c.buf) > 0:
		return Header{}, Errorf(FrameError, "cannot decode content header: %d octets too many", len(c.buf))
	case weight != 0:
		return Header{}, Errorf(UnexpectedFrame, "content header has weight %d, must be 0", weight)
	}
	return h, nil
}

// EncodeHeader appends the payload of a header frame.
func EncodeHeader(dst []byte, h Header) ([]byte, error) {
	c := codec{buf: dst, writing: true}
	h.walk(&c)
	return c.buf, c.err
}

// Size estimates what p holds in memory, in octets.
func (p *Properties) Size() int {
	return len(p.ContentType) + len(p.ContentEncoding) + p.Headers.Size() + len(p.CorrelationID) + len(p.ReplyTo) +
		len(p.Expiration) + len(p.MessageID) + len(p.Type) + len(p.UserID) + len(p.AppID) + len(p.ClusterID)
}
