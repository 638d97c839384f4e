package wire

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file reads the Anthropic Messages format.

func decodeAnthropic(d *decoder, v jsonscan.Value) preflight.Message {
	if !d.r.format.ownMembers {
		d.refusedNames(v, &anthropicMessageExtras, ruleExtraInputs)
	}
	if d.r.format.noAnswers && v.Has(detailsKey) {
		d.refused(v, detailsKey, ruleExtraInputs)
	}
	m := preflight.Message{Role: roleIn(v), Native: d.native(v)}
	if content := v.Get("content"); content.Kind() != jsonscan.String || !content.StrIs("") {
		m.Parts = d.content(v, ruleShape, anthropicPart)
	}
	if v.Get("role").Kind() != jsonscan.String || m.Role == "" {
		m.Role = roleOfParts(m.Parts)
		d.shape(v, "role", "the role is missing", "added the missing role to a message")
	}
	if config := v.Get(directiveKind); isSystemRole(m.Role) && config.Kind() == jsonscan.Object {
		m.Parts = append(m.Parts,
			d.others.one(preflight.Other{Kind: directiveKind, Carried: d.nativeOnly(config)}))
	}
	return m
}

func decodeAnthropicSystem(d *decoder, v jsonscan.Value) preflight.Message {
	d.value = v
	m := preflight.Message{Role: preflight.RoleSystem, Native: d.native(v)}
	if v.Kind() == jsonscan.String {
		m.Parts = d.oneText(v.Str(), v)
	} else {
		m.Parts = d.list(v, anthropicPart)
	}
	return m
}

// anthropicPart reads one block.
func anthropicPart(d *decoder, v jsonscan.Value) preflight.Part {
	c := d.carried(v)
	kind := v.Get("type").Str()
	switch kind {
	case "thinking":
		r := d.thoughts.one(preflight.Reasoning{Carried: c})
		r.Text = d.passage(v, "thinking", v)
		r.Signature = d.text(v, "signature")
		return r
	case "redacted_thinking":
		return d.thoughts.one(preflight.Reasoning{Carried: c, Opaque: d.text(v, "data")})
	case "tool_use":
		d.refusedNames(v, &anthropicBlockExtras, ruleExtraInputs)
		call := d.calls.one(preflight.ToolCall{
			Carried: c, ID: d.text(v, "id"), Name: d.text(v, "name"), Input: v.Get("input").Raw(),
		})
		d.misnamedInput(v, call)
		if d.r.format.noNullCaller && isNullMember(v, "caller") {
			d.refused(v, "caller", ruleExtraInputs)
		}
		return call
	case "server_tool_use", "mcp_tool_use":
		variant := "server"
		if kind == "mcp_tool_use" {
			variant = mcpVariant
		}
		return d.calls.one(preflight.ToolCall{
			Carried: c, ID: d.text(v, "id"), Name: d.text(v, "name"), Input: v.Get("input").Raw(),
			ProviderExecuted: true, Variant: variant,
		})
	case "tool_result":
		return anthropicResult(d, v, c)
	case "compaction":
		return compactionPart(d, v, c)
	}
	if isServerResult(kind) {
		return serverResult(d, v, c, kind)
	}
	return anthropicNested(d, v)
}

// isServerResult reports whether a type is that of results of a tool that the provider runs.
// Another one of that ending may be new, and answer a call of the client's.
func isServerResult(kind string) bool {
	return strings.HasSuffix(kind, "_tool_result") && knownKinds()[kindKey{kind, false}] != nil
}

func serverResult(d *decoder, v jsonscan.Value, c preflight.Carried, kind string) preflight.Part {
	r := d.results.one(preflight.ToolResult{
		Carried: c, CallID: d.text(v, "tool_use_id"), ProviderExecuted: true, Variant: kind,
		Output: v.Get("content").Raw(),
	})
	if kind == "mcp_tool_result" {
		r.Variant = mcpVariant
	}
	r.IsError, _ = v.Get("is_error").Bool()
	if d.r.format.noAnswers && isExecutionResult(kind) && v.Has("citations") {
		d.refused(v, "citations", ruleExtraInputs)
	}
	return r
}

// isExecutionResult reports whether a type is that of results of code execution, whose citations
// the API writes and does not take back: agno-agi/agno#8687.
func isExecutionResult(kind string) bool {
	return strings.HasSuffix(kind, "code_execution_tool_result")
}

func anthropicResult(d *decoder, v jsonscan.Value, c preflight.Carried) preflight.Part {
	d.refusedNames(v, &anthropicBlockExtras, ruleExtraInputs)
	r := d.results.one(preflight.ToolResult{Carried: c})
	d.callID(v, "tool_use_id", r)
	if content := v.Get("content"); content.Kind() != jsonscan.String || !content.StrIs("") {
		r.Content = d.content(v, ruleShape, anthropicInResult)
	}
	if len(r.Content) == 0 {
		r.Content = nil
	}
	r.IsError, _ = v.Get("is_error").Bool()
	return r
}

// anthropicInResult reads a block inside a tool result. Tool blocks and reasoning are not allowed
// there (rule anthropic/output-only-blocks), and are read as their own kinds so that the fixers
// find them.
func anthropicInResult(d *decoder, v jsonscan.Value) preflight.Part {
	switch kind := v.Get("type").Str(); {
	case strings.HasSuffix(kind, "tool_use"), kind == "tool_result", isServerResult(kind),
		strings.HasSuffix(kind, "thinking"):
		return anthropicPart(d, v)
	}
	return anthropicNested(d, v)
}

// anthropicNested reads a block that is also allowed inside a tool result.
func anthropicNested(d *decoder, v jsonscan.Value) preflight.Part {
	c := d.carried(v)
	kind := v.Get("type").Str()
	switch kind {
	case "text":
		d.refusedNames(v, &anthropicBlockExtras, ruleExtraInputs)
		t := d.texts.one(preflight.Text{Carried: c})
		t.Text = d.passage(v, "text", v)
		return t
	case "image", "document":
		if m := d.looseMedia(v, c, kind); m != nil {
			return m
		}
		if m := anthropicMedia(d, v, c, kind); m != nil {
			d.refusedNames(v, &anthropicBlockExtras, ruleExtraInputs)
			return m
		}
	}
	return d.other(v, c, kind)
}

// looseMembers are those with the data or the address of media as MCP and frameworks have them, in
// the order of readSource, and the id of a file.
var looseMembers = []string{"source", "data", "url", "base64", "image", "file_id"}

// looseMedia reads an image or document whose data or address is in no object source. It returns
// nil for another one.
func (d *decoder) looseMedia(v jsonscan.Value, c preflight.Carried, kind string) preflight.Part {
	if v.Get("source").Kind() > jsonscan.Null && v.Get("source").Kind() != jsonscan.String {
		return nil
	}
	k := slices.IndexFunc(looseMembers, func(key string) bool { return hasText(v.Get(key)) })
	if k < 0 {
		return nil
	}
	held := looseMembers[k]
	p, _ := readSource(kind)(v, v)
	m, ok := p.(*preflight.Media)
	if held == "file_id" {
		m, ok = &preflight.Media{Kind: kind, FileID: v.Get(held).Str()}, true
	}
	if !ok || m.Data == "" && m.URL == "" && m.FileID == "" {
		return nil
	}
	d.shape(v, held, "the media is not in a source", "moved media into a source")
	block := []byte(`{"type":"` + kind + `","source":{}`)
	for k, member := range v.All() {
		switch key := member.Key(); {
		case oneOf(key, held, "type", "id", "source_type", "mimeType", "mime_type",
			"mediaType", "media_type"):
		case key.StrIs("cache_control"), !hasMeaning(member):
		case kind == "document" && oneOf(key, "title", "context", "citations"):
			block = append(append(append(append(block, ','), key.Raw()...), ':'), member.Raw()...)
		default:
			d.refusedMember(v, member, k, ruleShape)
		}
	}
	if m.Name = ""; kind == "document" {
		m.Name = v.Get("title").Str()
	}
	m.Carried = c
	m.Native.JSON = append(block, '}')
	return m
}

// anthropicMedia reads an image or document. It returns nil for an image of which the source is of
// an unknown type, or in a member that is not known.
func anthropicMedia(d *decoder, v jsonscan.Value, c preflight.Carried, kind string) preflight.Part {
	m := d.media.one(preflight.Media{Carried: c, Kind: kind})
	if kind == "document" {
		m.Name = v.Get("title").Str()
	}
	source := v.Get("source")
	switch kind := d.sourceType(source, kind); {
	case kind == "base64":
		m.MediaType, m.Data = d.bareData(source, "data")
		m.MediaType = cmp.Or(source.Get("media_type").Str(), m.MediaType)
		if !source.Has("type") {
			m.MediaType = cmp.Or(m.MediaType, typeOfData(m.Kind, m.Data))
		}
	case kind == "url":
		d.address(m, source, "url")
	case kind == "file":
		m.FileID = source.Get("file_id").Str()
	case m.Kind == "image" && source.Kind() == jsonscan.Object && kind != "":
		return nil
	case m.Kind == "image" && (!hasValue(source) && holdsOther(v) || holdsOther(source)):
		return nil
	}
	return m
}

// sourceType returns the type of a source of media of a kind, where it has none the type that its
// members show.
func (d *decoder) sourceType(source jsonscan.Value, kind string) string {
	shown := typeOfSource(source, kind)
	if shown == "" || hasText(source.Get("type")) {
		return shown
	}
	d.shape(source, "type", "the source has no type", "gave a source its type")
	for _, t := range sourceTypes {
		if t[1] != shown && hasText(source.Get(t[0])) {
			d.refused(source, t[0], ruleShape)
		}
	}
	return shown
}
