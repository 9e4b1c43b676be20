package wire

// Methods of class basic (section 1.8): messages; nack is RabbitMQ's.

// BasicQos is basic.qos.
type BasicQos struct {
	PrefetchSize  uint32
	PrefetchCount uint16
	Global        bool
}

// ID is its number.
func (*BasicQos) ID() ID { return IDBasicQos }

func (m *BasicQos) walk(c *codec) {
	c.long(&m.PrefetchSize)
	c.short(&m.PrefetchCount)
	c.bit(&m.Global)
}

// BasicQosOk is basic.qos-ok.
type BasicQosOk struct{}

// ID is its number.
func (*BasicQosOk) ID() ID { return IDBasicQosOk }

func (*BasicQosOk) walk(*codec) {}

// BasicConsume is basic.consume.
type BasicConsume struct {
	Queue       string
	ConsumerTag string
	NoLocal     bool
	NoAck       bool
	Exclusive   bool
	NoWait      bool
	Arguments   Table
}

// ID is its number.
func (*BasicConsume) ID() ID { return IDBasicConsume }

func (m *BasicConsume) walk(c *codec) {
	c.reservedShort()
	c.shortstr(&m.Queue)
	c.shortstr(&m.ConsumerTag)
	c.bits(&m.NoLocal, &m.NoAck, &m.Exclusive, &m.NoWait)
	c.table(&m.Arguments)
}

// BasicConsumeOk is basic.consume-ok.
type BasicConsumeOk struct {
	ConsumerTag string
}

// ID is its number.
func (*BasicConsumeOk) ID() ID { return IDBasicConsumeOk }

func (m *BasicConsumeOk) walk(c *codec) {
	c.shortstr(&m.ConsumerTag)
}

// BasicCancel is basic.cancel.
type BasicCancel struct {
	ConsumerTag string
	NoWait      bool
}

// ID is its number.
func (*BasicCancel) ID() ID { return IDBasicCancel }

func (m *BasicCancel) walk(c *codec) {
	c.shortstr(&m.ConsumerTag)
	c.bit(&m.NoWait)
}

// BasicCancelOk is basic.cancel-ok.
type BasicCancelOk struct {
	ConsumerTag string
}

// ID is its number.
func (*BasicCancelOk) ID() ID { return IDBasicCancelOk }

func (m *BasicCancelOk) walk(c *codec) {
	c.shortstr(&m.ConsumerTag)
}

// BasicPublish is basic.publish.
type BasicPublish struct {
	Exchange   string
	RoutingKey string
	Mandatory  bool
	Immediate  bool
}

// ID is its number.
func (*BasicPublish) ID() ID { return IDBasicPublish }

func (m *BasicPublish) walk(c *codec) {
	c.reservedShort()
	c.shortstr(&m.Exchange)
	c.shortstr(&m.RoutingKey)
	c.bits(&m.Mandatory, &m.Immediate)
}

// BasicReturn is basic.return.
type BasicReturn struct {
	ReplyCode  Code
	ReplyText  string
	Exchange   string
	RoutingKey string
}

// ID is its number.
func (*BasicReturn) ID() ID { return IDBasicReturn }

func (m *BasicReturn) walk(c *codec) {
	c.code(&m.ReplyCode)
	c.shortstr(&m.ReplyText)
	c.shortstr(&m.Exchange)
	c.shortstr(&m.RoutingKey)
}

// BasicDeliver is basic.deliver.
type BasicDeliver struct {
	ConsumerTag string
	DeliveryTag uint64
	Redelivered bool
	Exchange    string
	RoutingKey  string
}

// ID is its number.
func (*BasicDeliver) ID() ID { return IDBasicDeliver }

func (m *BasicDeliver) walk(c *codec) {
	c.shortstr(&m.ConsumerTag)
	c.longlong(&m.DeliveryTag)
	c.bit(&m.Redelivered)
	c.shortstr(&m.Exchange)
	c.shortstr(&m.RoutingKey)
}

// BasicGet is basic.get.
type BasicGet struct {
	Queue string
	NoAck bool
}

// ID is its number.
func (*BasicGet) ID() ID { return IDBasicGet }

func (m *BasicGet) walk(c *codec) {
	c.reservedShort()
	c.shortstr(&m.Queue)
	c.bit(&m.NoAck)
}

// BasicGetOk is basic.get-ok.
type BasicGetOk struct {
	DeliveryTag  uint64
	Redelivered  bool
	Exchange     string
	RoutingKey   string
	MessageCount uint32
}

// ID is its number.
func (*BasicGetOk) ID() ID { return IDBasicGetOk }

func (m *BasicGetOk) walk(c *codec) {
	c.longlong(&m.DeliveryTag)
	c.bit(&m.Redelivered)
	c.shortstr(&m.Exchange)
	c.shortstr(&m.RoutingKey)
	c.long(&m.MessageCount)
}

// BasicGetEmpty is basic.get-empty.
type BasicGetEmpty struct{}

// ID is its number.
func (*BasicGetEmpty) ID() ID { return IDBasicGetEmpty }

func (*BasicGetEmpty) walk(c *codec) {
	c.reservedShortstr()
}

// BasicAck is basic.ack.
type BasicAck struct {
	DeliveryTag uint64
	Multiple    bool
}

// ID is its number.
func (*BasicAck) ID() ID { return IDBasicAck }

func (m *BasicAck) walk(c *codec) {
	c.longlong(&m.DeliveryTag)
	c.bit(&m.Multiple)
}

// BasicReject is basic.reject.
type BasicReject struct {
	DeliveryTag uint64
	Requeue     bool
}

// ID is its number.
func (*BasicReject) ID() ID { return IDBasicReject }

func (m *BasicReject) walk(c *codec) {
	c.longlong(&m.DeliveryTag)
	c.bit(&m.Requeue)
}

// BasicRecoverAsync is basic.recover-async.
type BasicRecoverAsync struct {
	Requeue bool
}

// ID is its number.
func (*BasicRecoverAsync) ID() ID { return IDBasicRecoverAsync }

func (m *BasicRecoverAsync) walk(c *codec) {
	c.bit(&m.Requeue)
}

// BasicRecover is basic.recover.
type BasicRecover struct {
	Requeue bool
}

// ID is its number.
func (*BasicRecover) ID() ID { return IDBasicRecover }

func (m *BasicRecover) walk(c *codec) {
	c.bit(&m.Requeue)
}

// BasicRecoverOk is basic.recover-ok.
type BasicRecoverOk struct{}

// ID is its number.
func (*BasicRecoverOk) ID() ID { return IDBasicRecoverOk }

func (*BasicRecoverOk) walk(*codec) {}

// BasicNack is basic.nack.
type BasicNack struct {
	DeliveryTag uint64
	Multiple    bool
	Requeue     bool
}

// ID is its number.
func (*BasicNack) ID() ID { return IDBasicNack }

func (m *BasicNack) walk(c *codec) {
	c.longlong(&m.DeliveryTag)
	c.bits(&m.Multiple, &m.Requeue)
}
