package wire

import (
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/members"
)

// This file converts requests of which the server of the source holds single items.

// withoutServerState returns a body without the members that name what only the server of its host
// has, and with the results of that server's calls as text, and a warning for each change. It is
// the body itself if it names nothing.
func (r *Request) withoutServerState(body []byte) ([]byte, []Warning, error) {
	if r.format.name != openAIResponses {
		return body, nil, nil
	}
	var lost []Warning
	messages, held := r.heldResults().Fix(r.Messages, &r.Profile, r.State)
	if len(held) > 0 {
		encoded, err := r.encode(messages)
		if err != nil {
			return body, nil, err
		}
		lost = r.warnings(held, encoded.found)
		if body, err = r.write(); err != nil {
			return body, nil, err
		}
	}
	top := jsonscan.EditObject(valueOf(body))
	for _, row := range r.said.By {
		if row.Has(members.State) && isSet(r.root.Get(row.Name)) {
			f := notCarried(row.Name)
			lost = append(lost, f.warning())
			top.DeleteMember(row.Name)
		}
	}
	if !top.Changed() {
		return body, lost, nil
	}
	return top.Bytes(), lost, nil
}

// heldResults returns a fixer that turns the results of calls that only the source's server has
// into text of the user. No later call is theirs.
func (r *Request) heldResults() preflight.Fixer {
	return preflight.Fixer{
		Name: "held-results",
		Fix: func(
			history []preflight.Message, _ *preflight.Profile, _ preflight.Request,
		) ([]preflight.Message, []preflight.Warning) {
			h := handOff{given: history, out: history}
			held := firstReference(history)
			for _, pair := range preflight.Pairs(history, &r.Profile) {
				result, ok := pair.Part.(*preflight.ToolResult)
				answers := pair.Counterpart != nil && isBefore(pair.CounterpartAt, pair.At)
				if ok && !result.ProviderExecuted && !answers && isBefore(held, pair.At) {
					h.resultToText(pair.At.Message(), pair.At.Part(), result)
				}
			}
			return h.out, h.warnings
		},
	}
}

// firstReference returns the position of the first item that only the server has, or one after
// history.
func firstReference(history []preflight.Message) preflight.Position {
	for i, m := range history {
		for j, p := range m.Parts {
			if p, ok := p.(*preflight.Other); ok && p.Kind == itemReference {
				return preflight.At(i, j)
			}
		}
	}
	return preflight.At(len(history))
}

// resultToText turns the result that is part j of message i into a text, with its media after it.
func (h *handOff) resultToText(i, j int, r *preflight.ToolResult) {
	text := &preflight.Text{Text: serverText(r)}
	text.Meta = r.Meta
	parts := []preflight.Part{text}
	for _, c := range r.Content {
		if m, ok := c.(*preflight.Media); ok {
			parts = append(parts, m)
		}
	}
	w := h.warn(i, j, codes.OrphanToText, "kept the result of a call that only the server has as text")
	w.Removed = preflight.TallyOf(preflight.Message{Parts: []preflight.Part{r}})
	w.Added = preflight.TallyOf(preflight.Message{Parts: parts})
	k := j + len(h.ownParts(i)) - len(h.given[i].Parts) // after the parts that earlier results became
	h.out[i].Parts = slices.Replace(h.out[i].Parts, k, k+1, parts...)
	h.out[i].Role = preflight.RoleUser
}
