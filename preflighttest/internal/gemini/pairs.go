package gemini

import (
	"slices"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Calls and responses: where they are, and how many.

// turnOf returns the calls of the model's turn that ends right before content
// i: of its last content, and of those before that one as long as all of them
// hold calls.
func (g *request) turnOf(i int) (calls []part) {
	from := i
	for from > 0 && g.contents[from-1].models() && len(g.contents[from-1].calls()) > 0 {
		from--
	}
	for _, c := range g.contents[from:i] {
		calls = append(calls, c.calls()...)
	}
	return calls
}

// callPlacement takes contents with signed calls one after the other for
// one turn: 3-flash did. One that opens with an unsigned call is a step of its
// own, and refused: googleapis/js-genai#1275, googleapis/go-genai#692.
func callPlacement(r *fake.Request, found fake.Found) {
	g := opened(r)
	for i, c := range g.contents {
		if len(c.calls()) == 0 {
			continue
		}
		if i == 0 || !c.models() {
			found(c.path)
		} else if before := g.contents[i-1]; before.models() && !before.unknown() && !c.unknown() &&
			(len(before.calls()) == 0 || c.calls()[0].signature() == "") {
			found(c.path)
		}
	}
}

// responsePlacement wants no content between the calls and the
// responses, and no response to a call from elsewhere. Of a further response to a
// call that the model's content answers itself nothing is known.
func responsePlacement(r *fake.Request, found fake.Found) {
	g := opened(r)
	for i, c := range g.contents {
		responses := c.responses()
		if len(responses) == 0 {
			continue
		}
		calls := g.turnOf(i)
		known := slices.ContainsFunc(responses, func(p part) bool { return !g.again(p, i) })
		switch {
		case c.models() && c.unknown(): // which may be the call
		case c.models(), len(calls) == 0 && known:
			found(c.path)
		case len(calls) > 0:
			strangers(calls, responses, func(p part) {
				if !g.again(p, i) {
					found(p.path)
				}
			})
		}
	}
}

// again reports whether a response in content i may be a further one to a call that a content
// before it answers itself, or one to a call that nobody knows.
func (g *request) again(response part, i int) bool {
	return slices.ContainsFunc([]string{"id", "name"}, func(name string) bool {
		v := read.Text(response.response[name])
		return g.served.To(i-1, v) || g.unknown.To(i, v)
	})
}

// mayBeAnswered reports whether a part of content i or a later one may be the response to a call.
func (g *request) mayBeAnswered(call part, i int) bool {
	return g.unknown.From(i, read.Text(call.call["id"])) ||
		g.unknown.From(i, read.Text(call.call["name"]))
}

// strangers calls f for the responses whose ids are not those of the
// calls. One whose id no call has belongs to a call of its name without an id,
// for which a response without an id comes first, or else with any call without
// an id. A response without an id belongs to any call, which its name has to tell.
func strangers(calls, responses []part, f func(p part)) {
	type key struct{ id, name string }
	open, ids, known := map[key]int{}, map[string]int{}, map[string]bool{}
	for _, p := range calls {
		open[key{read.Text(p.call["id"]), read.Text(p.call["name"])}]++
		ids[read.Text(p.call["id"])]++
		known[read.Text(p.call["id"])] = true
	}
	var others []part
	for _, p := range responses {
		if k := (key{read.Text(p.response["id"]), read.Text(p.response["name"])}); open[k] > 0 {
			open[k]--
			ids[k.id]--
		} else {
			others = append(others, p)
		}
	}
	for _, p := range others {
		switch id, bare := read.Text(p.response["id"]), (key{"", read.Text(p.response["name"])}); {
		case id == "":
		case read.BlankID(id): // no call has it
			f(p)
		case ids[id] > 0:
			ids[id]--
		case known[id]: // a further response to that call
			f(p)
		case open[bare] > 0:
			open[bare]--
			ids[""]--
		case ids[""] > 0:
			ids[""]-- // nothing about the call says that it is another's
		default:
			f(p)
		}
	}
}

// count leaves responses without calls to their placement.
func count(r *fake.Request, found fake.Found) {
	g := opened(r)
	for i, c := range g.contents {
		if len(c.calls()) == 0 {
			continue
		}
		if i+1 < len(g.contents) && g.contents[i+1].models() && len(g.contents[i+1].calls()) > 0 {
			continue // the turn continues
		}
		calls := g.turnOf(i + 1)
		excused := selectParts(calls, func(p part) bool { return g.mayBeAnswered(p, i) })
		if i+1 == len(g.contents) {
			if len(excused) < len(calls) {
				found(c.path)
			}
			continue
		}
		next := g.contents[i+1]
		n := len(next.responses())
		if n == 0 && g.model.second() && !next.models() && len(next.parts) > 0 {
			continue // recorded on both: googleapis/js-genai, Chats_Tests_chats_function_calling
		}
		again := selectParts(next.responses(), func(p part) bool { return g.again(p, i+1) })
		if surplus := n - len(calls); surplus < -len(excused) || surplus > len(again) {
			found(next.path)
		}
	}
}
