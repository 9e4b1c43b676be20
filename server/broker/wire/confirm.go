package wire

// Methods of class confirm: publisher confirms, RabbitMQ's.

// ConfirmSelect is confirm.select.
type ConfirmSelect struct {
	NoWait bool
}

// ID is its number.
func (*ConfirmSelect) ID() ID { return IDConfirmSelect }

func (m *ConfirmSelect) walk(c *codec) {
	c.bit(&m.NoWait)
}

// ConfirmSelectOk is confirm.select-ok.
type ConfirmSelectOk struct{}

// ID is its number.
func (*ConfirmSelectOk) ID() ID { return IDConfirmSelectOk }

func (*ConfirmSelectOk) walk(*codec) {}
