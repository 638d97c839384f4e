package wire

import (
	"reflect"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file finds out which messages of a request its user edited in place.

// again decodes the body of r again, and returns messages with what was decoded in the place of
// those that equal it. So edits of r.Messages and their parts in place are found.
func (r *Request) again(messages []preflight.Message) (*Request, []preflight.Message) {
	fresh, err := new(Request).decodeBody(r.body, &Options{
		Provider: r.Provider, Model: r.Model, Portable: r.portable, Betas: r.betas,
		Measured: r.measured,
	}, (*jsonscan.Doc).ShareStrings) // it is gone when the body is written
	if err != nil || fresh.format != r.format { // both as when it was decoded first
		return r, messages
	}
	fresh.Profile, fresh.State = r.Profile, r.State
	out := slices.Clone(messages)
	same := len(messages) == len(fresh.Messages)
	for i := range out {
		s := fresh.sourceOf(&out[i], min(i, len(fresh.sources)))
		if s >= 0 && reflect.DeepEqual(out[i], fresh.Messages[s]) {
			out[i] = fresh.Messages[s]
			same = same && s == i
		} else {
			same = false
		}
	}
	if same {
		return fresh, fresh.Messages
	}
	return fresh, out
}
