package wire

import (
	"encoding/binary"
	"fmt"
)

// ID is a method's number: its class in the upper 16 bits, the method within
// it in the lower (section 4.2.4).
type ID uint32

// Class is the number of the method's class.
func (id ID) Class() uint16 { return uint16(id >> 16) }

// Method is the number within the class.
func (id ID) Method() uint16 { return uint16(id) }

// Classes.
const (
	ClassConnection uint16 = 10
	ClassChannel    uint16 = 20
	ClassExchange   uint16 = 40
	ClassQueue      uint16 = 50
	ClassBasic      uint16 = 60
	ClassTx         uint16 = 90
	ClassConfirm    uint16 = 85
)

// Methods.
const (
	IDConnectionStart          ID = 10<<16 | 10
	IDConnectionStartOk        ID = 10<<16 | 11
	IDConnectionSecure         ID = 10<<16 | 20
	IDConnectionSecureOk       ID = 10<<16 | 21
	IDConnectionTune           ID = 10<<16 | 30
	IDConnectionTuneOk         ID = 10<<16 | 31
	IDConnectionOpen           ID = 10<<16 | 40
	IDConnectionOpenOk         ID = 10<<16 | 41
	IDConnectionClose          ID = 10<<16 | 50
	IDConnectionCloseOk        ID = 10<<16 | 51
	IDConnectionBlocked        ID = 10<<16 | 60
	IDConnectionUnblocked      ID = 10<<16 | 61
	IDConnectionUpdateSecret   ID = 10<<16 | 70
	IDConnectionUpdateSecretOk ID = 10<<16 | 71
	IDChannelOpen              ID = 20<<16 | 10
	IDChannelOpenOk            ID = 20<<16 | 11
	IDChannelFlow              ID = 20<<16 | 20
	IDChannelFlowOk            ID = 20<<16 | 21
	IDChannelClose             ID = 20<<16 | 40
	IDChannelCloseOk           ID = 20<<16 | 41
	IDExchangeDeclare          ID = 40<<16 | 10
	IDExchangeDeclareOk        ID = 40<<16 | 11
	IDExchangeDelete           ID = 40<<16 | 20
	IDExchangeDeleteOk         ID = 40<<16 | 21
	IDExchangeBind             ID = 40<<16 | 30
	IDExchangeBindOk           ID = 40<<16 | 31
	IDExchangeUnbind           ID = 40<<16 | 40
	IDExchangeUnbindOk         ID = 40<<16 | 51
	IDQueueDeclare             ID = 50<<16 | 10
	IDQueueDeclareOk           ID = 50<<16 | 11
	IDQueueBind                ID = 50<<16 | 20
	IDQueueBindOk              ID = 50<<16 | 21
	IDQueueUnbind              ID = 50<<16 | 50
	IDQueueUnbindOk            ID = 50<<16 | 51
	IDQueuePurge               ID = 50<<16 | 30
	IDQueuePurgeOk             ID = 50<<16 | 31
	IDQueueDelete              ID = 50<<16 | 40
	IDQueueDeleteOk            ID = 50<<16 | 41
	IDBasicQos                 ID = 60<<16 | 10
	IDBasicQosOk               ID = 60<<16 | 11
	IDBasicConsume             ID = 60<<16 | 20
	IDBasicConsumeOk           ID = 60<<16 | 21
	IDBasicCancel              ID = 60<<16 | 30
	IDBasicCancelOk            ID = 60<<16 | 31
	IDBasicPublish             ID = 60<<16 | 40
	IDBasicReturn              ID = 60<<16 | 50
	IDBasicDeliver             ID = 60<<16 | 60
	IDBasicGet                 ID = 60<<16 | 70
	IDBasicGetOk               ID = 60<<16 | 71
	IDBasicGetEmpty            ID = 60<<16 | 72
	IDBasicAck                 ID = 60<<16 | 80
	IDBasicReject              ID = 60<<16 | 90
	IDBasicRecoverAsync        ID = 60<<16 | 100
	IDBasicRecover             ID = 60<<16 | 110
	IDBasicRecoverOk           ID = 60<<16 | 111
	IDBasicNack                ID = 60<<16 | 120
	IDTxSelect                 ID = 90<<16 | 10
	IDTxSelectOk               ID = 90<<16 | 11
	IDTxCommit                 ID = 90<<16 | 20
	IDTxCommitOk               ID = 90<<16 | 21
	IDTxRollback               ID = 90<<16 | 30
	IDTxRollbackOk             ID = 90<<16 | 31
	IDConfirmSelect            ID = 85<<16 | 10
	IDConfirmSelectOk          ID = 85<<16 | 11
)

// Method is one of the method types of this package; each is used by pointer.
type Method interface {
	ID() ID
	// walk lists the arguments in the order of the specification.
	walk(*codec)
}

// DecodeMethod decodes the payload of a method frame. Its error is an *Error:
// 503 for a number that nobody knows, 501 for arguments that are too short, too
// long or malformed, as RabbitMQ answers them.
func DecodeMethod(b []byte) (Method, error) {
	if len(b) < 4 {
		return nil, Errorf(FrameError, "method frame of %d octets", len(b))
	}
	id := ID(binary.BigEndian.Uint32(b))
	m := New(id)
	if m == nil {
		return nil, &Error{Code: CommandInvalid, Text: fmt.Sprintf("unknown method %d of class %d", id.Method(), id.Class()), Method: id}
	}
	c := codec{buf: b[4:]}
	m.walk(&c)
	if c.err == nil && len(c.buf) > 0 {
		c.fail("%d octets too many", len(c.buf))
	}
	if c.err != nil {
		return nil, &Error{Code: FrameError, Text: fmt.Sprintf("cannot decode %s: %v", id, c.err), Method: id}
	}
	return m, nil
}

// EncodeMethod appends the payload of a method frame.
func EncodeMethod(dst []byte, m Method) ([]byte, error) {
	c := codec{buf: binary.BigEndian.AppendUint32(dst, uint32(m.ID())), writing: true}
	m.walk(&c)
	if c.err != nil {
		return dst, fmt.Errorf("encode %s: %w", m.ID(), c.err)
	}
	return c.buf, nil
}

// HasContent says whether a content header and body follow the method.
func (id ID) HasContent() bool {
	switch id {
	case IDBasicPublish, IDBasicReturn, IDBasicDeliver, IDBasicGetOk:
		return true
	}
	return false
}

// New makes the empty method of that number, nil when there is none.
func New(id ID) Method {
	switch id {
	case IDConnectionStart:
		return &ConnectionStart{}
	case IDConnectionStartOk:
		return &ConnectionStartOk{}
	case IDConnectionSecure:
		return &ConnectionSecure{}
	case IDConnectionSecureOk:
		return &ConnectionSecureOk{}
	case IDConnectionTune:
		return &ConnectionTune{}
	case IDConnectionTuneOk:
		return &ConnectionTuneOk{}
	case IDConnectionOpen:
		return &ConnectionOpen{}
	case IDConnectionOpenOk:
		return &ConnectionOpenOk{}
	case IDConnectionClose:
		return &ConnectionClose{}
	case IDConnectionCloseOk:
		return &ConnectionCloseOk{}
	case IDConnectionBlocked:
		return &ConnectionBlocked{}
	case IDConnectionUnblocked:
		return &ConnectionUnblocked{}
	case IDConnectionUpdateSecret:
		return &ConnectionUpdateSecret{}
	case IDConnectionUpdateSecretOk:
		return &ConnectionUpdateSecretOk{}
	case IDChannelOpen:
		return &ChannelOpen{}
	case IDChannelOpenOk:
		return &ChannelOpenOk{}
	case IDChannelFlow:
		return &ChannelFlow{}
	case IDChannelFlowOk:
		return &ChannelFlowOk{}
	case IDChannelClose:
		return &ChannelClose{}
	case IDChannelCloseOk:
		return &ChannelCloseOk{}
	case IDExchangeDeclare:
		return &ExchangeDeclare{}
	case IDExchangeDeclareOk:
		return &ExchangeDeclareOk{}
	case IDExchangeDelete:
		return &ExchangeDelete{}
	case IDExchangeDeleteOk:
		return &ExchangeDeleteOk{}
	case IDExchangeBind:
		return &ExchangeBind{}
	case IDExchangeBindOk:
		return &ExchangeBindOk{}
	case IDExchangeUnbind:
		return &ExchangeUnbind{}
	case IDExchangeUnbindOk:
		return &ExchangeUnbindOk{}
	case IDQueueDeclare:
		return &QueueDeclare{}
	case IDQueueDeclareOk:
		return &QueueDeclareOk{}
	case IDQueueBind:
		return &QueueBind{}
	case IDQueueBindOk:
		return &QueueBindOk{}
	case IDQueueUnbind:
		return &QueueUnbind{}
	case IDQueueUnbindOk:
		return &QueueUnbindOk{}
	case IDQueuePurge:
		return &QueuePurge{}
	case IDQueuePurgeOk:
		return &QueuePurgeOk{}
	case IDQueueDelete:
		return &QueueDelete{}
	case IDQueueDeleteOk:
		return &QueueDeleteOk{}
	case IDBasicQos:
		return &BasicQos{}
	case IDBasicQosOk:
		return &BasicQosOk{}
	case IDBasicConsume:
		return &BasicConsume{}
	case IDBasicConsumeOk:
		return &BasicConsumeOk{}
	case IDBasicCancel:
		return &BasicCancel{}
	case IDBasicCancelOk:
		return &BasicCancelOk{}
	case IDBasicPublish:
		return &BasicPublish{}
	case IDBasicReturn:
		return &BasicReturn{}
	case IDBasicDeliver:
		return &BasicDeliver{}
	case IDBasicGet:
		return &BasicGet{}
	case IDBasicGetOk:
		return &BasicGetOk{}
	case IDBasicGetEmpty:
		return &BasicGetEmpty{}
	case IDBasicAck:
		return &BasicAck{}
	case IDBasicReject:
		return &BasicReject{}
	case IDBasicRecoverAsync:
		return &BasicRecoverAsync{}
	case IDBasicRecover:
		return &BasicRecover{}
	case IDBasicRecoverOk:
		return &BasicRecoverOk{}
	case IDBasicNack:
		return &BasicNack{}
	case IDTxSelect:
		return &TxSelect{}
	case IDTxSelectOk:
		return &TxSelectOk{}
	case IDTxCommit:
		return &TxCommit{}
	case IDTxCommitOk:
		return &TxCommitOk{}
	case IDTxRollback:
		return &TxRollback{}
	case IDTxRollbackOk:
		return &TxRollbackOk{}
	case IDConfirmSelect:
		return &ConfirmSelect{}
	case IDConfirmSelectOk:
		return &ConfirmSelectOk{}
	}
	return nil
}

// String is the method's name in the specification, such as "queue.declare".
func (id ID) String() string {
	switch id {
	case IDConnectionStart:
		return "connection.start"
	case IDConnectionStartOk:
		return "connection.start-ok"
	case IDConnectionSecure:
		return "connection.secure"
	case IDConnectionSecureOk:
		return "connection.secure-ok"
	case IDConnectionTune:
		return "connection.tune"
	case IDConnectionTuneOk:
		return "connection.tune-ok"
	case IDConnectionOpen:
		return "connection.open"
	case IDConnectionOpenOk:
		return "connection.open-ok"
	case IDConnectionClose:
		return "connection.close"
	case IDConnectionCloseOk:
		return "connection.close-ok"
	case IDConnectionBlocked:
		return "connection.blocked"
	case IDConnectionUnblocked:
		return "connection.unblocked"
	case IDConnectionUpdateSecret:
		return "connection.update-secret"
	case IDConnectionUpdateSecretOk:
		return "connection.update-secret-ok"
	case IDChannelOpen:
		return "channel.open"
	case IDChannelOpenOk:
		return "channel.open-ok"
	case IDChannelFlow:
		return "channel.flow"
	case IDChannelFlowOk:
		return "channel.flow-ok"
	case IDChannelClose:
		return "channel.close"
	case IDChannelCloseOk:
		return "channel.close-ok"
	case IDExchangeDeclare:
		return "exchange.declare"
	case IDExchangeDeclareOk:
		return "exchange.declare-ok"
	case IDExchangeDelete:
		return "exchange.delete"
	case IDExchangeDeleteOk:
		return "exchange.delete-ok"
	case IDExchangeBind:
		return "exchange.bind"
	case IDExchangeBindOk:
		return "exchange.bind-ok"
	case IDExchangeUnbind:
		return "exchange.unbind"
	case IDExchangeUnbindOk:
		return "exchange.unbind-ok"
	case IDQueueDeclare:
		return "queue.declare"
	case IDQueueDeclareOk:
		return "queue.declare-ok"
	case IDQueueBind:
		return "queue.bind"
	case IDQueueBindOk:
		return "queue.bind-ok"
	case IDQueueUnbind:
		return "queue.unbind"
	case IDQueueUnbindOk:
		return "queue.unbind-ok"
	case IDQueuePurge:
		return "queue.purge"
	case IDQueuePurgeOk:
		return "queue.purge-ok"
	case IDQueueDelete:
		return "queue.delete"
	case IDQueueDeleteOk:
		return "queue.delete-ok"
	case IDBasicQos:
		return "basic.qos"
	case IDBasicQosOk:
		return "basic.qos-ok"
	case IDBasicConsume:
		return "basic.consume"
	case IDBasicConsumeOk:
		return "basic.consume-ok"
	case IDBasicCancel:
		return "basic.cancel"
	case IDBasicCancelOk:
		return "basic.cancel-ok"
	case IDBasicPublish:
		return "basic.publish"
	case IDBasicReturn:
		return "basic.return"
	case IDBasicDeliver:
		return "basic.deliver"
	case IDBasicGet:
		return "basic.get"
	case IDBasicGetOk:
		return "basic.get-ok"
	case IDBasicGetEmpty:
		return "basic.get-empty"
	case IDBasicAck:
		return "basic.ack"
	case IDBasicReject:
		return "basic.reject"
	case IDBasicRecoverAsync:
		return "basic.recover-async"
	case IDBasicRecover:
		return "basic.recover"
	case IDBasicRecoverOk:
		return "basic.recover-ok"
	case IDBasicNack:
		return "basic.nack"
	case IDTxSelect:
		return "tx.select"
	case IDTxSelectOk:
		return "tx.select-ok"
	case IDTxCommit:
		return "tx.commit"
	case IDTxCommitOk:
		return "tx.commit-ok"
	case IDTxRollback:
		return "tx.rollback"
	case IDTxRollbackOk:
		return "tx.rollback-ok"
	case IDConfirmSelect:
		return "confirm.select"
	case IDConfirmSelectOk:
		return "confirm.select-ok"
	}
	return fmt.Sprintf("method %d.%d", id.Class(), id.Method())
}
