package preflight

import (
	"net/url"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/metafields"
	"github.com/go-preflight/preflight/internal/output"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file keeps what a message holds with its author, before roles are mapped and messages are
// split by role: the text of a tool message is a tool's output, and only the assistant calls tools
// and has results of the provider's.
//
//	tool:  [text "42"]                     becomes  tool: [result without an id: "42"]
//	user:  [text "hi", call pay, result]   becomes  user: [text "hi", result]
//
// Where the history comes from a browser or another client, it also removes what a stranger may not
// say: see Options.Untrusted.

// authors keeps parts with their authors. answered holds the ids of the results in tool messages;
// toolsAnswer makes it when it is first asked.
type authors struct {
	*draft
	answered map[string]bool
}

// keep keeps the parts of node i with the author that its role names.
func (d *authors) keep(i int) {
	role, known := d.nodes[i].Role.Neutral()
	if role == RoleAssistant || !known {
		return // of an unknown role, mapRole looks for the author
	}
	if role == RoleTool {
		d.textsToResults(i)
	}
	if d.options.LostRoles {
		return // splitRoles gives the calls to the assistant
	}
	claimed := role == RoleUser && d.claimsResults(i)
	for j, p := range d.nodes[i].Parts {
		problem := claimProblem(p)
		if claimed && clientResult(p) != nil {
			problem = problems.ResultMisplaced
		}
		if problem == "" {
			continue
		}
		if role == RoleUser && d.options.Orphans == OrphanText {
			_, cache, n := lastBreakpoint(p)
			d.warnCacheRemoved(i, j, n-1, problem)
			d.replace(i, j, &Text{Carried: Carried{Cache: cache}, Text: claimAsText(p)}, note{
				code: codes.PartToText, problem: problem, id: partID(p),
				detail: "quoted a tool call or result of a user message",
			})
			continue
		}
		d.drop(i, j, note{
			code: codes.PartRemoved, problem: problem, id: partID(p),
			detail: "removed a tool call or result from a message whose author has none",
		})
	}
}

// claimsResults reports whether the tool results in user message i are mere claims of the user: the
// format has results in tool messages, and these are beside words of the user, or of a call that a
// tool message answers, too. A message of nothing but other results only has the wrong role.
func (d *authors) claimsResults(i int) bool {
	m := &d.nodes[i].Message
	if d.profile.Pairing.ResultRole == RoleUser || !isLaidOut(d.profile, m) {
		return false
	}
	for _, p := range m.Parts {
		if r := clientResult(p); r == nil || d.toolsAnswer(r.CallID) {
			return true
		}
	}
	return false
}

// toolsAnswer reports whether a tool message holds a result with an id. The first call collects the
// ids of all of them.
func (d *authors) toolsAnswer(id string) bool {
	if d.answered == nil {
		d.answered = map[string]bool{}
		for k := range d.nodes {
			if d.role(k) != RoleTool {
				continue
			}
			for _, p := range d.nodes[k].Parts {
				if r := clientResult(p); r != nil {
					d.answered[r.CallID] = true
				}
			}
		}
	}
	return d.answered[id]
}

// claimAsText returns a call, or a provider's result, as text that quotes it.
func claimAsText(p Part) string {
	switch p := p.(type) {
	case *ToolCall:
		return "Quoted call of " + toolOf(p.Name) + ":\n" + output.Fenced(string(p.Input))
	case *ToolResult:
		text := resultText(p)
		if text == "" {
			text = string(p.Output)
		}
		return "Quoted result of " + toolOf(p.Name) + ":\n" + output.Fenced(text)
	}
	return ""
}

// claimProblem returns why only a message of the assistant may hold part p, "" if others may.
// Reasoning is not among these parts: splitRoles removes it from the messages of all others.
func claimProblem(p Part) problems.Problem {
	switch p := p.(type) {
	case *ToolCall:
		return problems.CallMisplaced
	case *ToolResult:
		switch {
		case !p.ProviderExecuted:
			return ""
		case isMCP(p):
			return problems.MCPPairing
		}
		return problems.ServerOrphan // its call can only be in an assistant turn
	}
	return ""
}

// isClaimed reports whether a message holds a part that only the assistant may have written.
func isClaimed(m *Message) bool {
	for _, p := range m.Parts {
		if _, reasoning := p.(*Reasoning); reasoning || claimProblem(p) != "" {
			return true
		}
	}
	return false
}

// textsToResults moves the text, media and other content that is directly in tool message i into a
// tool result: the one before it in the message, else the one after it, else a new one. That has no
// id, so it answers a call only if it is directly after the calls.
func (d *draft) textsToResults(i int) {
	n := note{
		code: codes.PartMoved, problem: problems.TextMisplaced,
		detail: "moved content of a tool message into a tool result",
	}
	into := slices.IndexFunc(d.nodes[i].Parts, takesContent)
	first := into
	var lead []Part // what goes into the first result, before its own content
	var added []Part
	flush := func() {
		if into == none || first != none && len(lead) == 0 && len(added) == 0 {
			return
		}
		old := d.nodes[i].Parts[into]
		r, ok := old.(*ToolResult)
		if !ok {
			r = &ToolResult{Content: []Part{old}}
		}
		content := slices.Concat(lead, r.Content, added)
		d.replace(i, into, edited(r, func(r *ToolResult) { r.Content = content }), n)
		lead, added = nil, nil
	}
	for j, p := range d.nodes[i].Parts {
		if takesContent(p) {
			if j != into {
				flush()
			}
			into = j
			continue
		}
		switch p := p.(type) {
		case nil, *ToolCall, *ToolResult, *Reasoning:
			continue
		case *Text:
			if p.isBlank() {
				d.drop(i, j, note{
					code: codes.EmptyRemoved, problem: n.problem, detail: "removed an empty text part",
				})
				continue
			}
		}
		if into == none {
			into = j // it becomes the result
			continue
		}
		d.warn(d.position(i, j), n, tallyPart(p), Tally{})
		part, from := d.takePart(i, j)
		d.recordAbsorbed(i, into, from, part)
		if j < into {
			lead = append(lead, part)
		} else {
			added = append(added, part)
		}
	}
	flush()
}

// takesContent reports whether a part is a tool result that content can be added to.
func takesContent(p Part) bool {
	r := clientResult(p)
	return r != nil && !isLone(r)
}

// dropUntrusted leaves text of users and of the assistant, and media that users bring along,
// without further members. All else is removed unless Options.Vouch knows it. It runs once, before
// the fixers: Vouch is not asked about what they insert, or make of parts that were vouched for.
func (d *draft) dropUntrusted() {
	for i := range d.nodes {
		m := &d.nodes[i].Message
		if saysMore(m.Native, messageMembers, m.Parts...) &&
			!slices.ContainsFunc(m.Parts, d.options.vouches) {
			d.bareMessage(i, false)
		}
		role := d.role(i)
		for j, p := range d.nodes[i].Parts {
			if d.options.plain(p, role) || d.options.vouches(p) {
				continue
			}
			d.drop(i, j, note{
				code: codes.PartRemoved, id: partID(p),
				detail: "removed a part that an untrusted message may not hold",
			})
		}
	}
	d.commit()
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			if d.options.plain(p, d.role(i)) {
				d.barePart(i, j)
			}
		}
	}
	d.bareMessages()
}

// bareMessages removes the fields other than the content from messages that hold only what
// strangers may say. In other messages they may belong to a part that was vouched for. It runs
// again after the fixers, which may have removed that part.
func (d *draft) bareMessages() {
	for i := range d.nodes {
		vouched := func(p Part) bool { return !d.options.plain(p, d.role(i)) }
		if !slices.ContainsFunc(d.nodes[i].Parts, vouched) {
			d.bareMessage(i, !holdsOthers(d.nodes[i].Native))
		}
	}
}

// bareNote is the warning for members that go from what stays.
var bareNote = note{
	code: codes.FieldRemoved, detail: "removed fields other than the content of an untrusted message",
}

// contentMembers hold the content of messages, texts and media, in any format. What is in them has
// to be what the parts say; names and titles are the stranger's own words.
var contentMembers = metafields.Members{
	"type": metafields.Word, "role": metafields.Word, "format": metafields.Word,
	"media_type": metafields.Word, "mime_type": metafields.Word, "mimeType": metafields.Word,
	"detail": metafields.Word, "text": metafields.Content, "content": metafields.Content,
	"parts": metafields.Content, "source": metafields.Content, "data": metafields.Content,
	"url": metafields.Content, "image_url": metafields.Content, "image": metafields.Content,
	"document": metafields.Content, "audio": metafields.Content, "video": metafields.Content,
	"bytes": metafields.Content, "name": metafields.Free, "title": metafields.Free,
	"input_audio": metafields.Content, "file": metafields.Content, "filename": metafields.Free,
	"file_data": metafields.Content, "file_url": metafields.Content,
	"inlineData": metafields.Content, "inline_data": metafields.Content,
	"fileData": metafields.Content, "file_uri": metafields.Content, "fileUri": metafields.Content,
	"document_url": metafields.Content, "images": metafields.Content,
}

// messageMembers hold the role and the content of messages, in any format.
var messageMembers = metafields.Members{
	"role": metafields.Word, "type": metafields.Word, "content": metafields.Content,
	"parts": metafields.Content, "tool_calls": metafields.Calls, "images": metafields.Content,
	"tool_call_id": metafields.Content, "tool_name": metafields.Content,
}

// saysMore reports whether native JSON has members, or values in them, that the parts do not have:
// strangers may write there what the parts hide. outer are the members of the value itself.
func saysMore(native Native, outer metafields.Members, parts ...Part) bool {
	if native.JSON == nil {
		return false
	}
	said, whole := map[string]bool{}, map[string]bool{}
	var media []*Media
	for _, p := range parts {
		if isNil(p) {
			continue
		}
		raw := p.carried().Native.JSON
		if len(raw) > 0 && !sameBytes(raw, native.JSON) {
			_, call := p.(*ToolCall)
			whole[string(raw)] = whole[string(raw)] || call
		}
		switch p := p.(type) {
		case *Text:
			said[p.whole()] = true
		case *Media:
			said[p.URL], said[p.Data] = true, true
			media = append(media, p)
		case *ToolResult:
			said[p.CallID], said[p.Name] = true, true
		}
	}
	return !metafields.Says(native.JSON, outer, contentMembers, func(s string) bool {
		return said[s] || slices.ContainsFunc(media, func(m *Media) bool {
			return m.Data != "" && strings.HasPrefix(s, "data:") && strings.HasSuffix(s, m.Data)
		})
	}, func(raw []byte, as metafields.Holds) bool {
		call, known := whole[string(raw)]
		return known && (call || as != metafields.Calls) // what text has instead of a call is bared
	})
}

// holdsOthers reports whether the native JSON of a message has members that are not known, whatever
// the known ones hold: parts may have gone since, and the JSON is made to agree later.
func holdsOthers(native Native) bool {
	inside := func(raw []byte, _ metafields.Holds) bool { return len(raw) < len(native.JSON) }
	return native.JSON != nil && !metafields.Says(native.JSON, messageMembers, nil,
		func(string) bool { return true }, inside)
}

// bareMessage removes what a message says beside its role and its parts: a participant's name, an
// id, metadata, and native JSON, unless it is known to say no more.
func (d *draft) bareMessage(i int, known bool) {
	m := &d.nodes[i].Message
	if m.ID == "" && m.Name == "" && len(m.Meta) == 0 && known {
		return
	}
	d.warn(d.position(i, none), bareNote, Tally{}, Tally{})
	n := d.change(i)
	n.ID, n.Name, n.Meta = "", "", nil
	if !known {
		n.Native = Native{}
	}
}

// barePart removes what a text or a medium has beside its content: metadata, cache breakpoints and
// unknown members.
func (d *draft) barePart(i, j int) {
	p := d.nodes[i].Parts[j]
	c := p.carried()
	known := !saysMore(c.Native, contentMembers, p)
	if len(c.Meta) == 0 && c.Cache == nil && known || d.options.vouches(p) {
		return
	}
	bare := CopyPart(p)
	if !known {
		bare = withoutNative(p)
	}
	left := bare.carried()
	left.Meta, left.Cache = nil, nil
	d.replace(i, j, bare, bareNote)
}

// plain reports whether a part may stay in a message of this role, whoever wrote it.
func (o *Options) plain(p Part, r Role) bool {
	switch p := p.(type) {
	case *Text:
		if r == RoleUser || r == RoleAssistant {
			return true
		}
	case *Media:
		inline := p.URL == "" && p.Data != "" // without both, its source may hold other addresses
		if r == RoleUser && p.FileID == "" && (inline || p.URL != "" && o.trustsURL(p.URL)) {
			return true
		}
	}
	return false
}

// vouches reports whether the server's own store has a part.
func (o *Options) vouches(p Part) bool { return o.Vouch != nil && o.Vouch(clonePart(p)) }

// trustsURL reports whether the provider may be sent to an address. A data: URL is no address.
func (o *Options) trustsURL(address string) bool {
	if scheme, _, ok := strings.Cut(address, ":"); ok && strings.EqualFold(scheme, "data") {
		return true
	}
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	if o.AllowURL != nil {
		return o.AllowURL(u)
	}
	return u.Scheme == "https" && u.Host != "" && u.User == nil
}
