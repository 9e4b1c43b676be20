package broker

import "drainlab/server/broker/wire"

// Class tx (section 1.9): publishes and acks that are done together at commit.

// transaction is what a channel did since select, commit or rollback. Its
// deliveries are taken out of the channel's unacked and still count against
// prefetch.
type transaction struct {
	publications []publication
	settlements  []settlement
}

// txSelect is tx.select (1.9.2.1).
func (ch *channel) txSelect() *wire.Error {
	if ch.confirms {
		return wire.Errorf(wire.PreconditionFailed, "cannot switch from confirm to tx mode")
	}
	if ch.tx == nil {
		ch.tx = &transaction{}
	}
	ch.send(&wire.TxSelectOk{})
	return nil
}

// txCommit is tx.commit (1.9.2.3).
func (ch *channel) txCommit() *wire.Error {
	if ch.tx == nil {
		return wire.Errorf(wire.PreconditionFailed, "channel is not transactional")
	}
	t := *ch.tx
	*ch.tx = transaction{}
	for _, p := range t.publications {
		ch.publish(p)
	}
	for _, s := range t.settlements {
		ch.carryOut(s)
	}
	ch.send(&wire.TxCommitOk{})
	return nil
}

// txRollback is tx.rollback (1.9.2.5).
func (ch *channel) txRollback() *wire.Error {
	if ch.tx == nil {
		return wire.Errorf(wire.PreconditionFailed, "channel is not transactional")
	}
	ch.txUndo()
	ch.send(&wire.TxRollbackOk{})
	return nil
}

// txUndo gives up the publishes and makes the deliveries unacknowledged again.
func (ch *channel) txUndo() {
	for _, p := range ch.tx.publications {
		ch.core().release(p.message)
	}
	for _, s := range ch.tx.settlements {
		ch.unacked.putBack(s.deliveries)
	}
	*ch.tx = transaction{}
}
