package wire

// This file finds the call that a result answers, where calls and results go without ids.

// callQueue holds calls without a result so far, in order. The zero value is empty.
type callQueue struct {
	calls []openCall
	taken []bool
	next  int              // no call before it is open
	named map[string][]int // calls by name, and by id, from the first that may be open
	byID  map[string][]int
}

// openCall is a call as its results may refer to it.
type openCall struct{ id, name string }

func (q *callQueue) add(c openCall) {
	if q.named == nil {
		q.named, q.byID = make(map[string][]int), make(map[string][]int)
	}
	k := len(q.calls)
	q.calls, q.taken = append(q.calls, c), append(q.taken, false)
	q.named[c.name], q.byID[c.id] = append(q.named[c.name], k), append(q.byID[c.id], k)
}

// first is the first open call of a name, or of any name for "", -1 when there is none.
func (q *callQueue) first(name string) int {
	if name != "" {
		return q.find(q.named, name)
	}
	for q.next < len(q.calls) && q.taken[q.next] {
		q.next++
	}
	if q.next == len(q.calls) {
		return -1
	}
	return q.next
}

// find is the first open call that an index has under a key, -1 when there is none.
func (q *callQueue) find(index map[string][]int, key string) int {
	for list := index[key]; len(list) > 0; list = list[1:] {
		if !q.taken[list[0]] {
			return list[0]
		}
		index[key] = list[1:]
	}
	return -1
}

// openCalls are the calls of one turn, or of several, without a result so far. A result without an id rather answers a call
// without one: the others are asked for by theirs.
type openCalls struct{ bare, named callQueue }

func (o *openCalls) add(c openCall) {
	if isNoID(c.id) {
		o.bare.add(c)
	} else {
		o.named.add(c)
	}
}

// first is the first open call of a name, and the queue it stands in; nil when there is none.
func (o *openCalls) first(name string) (*callQueue, int) {
	for _, q := range []*callQueue{&o.bare, &o.named} {
		if k := q.first(name); k >= 0 {
			return q, k
		}
	}
	return nil, -1
}

// find is the open call with an id.
func (o *openCalls) find(id string) (*callQueue, int) {
	q := &o.named
	if isNoID(id) {
		q = &o.bare
	}
	if k := q.find(q.byID, id); k >= 0 {
		return q, k
	}
	return nil, -1
}

// turn begins a turn of the assistant: the calls without a result so far are those of earlier turns.
func (d *decoder) turn() {
	for _, q := range []*callQueue{&d.open.bare, &d.open.named} {
		for k, c := range q.calls {
			if !q.taken[k] {
				d.earlier.add(c)
			}
		}
	}
	d.open = openCalls{}
}

// meant is the call that a result without an id answers: one of its name in the turn before it, or in an earlier one; nil
// when there is none.
func (d *decoder) meant(name string) (*callQueue, int) {
	if name != "" {
		name = d.r.Profile.RepairToolName(name)
	}
	if q, k := d.open.first(name); q != nil {
		return q, k
	}
	return d.earlier.first(name)
}

// answered is the id of that call, which now has its result; "" when there is none.
func (d *decoder) answered(name string) string {
	q, k := d.meant(name)
	if q == nil {
		return ""
	}
	q.taken[k] = true
	return q.calls[k].id
}

// settled notes that the call with an id has a result, and returns the call; its name is "" when there is none.
func (d *decoder) settled(id string) openCall {
	q, k := d.open.find(id)
	if q == nil {
		q, k = d.earlier.find(id)
	}
	if q == nil {
		return openCall{}
	}
	q.taken[k] = true
	return q.calls[k]
}
