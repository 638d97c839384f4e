package histgen

import (
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
)

// Corruption is one way in which a history breaks. Break returns a broken copy; it writes neither
// to the history nor to its parts, so corruptions compose.
type Corruption struct {
	Name  string
	Break func(t *rapid.T, p *preflight.Profile, history []preflight.Message) []preflight.Message
}

// Corruptions returns all corruptions, in the order of their names.
func Corruptions() []Corruption { return slices.Clone(corruptions) }

var corruptions = []Corruption{
	{"abort", abort},
	{"trim window", trimWindow},
	{"drop message", dropMessage},
	{"drop part", dropPart},
	{"swap messages", swapMessages},
	{"move message", moveMessage},
	{"move result", moveResult},
	{"move part", movePart},
	{"repeat message", repeatMessage},
	{"repeat result", repeatResult},
	{"placeholder, then the result", placeholder},
	{"ids start again", restartIDs},
	{"one id twice", oneIDTwice},
	{"id spelled otherwise", respellID},
	{"id refused", refuseID},
	{"id collides with a rewritten one", collideID},
	{"role spelled otherwise", respellRole},
	{"wrong role", wrongRole},
	{"empty text", emptyText},
	{"empty message", emptyMessage},
	{"nil part", nilPart},
	{"not Unicode", notUnicode},
	{"arguments", breakArguments},
	{"reasoning", breakReasoning},
	{"awaiting", awaiting},
	{"other kinds", otherKind},
	{"media", breakMedia},
	{"cache breakpoints", breakCache},
	{"nested results", nest},
	{"server tool flag", flipServer},
	{"server tool of another kind", changeServer},
	{"server result emptied", emptyPayload},
	{"open server call", openServer},
	{"system message", insertSystem},
	{"result content", breakResult},
	{"names", breakNames},
	{"joined messages", joinMessages},
	{"ephemeral metadata", ephemeral},
}

// Corrupt generates valid histories that were then broken in up to four ways.
func Corrupt(p *preflight.Profile, o *preflight.Options) *rapid.Generator[[]preflight.Message] {
	return rapid.Custom(func(t *rapid.T) []preflight.Message {
		h := Valid(p, o).Draw(t, "valid")
		for range pick(t, 5, "corruptions") {
			if len(h) == 0 {
				break
			}
			h = rapid.SampledFrom(corruptions).Draw(t, "corruption").Break(t, p, slices.Clone(h))
		}
		return h
	})
}

// Corruption implements fmt.Stringer, so that a failing test names what was drawn.
func (c Corruption) String() string { return c.Name }

// at is the position of a part.
type at struct{ i, j int }

// find lists the parts of a history that want asks for.
func find(h []preflight.Message, want func(preflight.Part) bool) []at {
	var out []at
	for i := range h {
		for j, p := range h[i].Parts {
			if c := preflight.CarriedBy(p); c != nil && c.Meta != nil && want(p) {
				out = append(out, at{i, j})
			}
		}
	}
	return out
}

func anyPart(preflight.Part) bool { return true }

func isCall(p preflight.Part) bool { _, ok := p.(*preflight.ToolCall); return ok }

func isResult(p preflight.Part) bool { _, ok := p.(*preflight.ToolResult); return ok }

// drawAt draws one of the parts that want asks for; ok is false when there is none.
func drawAt(t *rapid.T, h []preflight.Message, want func(preflight.Part) bool) (at, bool) {
	places := find(h, want)
	if len(places) == 0 {
		return at{}, false
	}
	return places[pick(t, len(places), "which part")], true
}

// set puts p in the place of a part.
func set(h []preflight.Message, a at, p preflight.Part) {
	h[a.i].Parts = slices.Clone(h[a.i].Parts)
	h[a.i].Parts[a.j] = p
}

// insert puts p in front of a part.
func insert(h []preflight.Message, a at, p preflight.Part) {
	h[a.i].Parts = slices.Insert(slices.Clone(h[a.i].Parts), a.j, p)
}

// remove takes a part out.
func remove(h []preflight.Message, a at) preflight.Part {
	p := h[a.i].Parts[a.j]
	h[a.i].Parts = slices.Delete(slices.Clone(h[a.i].Parts), a.j, a.j+1)
	return p
}

// place draws a place in front of which a part may be put.
func place(t *rapid.T, h []preflight.Message) at {
	i := pick(t, len(h), "message")
	return at{i, pick(t, len(h[i].Parts)+1, "part")}
}

// editCall changes one tool call that want asks for.
func editCall(
	t *rapid.T,
	h []preflight.Message,
	change func(*preflight.ToolCall),
) []preflight.Message {
	if a, ok := drawAt(t, h, isCall); ok {
		set(h, a, cloneOf(h[a.i].Parts[a.j].(*preflight.ToolCall), change))
	}
	return h
}

func editResult(
	t *rapid.T,
	h []preflight.Message,
	change func(*preflight.ToolResult),
) []preflight.Message {
	if a, ok := drawAt(t, h, isResult); ok {
		set(h, a, cloneOf(h[a.i].Parts[a.j].(*preflight.ToolResult), change))
	}
	return h
}

// fresh returns a tag that no other part of the history has.
func fresh(h []preflight.Message, kind string) preflight.Carried {
	n := 1000
	for i := range h {
		for _, p := range h[i].Parts {
			if tag := Tag(p); len(tag) > 1 {
				if k, err := strconv.Atoi(tag[1:]); err == nil && k >= n {
					n = k + 1
				}
			}
		}
	}
	return tagged(kind + strconv.Itoa(n))
}

// abort cuts the history off, in the middle of a message or of the arguments of a call.
func abort(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	i := pick(t, len(h), "last message")
	h = h[:i+1]
	j := pick(t, len(h[i].Parts)+1, "parts left")
	h[i].Parts = slices.Clone(h[i].Parts[:j])
	if j > 0 && chance(t, 2, "inside the part") {
		switch p := h[i].Parts[j-1].(type) {
		case *preflight.ToolCall:
			if p != nil {
				set(h, at{i, j - 1},
					cloneOf(p, func(c *preflight.ToolCall) { c.Input = c.Input[:len(c.Input)/2] }))
			}
		case *preflight.Text:
			if p != nil {
				set(h, at{i, j - 1},
					cloneOf(p, func(x *preflight.Text) { x.Text = x.Text[:len(x.Text)/2] }))
			}
		}
	}
	return h
}

func trimWindow(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	from := pick(t, len(h), "from")
	to := from + pick(t, len(h)-from+1, "length")
	if chance(t, 2, "keep the ends") {
		return slices.Delete(h, from, to)
	}
	return h[from:to]
}

func dropMessage(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	i := pick(t, len(h), "message")
	return slices.Delete(h, i, i+1)
}

func dropPart(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	if a, ok := drawAt(t, h, anyPart); ok {
		remove(h, a)
	}
	return h
}

func swapMessages(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	i := pick(t, len(h), "message")
	k := (i + 1) % len(h)
	h[i], h[k] = h[k], h[i]
	return h
}

func moveMessage(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	i := pick(t, len(h), "message")
	m := h[i]
	h = slices.Delete(h, i, i+1)
	return slices.Insert(h, pick(t, len(h)+1, "to"), m)
}

func movePart(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	if a, ok := drawAt(t, h, anyPart); ok {
		p := remove(h, a)
		insert(h, place(t, h), p)
	}
	return h
}

// repeatMessage records a message twice: the very same parts, copies of them, or copies with other
// content.
func repeatMessage(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	i := pick(t, len(h), "message")
	m := h[i]
	switch pick(t, 3, "repeat as") {
	case 1:
		m = Clone(h[i : i+1 : i+1])[0]
	case 2:
		m = Clone(h[i : i+1 : i+1])[0]
		for _, p := range m.Parts {
			if x, ok := p.(*preflight.Text); ok && x != nil {
				x.Text += " (edited)"
			}
		}
	}
	return slices.Insert(h, i+1+pick(t, len(h)-i, "where"), m)
}
