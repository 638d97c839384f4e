package preflight

import (
	"strings"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/filetype"
	"github.com/go-preflight/preflight/internal/output"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// This file converts the parts that only another provider can read.

// HandOff returns a fixer that prepares a history decoded from other wire formats for encoding in
// format. Parts decoded from format itself, and parts without native JSON, are kept; parts inside a
// tool result are treated like the result. For all other parts:
//
//   - reasoning is removed, because no other provider can verify its signature;
//   - provider-executed results become text, and their calls are removed;
//   - inline media is kept, and moved out of a data: URL into Media.Data; media that the profile
//     refuses in this form becomes a line of text that names it;
//   - unknown parts and cache breakpoints are removed;
//   - the role "function" becomes RoleTool, because formats differ in what it means;
//   - tool calls and results of a kind that only one provider knows become plain ones;
//   - tool calls without an id, in formats that pair by name, get one, and so do their results.
//
// Run it before the default fixers: NewPipeline(append([]Fixer{HandOff(format)},
// DefaultFixers()...)...).
func HandOff(format string) Fixer {
	return Fixer{
		Name:   "hand-off",
		Doc:    "turns what only another provider can read into text, or removes it",
		repair: func(d *draft) { handOff(d, format) },
		always: true,
	}
}

func handOff(d *draft, format string) {
	foreign := func(p Part) bool {
		native := p.carried().Native.Format
		if _, ok := p.(*Other); ok {
			return native != format // native JSON is its only content
		}
		return native != "" && native != format
	}
	d.nameCalls(foreign)
	for i := range d.nodes {
		if n := &d.nodes[i]; n.Role == functionRole && n.Native.Format != "" &&
			n.Native.Format != format {
			d.warn(d.position(i, none), note{code: codes.RoleMapped, problem: rule.RoleUnknown,
				detail: "gave a message of tool results the neutral role"}, Tally{}, Tally{})
			d.touch(i).Role = RoleTool
		}
		for j, p := range d.nodes[i].Parts {
			if foreign(p) {
				d.handOffPart(i, j, p, foreign)
			} else if r, ok := p.(*ToolResult); ok {
				d.handOffContent(i, j, r, foreign)
			}
		}
	}
	d.commit()
}

// handOffPart converts or removes one foreign part.
func (d *draft) handOffPart(i, j int, p Part, foreign func(Part) bool) {
	if p.carried().Cache != nil {
		d.handOffCache(i, j)
		d.setCache(i, bearer{j, none}, nil)
	}
	switch p := p.(type) {
	case *Reasoning:
		d.drop(i, j, note{
			code:   codes.ReasoningRemoved,
			detail: "removed reasoning of another provider, which this one cannot verify",
		})
	case *Other:
		d.drop(i, j, note{
			code:   codes.PartRemoved,
			detail: "removed a part of a kind that only another provider knows",
		})
	case *Media:
		d.handOffMedia(i, j)
	case *ToolCall:
		d.handOffCall(i, j, p)
	case *ToolResult:
		if p.ProviderExecuted {
			d.replace(i, j, &Text{Carried: Carried{Meta: p.Meta}, Text: serverText(p)}, note{
				code: codes.PartToText, id: p.CallID,
				detail: "turned the result of another provider's own tool into text",
			})
			return
		}
		d.handOffContent(i, j, p, foreign)
	}
}

// handOffCache warns that a breakpoint on part j of node i, or inside it, is removed.
func (d *draft) handOffCache(i, j int) {
	d.warn(d.position(i, j), note{
		code:   codes.CacheRemoved,
		detail: "removed a cache breakpoint of another provider",
	}, Tally{}, Tally{})
}

// handOffCaches removes the breakpoints of foreign parts inside a tool result.
func (d *draft) handOffCaches(i, j int, r *ToolResult, alien func(Part) bool) {
	var gone []bearer
	for k, c := range r.Content {
		if c.carried().Cache != nil && alien(c) {
			d.handOffCache(i, j)
			gone = append(gone, bearer{j, k})
		}
	}
	d.setCaches(i, gone, nil)
}

func (d *draft) handOffCall(i, j int, c *ToolCall) {
	switch {
	case c.ProviderExecuted:
		d.drop(i, j, note{
			code: codes.PartRemoved, id: c.ID,
			detail: "removed the call of another provider's own tool",
		})
	case c.Variant != "":
		plain := *d.nodes[i].Parts[j].(*ToolCall)
		plain.Variant = ""
		d.replace(i, j, &plain, note{
			code: codes.PartChanged, id: c.ID,
			detail: "turned a tool call of a kind that only another provider knows into a plain " +
				"one",
		})
	}
}

// handOffMedia keeps inline data, which every provider reads, and replaces media that cannot be
// carried over by a description.
func (d *draft) handOffMedia(i, j int) {
	m := d.nodes[i].Parts[j].(*Media)
	switch now, kept := mediaAcross(d.profile, m); {
	case !kept:
		d.replace(i, j, now, note{
			code:   codes.MediaDescribed,
			detail: "described media that cannot be carried over",
		})
	case now != Part(m):
		d.replace(i, j, now, note{
			code:   codes.PartChanged,
			detail: "moved inline data from an address to a field of its own",
		})
	}
}

// handOffContent converts the parts inside a tool result: media that cannot be carried over is
// described, and unknown parts and cache breakpoints are removed.
func (d *draft) handOffContent(i, j int, r *ToolResult, foreign func(Part) bool) {
	alien := func(c Part) bool { return foreign(c) || foreign(r) }
	d.handOffCaches(i, j, r, alien)
	r = d.nodes[i].Parts[j].(*ToolResult)
	content := make([]Part, 0, len(r.Content))
	var lost codes.Code
	changed := r.Variant != "" && foreign(r)
	for _, c := range r.Content {
		now, kept := c, true
		switch c := c.(type) {
		case *Other:
			if foreign(c) {
				lost = codes.PartRemoved
				continue
			}
		case *Media:
			if alien(c) {
				now, kept = mediaAcross(d.profile, c)
			}
		}
		if !kept {
			lost = codes.MediaDescribed
		}
		changed = changed || now != c
		content = append(content, now)
	}
	n := note{
		code: codes.PartChanged, id: r.CallID,
		detail: "spelled a tool result of another provider in the neutral way",
	}
	switch {
	case lost != "":
		n.code, n.detail = lost,
			"described or removed what a tool result cannot carry over"
	case !changed:
		return
	}
	d.replace(i, j, edited(r, func(x *ToolResult) {
		if x.Content = content; foreign(r) {
			x.Variant = ""
		}
	}), n)
}

// mediaAcross returns media in the form that another provider reads, with inline data in its own
// field. For media that cannot be carried over it returns a line of text and false.
func mediaAcross(p *Profile, m *Media) (now Part, kept bool) {
	if inline := inlined(m); inline != nil {
		m = inline
	}
	if !acceptsForm(p, m) {
		return &Text{Carried: Carried{Meta: m.Meta}, Text: describe(m)}, false
	}
	return m, true
}

// inlined returns media with the data of its data: URL moved to Media.Data, as base64. It returns
// nil for any other media.
func inlined(m *Media) *Media {
	mediaType, data, ok := filetype.ParseDataURL(m.URL)
	if !ok {
		return nil
	}
	return edited(m, func(m *Media) {
		m.URL, m.MediaType, m.Data = "", or(mediaType, m.MediaType), data
	})
}

// acceptsForm reports whether the provider takes media of this kind in this form. It refuses a file
// id, which is valid only at the provider that issued it, and a data: URL that could not be
// decoded.
func acceptsForm(p *Profile, m *Media) bool {
	return !refusesMedia(p, m) &&
		(m.Data != "" || m.URL != "" && !strings.HasPrefix(m.URL, "data:"))
}

// serverText returns the result of a provider-executed tool as text: the sources of a search,
// otherwise its readable strings.
func serverText(r *ToolResult) string {
	head := "Result of " + or(r.Name, or(strings.TrimSuffix(r.Variant, "_tool_result"), "a tool")) +
		":"
	text, ok := output.Readable(r.Output)
	if !ok {
		text = "\n" + resultText(r)
	}
	return head + text
}

// nameCalls gives foreign calls without an id one that is made of the tool's name. It gives a
// foreign result the id of its call where either of the two had none.
func (d *draft) nameCalls(foreign func(Part) bool) {
	p := d.pairs
	p.setDraft(d)
	p.profile = &sourceByName
	defer p.release()
	p.survey(clientSide)
	p.assign()
	count := 0
	ids := make([]string, len(p.Calls))
	for c := range p.Calls {
		ref := &p.Calls[c]
		call := p.call(c)
		if ids[c] = call.ID; foreign(call) && blank(call.ID) {
			count++
			ids[c] = d.profile.IDs.Call.RewriteID(call.Name, count)
			d.replace(ref.Message, ref.Part, edited(call, func(x *ToolCall) { x.ID = ids[c] }),
				note{code: codes.IDRewritten, detail: "gave a tool call an id"})
		}
	}
	for r := range p.Results {
		ref, result := &p.Results[r], p.result(r)
		if ref.Call == none || !foreign(result) || ids[ref.Call] == result.CallID {
			continue
		}
		if call := p.call(ref.Call); foreign(call) &&
			(blank(call.ID) || blank(result.CallID)) {
			d.replace(ref.Message, ref.Part, respelled(result, ids[ref.Call]),
				note{
					code: codes.IDRewritten, id: result.CallID,
					detail: "gave a tool result the id of its call",
				})
		}
	}
}

// sourceByName is the profile for matching calls and results of a format without ids.
var sourceByName = Profile{IDs: provider.IDRules{Call: provider.Pattern{Optional: true}},
	Turns:   provider.TurnRules{Neighbours: provider.NeighboursJoined},
	Pairing: provider.PairingRules{ByName: true}}
