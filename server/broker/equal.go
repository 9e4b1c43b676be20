package broker

import (
	"bytes"
	"fmt"

	"drainlab/server/broker/wire"
)

// equalValues compares values of field tables. Whole numbers are equal whatever
// their width: clients of different languages choose different ones.
func equalValues(a, b any) bool {
	x, okX := wire.Table{{Name: "v", Value: a}}.Int("v")
	y, okY := wire.Table{{Name: "v", Value: b}}.Int("v")
	if okX || okY {
		return okX && okY && x == y
	}
	switch a := a.(type) {
	case []byte:
		b, ok := b.([]byte)
		return ok && bytes.Equal(a, b)
	case wire.Table:
		b, ok := b.(wire.Table)
		return ok && equalTables(a, b)
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equalValues(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	switch b.(type) {
	case []byte, wire.Table, []any: // not comparable with ==
		return false
	}
	return a == b
}

// equalTables compares without regard to order.
func equalTables(a, b wire.Table) bool {
	if len(a) != len(b) {
		return false
	}
	for _, f := range a {
		v, ok := b.Get(f.Name)
		if !ok || !equalValues(f.Value, v) {
			return false
		}
	}
	return true
}

// inequivalent is the error for declaring something again, but differently.
func inequivalent(what, name, vhost, arg string, received, current any) *wire.Error {
	return wire.Errorf(wire.PreconditionFailed, "inequivalent arg '%s' for %s '%s' in vhost '%s': received %s but current is %s",
		arg, what, name, vhost, describe(received), describe(current))
}

// describe writes a value as RabbitMQ does in that error.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case plain:
		return fmt.Sprintf("'%v'", v.v)
	}
	return fmt.Sprintf("the value '%v' of type '%s'", v, typeName(v))
}

// plain is a value that is no argument of a table.
type plain struct{ v any }

// argument is a value of a table, or nil.
func argument(t wire.Table, name string) any {
	v, _ := t.Get(name)
	return v
}
