package broker_test

import (
	"context"
	"fmt"
	"strings"

	amqp "github.com/rabbitmq/amqp091-go"
)

// mistakes are what a client can do wrong on a channel, with what comes of it.
// Each has the queue "Q" declared, durable and empty.
var mistakes = []struct {
	name string
	do   func(ch *amqp.Channel, q string) error // an error, or nil when it comes later
	want string
}{
	{"no queue", func(ch *amqp.Channel, q string) error {
		_, err := ch.QueueDeclarePassive(q+".none", false, false, false, false, nil)
		return err
	}, "channel 404 NOT_FOUND - no queue 'Q.none' in vhost '/'"},
	{"no exchange", func(ch *amqp.Channel, q string) error { return ch.QueueBind(q, "k", "no.exchange", false, nil) },
		"channel 404 NOT_FOUND - no exchange 'no.exchange' in vhost '/'"},
	{"consume from nothing", func(ch *amqp.Channel, q string) error {
		_, err := ch.Consume(q+".none", "", false, false, false, false, nil)
		return err
	}, "channel 404 NOT_FOUND - no queue 'Q.none' in vhost '/'"},
	{"publish to no exchange", func(ch *amqp.Channel, q string) error {
		return ch.PublishWithContext(context.Background(), "no.exchange", "k", false, false, amqp.Publishing{})
	}, "channel 404 NOT_FOUND - no exchange 'no.exchange' in vhost '/'"},
	{"declared otherwise", func(ch *amqp.Channel, q string) error {
		_, err := ch.QueueDeclare(q, false, false, false, false, nil)
		return err
	}, "channel 406 PRECONDITION_FAILED - inequivalent arg 'durable' for queue 'Q' in vhost '/': received 'false' but current is 'true'"},
	{"other arguments", func(ch *amqp.Channel, q string) error {
		_, err := ch.QueueDeclare(q, true, false, false, false, amqp.Table{"x-max-length": int32(3)})
		return err
	}, "channel 406 PRECONDITION_FAILED - inequivalent arg 'x-max-length' for queue 'Q' in vhost '/': received the value '3' of type 'signedint' but current is none"},
	{"exclusive or not", func(ch *amqp.Channel, q string) error {
		_, err := ch.QueueDeclare(q, true, false, true, false, nil)
		return err
	}, "channel 405 RESOURCE_LOCKED - cannot obtain exclusive access to locked queue 'Q' in vhost '/'."},
	{"a bad argument", func(ch *amqp.Channel, q string) error {
		_, err := ch.QueueDeclare(q+".bad", true, false, false, false, amqp.Table{"x-message-ttl": "soon"})
		return err
	}, "channel 406 PRECONDITION_FAILED - invalid arg 'x-message-ttl' for queue 'Q.bad' in vhost '/': \"expected integer, got longstr\""},
	{"a negative argument", func(ch *amqp.Channel, q string) error {
		_, err := ch.QueueDeclare(q+".bad", true, false, false, false, amqp.Table{"x-message-ttl": int32(-1)})
		return err
	}, "channel 406 PRECONDITION_FAILED - invalid arg 'x-message-ttl' for queue 'Q.bad' in vhost '/': {value_negative,-1}"},
	{"a reserved name", func(ch *amqp.Channel, q string) error {
		_, err := ch.QueueDeclare("amq.mine", true, false, false, false, nil)
		return err
	}, "channel 403 ACCESS_REFUSED - queue name 'amq.mine' contains reserved prefix 'amq.*'"},
	{"a reserved exchange", func(ch *amqp.Channel, q string) error {
		return ch.ExchangeDeclare("amq.mine", "direct", true, false, false, false, nil)
	}, "channel 403 ACCESS_REFUSED - exchange name 'amq.mine' contains reserved prefix 'amq.*'"},
	{"the default exchange", func(ch *amqp.Channel, q string) error { return ch.QueueBind(q, "k", "", false, nil) },
		"channel 403 ACCESS_REFUSED - operation not permitted on the default exchange"},
	{"another type", func(ch *amqp.Channel, q string) error {
		return ch.ExchangeDeclare("amq.topic", "direct", true, false, false, false, nil)
	}, "channel 406 PRECONDITION_FAILED - inequivalent arg 'type' for exchange 'amq.topic' in vhost '/': received 'direct' but current is 'topic'"},
	{"an unknown type", func(ch *amqp.Channel, q string) error {
		return ch.ExchangeDeclare("x", "magic", true, false, false, false, nil)
	}, "connection 503 COMMAND_INVALID - unknown exchange type 'magic'"},
	{"an unknown tag", func(ch *amqp.Channel, q string) error { return ch.Ack(7, false) },
		"channel 406 PRECONDITION_FAILED - unknown delivery tag 7"},
	{"an unknown tag, multiple", func(ch *amqp.Channel, q string) error { return ch.Nack(7, true, true) },
		"channel 406 PRECONDITION_FAILED - unknown delivery tag 7"},
	{"in exclusive use", func(ch *amqp.Channel, q string) error {
		if _, err := ch.Consume(q, "one", false, true, false, false, nil); err != nil {
			return err
		}
		_, err := ch.Consume(q, "two", false, false, false, false, nil)
		return err
	}, "channel 403 ACCESS_REFUSED - queue 'Q' in vhost '/' in exclusive use"},
	{"a tag twice", func(ch *amqp.Channel, q string) error {
		if _, err := ch.Consume(q, "one", false, false, false, false, nil); err != nil {
			return err
		}
		_, err := ch.Consume(q, "one", false, false, false, false, nil)
		return err
	}, "connection 530 NOT_ALLOWED - attempt to reuse consumer tag 'one'"},
	{"prefetch size", func(ch *amqp.Channel, q string) error { return ch.Qos(0, 1, false) },
		"connection 540 NOT_IMPLEMENTED - prefetch_size!=0 (1)"},
	{"immediate", func(ch *amqp.Channel, q string) error {
		return ch.PublishWithContext(context.Background(), "", q, false, true, amqp.Publishing{})
	}, "connection 540 NOT_IMPLEMENTED - immediate=true"},
	{"flow", func(ch *amqp.Channel, q string) error { return ch.Flow(false) },
		"connection 540 NOT_IMPLEMENTED - active=false"},
	//lint:ignore SA1019 clients still call it, and the broker must answer
	{"recover without requeue", func(ch *amqp.Channel, q string) error { return ch.Recover(false) },
		"connection 540 NOT_IMPLEMENTED - requeue=false"},
	{"somebody else's user-id", func(ch *amqp.Channel, q string) error {
		return ch.PublishWithContext(context.Background(), "", q, false, false, amqp.Publishing{UserId: "root"})
	}, "channel 406 PRECONDITION_FAILED - user_id property set to 'root' but authenticated user was 'guest'"},
	{"expiration", func(ch *amqp.Channel, q string) error {
		return ch.PublishWithContext(context.Background(), "", q, false, false, amqp.Publishing{Expiration: "soon"})
	}, "channel 406 PRECONDITION_FAILED - invalid expiration 'soon': no_integer"},
	{"a queue that is not empty", func(ch *amqp.Channel, q string) error {
		if err := ch.PublishWithContext(context.Background(), "", q, false, false, amqp.Publishing{}); err != nil {
			return err
		}
		_, err := ch.QueueDelete(q, false, true, false)
		return err
	}, "channel 406 PRECONDITION_FAILED - queue 'Q' in vhost '/' not empty"},
	{"a queue that is in use", func(ch *amqp.Channel, q string) error {
		if _, err := ch.Consume(q, "one", false, false, false, false, nil); err != nil {
			return err
		}
		_, err := ch.QueueDelete(q, true, false, false)
		return err
	}, "channel 406 PRECONDITION_FAILED - queue 'Q' in vhost '/' in use"},
	{"commit without select", func(ch *amqp.Channel, q string) error { return ch.TxCommit() },
		"channel 406 PRECONDITION_FAILED - channel is not transactional"},
	{"confirm with tx", func(ch *amqp.Channel, q string) error {
		if err := ch.Tx(); err != nil {
			return err
		}
		return ch.Confirm(false)
	}, "channel 406 PRECONDITION_FAILED - cannot switch from tx to confirm mode"},
	{"unbind from no exchange", func(ch *amqp.Channel, q string) error { return ch.QueueUnbind(q, "k", "no.exchange", nil) }, "nothing"},
	{"unbind no queue", func(ch *amqp.Channel, q string) error { return ch.QueueUnbind(q+".none", "k", "amq.direct", nil) }, "nothing"},
	{"unbind no exchange from none", func(ch *amqp.Channel, q string) error {
		return ch.ExchangeUnbind("no.exchange", "k", "amq.direct", false, nil)
	}, "nothing"},
	{"bind an exchange to none", func(ch *amqp.Channel, q string) error {
		return ch.ExchangeBind("no.exchange", "k", "amq.direct", false, nil)
	}, "channel 404 NOT_FOUND - no exchange 'no.exchange' in vhost '/'"},
	{"unbind from the default exchange", func(ch *amqp.Channel, q string) error { return ch.QueueUnbind(q, "k", "", nil) },
		"channel 403 ACCESS_REFUSED - operation not permitted on the default exchange"},
	{"delete a predeclared exchange", func(ch *amqp.Channel, q string) error { return ch.ExchangeDelete("amq.direct", false, false) },
		"channel 403 ACCESS_REFUSED - deletion of system exchange 'amq.direct' in vhost '/' not allowed"},
	{"a dead-letter key without an exchange", func(ch *amqp.Channel, q string) error {
		_, err := ch.QueueDeclare(q+".bad", true, false, false, false, amqp.Table{"x-dead-letter-routing-key": "k"})
		return err
	}, "channel 406 PRECONDITION_FAILED - invalid arg 'x-dead-letter-routing-key' for queue 'Q.bad' in vhost '/': routing_key_but_no_dlx_defined"},
	{"a wrong alternate exchange", func(ch *amqp.Channel, q string) error {
		return ch.ExchangeDeclare(q+".bad", "fanout", false, true, true, false, amqp.Table{"alternate-exchange": true})
	}, "channel 406 PRECONDITION_FAILED - invalid type 'bool' for arg 'alternate-exchange' in exchange 'Q.bad' in vhost '/'"},
	{"an unknown overflow", func(ch *amqp.Channel, q string) error {
		_, err := ch.QueueDeclare(q+".bad", true, false, false, false, amqp.Table{"x-overflow": "explode"})
		return err
	}, "channel 406 PRECONDITION_FAILED - invalid arg 'x-overflow' for queue 'Q.bad' in vhost '/': invalid_overflow"},
	{"a wrong dead-letter exchange", func(ch *amqp.Channel, q string) error {
		_, err := ch.QueueDeclare(q+".bad", true, false, false, false, amqp.Table{"x-dead-letter-exchange": true})
		return err
	}, "channel 406 PRECONDITION_FAILED - invalid type 'bool' for arg 'x-dead-letter-exchange' in queue 'Q.bad' in vhost '/'"},
	{"an empty expiry", func(ch *amqp.Channel, q string) error {
		_, err := ch.QueueDeclare(q+".bad", true, false, false, false, amqp.Table{"x-expires": int32(0)})
		return err
	}, "channel 406 PRECONDITION_FAILED - invalid arg 'x-expires' for queue 'Q.bad' in vhost '/': {value_zero,0}"},
	{"a queue of no type", func(ch *amqp.Channel, q string) error {
		_, err := ch.QueueDeclare(q+".bad", true, false, false, false, amqp.Table{"x-queue-type": "pile"})
		return err
	}, "channel 406 PRECONDITION_FAILED - invalid arg 'x-queue-type' for queue 'Q.bad' in vhost '/': \"unsupported queue type 'pile'\""},
	{"a negative expiration", func(ch *amqp.Channel, q string) error {
		return ch.PublishWithContext(context.Background(), "", q, false, false, amqp.Publishing{Expiration: "-1"})
	}, "channel 406 PRECONDITION_FAILED - invalid expiration '-1': {value_negative,-1}"},
	{"a priority of no number", func(ch *amqp.Channel, q string) error {
		_, err := ch.Consume(q, "one", false, false, false, false, amqp.Table{"x-priority": "high"})
		return err
	}, "channel 406 PRECONDITION_FAILED - invalid arg 'x-priority' for queue 'Q' in vhost '/': \"expected integer, got longstr\""},
	{"unbind what is not bound", func(ch *amqp.Channel, q string) error { return ch.QueueUnbind(q, "k", "amq.direct", nil) }, "nothing"},
	{"delete what is not there", func(ch *amqp.Channel, q string) error {
		_, err := ch.QueueDelete(q+".none", false, false, false)
		return err
	}, "nothing"},
	{"purge what is not there", func(ch *amqp.Channel, q string) error {
		_, err := ch.QueuePurge(q+".none", false)
		return err
	}, "channel 404 NOT_FOUND - no queue 'Q.none' in vhost '/'"},
}

// mistake makes one and says what the broker did about it.
func (b *bench) mistake(do func(*amqp.Channel, string) error) string {
	c := b.connect()
	ch := b.channel(c)
	q := b.queue(ch, nil)
	onConn, onChannel := c.NotifyClose(make(chan *amqp.Error, 1)), ch.NotifyClose(make(chan *amqp.Error, 1))
	err := do(ch, q)
	if err == nil {
		// Answers come in order: once this has one, so has the mistake, if it gets any.
		_, _ = ch.QueueDeclarePassive(q, false, false, false, false, nil)
	}
	result := "nothing"
	if ch.IsClosed() || err != nil {
		e := <-onChannel
		where := "channel"
		if c.IsClosed() {
			where = "connection"
			e = <-onConn
		}
		// Where a long text is cut depends on the length of the queue's name.
		text, _, _ := strings.Cut(strings.ReplaceAll(e.Reason, q, "Q"), " It could be")
		result = fmt.Sprintf("%s %d %s", where, e.Code, text)
	}
	return result
}
