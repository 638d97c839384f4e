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

// take takes the first open call of a name, or of any name for "", and returns its id; ok is false when there is none.
func (q *callQueue) take(name string) (id string, ok bool) {
	if name != "" {
		return q.pop(q.named, name)
	}
	for q.next < len(q.calls) && q.taken[q.next] {
		q.next++
	}
	if q.next == len(q.calls) {
		return "", false
	}
	q.taken[q.next] = true
	return q.calls[q.next].id, true
}

// pop takes the first open call that an index has under a key.
func (q *callQueue) pop(index map[string][]int, key string) (id string, ok bool) {
	list := index[key]
	for len(list) > 0 && q.taken[list[0]] {
		list = list[1:]
	}
	if len(list) == 0 {
		delete(index, key)
		return "", false
	}
	q.taken[list[0]] = true
	index[key] = list[1:]
	return q.calls[list[0]].id, true
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

func (o *openCalls) take(name string) (id string, ok bool) {
	if id, ok = o.bare.take(name); ok {
		return id, true
	}
	return o.named.take(name)
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

// answered is the id of the call that a result without one answers: one of its name in the turn before it, or in an earlier
// one. "" when there is none.
func (d *decoder) answered(name string) string {
	if name != "" {
		name = d.r.Profile.RepairToolName(name)
	}
	id, ok := d.open.take(name)
	if !ok {
		id, _ = d.earlier.take(name)
	}
	return id
}

// settled notes that the call with an id has a result.
func (d *decoder) settled(id string) {
	if _, ok := d.open.named.pop(d.open.named.byID, id); !ok {
		d.earlier.named.pop(d.earlier.named.byID, id)
	}
}
