package spec

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
)

// This file holds histories of items to the guarantees: one part per message, ids that depend on
// each other, and results anywhere after their calls.

// item is a message of one part with an id.
func item(role preflight.Role, id string, p preflight.Part) preflight.Message {
	return preflight.Message{Role: role, ID: id, Parts: []preflight.Part{p}}
}

func saidItem(role preflight.Role, id, text string) preflight.Message {
	return item(role, id, &preflight.Text{Text: text})
}

func thoughtItem(id, payload string) preflight.Message {
	return item(preflight.RoleAssistant, id, &preflight.Reasoning{Opaque: payload})
}

func calledItem(id, call, variant string) preflight.Message {
	return item(preflight.RoleAssistant, id,
		&preflight.ToolCall{ID: call, Name: "f", Input: json.RawMessage(`{}`), Variant: variant})
}

func answeredItem(call, variant, text string) preflight.Message {
	return item(preflight.RoleTool, "", &preflight.ToolResult{
		CallID: call, Variant: variant,
		Content: []preflight.Part{says(text)},
	})
}

func reference() preflight.Message {
	return item(preflight.RoleAssistant, "", &preflight.Other{Kind: "item_reference"})
}

// servedItem is an item of a tool that the provider runs.
func servedItem(id, kind, said string) preflight.Message {
	return item(preflight.RoleAssistant, id, &preflight.Other{
		Kind: kind, Carried: preflight.Carried{Native: preflight.Native{JSON: []byte(said)}},
	})
}

// outlineItems is a history of items in one line.
func outlineItems(h []preflight.Message) string {
	var b strings.Builder
	for i, m := range h {
		if i > 0 {
			b.WriteString(" | ")
		}
		if m.ID != "" {
			b.WriteString(m.ID + ":")
		}
		for j, p := range m.Parts {
			if j > 0 {
				b.WriteString("+")
			}
			switch p := p.(type) {
			case *preflight.Text:
				fmt.Fprintf(&b, "%s %s", m.Role, p.Text)
			case *preflight.Reasoning:
				b.WriteString("reasoning " + p.Opaque)
			case *preflight.ToolCall:
				b.WriteString("call " + p.ID + p.Variant)
			case *preflight.ToolResult:
				b.WriteString("result " + p.CallID + p.Variant)
				for _, c := range p.Content {
					if t, ok := c.(*preflight.Text); ok && t.Text != "" {
						b.WriteString("=" + t.Text)
					}
				}
			default:
				b.WriteString(cmp.Or(string(preflight.CarriedBy(p).Native.JSON), "other"))
			}
		}
	}
	return b.String()
}

// items draws histories of items: sound ones for the most part, with everything mixed in that
// breaks them.
func items(valid bool) *rapid.Generator[[]preflight.Message] {
	return rapid.Custom(func(t *rapid.T) []preflight.Message {
		m := itemMaker{t: t}
		for range rapid.IntRange(0, 4).Draw(t, "turns") {
			m.turn()
		}
		m.add(preflight.RoleUser, "", &preflight.Text{Carried: m.tag("u"), Text: "and now?"})
		if !valid {
			m.spoil()
		}
		return m.h
	})
}

type itemMaker struct {
	t    *rapid.T
	h    []preflight.Message
	tags int
	ids  int
}

func (m *itemMaker) tag(kind string) preflight.Carried {
	m.tags++
	return preflight.Carried{
		Meta: preflight.Metadata{
			histgen.TagKey: json.RawMessage(strconv.Quote(kind + strconv.Itoa(m.tags))),
		},
	}
}

func (m *itemMaker) add(role preflight.Role, id string, p preflight.Part) {
	m.h = append(m.h, item(role, id, p))
}

func (m *itemMaker) one(n int, label string) bool {
	return rapid.IntRange(0, n-1).Draw(m.t, label) == 0
}

func (m *itemMaker) id(prefix string, named bool) string {
	if !named {
		return ""
	}
	m.ids++
	return fmt.Sprintf("%s_%d", prefix, m.ids)
}

// turn adds a user's message and the model's items: reasoning, calls, results, text.
func (m *itemMaker) turn() {
	m.add(preflight.RoleUser, "", &preflight.Text{Carried: m.tag("u"), Text: "q"})
	for range rapid.IntRange(0, 3).Draw(m.t, "rounds") {
		named := m.one(2, "ids")
		m.add(preflight.RoleAssistant, m.id("rs", named), &preflight.Reasoning{
			Carried: m.tag("r"),
			Opaque: map[bool]string{
				true:  rapid.SampledFrom([]string{"", "e"}).Draw(m.t, "payload"),
				false: "e",
			}[named],
		})
		var results []preflight.Message
		for range rapid.IntRange(0, 3).Draw(m.t, "calls") {
			call := fmt.Sprintf("call_%d", rapid.IntRange(1, 4).Draw(m.t, "call id"))
			variant := rapid.SampledFrom([]string{"", "", "custom", "local_shell_call"}).Draw(m.t,
				"variant")
			prefix := map[string]string{"": "fc", "custom": "ctc"}[variant]
			if prefix == "" {
				prefix = "lsh"
			}
			c := &preflight.ToolCall{
				Carried: m.tag("c"),
				ID:      call,
				Name:    "f",
				Input:   json.RawMessage(`{}`),
				Variant: variant,
			}
			m.add(preflight.RoleAssistant, m.id(prefix, named), c)
			tag := m.tag("y")
			results = append(results,
				item(preflight.RoleTool, "", &preflight.ToolResult{
					Carried: tag, CallID: call, Variant: variant,
					Content: []preflight.Part{says(string(tag.Meta[histgen.TagKey]))},
				}))
		}
		if len(results) == 0 {
			m.add(preflight.RoleAssistant, m.id("msg", named),
				&preflight.Text{Carried: m.tag("a"), Text: "a"})
		}
		m.h = append(m.h, rapid.Permutation(results).Draw(m.t, "order")...)
	}
}

// spoil drops, doubles, moves and respells items.
func (m *itemMaker) spoil() {
	for range rapid.IntRange(1, 6).Draw(m.t, "harm") {
		if len(m.h) == 0 {
			return
		}
		k := rapid.IntRange(0, len(m.h)-1).Draw(m.t, "which")
		switch rapid.IntRange(0, 8).Draw(m.t, "how") {
		case 0, 1:
			m.h = slices.Delete(m.h, k, k+1)
		case 2:
			m.h = slices.Insert(m.h, k, m.h[rapid.IntRange(0, len(m.h)-1).Draw(m.t, "copied")])
		case 3:
			x := m.h[k]
			m.h = slices.Delete(m.h, k, k+1)
			m.h = slices.Insert(m.h, rapid.IntRange(0, len(m.h)).Draw(m.t, "to"), x)
		case 4:
			m.h[k].ID = rapid.SampledFrom([]string{
				"", "msg_1", "fc_2", "rs_3", "x:y", strings.Repeat("m", 70),
			}).
				Draw(m.t, "id")
		case 5:
			m.h = slices.Insert(m.h, k, reference())
			m.h[k].Parts = []preflight.Part{
				&preflight.Other{
					Carried: m.tag("o"),
					Kind: rapid.SampledFrom([]string{"item_reference", "web_search_call"}).Draw(
						m.t, "kind"),
				},
			}
		case 6:
			m.h = m.h[:k]
		case 7:
			if k+1 < len(m.h) && m.h[k].Role == m.h[k+1].Role {
				m.h[k].Parts = append(slices.Clone(m.h[k].Parts), m.h[k+1].Parts...)
				m.h = slices.Delete(m.h, k+1, k+2)
			}
		case 8:
			if r, ok := m.h[k].Parts[0].(*preflight.ToolResult); ok {
				c := *r
				c.CallID = rapid.SampledFrom([]string{
					"",
					" " + r.CallID,
					strings.ToUpper(r.CallID),
					r.CallID + "|fc_1",
					strings.Repeat("l", 65),
				}).
					Draw(m.t, "call id")
				m.h[k].Parts = []preflight.Part{&c}
			}
		}
	}
}
