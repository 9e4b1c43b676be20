package wire

// Methods of class queue (section 1.7): queues and their bindings.

// QueueDeclare is queue.declare.
type QueueDeclare struct {
	Queue      string
	Passive    bool
	Durable    bool
	Exclusive  bool
	AutoDelete bool
	NoWait     bool
	Arguments  Table
}

// ID is its number.
func (*QueueDeclare) ID() ID { return IDQueueDeclare }

func (m *QueueDeclare) walk(c *codec) {
	c.reservedShort()
	c.shortstr(&m.Queue)
	c.bits(&m.Passive, &m.Durable, &m.Exclusive, &m.AutoDelete, &m.NoWait)
	c.table(&m.Arguments)
}

// QueueDeclareOk is queue.declare-ok.
type QueueDeclareOk struct {
	Queue         string
	MessageCount  uint32
	ConsumerCount uint32
}

// ID is its number.
func (*QueueDeclareOk) ID() ID { return IDQueueDeclareOk }

func (m *QueueDeclareOk) walk(c *codec) {
	c.shortstr(&m.Queue)
	c.long(&m.MessageCount)
	c.long(&m.ConsumerCount)
}

// QueueBind is queue.bind.
type QueueBind struct {
	Queue      string
	Exchange   string
	RoutingKey string
	NoWait     bool
	Arguments  Table
}

// ID is its number.
func (*QueueBind) ID() ID { return IDQueueBind }

func (m *QueueBind) walk(c *codec) {
	c.reservedShort()
	c.shortstr(&m.Queue)
	c.shortstr(&m.Exchange)
	c.shortstr(&m.RoutingKey)
	c.bit(&m.NoWait)
	c.table(&m.Arguments)
}

// QueueBindOk is queue.bind-ok.
type QueueBindOk struct{}

// ID is its number.
func (*QueueBindOk) ID() ID { return IDQueueBindOk }

func (*QueueBindOk) walk(*codec) {}

// QueueUnbind is queue.unbind.
type QueueUnbind struct {
	Queue      string
	Exchange   string
	RoutingKey string
	Arguments  Table
}

// ID is its number.
func (*QueueUnbind) ID() ID { return IDQueueUnbind }

func (m *QueueUnbind) walk(c *codec) {
	c.reservedShort()
	c.shortstr(&m.Queue)
	c.shortstr(&m.Exchange)
	c.shortstr(&m.RoutingKey)
	c.table(&m.Arguments)
}

// QueueUnbindOk is queue.unbind-ok.
type QueueUnbindOk struct{}

// ID is its number.
func (*QueueUnbindOk) ID() ID { return IDQueueUnbindOk }

func (*QueueUnbindOk) walk(*codec) {}

// QueuePurge is queue.purge.
type QueuePurge struct {
	Queue  string
	NoWait bool
}

// ID is its number.
func (*QueuePurge) ID() ID { return IDQueuePurge }

func (m *QueuePurge) walk(c *codec) {
	c.reservedShort()
	c.shortstr(&m.Queue)
	c.bit(&m.NoWait)
}

// QueuePurgeOk is queue.purge-ok.
type QueuePurgeOk struct {
	MessageCount uint32
}

// ID is its number.
func (*QueuePurgeOk) ID() ID { return IDQueuePurgeOk }

func (m *QueuePurgeOk) walk(c *codec) {
	c.long(&m.MessageCount)
}

// QueueDelete is queue.delete.
type QueueDelete struct {
	Queue    string
	IfUnused bool
	IfEmpty  bool
	NoWait   bool
}

// ID is its number.
func (*QueueDelete) ID() ID { return IDQueueDelete }

func (m *QueueDelete) walk(c *codec) {
	c.reservedShort()
	c.shortstr(&m.Queue)
	c.bits(&m.IfUnused, &m.IfEmpty, &m.NoWait)
}

// QueueDeleteOk is queue.delete-ok.
type QueueDeleteOk struct {
	MessageCount uint32
}

// ID is its number.
func (*QueueDeleteOk) ID() ID { return IDQueueDeleteOk }

func (m *QueueDeleteOk) walk(c *codec) {
	c.long(&m.MessageCount)
}
