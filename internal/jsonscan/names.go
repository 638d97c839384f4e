package jsonscan

// Names is a set of member names. The zero value is empty. It is read-only once made, and can be
// used by several goroutines.
type Names struct {
	list  []string
	set   map[string]bool
	mayBe [nameSlots]bool // by slotOf the tags of the names
}

const nameSlots = 256

// NewNames returns the set of the names in list, which it keeps.
func NewNames(list ...string) Names {
	n := Names{list: list, set: make(map[string]bool, len(list))}
	for _, name := range list {
		n.set[name] = true
		n.mayBe[slotOf(tagOf(name))] = true
	}
	return n
}

// List returns the names in the order in which NewNames got them. It must not be modified.
func (n *Names) List() []string { return n.list }

// Has reports whether the text of key, a key of an object, is in the set. A key without escapes
// costs no allocation.
func (n *Names) Has(key Value) bool {
	k := key.node()
	switch {
	case kindOf(k) != String:
		return false
	case flagsOf(k)&HasEscape != 0:
		return n.set[key.Str()]
	}
	return n.mayBe[slotOf(k.info>>countShift)] && n.set[string(key.doc.content(k))]
}

// slotOf spreads tags over the slots.
func slotOf(tag uint32) uint8 { return uint8(tag ^ tag>>8 ^ tag>>15) }
