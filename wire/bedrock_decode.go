package wire

import (
	"encoding/json"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file reads the Bedrock Converse format. A cache point is a block of its own and belongs
// to the block before it, so it is read as that block's breakpoint.

func decodeBedrock(d *decoder, v jsonscan.Value) preflight.Message {
	m := preflight.Message{Role: roleIn(v), Native: d.native(v)}
	m.Parts = d.blocks(v, true)
	if m.Role == "" {
		m.Role = roleOfParts(m.Parts)
		d.shape(v, "role", "the role is missing", "added the missing role to a message")
	}
	if m.Role == preflight.RoleAssistant {
		markProviderExecuted(m.Parts)
		d.markContinued(m.Parts)
	} else {
		d.served = nil
		d.keepAnsweredByProvider(m.Parts)
	}
	return m
}

func decodeBedrockSystem(d *decoder, v jsonscan.Value) preflight.Message {
	d.value = v
	m := preflight.Message{Role: preflight.RoleSystem, Native: d.native(v)}
	if v.Kind() == jsonscan.String {
		d.shape(v, "", "the system prompt is not a list", "wrote the system prompt as a list")
		m.Parts = d.single(&preflight.Text{Text: v.Str(), Carried: d.nativeOnly(v)})
	} else {
		m.Parts = d.blockList(v, true)
	}
	return m
}

// blocks reads the member content of v, a list of blocks. cached allows cache points in it.
func (d *decoder) blocks(v jsonscan.Value, cached bool) []preflight.Part {
	c := v.Get("content")
	switch c.Kind() {
	case jsonscan.Absent, jsonscan.Null:
		return nil
	case jsonscan.Array:
		return d.blockList(c, cached)
	}
	d.shape(v, "content", "the content is not a list", "wrote the content as a list")
	switch {
	case c.StrIs(""):
		return nil
	case cached && isCachePoint(c):
		d.note(c, "", cachePointDropped)
		return nil
	case isUnion(c, !cached):
		return d.separate(c, !cached)
	case c.Kind() == jsonscan.Object:
		if p := d.block(c, !cached); p != nil {
			return d.single(p)
		}
		return nil
	}
	return d.single(d.valueAsText(c))
}

// blockList reads a list of blocks. Cache points become the breakpoints of the blocks before them.
func (d *decoder) blockList(v jsonscan.Value, cached bool) []preflight.Part {
	parts := d.lists.take(v.Len())[:0]
	var first jsonscan.Value // a cache point with no block before it
	for e := v.First(); e.Exists(); e = e.Next() {
		switch {
		case e.Kind() == jsonscan.Null:
			d.shape(e, "", "the block is null", "removed a block that is null")
		case e.Kind() != jsonscan.Object:
			d.shape(e, "", "the block is not an object", "wrote a value that is not a block as text")
			parts = append(parts, d.valueAsText(e))
		case isCachePoint(e) && e.Get("cachePoint").Kind() != jsonscan.Object:
			d.shape(e, "",
				"the cache point is not an object", "removed a cache point that is not an object")
		case isUnion(e, !cached):
			parts = append(parts, d.separate(e, !cached)...)
		case !cached || !isCachePoint(e):
			if p := d.block(e, !cached); p != nil { // a foreign block may hold nothing to keep
				parts = append(parts, p)
			}
		case len(parts) == 0 && !first.Exists():
			first = e
		case len(parts) == 0:
			d.note(e, "", cachePointDropped)
		case *cacheOf(parts[len(parts)-1]) != nil:
			d.note(e, "", cachePointRepeated)
		default:
			*cacheOf(parts[len(parts)-1]) = e.Raw()
		}
	}
	if first.Exists() {
		d.placeFirst(first, parts)
	}
	return parts
}

// The findings about cache points without a block of their own.
var (
	cachePointMoved = finding{
		code: codes.CacheMoved, rule: rulePointPlace,
		wrong: "a cache point comes before all blocks",
		done:  "moved a cache point after the first block",
	}
	cachePointDropped = finding{
		code: codes.CacheRemoved, rule: rulePointPlace,
		wrong: "a cache point has no block of its own",
		done:  "removed a cache point that has no block of its own",
	}
	cachePointRepeated = finding{
		code: codes.CacheRemoved, rule: rulePointRepeated,
		wrong: "a cache point repeats the one before it",
		done:  "removed a cache point that repeats the one before it",
	}
)

const (
	// rulePointPlace is the rule for a cache point that has no block of its own.
	rulePointPlace = "bedrock/cache-point-alone"

	// rulePointRepeated is the rule for a cache point right after another. Bedrock was not seen to
	// refuse it, but it takes one of the few points that a request may have
	// (https://github.com/strands-agents/harness-sdk/pull/3677).
	rulePointRepeated = "preflight/cache-point-repeated"
)

// placeFirst moves a cache point at the start of a list after the first block, if that has none.
func (d *decoder) placeFirst(point jsonscan.Value, parts []preflight.Part) {
	if len(parts) == 0 || *cacheOf(parts[0]) != nil {
		d.note(point, "", cachePointDropped)
		return
	}
	*cacheOf(parts[0]) = point.Raw()
	d.note(point, "", cachePointMoved)
}

func isCachePoint(v jsonscan.Value) bool { return v.Len() == 1 && v.Has("cachePoint") }

// block reads one block, an object. nested is set in a tool result.
func (d *decoder) block(v jsonscan.Value, nested bool) preflight.Part {
	c := d.nativeOnly(v)
	if text := v.Get("text"); hasValue(text) || text.Exists() && v.Len() == 1 {
		return d.blockOf("text", v, c, nested)
	}
	if nested && v.Has("json") {
		return d.blockOf("json", v, c, nested)
	}
	for _, key := range bedrockBlocks {
		if v.Has(key) && (!nested || isMediaKey(key)) {
			return d.blockOf(key, v, c, nested)
		}
	}
	if p, ok := d.foreign(v); ok {
		return p
	}
	kind := v.First()
	if v.Len() > 1 { // a member that is new may be beside the one that names the kind
		for kind.Exists() && kind.Kind() != jsonscan.Object {
			kind = kind.Next()
		}
	}
	if !kind.Exists() {
		d.shape(v, "",
			"the block has no member that names its kind", "wrote a value that is not a block as text")
		return &preflight.Text{Text: textOf(v)}
	}
	return d.others.one(preflight.Other{Carried: c, Kind: kind.Key().Str()})
}

// blockOf reads what block v holds under key.
func (d *decoder) blockOf(
	key string, v jsonscan.Value, c preflight.Carried, nested bool,
) preflight.Part {
	switch key {
	case "text":
		t := d.texts.one(preflight.Text{Carried: c})
		t.Text = d.passage(v, key, v)
		return t
	case "json":
		return d.json(v, c)
	}
	if !slices.Contains(bedrockBlocks, key) {
		return d.others.one(preflight.Other{Carried: c, Kind: key})
	}
	held := v.Get(key)
	if held.Kind() != jsonscan.Object {
		d.shape(v, key, "the block holds no object", "wrote a value that is not a block as text")
		return &preflight.Text{Text: textOf(held)}
	}
	switch key {
	case "toolUse":
		if t := held.Get("type"); t.Kind() == jsonscan.String && !oneOf(t, serverVariant, "tool_use") {
			return d.others.one(preflight.Other{Carried: c, Kind: key}) // who runs it is not known
		}
		return bedrockCall(d, held, c)
	case "toolResult":
		return bedrockResult(d, held, c)
	case "reasoningContent":
		return bedrockReasoning(d, held, c)
	}
	return bedrockMedia(d, held, c, key, nested)
}

// json reads a JSON block of a tool result as text. The encoder writes it as JSON again while the
// text is unchanged. Only objects may be sent that way.
func (d *decoder) json(v jsonscan.Value, c preflight.Carried) preflight.Part {
	value := v.Get("json")
	if value.Kind() != jsonscan.Object {
		d.repaired(v, "json", "bedrock/tool-result-json-object",
			"the JSON of a tool result is not an object", "wrote JSON of a tool result as text")
		return &preflight.Text{Text: textOf(value)}
	}
	return d.texts.one(preflight.Text{Carried: c, Text: string(value.Raw())})
}

func bedrockCall(d *decoder, v jsonscan.Value, c preflight.Carried) preflight.Part {
	call := d.calls.one(preflight.ToolCall{
		Carried: c, ID: d.text(v, "toolUseId"), Name: d.text(v, "name"),
		Input: v.Get("input").Raw(),
	})
	d.misnamedInput(v, call)
	if v.Get("type").StrIs(serverVariant) {
		call.ProviderExecuted, call.Variant = true, serverVariant
		if fixed := d.r.Profile.RepairToolName(call.Name); fixed != call.Name {
			d.repaired(v, "name", ruleConverseName,
				"the tool's name has characters or a length that the provider refuses",
				"changed a tool's name to one the provider accepts")
			call.Name = fixed
		}
	}
	return call
}

func bedrockResult(d *decoder, v jsonscan.Value, c preflight.Carried) preflight.Part {
	r := d.results.one(preflight.ToolResult{Carried: c, Content: d.blocks(v, false)})
	d.callID(v, "toolUseId", r)
	if name := d.misnamed(v, "content", ruleShape, outputMembers); name != "" {
		r.Content = d.single(d.valueAsText(v.Get(name)))
	} else if v.Get("content").Kind() != jsonscan.Array && len(r.Content) == 0 {
		d.shape(v, "content",
			"the tool result has no content", "added an empty content list to a tool result")
	}
	if len(r.Content) == 0 {
		r.Content = nil
	}
	r.Variant = v.Get("type").Str()
	r.ProviderExecuted = r.Variant != ""
	status := v.Get("status")
	r.IsError = status.StrIs("error")
	if status.Exists() && !r.IsError && d.r.Profile.Tools.NoErrorFlag {
		d.refused(v, "status", d.r.ruleOf(problems.ErrorFlag))
		r.Native.JSON = withoutStatus(r.Native.JSON)
	}
	return r
}

// withoutStatus returns a toolResult block without the member that not every model takes.
func withoutStatus(block json.RawMessage) json.RawMessage {
	result := jsonscan.EditObject(valueOf(block).Get("toolResult"))
	result.DeleteMember("status")
	var e jsonscan.Edits
	result.AppendTo(&e)
	return edited(block, &e)
}

func bedrockReasoning(d *decoder, v jsonscan.Value, c preflight.Carried) preflight.Part {
	if text := v.Get("reasoningText"); text.Kind() == jsonscan.Object {
		if k := text.Get("text").Kind(); k == jsonscan.Null || k == jsonscan.Absent {
			// the member is required (https://github.com/LibreChat-AI/agents/pull/248)
			d.shape(text, "text", "the reasoning has no text", "added empty text to reasoning")
		}
		return d.thoughts.one(preflight.Reasoning{
			Carried: c, Text: d.text(text, "text"), Signature: d.text(text, "signature"),
		})
	}
	return d.thoughts.one(preflight.Reasoning{Carried: c, Opaque: d.text(v, "redactedContent")})
}

// bedrockMedia reads an image, document, video or audio block. With a source of an unknown type it
// is a part of unknown kind, where the model takes such media at all.
func bedrockMedia(
	d *decoder, v jsonscan.Value, c preflight.Carried, key string, nested bool,
) preflight.Part {
	m := d.media.one(preflight.Media{
		Carried: c, Kind: key, MediaType: mediaTypeOf(key, v.Get("format").Str()),
	})
	source := v.Get("source")
	switch {
	case source.Get("bytes").Kind() == jsonscan.String:
		_, m.Data = d.bareData(source, "bytes")
	case source.Get("s3Location").Kind() == jsonscan.Object:
		m.FileID = source.Get("s3Location").Get("uri").Str()
	case key != "document" && source.Len() > 0 && d.takesMedia(key, nested):
		return d.others.one(preflight.Other{Carried: c, Kind: key})
	}
	if key == "document" {
		m.Name = d.text(v, "name")
	}
	return m
}

// takesMedia reports whether the model takes media of a kind, in a tool result if nested is set.
func (d *decoder) takesMedia(kind string, nested bool) bool {
	p := &d.r.Profile.Media
	return slices.Contains(p.Kinds, kind) && (!nested || slices.Contains(p.ResultKinds, kind))
}
