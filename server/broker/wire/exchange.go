package wire

// Methods of class exchange (section 1.6): exchanges; bind and unbind are RabbitMQ's.

// ExchangeDeclare is exchange.declare.
type ExchangeDeclare struct {
	Exchange   string
	Type       string
	Passive    bool
	Durable    bool
	AutoDelete bool
	Internal   bool
	NoWait     bool
	Arguments  Table
}

// ID is its number.
func (*ExchangeDeclare) ID() ID { return IDExchangeDeclare }

func (m *ExchangeDeclare) walk(c *codec) {
	c.reservedShort()
	c.shortstr(&m.Exchange)
	c.shortstr(&m.Type)
	c.bits(&m.Passive, &m.Durable, &m.AutoDelete, &m.Internal, &m.NoWait)
	c.table(&m.Arguments)
}

// ExchangeDeclareOk is exchange.declare-ok.
type ExchangeDeclareOk struct{}

// ID is its number.
func (*ExchangeDeclareOk) ID() ID { return IDExchangeDeclareOk }

func (*ExchangeDeclareOk) walk(*codec) {}

// ExchangeDelete is exchange.delete.
type ExchangeDelete struct {
	Exchange string
	IfUnused bool
	NoWait   bool
}

// ID is its number.
func (*ExchangeDelete) ID() ID { return IDExchangeDelete }

func (m *ExchangeDelete) walk(c *codec) {
	c.reservedShort()
	c.shortstr(&m.Exchange)
	c.bits(&m.IfUnused, &m.NoWait)
}

// ExchangeDeleteOk is exchange.delete-ok.
type ExchangeDeleteOk struct{}

// ID is its number.
func (*ExchangeDeleteOk) ID() ID { return IDExchangeDeleteOk }

func (*ExchangeDeleteOk) walk(*codec) {}

// ExchangeBind is exchange.bind.
type ExchangeBind struct {
	Destination string
	Source      string
	RoutingKey  string
	NoWait      bool
	Arguments   Table
}

// ID is its number.
func (*ExchangeBind) ID() ID { return IDExchangeBind }

func (m *ExchangeBind) walk(c *codec) {
	c.reservedShort()
	c.shortstr(&m.Destination)
	c.shortstr(&m.Source)
	c.shortstr(&m.RoutingKey)
	c.bit(&m.NoWait)
	c.table(&m.Arguments)
}

// ExchangeBindOk is exchange.bind-ok.
type ExchangeBindOk struct{}

// ID is its number.
func (*ExchangeBindOk) ID() ID { return IDExchangeBindOk }

func (*ExchangeBindOk) walk(*codec) {}

// ExchangeUnbind is exchange.unbind.
type ExchangeUnbind struct {
	Destination string
	Source      string
	RoutingKey  string
	NoWait      bool
	Arguments   Table
}

// ID is its number.
func (*ExchangeUnbind) ID() ID { return IDExchangeUnbind }

func (m *ExchangeUnbind) walk(c *codec) {
	c.reservedShort()
	c.shortstr(&m.Destination)
	c.shortstr(&m.Source)
	c.shortstr(&m.RoutingKey)
	c.bit(&m.NoWait)
	c.table(&m.Arguments)
}

// ExchangeUnbindOk is exchange.unbind-ok.
type ExchangeUnbindOk struct{}

// ID is its number.
func (*ExchangeUnbindOk) ID() ID { return IDExchangeUnbindOk }

func (*ExchangeUnbindOk) walk(*codec) {}
