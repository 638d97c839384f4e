package fixer

import (
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
)

// Editor makes the changes of a caller's fixer, and counts them: each method is one change, with one
// warning that says what it removed and added. All indices are those of the given history, whatever
// was changed before, so a fixer is a loop over the history:
//
//	edit := fixer.NewEditor(history)
//	for i, m := range history {
//		if m.Name == "listing" {
//			edit.Remove(i, "listing-removed", "removed a directory listing")
//		}
//	}
//	return edit.Result()
//
// An Editor is for one goroutine and one history. It never writes to the history. An index that is
// out of range panics, which Sanitize turns into an error that names the fixer.
type Editor struct {
	history  []preflight.Message
	changed  map[int][]preflight.Message // what is in the place of a message; empty if it was removed
	before   map[int][]preflight.Message // what was inserted before a message, or at the end
	warnings []preflight.Warning
}

// NewEditor returns an Editor of a history.
func NewEditor(history []preflight.Message) *Editor {
	return &Editor{
		history: history, changed: map[int][]preflight.Message{}, before: map[int][]preflight.Message{},
	}
}

// Remove removes message i.
func (e *Editor) Remove(i int, code codes.Code, detail string) {
	e.put(i, nil, code, detail)
}

// Replace puts m in the place of message i.
func (e *Editor) Replace(i int, m preflight.Message, code codes.Code, detail string) {
	e.put(i, []preflight.Message{m}, code, detail)
}

// Insert puts m before message i, and after what was inserted there already. With the length of the
// history for i, it is the last message.
func (e *Editor) Insert(i int, m preflight.Message, code codes.Code, detail string) {
	_ = e.history[:i:len(e.history)] // panics if i is out of range
	e.before[i] = append(e.before[i], m)
	e.warn(i, code, detail, preflight.Tally{}, preflight.TallyOf(m))
}

// Move puts what is in the place of message i before message to, as Insert does.
func (e *Editor) Move(i, to int, code codes.Code, detail string) {
	_ = e.history[:to:len(e.history)] // panics if to is out of range
	e.before[to] = append(e.before[to], e.at(i)...)
	e.changed[i] = []preflight.Message{}
	e.warn(i, code, detail, preflight.Tally{}, preflight.Tally{})
}

// Result returns the edited history and the warnings: what the Fix func of a Fixer returns. Without
// a change it is the given history itself.
func (e *Editor) Result() ([]preflight.Message, []preflight.Warning) {
	if len(e.warnings) == 0 {
		return e.history, nil
	}
	out := make([]preflight.Message, 0, len(e.history))
	for i := range e.history {
		out = append(append(out, e.before[i]...), e.at(i)...)
	}
	out = append(out, e.before[len(e.history)]...)
	return slices.Clip(out), e.warnings
}

// at is what is in the place of message i now.
func (e *Editor) at(i int) []preflight.Message {
	if now, ok := e.changed[i]; ok {
		return now
	}
	_ = e.history[i] // panics if i is out of range, also where the slice has room for more
	return e.history[i : i+1]
}

func (e *Editor) put(i int, now []preflight.Message, code codes.Code, detail string) {
	was := e.at(i)
	e.changed[i] = now
	e.warn(i, code, detail, preflight.TallyOf(was...), preflight.TallyOf(now...))
}

func (e *Editor) warn(i int, code codes.Code, detail string, removed, added preflight.Tally) {
	i = max(0, min(i, len(e.history)-1)) // what is inserted at the end is reported at the last message
	e.warnings = append(e.warnings, preflight.Warning{
		Code: code, At: preflight.At(i), Detail: detail, Removed: removed, Added: added,
	})
}
