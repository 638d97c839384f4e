package jsonscan

import "bytes"

// Setting and deleting members of an object. The commas depend on all changes to an object
// together, so they are collected first and become byte edits at once.

// ObjectEdit collects changes to the members of one object and turns them into byte edits.
// Everything else of the object stays as it is: the order, the white space, the spelling of keys
// and of the other values.
//
// The calls for one key do not add up, the last one counts. So they may come in any order, and
// setting a key that was deleted before leaves it in its old place. There should be one ObjectEdit
// per object: two of them that go into the same Edits do not know of each other's commas. Objects
// inside the object may have their own, as long as their member is not set or deleted here.
type ObjectEdit struct {
	obj     Value
	changes []change
	index   map[string]int // of changes by key, once there are many
}

// change is what is to become of one key: a new value, whole or in pieces, or nothing when there is
// neither.
type change struct {
	key    string
	raw    []byte
	pieces [][]byte
}

func (c *change) deletes() bool { return c.raw == nil && c.pieces == nil }

// is reports whether value is the new one.
func (c *change) is(value []byte) bool {
	if c.pieces == nil {
		return string(c.raw) == string(value)
	}
	for _, piece := range c.pieces {
		if !bytes.HasPrefix(value, piece) {
			return false
		}
		value = value[len(piece):]
	}
	return len(value) == 0
}

// EditObject starts an edit of obj. When obj is not an object nothing can be changed: all calls are
// accepted and have no effect.
func EditObject(obj Value) *ObjectEdit { return &ObjectEdit{obj: obj} }

// Reset starts an edit of obj anew, keeping the memory, and nothing of what it held.
func (o *ObjectEdit) Reset(obj Value) {
	clear(o.changes)
	o.obj, o.changes, o.index = obj, o.changes[:0], nil
}

// SetMember makes raw the value of key. When the object has that key, the value is replaced where
// it is (of duplicates the last one, and the others are deleted); otherwise the member is added at
// the end, after those added before it. raw must be one valid JSON value, empty means null; it is
// kept, not copied, and must not change before the edit is written. Keys are compared by text; a
// key that is not valid UTF-8 is added as [AppendString] writes it.
func (o *ObjectEdit) SetMember(key string, raw []byte) {
	if len(raw) == 0 {
		raw = []byte("null")
	}
	o.put(change{key: key, raw: raw})
}

// SetPieces is SetMember with the concatenation of pieces, which it keeps. No pieces mean null.
func (o *ObjectEdit) SetPieces(key string, pieces [][]byte) {
	if len(pieces) == 0 {
		o.SetMember(key, nil)
		return
	}
	o.put(change{key: key, pieces: pieces})
}

// DeleteMember takes the member with that key out, with its comma and the white space before it;
// all of them when there are duplicates, nothing when there is none.
func (o *ObjectEdit) DeleteMember(key string) { o.put(change{key: key}) }

// put records a change, in the place of an earlier one for the same key.
func (o *ObjectEdit) put(c change) {
	if i := o.find(c.key); i >= 0 {
		o.changes[i] = c
		return
	}
	o.changes = append(o.changes, c)
	if o.index != nil {
		o.index[c.key] = len(o.changes) - 1
	} else if len(o.changes) > fewMembers {
		o.index = make(map[string]int, 2*len(o.changes))
		for i, c := range o.changes {
			o.index[c.key] = i
		}
	}
}

// find returns the index of the change for key, -1 if there is none.
func (o *ObjectEdit) find(key string) int {
	if o.index != nil {
		if i, ok := o.index[key]; ok {
			return i
		}
		return -1
	}
	for i := range o.changes {
		if o.changes[i].key == key {
			return i
		}
	}
	return -1
}

// findKey is find for a key of the document; only with many changes does it cost an allocation.
func (o *ObjectEdit) findKey(key Value) int {
	if o.index != nil {
		return o.find(key.Str())
	}
	for i := range o.changes {
		if key.StrIs(o.changes[i].key) {
			return i
		}
	}
	return -1
}

// Changed reports whether the edited object would differ from the original: deleting a missing
// member, or setting one to the bytes it has, is no change.
func (o *ObjectEdit) Changed() bool {
	var e Edits
	o.AppendTo(&e)
	return e.Len() > 0
}

// Bytes returns the edited object, in new memory when Changed, otherwise as by [Value.Raw].
func (o *ObjectEdit) Bytes() []byte {
	raw := o.obj.Raw()
	var e Edits
	o.appendTo(&e, o.obj.Start())
	if e.Len() == 0 {
		return raw
	}
	edited, err := e.Apply(raw)
	if err != nil {
		// The edits of one object are made in order and inside of it, below; anything else is a bug
		// in this file.
		panic(err)
	}
	return edited
}

// AppendTo adds the edits, if any, to e, whose source is the one the object was parsed from. Linear
// in the number of members and changes.
func (o *ObjectEdit) AppendTo(e *Edits) { o.appendTo(e, 0) }

// appendTo adds the edits to e with offsets relative to base.
func (o *ObjectEdit) appendTo(e *Edits, base int) {
	if o.obj.Kind() != Object || len(o.changes) == 0 {
		return
	}
	last := o.lastMembers()
	w := memberWriter{edits: e, base: base, gap: -1}
	for m := o.obj.First(); m.Exists(); m = m.Next() {
		i := o.findKey(m.Key())
		switch {
		case i < 0:
			w.keep(m)
		case o.changes[i].deletes() || last[i] != m:
			w.drop(m)
		default:
			w.keep(m)
			switch c := &o.changes[i]; {
			case c.is(m.Raw()):
			case c.pieces != nil:
				e.ReplaceAll(m.Start()-base, m.End()-base, c.pieces)
			default:
				e.Replace(m.Start()-base, m.End()-base, c.raw)
			}
		}
	}
	w.finish()
	o.appendNew(e, last, w.kept, w.end(o.obj))
}

// lastMembers gives for every change the last member that has its key, Absent for new keys.
func (o *ObjectEdit) lastMembers() []Value {
	last := make([]Value, len(o.changes))
	for m := o.obj.First(); m.Exists(); m = m.Next() {
		if i := o.findKey(m.Key()); i >= 0 {
			last[i] = m
		}
	}
	return last
}

// appendNew inserts new members at offset at. comma reports whether the object has a member
// already.
func (o *ObjectEdit) appendNew(e *Edits, last []Value, comma bool, at int) {
	var added []byte
	for i, c := range o.changes {
		if c.deletes() || last[i].Exists() {
			continue
		}
		if comma {
			added = append(added, ',')
		}
		comma = true
		added = AppendString(added, c.key)
		added = append(added, ':')
		added = append(added, c.raw...)
		if c.pieces != nil {
			e.Replace(at, at, added)
			e.ReplaceAll(at, at, c.pieces)
			added = nil
		}
	}
	if added != nil {
		e.Replace(at, at, added)
	}
}

// memberWriter deletes members together with the right comma, seeing all members of an object in
// order. A run of deleted members after a kept one takes the comma before each of them; a run at
// the beginning takes the comma after each, so that the first kept member moves to the place of
// the first one. Adjacent deletions become one edit.
type memberWriter struct {
	edits *Edits
	base  int   // what to subtract from offsets
	prev  Value // the member before, whatever became of it
	kept  bool  // whether a member so far stays
	gap   int   // where the bytes to be deleted begin, negative when there are none
}

// keep lets m stay.
func (w *memberWriter) keep(m Value) {
	if w.gap >= 0 {
		end := m.Key().Start()
		if w.kept {
			end = w.prev.End()
		}
		w.edits.Replace(w.gap-w.base, end-w.base, nil)
		w.gap = -1
	}
	w.prev, w.kept = m, true
}

// drop deletes m.
func (w *memberWriter) drop(m Value) {
	if w.gap < 0 {
		w.gap = m.Key().Start()
		if w.kept {
			w.gap = w.prev.End()
		}
	}
	w.prev = m
}

// finish writes a deletion that reaches to the last member.
func (w *memberWriter) finish() {
	if w.gap >= 0 {
		w.edits.Replace(w.gap-w.base, w.prev.End()-w.base, nil)
	}
}

// end returns the offset for new members of obj: after its last member, even a deleted one.
func (w *memberWriter) end(obj Value) int {
	if w.prev.Exists() {
		return w.prev.End() - w.base
	}
	return obj.Start() + 1 - w.base
}
