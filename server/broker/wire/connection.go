package wire

// Methods of class connection (section 1.4): the life of a connection.

// ConnectionStart is connection.start.
type ConnectionStart struct {
	VersionMajor     uint8
	VersionMinor     uint8
	ServerProperties Table
	Mechanisms       string
	Locales          string
}

// ID is its number.
func (*ConnectionStart) ID() ID { return IDConnectionStart }

func (m *ConnectionStart) walk(c *codec) {
	c.octetArg(&m.VersionMajor)
	c.octetArg(&m.VersionMinor)
	c.table(&m.ServerProperties)
	c.longstr(&m.Mechanisms)
	c.longstr(&m.Locales)
}

// ConnectionStartOk is connection.start-ok.
type ConnectionStartOk struct {
	ClientProperties Table
	Mechanism        string
	Response         string
	Locale           string
}

// ID is its number.
func (*ConnectionStartOk) ID() ID { return IDConnectionStartOk }

func (m *ConnectionStartOk) walk(c *codec) {
	c.table(&m.ClientProperties)
	c.shortstr(&m.Mechanism)
	c.longstr(&m.Response)
	c.shortstr(&m.Locale)
}

// ConnectionSecure is connection.secure.
type ConnectionSecure struct {
	Challenge string
}

// ID is its number.
func (*ConnectionSecure) ID() ID { return IDConnectionSecure }

func (m *ConnectionSecure) walk(c *codec) {
	c.longstr(&m.Challenge)
}

// ConnectionSecureOk is connection.secure-ok.
type ConnectionSecureOk struct {
	Response string
}

// ID is its number.
func (*ConnectionSecureOk) ID() ID { return IDConnectionSecureOk }

func (m *ConnectionSecureOk) walk(c *codec) {
	c.longstr(&m.Response)
}

// ConnectionTune is connection.tune.
type ConnectionTune struct {
	ChannelMax uint16
	FrameMax   uint32
	Heartbeat  uint16
}

// ID is its number.
func (*ConnectionTune) ID() ID { return IDConnectionTune }

func (m *ConnectionTune) walk(c *codec) {
	c.short(&m.ChannelMax)
	c.long(&m.FrameMax)
	c.short(&m.Heartbeat)
}

// ConnectionTuneOk is connection.tune-ok.
type ConnectionTuneOk struct {
	ChannelMax uint16
	FrameMax   uint32
	Heartbeat  uint16
}

// ID is its number.
func (*ConnectionTuneOk) ID() ID { return IDConnectionTuneOk }

func (m *ConnectionTuneOk) walk(c *codec) {
	c.short(&m.ChannelMax)
	c.long(&m.FrameMax)
	c.short(&m.Heartbeat)
}

// ConnectionOpen is connection.open.
type ConnectionOpen struct {
	VirtualHost string
}

// ID is its number.
func (*ConnectionOpen) ID() ID { return IDConnectionOpen }

func (m *ConnectionOpen) walk(c *codec) {
	c.shortstr(&m.VirtualHost)
	c.reservedShortstr()
	c.reservedBit()
}

// ConnectionOpenOk is connection.open-ok.
type ConnectionOpenOk struct{}

// ID is its number.
func (*ConnectionOpenOk) ID() ID { return IDConnectionOpenOk }

func (*ConnectionOpenOk) walk(c *codec) {
	c.reservedShortstr()
}

// ConnectionClose is connection.close.
type ConnectionClose struct {
	ReplyCode Code
	ReplyText string
	ClassID   uint16
	MethodID  uint16
}

// ID is its number.
func (*ConnectionClose) ID() ID { return IDConnectionClose }

func (m *ConnectionClose) walk(c *codec) {
	c.code(&m.ReplyCode)
	c.shortstr(&m.ReplyText)
	c.short(&m.ClassID)
	c.short(&m.MethodID)
}

// ConnectionCloseOk is connection.close-ok.
type ConnectionCloseOk struct{}

// ID is its number.
func (*ConnectionCloseOk) ID() ID { return IDConnectionCloseOk }

func (*ConnectionCloseOk) walk(*codec) {}

// ConnectionBlocked is connection.blocked.
type ConnectionBlocked struct {
	Reason string
}

// ID is its number.
func (*ConnectionBlocked) ID() ID { return IDConnectionBlocked }

func (m *ConnectionBlocked) walk(c *codec) {
	c.shortstr(&m.Reason)
}

// ConnectionUnblocked is connection.unblocked.
type ConnectionUnblocked struct{}

// ID is its number.
func (*ConnectionUnblocked) ID() ID { return IDConnectionUnblocked }

func (*ConnectionUnblocked) walk(*codec) {}

// ConnectionUpdateSecret is connection.update-secret.
type ConnectionUpdateSecret struct {
	NewSecret string
	Reason    string
}

// ID is its number.
func (*ConnectionUpdateSecret) ID() ID { return IDConnectionUpdateSecret }

func (m *ConnectionUpdateSecret) walk(c *codec) {
	c.longstr(&m.NewSecret)
	c.shortstr(&m.Reason)
}

// ConnectionUpdateSecretOk is connection.update-secret-ok.
type ConnectionUpdateSecretOk struct{}

// ID is its number.
func (*ConnectionUpdateSecretOk) ID() ID { return IDConnectionUpdateSecretOk }

func (*ConnectionUpdateSecretOk) walk(*codec) {}
