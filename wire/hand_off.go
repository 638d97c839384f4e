package wire

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/filetype"
	"github.com/go-preflight/preflight/internal/output"
	"github.com/go-preflight/preflight/internal/shorten"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file converts the parts that only another provider can read.
//
//	Anthropic:  thoughts, "a", search, its result
//	for Chat:   "a", "Result of web_search:" with the result as text

// HandOff returns a fixer that prepares a history decoded from other wire formats for encoding in
// format. Encode and Convert run it where it is needed. Parts decoded from format itself, and parts
// without native JSON, are kept; parts inside a tool result are treated like the result. For all
// other parts:
//
//   - reasoning is removed, because no other provider can verify its signature;
//   - provider-executed results, also of tools that are not known yet, become text, in a fence that
//     they cannot close, and their calls are removed; results in messages that are not the
//     assistant's are removed, too, because their text would become another's words;
//   - inline media is kept, and moved out of a data: URL into Media.Data; an unreadable data: URL,
//     and a file id, unless one provider stores it for both formats, become a line of text that
//     names the media; the text of a document follows that line;
//   - parts of other kinds become text where they are known to say something: a refusal, a search
//     result, a document, the output of a tool; others are removed, and so are cache breakpoints;
//   - the role "function" becomes RoleTool, because formats differ in what it means;
//   - results lose the mark that the tool failed, in formats that have none;
//   - tool calls and results of a kind that only one provider knows become plain ones;
//   - tool calls without an id, in formats that pair by name, get one, and so do their results.
//
// Run it before the default fixers:
// preflight.NewPipeline(append([]preflight.Fixer{HandOff(format)},
// preflight.Fixers.Defaults()...)...).
func HandOff(format string) preflight.Fixer { return handOffFrom(format, nil) }

// handOffFrom is HandOff of a history whose source has a profile, nil if that is not known.
func handOffFrom(format string, source *preflight.Profile) preflight.Fixer {
	return preflight.Fixer{
		Name: "hand-off",
		Fix: func(
			history []preflight.Message, profile *preflight.Profile, _ preflight.Request,
		) ([]preflight.Message, []preflight.Warning) {
			h := handOff{
				format: format, profile: profile, source: source, given: history, out: history,
			}
			h.nameCalls()
			for i := range history {
				h.message(i)
			}
			if h.out = withoutEmptied(h.out, history); len(h.warnings) == 0 {
				return history, nil
			}
			return h.out, h.warnings
		},
	}
}

// handOff is the work of the fixer on one history.
type handOff struct {
	format   string
	profile  *preflight.Profile
	source   *preflight.Profile // nil if it is not known
	given    []preflight.Message
	out      []preflight.Message // given, until something changes; removed parts are nil
	warnings []preflight.Warning
	failed   map[preflight.Position]bool // results of calls that are marked as failed
	typed    map[preflight.Position]bool // results of the type that answers their call, which stays
}

// foreign reports whether a part is one that only another provider can read.
func (h *handOff) foreign(p preflight.Part) bool {
	native := nativeOf(p).Format
	if _, ok := p.(*preflight.Other); ok {
		return native != h.format // native JSON is its only content
	}
	return native != "" && native != h.format
}

// ownParts makes the parts of message i a slice of the output's own.
func (h *handOff) ownParts(i int) []preflight.Part {
	if &h.out[0] == &h.given[0] {
		h.out = slices.Clone(h.given)
	}
	if parts := h.given[i].Parts; len(parts) > 0 && &h.out[i].Parts[0] == &parts[0] {
		h.out[i].Parts = slices.Clone(parts)
	}
	return h.out[i].Parts
}

// warn records a change of part j of message i, -1 for the message.
func (h *handOff) warn(i, j int, code codes.Code, detail string) *preflight.Warning {
	w := preflight.Warning{
		Code: code, At: preflight.At(i, j), Detail: detail,
	}
	if j >= 0 {
		switch p := h.given[i].Parts[j].(type) {
		case *preflight.ToolCall:
			w.ToolCallID = p.ID
		case *preflight.ToolResult:
			w.ToolCallID = p.CallID
		}
	}
	h.warnings = append(h.warnings, w)
	return &h.warnings[len(h.warnings)-1]
}

// replace replaces part j of message i by p, and removes it if p is nil.
func (h *handOff) replace(
	i, j int, p preflight.Part, code codes.Code, detail string,
) *preflight.Warning {
	before := preflight.Message{Parts: []preflight.Part{h.out[i].Parts[j]}}
	w := h.warn(i, j, code, detail)
	w.Removed = preflight.TallyOf(before)
	w.Added = preflight.TallyOf(preflight.Message{Parts: []preflight.Part{p}})
	h.ownParts(i)[j] = p
	return w
}

// message converts the parts of message i.
func (h *handOff) message(i int) {
	m := &h.given[i]
	if m.Role == "function" && m.Native.Format != "" && m.Native.Format != h.format {
		h.warn(i, -1, codes.RoleMapped,
			"changed the role of a message of tool results to the neutral one").
			Rule = h.profile.RuleID(problems.RoleUnknown)
		h.ownParts(i)
		h.out[i].Role = preflight.RoleTool
	}
	for j := range m.Parts {
		p := h.out[i].Parts[j]
		r, isResult := p.(*preflight.ToolResult)
		switch {
		case h.foreign(p):
			h.part(i, j)
		case isResult:
			h.content(i, j, r)
		}
	}
}

// part converts or removes one foreign part.
func (h *handOff) part(i, j int) {
	if *cacheOf(h.out[i].Parts[j]) != nil {
		h.warnCache(i, j)
		h.ownParts(i)[j] = withoutCache(h.out[i].Parts[j])
	}
	switch p := h.out[i].Parts[j].(type) {
	case *preflight.Reasoning:
		h.replace(i, j, nil, codes.ReasoningRemoved,
			"removed reasoning of another provider, which this one cannot verify")
	case *preflight.Other:
		h.other(i, j, p)
	case *preflight.Media:
		switch now := h.mediaAcross(p).(type) {
		case *preflight.Text:
			if _, whole := textOfDocument(p); whole {
				h.replace(i, j, now, codes.PartChanged, "wrote a document that is text as text")
				return
			}
			h.replace(i, j, now, codes.MediaDescribed,
				"described media that cannot be carried over")
		case *preflight.Media:
			if now != p {
				h.replace(i, j, now, codes.PartChanged,
					"moved inline data from an address to a field of its own")
			}
		}
	case *preflight.ToolCall:
		switch {
		case p.ProviderExecuted:
			h.replace(i, j, nil, codes.PartRemoved,
				"removed the call of another provider's own tool")
		case p.Variant != "":
			plain := *p
			plain.Variant = ""
			h.replace(i, j, &plain, codes.PartChanged,
				"turned a tool call of a kind that only another provider knows into a plain one")
		}
	case *preflight.ToolResult:
		if !p.ProviderExecuted {
			if h.failed[preflight.At(i, j)] && !h.marksErrors() &&
				!isErrorResponse(valueOf(p.Output)) { // which is carried as it is
				unmarked := *p
				unmarked.IsError, p = false, &unmarked
				h.replace(i, j, p, codes.NotCarried, "left out that a tool failed")
			}
			h.content(i, j, p)
			return
		}
		if !isAssistant(h.given[i].Role) { // it would become the user's words
			h.replace(i, j, nil, codes.PartRemoved,
				"removed the result of another provider's own tool, which the user did not say")
			return
		}
		h.replace(i, j, textFor(p, serverText(p)), codes.ResultToText,
			"quoted the result of another provider's own tool as text")
	}
}

// marksErrors reports whether results of tools have a mark in the format that the tool failed.
func (h *handOff) marksErrors() bool {
	switch h.format {
	case "anthropic", "bedrock", gemini, interactions:
		return true
	}
	return false
}

// warnCache records that a cache breakpoint on a part, or inside it, is removed.
func (h *handOff) warnCache(i, j int) {
	h.warn(i, j, codes.CacheRemoved, "removed a cache breakpoint of another provider").
		ToolCallID = ""
}

// content converts the parts inside a tool result: media that cannot be carried over is described,
// and unknown parts and cache breakpoints are removed.
func (h *handOff) content(i, j int, r *preflight.ToolResult) {
	outside := h.foreign(r)
	at := preflight.At(i, j)
	plain := outside && r.Variant != "" && !h.typed[at]
	now := *r
	now.Content = make([]preflight.Part, 0, len(r.Content))
	var lost codes.Code
	uncached, changed := false, plain
	for _, c := range r.Content {
		foreign := h.foreign(c)
		if (foreign || outside) && *cacheOf(c) != nil {
			h.warnCache(i, j)
			c, uncached = withoutCache(c), true
		}
		if o, unknown := c.(*preflight.Other); unknown && foreign {
			text, whole := textInResult(o)
			if !whole {
				lost = codes.PartRemoved
			}
			if text == nil {
				continue
			}
			c, changed = text, true
		}
		if m, ok := c.(*preflight.Media); ok && (foreign || outside) {
			c = h.mediaAcross(m)
			if _, described := c.(*preflight.Text); described {
				if _, whole := textOfDocument(m); !whole {
					lost = codes.MediaDescribed
				}
			}
			changed = changed || c != preflight.Part(m)
		}
		now.Content = append(now.Content, c)
	}
	if plain {
		now.Variant = ""
	}
	switch {
	case lost != "":
		h.replace(i, j, &now, lost, "described or removed what a tool result cannot carry over")
	case changed:
		h.replace(i, j, &now, codes.PartChanged,
			"spelled a tool result of another provider in the neutral way")
	case uncached:
		h.ownParts(i)[j] = &now
	}
}

// withoutCache returns a copy of a part without its cache breakpoint.
func withoutCache(p preflight.Part) preflight.Part {
	p = preflight.CopyPart(p)
	*cacheOf(p) = nil
	return p
}

// withoutEmptied returns messages without the parts that are nil, and without the messages that
// lost all their parts, which those of given had.
func withoutEmptied(messages, given []preflight.Message) []preflight.Message {
	if len(messages) == 0 || &messages[0] == &given[0] {
		return messages
	}
	left := messages[:0]
	for i, m := range messages {
		if m.Parts = withoutNil(m.Parts); len(m.Parts) > 0 || len(given[i].Parts) == 0 {
			left = append(left, m)
		}
	}
	return left
}

// mediaAcross returns media in the form that another provider reads, with inline data in its own
// field, or a line of text for media that only its own provider can read.
func (h *handOff) mediaAcross(m *preflight.Media) preflight.Part {
	if mediaType, data, ok := filetype.ParseDataURL(m.URL); ok {
		inline := *m
		inline.URL, inline.MediaType, inline.Data = "", cmp.Or(mediaType, m.MediaType), data
		m = &inline
	}
	if m.Data != "" || m.URL != "" && !strings.HasPrefix(m.URL, "data:") || h.storesFile(m) {
		return m
	}
	line := mediaLine(m)
	if said, _ := textOfDocument(m); said != "" {
		line += "\n" + output.Fenced(said)
	}
	return textFor(m, line)
}

// storesFile reports whether media is a file that the provider stores for another of its formats,
// too.
func (h *handOff) storesFile(m *preflight.Media) bool {
	own := func(p *preflight.Profile) bool { return p != nil && p.Format == "" }
	return m.FileID != "" && sameFiles[m.Native.Format] == h.format && own(h.profile) && own(h.source)
}

// sameFiles are the formats whose providers read each other's stored files.
var sameFiles = map[string]string{
	gemini: interactions, interactions: gemini,
	openAIChat: openAIResponses, openAIResponses: openAIChat,
}

// mediaLine returns the line of text for media that has no place in a text.
func mediaLine(m *preflight.Media) string {
	address := m.URL
	if strings.HasPrefix(address, "data:") {
		address = ""
	}
	file := m.FileID
	if !strings.Contains(file, "://") { // other ids say nothing elsewhere
		file = ""
	}
	if at := cmp.Or(address, m.Name, file); at != "" {
		return "[" + cmp.Or(m.Kind, "media") + ": " + at + "]"
	}
	return "[" + cmp.Or(m.Kind, "media") + " omitted]"
}

// serverText quotes the result of a provider-executed tool: the sources of a search or the readable
// strings of another output, then its content, with a line for each media. A page cannot say
// anything outside of the quotation.
func serverText(r *preflight.ToolResult) string {
	head := "Result of " + cmp.Or(
		shorten.ID(r.Name), shorten.ID(strings.TrimSuffix(r.Variant, "_tool_result")), "a tool",
	)
	if r.IsError {
		head += ", which failed"
	}
	head += ":"
	var lines []string
	own, ok := output.Readable(r.Output)
	if !ok {
		own = string(r.Output)
	}
	if own = strings.TrimPrefix(own, "\n"); own != "" {
		lines = append(lines, own)
	}
	for _, p := range r.Content {
		switch p := p.(type) {
		case *preflight.Text:
			lines = append(lines, wordsOf(p))
		case *preflight.Media:
			lines = append(lines, mediaLine(p))
		}
	}
	if len(lines) == 0 {
		return head
	}
	return head + "\n" + output.Fenced(strings.Join(lines, "\n"))
}
