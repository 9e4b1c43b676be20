package broker

import (
	"fmt"
	"strconv"
	"time"

	"drainlab/server/broker/wire"
)

// overflow is what happens when a queue is at its maximal length (x-overflow).
type overflow string

const (
	overflowDropHead  overflow = "drop-head"
	overflowReject    overflow = "reject-publish"
	overflowRejectDLX overflow = "reject-publish-dlx"
)

// policy is what a queue's arguments say.
type policy struct {
	ttl       time.Duration // x-message-ttl; -1 is none
	expires   time.Duration // x-expires; 0 is never
	maxLength int64         // x-max-length; -1 is none
	maxBytes  int64         // x-max-length-bytes; -1 is none
	overflow  overflow
	hasDLX    bool
	dlx       string // x-dead-letter-exchange
	dlKey     string // x-dead-letter-routing-key
	hasDLKey  bool
	single    bool // x-single-active-consumer
}

func (p *policy) rejects() bool {
	return p.overflow == overflowReject || p.overflow == overflowRejectDLX
}

// maxMillis is the longest time that RabbitMQ takes for a TTL or an expiry.
const maxMillis = 1<<32 - 1

// parsePolicy reads the arguments of queue.declare; others are ignored, as
// RabbitMQ does for what it has no policy for. queue is for the error's text.
func parsePolicy(args wire.Table, vhost, queue string) (policy, *wire.Error) {
	p := policy{ttl: -1, maxLength: -1, maxBytes: -1, overflow: overflowDropHead}
	invalid := func(name, why string) *wire.Error {
		return wire.Errorf(wire.PreconditionFailed, "invalid arg '%s' for queue '%s' in vhost '%s': %s", name, queue, vhost, why)
	}
	wrongType := func(f wire.Field) *wire.Error {
		return wire.Errorf(wire.PreconditionFailed, "invalid type '%s' for arg '%s' in queue '%s' in vhost '%s'", typeName(f.Value), f.Name, queue, vhost)
	}
	for _, f := range args {
		n, isInt := args.Int(f.Name)
		s, isString := f.Value.(string)
		b, isBool := f.Value.(bool)
		switch f.Name {
		case "x-message-ttl", "x-expires", "x-max-length", "x-max-length-bytes":
			isTime := f.Name == "x-message-ttl" || f.Name == "x-expires"
			switch {
			case !isInt:
				return p, invalid(f.Name, `"expected integer, got `+typeName(f.Value)+`"`)
			case n < 0:
				return p, invalid(f.Name, fmt.Sprintf("{value_negative,%d}", n))
			case n == 0 && f.Name == "x-expires":
				return p, invalid(f.Name, "{value_zero,0}")
			case isTime && n > maxMillis:
				return p, invalid(f.Name, fmt.Sprintf("{value_too_big,%d}", n))
			}
			switch f.Name {
			case "x-message-ttl":
				p.ttl = time.Duration(n) * time.Millisecond
			case "x-expires":
				p.expires = time.Duration(n) * time.Millisecond
			case "x-max-length":
				p.maxLength = n
			default:
				p.maxBytes = n
			}
		case "x-dead-letter-exchange":
			if !isString {
				return p, wrongType(f)
			}
			p.dlx, p.hasDLX = s, true
		case "x-dead-letter-routing-key":
			if !isString {
				return p, wrongType(f)
			}
			p.dlKey, p.hasDLKey = s, true
		case "x-overflow":
			o := overflow(s)
			if o != overflowDropHead && o != overflowReject && o != overflowRejectDLX {
				return p, invalid(f.Name, "invalid_overflow")
			}
			p.overflow = o
		case "x-single-active-consumer":
			if !isBool {
				return p, wrongType(f)
			}
			p.single = b
		case "x-queue-type":
			if s != "classic" {
				return p, invalid(f.Name, fmt.Sprintf(`"unsupported queue type '%v'"`, f.Value))
			}
		}
	}
	if p.hasDLKey && !p.hasDLX {
		return p, invalid("x-dead-letter-routing-key", "routing_key_but_no_dlx_defined")
	}
	return p, nil
}

// typeName is how RabbitMQ names the type of a table's value.
func typeName(v any) string {
	switch v.(type) {
	case bool:
		return "bool"
	case int8:
		return "byte"
	case uint8:
		return "unsignedbyte"
	case int16:
		return "short"
	case uint16:
		return "unsignedshort"
	case int32:
		return "signedint"
	case uint32:
		return "unsignedint"
	case int64:
		return "long"
	case float32:
		return "float"
	case float64:
		return "double"
	case string:
		return "longstr"
	case []byte:
		return "binary"
	case wire.Timestamp:
		return "timestamp"
	case wire.Decimal:
		return "decimal"
	case wire.Table:
		return "table"
	case []any:
		return "array"
	}
	return "void"
}

// expiration is a message's own TTL; ok is false when it has none.
func expiration(p *wire.Properties) (ttl time.Duration, ok bool, err *wire.Error) {
	if p.Present&wire.HasExpiration == 0 {
		return 0, false, nil
	}
	n, bad := strconv.ParseInt(p.Expiration, 10, 64)
	why := ""
	switch {
	case bad != nil:
		why = "no_integer"
	case n < 0:
		why = fmt.Sprintf("{value_negative,%d}", n)
	case n > maxMillis:
		why = fmt.Sprintf("{value_too_big,%d}", n)
	default:
		return time.Duration(n) * time.Millisecond, true, nil
	}
	return 0, false, wire.Errorf(wire.PreconditionFailed, "invalid expiration '%s': %s", p.Expiration, why)
}
