package casecheck

import "strings"

// This file is about which result answers which call, where the provider looks
// for it, and about which call of the output is which call of the input.

// pair links every call with the results that answer it.
func (v *view) pair() {
	switch v.format {
	case responses:
		v.pairItems()
	case chat:
		v.pairRuns()
	default:
		v.pairTurns()
	}
}

// pairItems: a Responses output answers an earlier call of its id and type.
func (v *view) pairItems() {
	for _, r := range v.results {
		var earlier []*part
		for _, c := range v.calls {
			if c.message < r.message {
				earlier = append(earlier, c)
			}
		}
		v.match(earlier, []*part{r})
	}
}

// pairRuns: the tool messages right behind an assistant message answer it.
func (v *view) pairRuns() {
	for i, m := range v.messages {
		for _, next := range v.messages[i+1:] {
			if next.role != "tool" {
				break
			}
			v.match(only(m.parts, callPart), only(next.parts, resultPart))
		}
	}
}

// pairTurns: the user turn right behind an assistant turn answers it, where
// neighbours of one role are one turn.
func (v *view) pairTurns() {
	type turn struct {
		role  string
		parts []*part
	}
	var turns []turn
	for _, m := range v.messages {
		role := m.role
		if role == "function" || role == "tool" {
			role = "user"
		}
		if n := len(turns); n > 0 && turns[n-1].role == role {
			turns[n-1].parts = append(turns[n-1].parts, m.parts...)
		} else {
			turns = append(turns, turn{role, append([]*part(nil), m.parts...)})
		}
	}
	for i := 1; i < len(turns); i++ {
		if r := turns[i-1].role; (r == "assistant" || r == "model") && turns[i].role == "user" {
			v.match(only(turns[i-1].parts, callPart), only(turns[i].parts, resultPart))
		}
	}
}

// match gives each result to the first call it fits that has none yet.
func (v *view) match(calls, results []*part) {
	for _, r := range results {
		fitting := v.fitting(calls, r)
		r.placed = r.placed || len(fitting) > 0
		for _, c := range fitting {
			if r.call == nil && len(c.answers) == 0 {
				c.answers, r.call = append(c.answers, r), c
			}
		}
	}
}

// fitting lists the calls a result can be for. Gemini falls back to the name.
func (v *view) fitting(calls []*part, r *part) []*part {
	sameID := func(c *part) bool { return r.id.text != "" && c.id == r.id }
	if v.format != gemini {
		return where(calls, func(c *part) bool {
			return sameID(c) && (v.format != responses && r.id.string || answersType(c.typ, r.typ))
		})
	}
	sameName := func(c *part) bool { return c.name == r.name }
	nameless := func(c *part) bool { return sameName(c) && c.id.text == "" }
	if r.id.text == "" {
		return either(where(calls, nameless), where(calls, sameName))
	}
	return either(where(calls, sameID), where(calls, nameless))
}

func answersType(call, output string) bool {
	for _, t := range outputsOf[call] {
		if t == output {
			return true
		}
	}
	return false
}

func only(parts []*part, k kind) []*part {
	return where(parts, func(p *part) bool { return p.kind == k })
}

func where(parts []*part, ok func(*part) bool) []*part {
	var out []*part
	for _, p := range parts {
		if ok(p) {
			out = append(out, p)
		}
	}
	return out
}

func either(a, b []*part) []*part {
	if len(a) > 0 {
		return a
	}
	return b
}

// dangling lists the calls without an answer.
func (v *view) dangling() []*part {
	return where(v.calls, func(c *part) bool { return len(c.answers) == 0 })
}

// orphans lists the results that stand where no call of theirs wants them.
func (v *view) orphans() []*part {
	return where(v.results, func(r *part) bool { return !r.placed })
}

// align finds for every call of in the same call in out. Ids may have been
// rewritten and one of two equal calls may be gone, so the closest likeness goes
// first: same id before new id, and within each the same arguments after the same
// text, then the same arguments, then any.
func align(in, out *view) {
	known := map[ident]bool{}
	for _, c := range in.calls {
		known[c.id] = true
	}
	sameName := func(a, b *part) bool { return strings.TrimSpace(a.name.text) == strings.TrimSpace(b.name.text) }
	identities := []func(a, b *part) bool{
		func(a, b *part) bool { return a.id == b.id && (a.id.text != "" || sameName(a, b)) },
		func(a, b *part) bool { return !known[b.id] && sameName(a, b) },
	}
	likenesses := []func(a, b *part) bool{
		func(a, b *part) bool { return sameArgs(a.args, b.args) && a.lead == b.lead },
		func(a, b *part) bool { return sameArgs(a.args, b.args) },
		func(a, b *part) bool { return true },
	}
	used := map[*part]bool{}
	for _, identity := range identities {
		for _, likeness := range likenesses {
			for _, a := range in.calls {
				for _, b := range out.calls {
					if a.became == nil && !used[b] && identity(a, b) && likeness(a, b) {
						a.became, used[b] = b, true
					}
				}
			}
		}
	}
}

// sameArgs compares arguments; two strings may also be the same JSON.
func sameArgs(a, b any) bool {
	if equal(a, b) {
		return true
	}
	x, ok := parsed(a)
	y, ok2 := parsed(b)
	return ok && ok2 && equal(x, y)
}

// parsed is the value of a string that holds JSON.
func parsed(v any) (any, bool) {
	s, ok := v.(string)
	if !ok {
		return nil, false
	}
	x, err := decode([]byte(s))
	return x, err == nil
}
