package wire

// Methods of class channel (section 1.5): the life of a channel.

// ChannelOpen is channel.open.
type ChannelOpen struct{}

// ID is its number.
func (*ChannelOpen) ID() ID { return IDChannelOpen }

func (*ChannelOpen) walk(c *codec) {
	c.reservedShortstr()
}

// ChannelOpenOk is channel.open-ok.
type ChannelOpenOk struct{}

// ID is its number.
func (*ChannelOpenOk) ID() ID { return IDChannelOpenOk }

func (*ChannelOpenOk) walk(c *codec) {
	c.reservedLongstr()
}

// ChannelFlow is channel.flow.
type ChannelFlow struct {
	Active bool
}

// ID is its number.
func (*ChannelFlow) ID() ID { return IDChannelFlow }

func (m *ChannelFlow) walk(c *codec) {
	c.bit(&m.Active)
}

// ChannelFlowOk is channel.flow-ok.
type ChannelFlowOk struct {
	Active bool
}

// ID is its number.
func (*ChannelFlowOk) ID() ID { return IDChannelFlowOk }

func (m *ChannelFlowOk) walk(c *codec) {
	c.bit(&m.Active)
}

// ChannelClose is channel.close.
type ChannelClose struct {
	ReplyCode Code
	ReplyText string
	ClassID   uint16
	MethodID  uint16
}

// ID is its number.
func (*ChannelClose) ID() ID { return IDChannelClose }

func (m *ChannelClose) walk(c *codec) {
	c.code(&m.ReplyCode)
	c.shortstr(&m.ReplyText)
	c.short(&m.ClassID)
	c.short(&m.MethodID)
}

// ChannelCloseOk is channel.close-ok.
type ChannelCloseOk struct{}

// ID is its number.
func (*ChannelCloseOk) ID() ID { return IDChannelCloseOk }

func (*ChannelCloseOk) walk(*codec) {}
