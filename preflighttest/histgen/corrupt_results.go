package histgen

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/pairing"
)

// This file corrupts ids, calls and results.

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
	pairing.DanglingText,
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

// rewritten returns the id that the rewriter makes of a refused one.
func rewritten(p *preflight.Profile, id string) string {
	out, _ := preflight.Fixers.RewriteIDs.Apply([]preflight.Message{
		{Role: preflight.RoleAssistant, Parts: []preflight.Part{&preflight.ToolCall{ID: id}}},
	}, p, nil)
	return out[0].Parts[0].(*preflight.ToolCall).ID
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

func breakResult(t *rapid.T, _ *preflight.Profile, h []preflight.Message) []preflight.Message {
	return editResult(t, h, func(r *preflight.ToolResult) {
		r.Output, r.IsError = nil, chance(t, 2, "error")
		r.Content = oneOf(t, "content", nil, []preflight.Part{},
			[]preflight.Part{&preflight.Text{}},
			[]preflight.Part{&preflight.Text{Text: " "}, &preflight.Text{Text: "x"}})
	})
}
