package tap

import "sort"

// delivery is a message that the program has and has not settled.
type delivery struct {
	tag     uint64
	message string
	queue   string // at the broker
}

// held is a channel's deliveries by ascending tag, as they came.
type held []delivery

func (h *held) add(d delivery) { *h = append(*h, d) }

// take removes and returns the delivery of that tag, with multiple all up to
// it; tag 0 with multiple is all (section 1.8.3.13).
func (h *held) take(tag uint64, multiple bool) []delivery {
	if multiple && tag == 0 {
		return h.takeAll()
	}
	i := sort.Search(len(*h), func(i int) bool { return (*h)[i].tag >= tag })
	if i == len(*h) || (*h)[i].tag != tag {
		return nil // the broker will close the channel for it
	}
	from := i
	if multiple {
		from = 0
	}
	ds := append([]delivery(nil), (*h)[from:i+1]...)
	*h = append((*h)[:from], (*h)[i+1:]...)
	return ds
}

func (h *held) takeAll() []delivery {
	ds := *h
	*h = nil
	return ds
}
