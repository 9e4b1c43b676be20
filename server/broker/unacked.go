package broker

import "container/list"

// delivery is a message that a client has and has not settled.
type delivery struct {
	tag      uint64
	entry    *entry
	queue    *queue
	consumer *consumer // nil after basic.get
	limited  bool      // counts against prefetch
}

// unacked is a channel's deliveries by ascending tag, each found at once.
type unacked struct {
	order *list.List // of *delivery
	byTag map[uint64]*list.Element
}

func newUnacked() unacked { return unacked{list.New(), map[uint64]*list.Element{}} }

func (u *unacked) add(d *delivery) { u.byTag[d.tag] = u.order.PushBack(d) }

// putBack returns deliveries, by ascending tag, to their places.
func (u *unacked) putBack(ds []*delivery) {
	at := u.order.Front()
	for _, d := range ds {
		for at != nil && at.Value.(*delivery).tag < d.tag {
			at = at.Next()
		}
		if at == nil {
			u.add(d)
		} else {
			u.byTag[d.tag] = u.order.InsertBefore(d, at)
		}
	}
}

// take removes and returns the delivery of that tag, with multiple also all
// before it; tag 0 with multiple is all (section 1.8.3.13). ok is false, and
// nothing is removed, when there is none of that tag.
func (u *unacked) take(tag uint64, multiple bool) (ds []*delivery, ok bool) {
	if multiple && tag == 0 {
		return u.takeAll(), true
	}
	e := u.byTag[tag]
	if e == nil {
		return nil, false
	}
	if !multiple {
		delete(u.byTag, tag)
		return []*delivery{u.order.Remove(e).(*delivery)}, true
	}
	for done := false; !done; {
		first := u.order.Front()
		done = first == e
		d := u.order.Remove(first).(*delivery)
		delete(u.byTag, d.tag)
		ds = append(ds, d)
	}
	return ds, true
}

func (u *unacked) takeAll() []*delivery {
	ds := make([]*delivery, 0, u.order.Len())
	for e := u.order.Front(); e != nil; e = e.Next() {
		ds = append(ds, e.Value.(*delivery))
	}
	*u = newUnacked()
	return ds
}
