package wire

// Splitter finds frames in octets that are pushed to it, for who has to pass
// them on as they come. It is for one goroutine.
type Splitter struct {
	max int
	buf []byte // the beginning of a frame that is not whole
}

// NewSplitter makes a Splitter that fails at frames of more than max octets,
// all counted. It keeps at most that much.
func NewSplitter(max int) *Splitter { return &Splitter{max: max} }

// Push takes the next octets and calls f for every frame that is now whole;
// the frame is valid until f returns. After an error, f's or an *Error of its
// own, the Splitter must not be used again.
func (s *Splitter) Push(b []byte, f func(Frame) error) error {
	if len(s.buf) > 0 {
		s.buf = append(s.buf, b...)
		b = s.buf
	}
	for len(b) > 0 {
		if err := checkType(b[0]); err != nil {
			return err
		}
		if len(b) < 7 {
			break
		}
		size, err := frameSize(b, s.max)
		if err != nil {
			return err
		}
		if len(b) < size+FrameOverhead {
			break
		}
		frame, err := makeFrame(b[:7], b[7:size+FrameOverhead])
		if err != nil {
			return err
		}
		if err := f(frame); err != nil {
			return err
		}
		b = b[size+FrameOverhead:]
	}
	// b may be the tail of buf: append moves it to the front, as copy would.
	s.buf = append(s.buf[:0], b...)
	return nil
}
