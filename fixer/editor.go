package fixer

import (
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
)

// Editor makes the changes of a caller's fixer, and counts them: each method is one change, with
// one warning that says what it removed and added. All indices are those of the given history,
// whatever was changed before, so a fixer is a loop over the history:
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
// out of range panics, which Sanitize turns into an error that names the fixer. A fixer does
// not clear the Native of what it edits: encoders write the fields that changed, and leave out what
// was removed.
type Editor struct {
	history  []preflight.Message
	changed  map[int][]preflight.Message // what is in the place of a message; empty if it was removed
	before   map[int][]preflight.Message // what was inserted before a message, or at the end
	parts    map[int][][]preflight.Part  // what is in the place of each part of a message
	warnings []preflight.Warning
}

// NewEditor returns an Editor of a history.
func NewEditor(history []preflight.Message) *Editor {
	return &Editor{
		history: history, changed: map[int][]preflight.Message{}, before: map[int][]preflight.Message{},
		parts: map[int][][]preflight.Part{},
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

// RemovePart removes part j of message i. It panics if the message was removed, replaced or moved
// before. A message that loses its last part stays: DropEmpty removes it.
func (e *Editor) RemovePart(i, j int, code codes.Code, detail string) {
	e.putPart(i, j, nil, code, detail)
}

// ReplacePart puts p in the place of part j of message i, and panics where RemovePart does.
func (e *Editor) ReplacePart(i, j int, p preflight.Part, code codes.Code, detail string) {
	e.putPart(i, j, []preflight.Part{p}, code, detail)
}

// Insert puts m before message i, and after what was inserted there already. With the length of the
// history for i, it is the last message.
func (e *Editor) Insert(i int, m preflight.Message, code codes.Code, detail string) {
	_ = e.history[:i:len(e.history)] // panics if i is out of range
	e.before[i] = append(e.before[i], m)
	e.warn(e.whole(i), code, detail, preflight.Tally{}, preflight.TallyOf(m))
}

// Move puts what is in the place of message i before message to, as Insert does.
func (e *Editor) Move(i, to int, code codes.Code, detail string) {
	_ = e.history[:to:len(e.history)] // panics if to is out of range
	e.before[to] = append(e.before[to], e.at(i)...)
	e.changed[i] = []preflight.Message{}
	e.warn(e.whole(i), code, detail, preflight.Tally{}, preflight.Tally{})
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

// at returns what is in the place of message i now.
func (e *Editor) at(i int) []preflight.Message {
	if now, ok := e.changed[i]; ok {
		return now
	}
	_ = e.history[i] // panics if i is out of range, also where the slice has room for more
	parts, ok := e.parts[i]
	if !ok {
		return e.history[i : i+1]
	}
	m := e.history[i]
	m.Parts = slices.Concat(parts...)
	return []preflight.Message{m}
}

func (e *Editor) put(i int, now []preflight.Message, code codes.Code, detail string) {
	was := e.at(i)
	e.changed[i] = now
	e.warn(e.whole(i), code, detail, preflight.TallyOf(was...), preflight.TallyOf(now...))
}

func (e *Editor) putPart(i, j int, now []preflight.Part, code codes.Code, detail string) {
	if _, ok := e.changed[i]; ok {
		panic("fixer: an edit of a part of a message that was removed, replaced or moved")
	}
	if e.parts[i] == nil {
		for _, p := range e.history[i].Parts {
			e.parts[i] = append(e.parts[i], []preflight.Part{p})
		}
	}
	was := e.parts[i][j]
	e.parts[i][j] = now
	e.warn(preflight.At(i, j), code, detail, tallyOf(was), tallyOf(now))
	w := &e.warnings[len(e.warnings)-1]
	switch p := e.history[i].Parts[j].(type) {
	case *preflight.ToolCall:
		if p != nil {
			w.ToolCallID = p.ID
		}
	case *preflight.ToolResult:
		if p != nil {
			w.ToolCallID = p.CallID
		}
	}
}

func tallyOf(parts []preflight.Part) preflight.Tally {
	return preflight.TallyOf(preflight.Message{Parts: parts})
}

// whole returns the position of message i, or of the last one for what is inserted at the end.
func (e *Editor) whole(i int) preflight.Position {
	return preflight.At(max(0, min(i, len(e.history)-1)))
}

func (e *Editor) warn(
	at preflight.Position, code codes.Code, detail string, removed, added preflight.Tally,
) {
	e.warnings = append(e.warnings, preflight.Warning{
		Code: code, At: at, Detail: detail, Removed: removed, Added: added,
	})
}
