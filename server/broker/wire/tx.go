package wire

// Methods of class tx (section 1.9): transactions.

// TxSelect is tx.select.
type TxSelect struct{}

// ID is its number.
func (*TxSelect) ID() ID { return IDTxSelect }

func (*TxSelect) walk(*codec) {}

// TxSelectOk is tx.select-ok.
type TxSelectOk struct{}

// ID is its number.
func (*TxSelectOk) ID() ID { return IDTxSelectOk }

func (*TxSelectOk) walk(*codec) {}

// TxCommit is tx.commit.
type TxCommit struct{}

// ID is its number.
func (*TxCommit) ID() ID { return IDTxCommit }

func (*TxCommit) walk(*codec) {}

// TxCommitOk is tx.commit-ok.
type TxCommitOk struct{}

// ID is its number.
func (*TxCommitOk) ID() ID { return IDTxCommitOk }

func (*TxCommitOk) walk(*codec) {}

// TxRollback is tx.rollback.
type TxRollback struct{}

// ID is its number.
func (*TxRollback) ID() ID { return IDTxRollback }

func (*TxRollback) walk(*codec) {}

// TxRollbackOk is tx.rollback-ok.
type TxRollbackOk struct{}

// ID is its number.
func (*TxRollbackOk) ID() ID { return IDTxRollbackOk }

func (*TxRollbackOk) walk(*codec) {}
