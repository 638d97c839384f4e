package pairing

import "slices"

// LeaveOut takes a step out of a ladder, until it is put back. There is none if putBack is nil.
func LeaveOut(names bool, k int) (putBack func()) {
	from := &ladder
	if names {
		from = &nameLadder
	}
	whole := *from
	if k >= len(whole) {
		return nil
	}
	*from = slices.Delete(slices.Clone(whole), k, k+1)
	return func() { *from = whole }
}
