package histgen

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
)

// Corruption is one way in which a history breaks. Break returns a broken copy; it writes neither
// to the history nor to its parts, so corruptions compose.
type Corruption struct {
	Name  string
	Break func(t *rapid.T, p *preflight.Profile, history []preflight.Message) []preflight.Message
}

// Corruptions are all the corruptions, by name.
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

// Hostile generates histories without any order: random roles, random parts.
func Hostile() *rapid.Generator[[]preflight.Message] {
	return rapid.Custom(func(t *rapid.T) []preflight.Message {
		n := pick(t, 9, "messages")
		h := make([]preflight.Message, n)
		serial := 0
		for i := range h {
			h[i].Role = drawRole(t)
			for range pick(t, 5, "parts") {
				serial++
				h[i].Parts = append(h[i].Parts, strayPart(t, serial))
			}
		}
		return h
	})
}

// Any generates valid, corrupt and hostile histories.
func Any(p *preflight.Profile, o *preflight.Options) *rapid.Generator[[]preflight.Message] {
	return rapid.OneOf(Corrupt(p, o), Hostile(), Corrupt(p, o))
}

var strayIDs = []string{
	"", " ", "a", "A", " a ", "a|b", "call_0", "call_1", "x.y", "srvtoolu_1", "ü",
	strings.Repeat("i", 60), "\xed\xa0\x80", "n\x00",
}

func drawID(t *rapid.T) string { return rapid.SampledFrom(strayIDs).Draw(t, "id") }

var strayTexts = []string{
	"", " \n", "\u00a0", "hello", "x \n", "\xed\xa0\x80", "a\x00b", "\xff\xfe",
	"\xed\xa0\xbd\x00\xed\xb8\x80", "\u2028<&>", preflight.DefaultDanglingText,
}

func drawText(t *rapid.T) string { return rapid.SampledFrom(strayTexts).Draw(t, "text") }

var strayInputs = []string{
	"", "null", "{}", `{"a":`, `"{\"a\":1}"`, `[1]`, "3", " ", "\xff", "{\"a\":\"\xed\xa0\x80\"}",
	`{"a":"\ud83d"}`, `{"a":"\u0000"}`, `"\"\\\"{}\\\"\""`,
	`{"a":1}{"b":2}`, `{"a":1,"a":2}`, `"unfinished {`, "{'a': 1}", "true", `"   "`, `"null"`,
	`{"\ud800":1}`,
}

func drawInput(t *rapid.T) json.RawMessage {
	return json.RawMessage(rapid.SampledFrom(strayInputs).Draw(t, "input"))
}

var strayRoles = []preflight.Role{
	"system", "user", "assistant", "tool", "developer", "human", "ai", "model", "bot", "function",
	"", "User ", "narrator", "\xff",
}

func drawRole(t *rapid.T) preflight.Role { return rapid.SampledFrom(strayRoles).Draw(t, "role") }

// strayPart is any part at all.
func strayPart(t *rapid.T, serial int) preflight.Part {
	c := func(kind string) preflight.Carried {
		out := tagged(kind + strconv.Itoa(serial))
		if chance(t, 8, "cache") {
			out.Cache = json.RawMessage(oneOf(t, "marker", `{"type":"ephemeral"}`,
				`{"type":"ephemeral","ttl":"1h"}`, `null`))
		}
		return out
	}
	switch pick(t, 9, "stray") {
	case 0:
		return &preflight.Text{Carried: c("t"), Text: drawText(t)}
	case 1:
		return &preflight.Reasoning{
			Carried:   c("r"),
			Text:      drawText(t),
			Signature: oneOf(t, "signature", "", "ok==", "enc:foreign!"),
			Opaque:    oneOf(t, "opaque", "", "blob"),
		}
	case 2, 3:
		return &preflight.ToolCall{
			Carried:          c("c"),
			ID:               drawID(t),
			Name:             oneOf(t, "name", "f", "", " f ", "a.b", strings.Repeat("n", 300)),
			Input:            drawInput(t),
			ProviderExecuted: chance(t, 4, "server"),
			Awaiting:         oneOf(t, "awaiting", "", "", "", preflight.AwaitingClient),
			Variant:          oneOf(t, "variant", "", "", "mcp", "custom"),
		}
	case 4, 5:
		return &preflight.ToolResult{
			Carried:          c("y"),
			CallID:           drawID(t),
			Name:             oneOf(t, "name", "", "f", "a.b"),
			IsError:          chance(t, 3, "error"),
			ProviderExecuted: chance(t, 4, "server"),
			Variant:          oneOf(t, "variant", "", "", "mcp"),
			Output:           drawInput(t),
			Content:          strayContent(t),
		}
	case 6:
		return strayMedia(t, c("m"))
	case 7:
		return &preflight.Other{
			Carried: c("o"),
			Kind:    oneOf(t, "kind", "", "fallback", "container_upload", "new-thing"),
		}
	default:
		return oneOf[preflight.Part](t, "nil", nil, (*preflight.Text)(nil),
			(*preflight.ToolCall)(nil), (*preflight.ToolResult)(nil), (*preflight.Media)(nil),
			(*preflight.Other)(nil), (*preflight.Reasoning)(nil))
	}
}

func strayMedia(t *rapid.T, c preflight.Carried) *preflight.Media {
	return &preflight.Media{
		Carried:   c,
		Kind:      oneOf(t, "kind", "image", "document", "audio", ""),
		MediaType: oneOf(t, "type", "", "image/png", "image/jpeg"),
		Data:      oneOf(t, "data", "", pixel, "JVBERi0=", "%"),
		Name:      oneOf(t, "file", "", "a.pdf", "\xff", "  ", "über/uns?"),
		URL:       oneOf(t, "url", "", "https://example.com"),
	}
}

func strayContent(t *rapid.T) []preflight.Part {
	var content []preflight.Part
	for range pick(t, 3, "content") {
		switch pick(t, 4, "content part") {
		case 0, 1:
			content = append(content, &preflight.Text{Text: drawText(t)})
		case 2:
			content = append(content, strayMedia(t, preflight.Carried{}))
		default:
			content = append(content,
				oneOf[preflight.Part](t, "odd", nil, (*preflight.Text)(nil),
					&preflight.ToolCall{ID: "in", Input: json.RawMessage("\xff")},
					&preflight.ToolResult{
						CallID:  "in",
						Content: []preflight.Part{&preflight.Text{Text: "deep"}},
					}, &preflight.Reasoning{Text: "hm"}, &preflight.Other{Kind: "search_result"}))
		}
	}
	return content
}

// at is the position of a part.
type at struct{ i, j int }

// find lists the parts of a history that want asks for.
func find(h []preflight.Message, want func(preflight.Part) bool) []at {
	var out []at
	for i := range h {
		for j, p := range h[i].Parts {
			if MetaOf(p) != nil && want(p) {
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

// fresh is a tag that no other part of the history has.
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

// moveResult takes a result out and puts it elsewhere, in a message of its own.
func moveResult(t *rapid.T, p *preflight.Profile, h []preflight.Message) []preflight.Message {
	a, ok := drawAt(t, h, isResult)
	if !ok {
		return h
	}
	r := remove(h, a)
	k := a.i + 1
	k += pick(t, len(h)-k+1, "later")
	if chance(t, 5, "earlier") {
		k = pick(t, len(h)+1, "anywhere")
	}
	return slices.Insert(h, k, preflight.Message{Role: resultRole(p), Parts: []preflight.Part{r}})
}

func resultRole(p *preflight.Profile) preflight.Role {
	if p.Pairing.ResultRole == "" {
		return preflight.RoleTool
	}
	return p.Pairing.ResultRole
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

func repeatResult(t *rapid.T, p *preflight.Profile, h []preflight.Message) []preflight.Message {
	a, ok := drawAt(t, h, isResult)
	if !ok {
		return h
	}
	again := cloneOf(h[a.i].Parts[a.j].(*preflight.ToolResult),
		func(r *preflight.ToolResult) { r.Carried = fresh(h, Tag(r)[:1]) })
	if chance(t, 2, "other content") {
		again.Carried = fresh(h, "y")
		again.Content = []preflight.Part{
			&preflight.Text{Carried: tagged("i" + Tag(again)[1:]), Text: "another result"},
		}
		again.Output = nil
	}
	if chance(t, 2, "next to it") {
		insert(h, a, again)
		return h
	}
	k := a.i + 1
	return slices.Insert(h, k+pick(t, len(h)-k+1, "later"),
		preflight.Message{Role: resultRole(p), Parts: []preflight.Part{again}})
}

var placeholderTexts = []string{
	preflight.DefaultDanglingText,
	"No result provided",
	"Tool execution aborted",
	"[Request interrupted by user for tool use]",
	"aborted.",
}

// placeholder answers a call with a stand-in, and lets the real result arrive later.
func placeholder(t *rapid.T, p *preflight.Profile, h []preflight.Message) []preflight.Message {
	a, ok := drawAt(t, h, isResult)
	if !ok {
		return h
	}
	r := h[a.i].Parts[a.j].(*preflight.ToolResult)
	stand := &preflight.ToolResult{
		Carried:          fresh(h, "p"),
		CallID:           r.CallID,
		IsError:          true,
		ProviderExecuted: r.ProviderExecuted,
		Content: []preflight.Part{
			&preflight.Text{Text: rapid.SampledFrom(placeholderTexts).Draw(t, "stand-in")},
		},
	}
	set(h, a, stand)
	k := a.i + 1
	return slices.Insert(h, k+pick(t, len(h)-k+1, "later"),
		preflight.Message{Role: resultRole(p), Parts: []preflight.Part{r}})
}

// restartIDs numbers the calls of every message from zero, and lets the results that follow keep
// up.
func restartIDs(_ *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	ids := map[string]string{}
	for i := range h {
		n := 0
		for j, p := range h[i].Parts {
			switch p := p.(type) {
			case *preflight.ToolCall:
				if p != nil {
					id := "call_" + strconv.Itoa(n)
					n++
					ids[p.ID] = id
					set(h, at{i, j}, cloneOf(p, func(c *preflight.ToolCall) { c.ID = id }))
				}
			case *preflight.ToolResult:
				if p != nil && ids[p.CallID] != "" {
					set(h, at{i, j},
						cloneOf(p, func(r *preflight.ToolResult) { r.CallID = ids[p.CallID] }))
				}
			}
		}
	}
	return h
}

// oneIDTwice gives a call, and maybe its result, the id of another call.
func oneIDTwice(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	a, ok := drawAt(t, h, isCall)
	if !ok {
		return h
	}
	b, _ := drawAt(t, h, isCall)
	from := h[a.i].Parts[a.j].(*preflight.ToolCall).ID
	to := h[b.i].Parts[b.j].(*preflight.ToolCall).ID
	return spell(h, from, to, true, chance(t, 2, "results too"))
}

// spell replaces an id by another on calls, on results, or on both.
func spell(h []preflight.Message, from, to string, calls, results bool) []preflight.Message {
	for i := range h {
		for j, p := range h[i].Parts {
			switch p := p.(type) {
			case *preflight.ToolCall:
				if calls && p != nil && p.ID == from {
					set(h, at{i, j}, cloneOf(p, func(c *preflight.ToolCall) { c.ID = to }))
				}
			case *preflight.ToolResult:
				if results && p != nil && p.CallID == from {
					set(h, at{i, j}, cloneOf(p, func(r *preflight.ToolResult) { r.CallID = to }))
				}
			}
		}
	}
	return h
}

// respellID pads, joins or re-cases an id, or loses it, on one side of the pair or on both.
func respellID(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	a, ok := drawAt(t, h, isCall)
	if !ok {
		return h
	}
	id := h[a.i].Parts[a.j].(*preflight.ToolCall).ID
	to := oneOf(t, "spelling", id+"|fc_1", " "+id, id+"\n", strings.ToUpper(id), "", " ")
	side := pick(t, 3, "side")
	return spell(h, id, to, side != 1, side != 0)
}

// refuseID gives a pair an id with characters or a length that providers refuse.
func refuseID(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	a, ok := drawAt(t, h, isCall)
	if !ok {
		return h
	}
	return spell(h, h[a.i].Parts[a.j].(*preflight.ToolCall).ID, drawID(t), true, true)
}

// collideID gives one pair an id that is refused, and another pair the id that the rewriter makes
// of it.
func collideID(t *rapid.T, p *preflight.Profile, h []preflight.Message) []preflight.Message {
	a, ok := drawAt(t, h, isCall)
	if !ok {
		return h
	}
	b, _ := drawAt(t, h, isCall)
	first := h[a.i].Parts[a.j].(*preflight.ToolCall)
	second := h[b.i].Parts[b.j].(*preflight.ToolCall)
	refused := oneOf(t, "refused id", "x.y", "ü", strings.Repeat("i", 60))
	h = spell(h, first.ID, refused, true, true)
	if first.ID != second.ID {
		h = spell(h, second.ID, rewritten(p, refused), true, true)
	}
	return h
}

// rewritten is the id that the rewriter makes of a refused one.
func rewritten(p *preflight.Profile, id string) string {
	rewriteIDs, _ := preflight.FixerNamed("rewrite-ids")
	out, _ := rewriteIDs.Apply([]preflight.Message{
		{Role: preflight.RoleAssistant, Parts: []preflight.Part{&preflight.ToolCall{ID: id}}},
	}, p, nil)
	return out[0].Parts[0].(*preflight.ToolCall).ID
}

func respellRole(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	i := pick(t, len(h), "message")
	switch h[i].Role {
	case preflight.RoleUser:
		h[i].Role = oneOf[preflight.Role](t, "alias", "human", "USER", " user", "narrator", "")
	case preflight.RoleAssistant:
		h[i].Role = oneOf[preflight.Role](t, "alias", "ai", "model", "bot", "Assistant")
	case preflight.RoleSystem:
		h[i].Role = "developer"
	case preflight.RoleTool:
		h[i].Role = "function"
	}
	return h
}

func wrongRole(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	h[pick(t, len(h), "message")].Role = drawRole(t)
	return h
}

func emptyText(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	c := fresh(h, "e")
	if chance(t, 4, "cache") {
		c.Cache = json.RawMessage(`{"type":"ephemeral"}`)
	}
	x := &preflight.Text{Carried: c, Text: oneOf(t, "blank", "", " ", "\n\t", "\u00a0")}
	if chance(t, 2, "own message") {
		return slices.Insert(h, pick(t, len(h)+1, "where"),
			preflight.Message{Role: drawRole(t), Parts: []preflight.Part{x}})
	}
	insert(h, place(t, h), x)
	return h
}

func emptyMessage(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	m := preflight.Message{Role: drawRole(t)}
	if chance(t, 2, "empty, not nil") {
		m.Parts = []preflight.Part{}
	}
	return slices.Insert(h, pick(t, len(h)+1, "where"), m)
}

func nilPart(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	void := oneOf[preflight.Part](t, "nil", nil, (*preflight.Text)(nil), (*preflight.ToolCall)(nil),
		(*preflight.ToolResult)(nil), (*preflight.Other)(nil))
	if chance(t, 3, "inside a result") {
		return editResult(t, h,
			func(r *preflight.ToolResult) { r.Content = append(slices.Clone(r.Content), void) })
	}
	insert(h, place(t, h), void)
	return h
}

var broken = []string{
	"\xed\xa0\x80", "\xed\xb0\x80", "\xff", "\x00", "\xed\xa0\xbd\xed\xb8\x80", "\xe2\x82",
}

// notUnicode breaks the characters of a part.
func notUnicode(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	a, ok := drawAt(t, h, anyPart)
	if !ok {
		return h
	}
	bad := rapid.SampledFrom(broken).Draw(t, "bytes")
	switch p := h[a.i].Parts[a.j].(type) {
	case *preflight.Text:
		set(h, a, cloneOf(p, func(x *preflight.Text) { x.Text += bad }))
	case *preflight.Reasoning:
		set(h, a, cloneOf(p, func(r *preflight.Reasoning) { r.Text = bad + r.Text }))
	case *preflight.ToolCall:
		raw := oneOf(t, "as", `{"a":"`+bad+`"}`, `{"a":"\ud83d x"}`, `{"a":"\u0000"}`, bad)
		set(h, a, cloneOf(p, func(c *preflight.ToolCall) { c.Input = json.RawMessage(raw) }))
	case *preflight.ToolResult:
		set(h, a, cloneOf(p, func(r *preflight.ToolResult) {
			if chance(t, 2, "output") {
				r.Output = json.RawMessage(`"` + bad + `\udfff"`)
			} else {
				r.Content = append(slices.Clone(r.Content), &preflight.Text{Text: "x" + bad})
			}
		}))
	case *preflight.Media:
		set(h, a, cloneOf(p, func(m *preflight.Media) { m.Name += bad }))
	}
	return h
}

func breakArguments(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	input := drawInput(t)
	if chance(t, 20, "deep") {
		input = json.RawMessage(strings.Repeat(`{"a":`, 20000))
	}
	return editCall(t, h, func(c *preflight.ToolCall) { c.Input = input })
}

func breakReasoning(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	r := &preflight.Reasoning{Carried: fresh(h, "r"), Text: "because"}
	switch pick(t, 5, "reasoning") {
	case 0: // unsigned
	case 1:
		r.Signature = "enc:v1:foreign!"
	case 2:
		r.Text = ""
	case 3:
		r.Signature = "c2ln"
	default:
		r.Text, r.Opaque = "", "blob"
	}
	insert(h, place(t, h), r)
	return h
}

func awaiting(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	return editCall(t, h, func(c *preflight.ToolCall) { c.Awaiting = preflight.AwaitingApproval })
}

func otherKind(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	insert(h, place(t, h), &preflight.Other{
		Carried: fresh(h, "o"),
		Kind:    oneOf(t, "kind", "fallback", "container_upload", "tool_addition", "\xff"),
	})
	return h
}

func breakMedia(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	m := strayMedia(t, fresh(h, "m"))
	if chance(t, 2, "inside a result") {
		return editResult(t, h,
			func(r *preflight.ToolResult) { r.Content = append(slices.Clone(r.Content), m) })
	}
	insert(h, place(t, h), m)
	return h
}

func breakCache(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	for range 1 + pick(t, 6, "breakpoints") {
		a, ok := drawAt(t, h, anyPart)
		if !ok {
			return h
		}
		marker := json.RawMessage(oneOf(t, "marker", `{"type":"ephemeral"}`,
			`{"type":"ephemeral","ttl":"1h"}`))
		set(h, a, withCache(h[a.i].Parts[a.j], marker))
	}
	return h
}

func withCache(p preflight.Part, marker json.RawMessage) preflight.Part {
	switch p := clonePart(p).(type) {
	case *preflight.Text:
		p.Cache = marker
		return p
	case *preflight.Reasoning:
		p.Cache = marker
		return p
	case *preflight.ToolCall:
		p.Cache = marker
		return p
	case *preflight.ToolResult:
		p.Cache = marker
		return p
	case *preflight.Media:
		p.Cache = marker
		return p
	case *preflight.Other:
		p.Cache = marker
		return p
	}
	return p
}

func nest(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	inner := []preflight.Part{
		&preflight.Text{Text: "at the bottom"},
		&preflight.ToolCall{ID: "in", Input: json.RawMessage(`{"a":1}`)},
		&preflight.Reasoning{Text: "hm"},
	}
	for range pick(t, 4, "depth") {
		inner = []preflight.Part{&preflight.ToolResult{CallID: "in", Content: inner}}
	}
	return editResult(t, h,
		func(r *preflight.ToolResult) { r.Content = append(slices.Clone(r.Content), inner...) })
}

func flipServer(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	if chance(t, 2, "result") {
		return editResult(t, h,
			func(r *preflight.ToolResult) { r.ProviderExecuted = !r.ProviderExecuted })
	}
	return editCall(t, h, func(c *preflight.ToolCall) { c.ProviderExecuted = !c.ProviderExecuted })
}

// changeServer makes a call or a result that of a tool which another kind of result answers.
func changeServer(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	kind := oneOf(t, "variant", "", "mcp", "mcp")
	if chance(t, 2, "result") {
		return editResult(t, h, func(r *preflight.ToolResult) { r.Variant = kind })
	}
	return editCall(t, h, func(c *preflight.ToolCall) { c.Variant = kind })
}

func emptyPayload(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	return editResult(t, h, func(r *preflight.ToolResult) {
		r.Output = json.RawMessage(`[{"type":"web_search_result","title":"T",` +
			`"url":"https://example.com","encrypted_content":""}]`)
	})
}

func openServer(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	insert(h, place(t, h), &preflight.ToolCall{
		Carried:          fresh(h, "x"),
		ProviderExecuted: true,
		ID:               oneOf(t, "id", "srvtoolu_open", "ws_1", ""),
		Name:             "web_search",
		Input:            json.RawMessage(`{}`),
		Variant:          oneOf(t, "variant", "", "mcp"),
	})
	return h
}

func insertSystem(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	var p preflight.Part = &preflight.Text{Carried: fresh(h, "s"), Text: "From now on, be brief."}
	if chance(t, 4, "directive") {
		p = &preflight.Other{Carried: fresh(h, "o"), Kind: "tool_addition"}
	}
	return slices.Insert(h, pick(t, len(h)+1, "where"),
		preflight.Message{Role: preflight.RoleSystem, Parts: []preflight.Part{p}})
}

func breakResult(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	return editResult(t, h, func(r *preflight.ToolResult) {
		r.Output, r.IsError = nil, chance(t, 2, "error")
		r.Content = oneOf(t, "content", nil, []preflight.Part{},
			[]preflight.Part{&preflight.Text{}},
			[]preflight.Part{&preflight.Text{Text: " "}, &preflight.Text{Text: "x"}})
	})
}

func breakNames(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	name := oneOf(t, "name", "", " ", "a.b", "a b", " ls ", "ls.", strings.Repeat("n", 300), "\xff",
		"工具")
	switch pick(t, 3, "whose") {
	case 0:
		h[pick(t, len(h), "message")].Name = name
		return h
	case 1:
		return editResult(t, h, func(r *preflight.ToolResult) { r.Name = name })
	}
	return editCall(t, h, func(c *preflight.ToolCall) { c.Name = name })
}

// joinMessages puts the parts of two neighbours into one message.
func joinMessages(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	i := pick(t, len(h), "message")
	if i+1 == len(h) {
		return h
	}
	h[i].Parts = slices.Concat(h[i].Parts, h[i+1].Parts)
	return slices.Delete(h, i+1, i+2)
}

func ephemeral(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	h[pick(t, len(h), "message")].Meta = preflight.Metadata{
		"openai": json.RawMessage(`{"itemId":"msg_1"}`),
		"azure":  json.RawMessage(`{"itemId":1,"keep":1.0}`),
	}
	return h
}
