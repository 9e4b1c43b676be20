package wire

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// FrameType is a frame's first octet (section 4.2.3).
type FrameType uint8

// Frame types. RabbitMQ and the grammar of section 4.2.1 agree that a
// heartbeat is 8; the 4 in the prose of section 4.2.7 is an old slip.
const (
	FrameMethod    FrameType = 1
	FrameHeader    FrameType = 2
	FrameBody      FrameType = 3
	FrameHeartbeat FrameType = 8
)

const (
	frameEnd = 0xCE
	// FrameOverhead is what a frame has beside its payload, in octets; frame-max
	// counts it (section 4.2.3).
	FrameOverhead = 8
	// FrameMinSize is the least frame-max that may be negotiated, in octets, and
	// the bound before any was (section 4.2.3, frame-min-size).
	FrameMinSize = 4096
)

// ProtocolHeader is what a client sends first (section 4.2.2).
const ProtocolHeader = "AMQP\x00\x00\x09\x01"

// ErrProtocolHeader says that the peer speaks something else. The answer is our
// own header and the end of the connection (section 4.2.2).
var ErrProtocolHeader = errors.New("not the protocol header of AMQP 0-9-1")

// Frame is one frame. Payload belongs to whoever made the frame: one from a
// [Reader] is valid until the next is read.
type Frame struct {
	Type    FrameType
	Channel uint16
	Payload []byte
}

// Reader reads frames from a stream. It is for one goroutine.
type Reader struct {
	r   *bufio.Reader
	max int
	buf []byte
}

// NewReader makes a Reader that refuses frames of more than max octets, all
// counted. max is at least FrameMinSize.
func NewReader(r io.Reader, max int) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 8192), max: max}
}

// SetMax changes the bound, once frame-max was negotiated.
func (r *Reader) SetMax(max int) { r.max = max }

// ReadProtocolHeader reads the eight octets that open a connection. It returns
// ErrProtocolHeader as soon as they cannot be right.
func (r *Reader) ReadProtocolHeader() error {
	for i := range len(ProtocolHeader) {
		b, err := r.r.ReadByte()
		if err != nil {
			return err
		}
		if b != ProtocolHeader[i] {
			return ErrProtocolHeader
		}
	}
	return nil
}

// ReadFrame reads the next frame. It returns io.EOF at the end of the stream
// between frames, io.ErrUnexpectedEOF within one, and an *Error with code 501
// for what is no frame; after that the stream's place is lost.
func (r *Reader) ReadFrame() (Frame, error) {
	var head [7]byte
	if _, err := io.ReadFull(r.r, head[:1]); err != nil {
		return Frame{}, err
	}
	if err := checkType(head[0]); err != nil {
		// Said at the first octet: garbage may be too short to be a frame.
		return Frame{}, err
	}
	if _, err := io.ReadFull(r.r, head[1:]); err != nil {
		return Frame{}, unexpected(err)
	}
	size, err := frameSize(head[:], r.max)
	if err != nil {
		return Frame{}, err
	}
	// The bound was checked above, so this is at most frame-max, once.
	if n := size + 1; cap(r.buf) < n {
		r.buf = make([]byte, n)
	}
	r.buf = r.buf[:size+1]
	if _, err := io.ReadFull(r.r, r.buf); err != nil {
		return Frame{}, unexpected(err)
	}
	return makeFrame(head[:], r.buf)
}

func checkType(b byte) error {
	switch FrameType(b) {
	case FrameMethod, FrameHeader, FrameBody, FrameHeartbeat:
		return nil
	}
	return Errorf(FrameError, "unknown frame type %d", b)
}

// frameSize is the payload's size from a frame's first seven octets, which is
// at most what a frame of max octets has.
func frameSize(head []byte, max int) (int, error) {
	size := uint64(binary.BigEndian.Uint32(head[3:]))
	if size+FrameOverhead > uint64(max) {
		return 0, Errorf(FrameError, "frame of %d octets on channel %d is above frame-max %d",
			size+FrameOverhead, binary.BigEndian.Uint16(head[1:]), max)
	}
	return int(size), nil
}

// makeFrame checks what follows the first seven octets: payload and frame-end.
func makeFrame(head, rest []byte) (Frame, error) {
	size := len(rest) - 1
	f := Frame{Type: FrameType(head[0]), Channel: binary.BigEndian.Uint16(head[1:]), Payload: rest[:size]}
	if rest[size] != frameEnd {
		return Frame{}, Errorf(FrameError, "frame on channel %d ends with 0x%02x instead of 0xCE", f.Channel, rest[size])
	}
	if f.Type == FrameHeartbeat && (f.Channel != 0 || size != 0) {
		return Frame{}, Errorf(FrameError, "heartbeat with a channel or a payload")
	}
	return f, nil
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Buffered is how many octets were read ahead and not yet returned.
func (r *Reader) Buffered() int { return r.r.Buffered() }

// Discard reads and drops everything up to the end of the stream.
func (r *Reader) Discard() error {
	_, err := io.Copy(io.Discard, r.r)
	return err
}

// AppendFrame appends a frame with the given payload.
func AppendFrame(dst []byte, typ FrameType, channel uint16, payload []byte) []byte {
	dst = appendFrameHead(dst, typ, channel, len(payload))
	dst = append(dst, payload...)
	return append(dst, frameEnd)
}

func appendFrameHead(dst []byte, typ FrameType, channel uint16, size int) []byte {
	dst = append(dst, byte(typ))
	dst = binary.BigEndian.AppendUint16(dst, channel)
	return binary.BigEndian.AppendUint32(dst, uint32(size))
}

// appendSized appends a frame whose payload f appends, and fills in its size.
func appendSized(dst []byte, typ FrameType, channel uint16, f func([]byte) ([]byte, error)) ([]byte, error) {
	start := len(dst)
	out, err := f(appendFrameHead(dst, typ, channel, 0))
	if err != nil {
		return dst[:start], err
	}
	binary.BigEndian.PutUint32(out[start+3:], uint32(len(out)-start-7))
	return append(out, frameEnd), nil
}

// AppendHeartbeat appends a heartbeat frame (section 4.2.7).
func AppendHeartbeat(dst []byte) []byte { return AppendFrame(dst, FrameHeartbeat, 0, nil) }

// AppendMethod appends a method frame. It fails, leaving dst as it was, when a
// string or table does not fit its type.
func AppendMethod(dst []byte, channel uint16, m Method) ([]byte, error) {
	return appendSized(dst, FrameMethod, channel, func(b []byte) ([]byte, error) { return EncodeMethod(b, m) })
}

// AppendContent appends a content header and the body in as many frames as
// frameMax octets a frame ask for (section 4.2.6).
func AppendContent(dst []byte, channel uint16, h Header, body []byte, frameMax int) ([]byte, error) {
	out, err := appendSized(dst, FrameHeader, channel, func(b []byte) ([]byte, error) { return EncodeHeader(b, h) })
	if err != nil {
		return dst, err
	}
	for chunk := frameMax - FrameOverhead; len(body) > 0; {
		n := min(chunk, len(body))
		out = AppendFrame(out, FrameBody, channel, body[:n])
		body = body[n:]
	}
	return out, nil
}
