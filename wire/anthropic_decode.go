package wire

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/filetype"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file reads the Anthropic Messages format.

func decodeAnthropic(d *decoder, v jsonscan.Value) preflight.Message {
	if !d.r.format.ownMembers {
		d.refusedNames(v, &anthropicMessageExtras, ruleExtraInputs)
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

// isServerResult reports whether a type is that of results of a tool that the provider runs. Another
// one of that ending may be new, and answer a call of the client's.
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
	return r
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
		if source := v.Get("source"); source.Kind() == jsonscan.String ||
			!source.Exists() && looseMedia(v) {
			if p, ok := d.convert(v, kindKey{kind, false}, v, &foreignBlock); ok {
				return p
			}
		}
		if m := anthropicMedia(d, v, c, kind); m != nil {
			d.refusedNames(v, &anthropicBlockExtras, ruleExtraInputs)
			return m
		}
	}
	return d.other(v, c, kind)
}

// looseMedia reports whether a block holds the data or the address of media as MCP or a framework
// has them.
func looseMedia(v jsonscan.Value) bool {
	return slices.ContainsFunc([]string{"data", "url", "base64", "image"}, func(key string) bool {
		return v.Get(key).Kind() == jsonscan.String
	})
}

// anthropicMedia reads an image or document. It returns nil for an image of which the source is of an
// unknown type, or in a member that is not known.
func anthropicMedia(d *decoder, v jsonscan.Value, c preflight.Carried, kind string) preflight.Part {
	m := d.media.one(preflight.Media{Carried: c, Kind: kind})
	if kind == "document" {
		m.Name = v.Get("title").Str()
	}
	source := v.Get("source")
	switch kind := d.sourceType(source); {
	case kind == "base64":
		m.MediaType, m.Data = d.bareData(source, "data")
		m.MediaType = cmp.Or(source.Get("media_type").Str(), m.MediaType)
	case kind == "url":
		m.URL = source.Get("url").Str()
		if mediaType, data, ok := filetype.ParseDataURL(m.URL); ok {
			d.shape(source, "url", "the address is a data: URL", "wrote the data of a data: URL as base64")
			m.URL, m.MediaType, m.Data = "", mediaType, data
		}
	case kind == "file":
		m.FileID = source.Get("file_id").Str()
	case m.Kind == "image" && source.Kind() == jsonscan.Object && kind != "":
		return nil
	case m.Kind == "image" && (!source.Exists() && holdsOther(v) || holdsOther(source)):
		return nil
	case !source.Exists() && isSet(v.Get("file_id")):
		d.shape(v, "file_id", "the file is not in a source", "moved the id of a file into a source")
		m.Native, m.FileID = preflight.Native{}, v.Get("file_id").Str()
	}
	return m
}

// sourceType returns the type of a source, where it has none the type that its members show.
func (d *decoder) sourceType(source jsonscan.Value) string {
	if t := source.Get("type"); t.Kind() == jsonscan.String {
		return t.Str()
	}
	if strings.HasPrefix(source.Get("media_type").Str(), "text/") {
		return "" // data may be base64 or text
	}
	for _, shown := range [...][2]string{{"data", "base64"}, {"url", "url"}, {"file_id", "file"}} {
		if isSet(source.Get(shown[0])) {
			d.shape(source, "type", "the source has no type", "gave a source its type")
			return shown[1]
		}
	}
	return ""
}
