package spec

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/pairing"
)

// resultFault is one thing that happens to the results of a session.
type resultFault struct {
	name   string
	happen func(*faultySession)
}

// String names what happened in a failing test.
func (s resultFault) String() string { return s.name }

var resultFaults = []resultFault{
	{"late", func(s *faultySession) {
		if r, at, ok := s.drawResult(); ok {
			s.put(at, nil)
			s.insert(s.later(at.message-1), r)
		}
	}},
	{"early", func(s *faultySession) {
		if r, at, ok := s.drawResult(); ok {
			s.put(at, nil)
			s.insert(s.pick(at.message+1, "earlier"), r)
		}
	}},
	{"placeholder, then the result", func(s *faultySession) {
		if r, at, ok := s.drawResult(); ok {
			stand := *r
			texts := []string{
				pairing.DanglingText,
				"No result provided",
				"Tool execution aborted",
			}
			text := rapid.SampledFrom(texts).Draw(s.t, "placeholder")
			stand.Output, stand.IsError = nil, s.pick(2, "flagged") == 0
			stand.Content = []preflight.Part{&preflight.Text{Text: text}}
			s.put(at, &stand)
			s.insert(s.later(at.message), r)
		}
	}},
	{"a different result", func(s *faultySession) {
		if r, at, ok := s.drawResult(); ok {
			s.say(r, s.pick(3, "error") == 0)
			s.insert(s.later(at.message), r)
		}
	}},
	{"an error, then the result", func(s *faultySession) {
		if r, at, ok := s.drawResult(); ok {
			failed := *r
			s.say(&failed, true)
			s.put(at, &failed)
			s.insert(s.later(at.message), r)
		}
	}},
	{"a copy", func(s *faultySession) {
		if r, at, ok := s.drawResult(); ok {
			s.insert(s.later(at.message), r)
		}
	}},
	{"a message twice", func(s *faultySession) {
		i := s.pick(len(s.h), "message")
		s.h = slices.Insert(s.h, s.later(i), s.h[i])
	}},
	{"a result's id spelled otherwise", func(s *faultySession) {
		if r, at, ok := s.drawResult(); ok && r.CallID != "" {
			r.CallID = s.spelled(r.CallID)
			s.put(at, r)
		}
	}},
	{"a call's id spelled otherwise", func(s *faultySession) {
		if at, ok := s.drawPart(isClientCall); ok {
			c := *s.h[at.message].Parts[at.part].(*preflight.ToolCall)
			if c.ID != "" {
				c.ID = s.spelled(c.ID)
				s.put(at, &c)
			}
		}
	}},
	{"a result without an id", func(s *faultySession) {
		if r, at, ok := s.drawResult(); ok {
			r.CallID = rapid.SampledFrom([]string{"", " "}).Draw(s.t, "blank")
			s.put(at, r)
		}
	}},
	{"a result with an id of its own", func(s *faultySession) {
		if r, at, ok := s.drawResult(); ok {
			r.CallID = fmt.Sprintf("other_%d", s.pick(3, "id"))
			s.put(at, r)
		}
	}},
	{"split", func(s *faultySession) {
		i := s.pick(len(s.h), "message")
		if n := len(s.h[i].Parts); n > 1 && spelledRole(s.h[i].Role) != preflight.RoleAssistant {
			k := 1 + s.pick(n-1, "at")
			head, tail := s.h[i], s.h[i]
			head.Parts, tail.Parts = slices.Clone(head.Parts[:k]), slices.Clone(tail.Parts[k:])
			more := []preflight.Message{head}
			if s.pick(2, "text between") == 0 {
				said := preflight.Text{Text: "and then"}
				more = append(more, preflight.Message{Role: "user", Parts: []preflight.Part{&said}})
			}
			s.h = slices.Replace(s.h, i, i+1, append(more, tail)...)
		}
	}},
	{"interleaved", func(s *faultySession) {
		i := s.pick(len(s.h), "message")
		m := s.h[i]
		s.h = slices.Delete(s.h, i, i+1)
		s.h = slices.Insert(s.h, min(len(s.h), i+1+s.pick(3, "by")), m)
	}},
	{"ids start again in every turn", func(s *faultySession) {
		ids := map[string]string{}
		for i := range s.h {
			calls := 0
			s.h[i].Parts = slices.Clone(s.h[i].Parts)
			for j, part := range s.h[i].Parts {
				if r := asResult(part, false); r != nil && ids[r.CallID] != "" {
					said := *r
					said.CallID = ids[r.CallID]
					s.h[i].Parts[j] = &said
				} else if isClientCall(part) {
					c := *part.(*preflight.ToolCall)
					if c.ID != "" {
						ids[c.ID] = fmt.Sprintf("call_%d", calls)
						c.ID = ids[c.ID]
						calls++
						s.h[i].Parts[j] = &c
					}
				}
			}
		}
	}},
	{"one id twice", func(s *faultySession) {
		from, ok := s.drawPart(isClientCall)
		if !ok {
			return
		}
		to, _ := s.drawPart(isClientCall)
		was := s.h[from.message].Parts[from.part].(*preflight.ToolCall).ID
		now := s.h[to.message].Parts[to.part].(*preflight.ToolCall).ID
		for i := range s.h {
			s.h[i].Parts = slices.Clone(s.h[i].Parts)
			for j, part := range s.h[i].Parts {
				if r := asResult(part, false); r != nil && r.CallID == was {
					said := *r
					said.CallID = now
					s.h[i].Parts[j] = &said
				} else if isClientCall(part) && part.(*preflight.ToolCall).ID == was {
					c := *part.(*preflight.ToolCall)
					c.ID = now
					s.h[i].Parts[j] = &c
				}
			}
		}
	}},
	{"another session", func(s *faultySession) { s.h = append(s.h, s.session()...) }},
	{"a message lost", func(s *faultySession) {
		i := s.pick(len(s.h), "message")
		s.h = slices.Delete(s.h, i, i+1)
	}},
	{"a part lost", func(s *faultySession) {
		isClients := func(p preflight.Part) bool { return isClientCall(p) || isClientResult(p) }
		if at, ok := s.drawPart(isClients); ok {
			s.put(at, nil)
		}
	}},
}

// spelled is an id as some other program spells it.
func (s *faultySession) spelled(id string) string {
	return rapid.SampledFrom([]string{
		strings.ToUpper(
			id,
		), " " + id, id + "\n", id + "|fc_" + id, strings.ReplaceAll(id, "_", "-"),
		strings.ReplaceAll(id, "_", ":"), strings.ReplaceAll(id, "-", " "),
	}).Draw(s.t, "spelling")
}

// plainID is an id without case, punctuation, and the item of a composite one.
func plainID(id string) string {
	if before, _, composite := strings.Cut(id, "|"); composite && before != "" {
		id = before
	}
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(id))
}
