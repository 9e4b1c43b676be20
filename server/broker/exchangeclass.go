package broker

import (
	"strings"

	"drainlab/server/broker/wire"
)

// Class exchange (section 1.6): declaring and deleting exchanges, and binding
// them to each other, which is RabbitMQ's.

// exchangeDeclare is exchange.declare (1.6.2.1).
func (ch *channel) exchangeDeclare(m *wire.ExchangeDeclare) *wire.Error {
	v := ch.vhost()
	if m.Passive {
		if _, err := v.exchange(m.Exchange); err != nil {
			return err
		}
		ch.reply(m.NoWait, &wire.ExchangeDeclareOk{})
		return nil
	}
	if m.Exchange == "" {
		return errDefaultExchange()
	}
	switch m.Type {
	case "direct", "fanout", "topic", "headers":
	default:
		return wire.Errorf(wire.CommandInvalid, "unknown exchange type '%s'", m.Type)
	}
	if x := v.exchanges[m.Exchange]; x != nil {
		if err := x.equivalent(m); err != nil {
			return err
		}
		ch.reply(m.NoWait, &wire.ExchangeDeclareOk{})
		return nil
	}
	if strings.HasPrefix(m.Exchange, "amq.") {
		return wire.Errorf(wire.AccessRefused, "exchange name '%s' contains reserved prefix 'amq.*'", m.Exchange)
	}
	c := ch.core()
	if c.exchanges >= c.opt.Limits.Exchanges {
		return wire.Errorf(wire.ResourceError, "the limit of %d exchanges is reached", c.opt.Limits.Exchanges)
	}
	if err := checkExchangeArguments(m, v); err != nil {
		return err
	}
	c.exchanges++
	v.exchanges[m.Exchange] = &exchange{vhost: v, name: m.Exchange, kind: m.Type, durable: m.Durable, autoDelete: m.AutoDelete,
		internal: m.Internal, args: m.Arguments, alternate: m.Arguments.String("alternate-exchange")}
	ch.reply(m.NoWait, &wire.ExchangeDeclareOk{})
	return nil
}

func checkExchangeArguments(m *wire.ExchangeDeclare, v *vhost) *wire.Error {
	if alt := argument(m.Arguments, "alternate-exchange"); alt != nil {
		if _, ok := alt.(string); !ok {
			return wire.Errorf(wire.PreconditionFailed, "invalid type '%s' for arg 'alternate-exchange' in exchange '%s' in vhost '%s'", typeName(alt), m.Exchange, v.name)
		}
	}
	return nil
}

func errDefaultExchange() *wire.Error {
	return wire.Errorf(wire.AccessRefused, "operation not permitted on the default exchange")
}

func (x *exchange) equivalent(m *wire.ExchangeDeclare) *wire.Error {
	differs := func(arg string, received, current any) *wire.Error {
		return inequivalent("exchange", x.name, x.vhost.name, arg, received, current)
	}
	alt, now := argument(m.Arguments, "alternate-exchange"), argument(x.args, "alternate-exchange")
	switch {
	case x.kind != m.Type:
		return differs("type", plain{m.Type}, plain{x.kind})
	case x.durable != m.Durable:
		return differs("durable", plain{m.Durable}, plain{x.durable})
	case x.autoDelete != m.AutoDelete:
		return differs("auto_delete", plain{m.AutoDelete}, plain{x.autoDelete})
	case x.internal != m.Internal:
		return differs("internal", plain{m.Internal}, plain{x.internal})
	case !equalValues(alt, now):
		return differs("alternate-exchange", alt, now)
	}
	return nil
}

// exchangeDelete is exchange.delete (1.6.2.3). Deleting what is not there is
// done already.
func (ch *channel) exchangeDelete(m *wire.ExchangeDelete) *wire.Error {
	v := ch.vhost()
	if m.Exchange == "" {
		return errDefaultExchange()
	}
	if strings.HasPrefix(m.Exchange, "amq.") {
		return wire.Errorf(wire.AccessRefused, "deletion of system exchange '%s' in vhost '%s' not allowed", m.Exchange, v.name)
	}
	if x := v.exchanges[m.Exchange]; x != nil {
		if m.IfUnused && len(x.from) > 0 {
			return wire.Errorf(wire.PreconditionFailed, "exchange '%s' in vhost '%s' in use", x.name, v.name)
		}
		x.delete()
	}
	ch.reply(m.NoWait, &wire.ExchangeDeleteOk{})
	return nil
}

func (ch *channel) exchangeBinding(source, destination, key string, args wire.Table) (*binding, *wire.Error) {
	if source == "" || destination == "" {
		return nil, errDefaultExchange()
	}
	from, err := ch.vhost().exchange(source)
	if err != nil {
		return nil, err
	}
	to, err := ch.vhost().exchange(destination)
	if err != nil {
		return nil, err
	}
	return &binding{source: from, target: to, key: key, args: args}, nil
}

// exchangeBind is RabbitMQ's exchange.bind.
func (ch *channel) exchangeBind(m *wire.ExchangeBind) *wire.Error {
	b, err := ch.exchangeBinding(m.Source, m.Destination, m.RoutingKey, m.Arguments)
	if err == nil {
		err = b.add()
	}
	if err != nil {
		return err
	}
	ch.reply(m.NoWait, &wire.ExchangeBindOk{})
	return nil
}

// exchangeUnbind is RabbitMQ's exchange.unbind; as queueUnbind, it takes what is
// not there for unbound.
func (ch *channel) exchangeUnbind(m *wire.ExchangeUnbind) *wire.Error {
	b, err := ch.exchangeBinding(m.Source, m.Destination, m.RoutingKey, m.Arguments)
	if err != nil && err.Code != wire.NotFound {
		return err
	}
	if err == nil {
		if b = b.source.find(b); b != nil {
			b.remove()
		}
	}
	ch.reply(m.NoWait, &wire.ExchangeUnbindOk{})
	return nil
}
