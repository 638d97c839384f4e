package wire

import (
	"encoding/json"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
)

// This file describes, reads and writes Mistral's chat format: OpenAI's Chat format with blocks
// and fields of its own.

const (
	mistralName    = "mistral"
	ruleResultName = "mistral/function-name"
)

func mistralFormat() *format {
	f := chat{
		name: mistralName,
		fields: map[preflight.Role][]string{
			preflight.RoleSystem:    {"role", "content"},
			preflight.RoleUser:      {"role", "content"},
			preflight.RoleAssistant: {"role", "content", "tool_calls", "prefix"},
			preflight.RoleTool:      {"role", "content", "tool_call_id", "name"},
		},
		fieldRule:       "mistral/unknown-fields",
		emptyCalls:      true,
		noFunctionRole:  true,
		prefixes:        true,
		objectArguments: true,
		untypedCalls:    true,
		noCustomCalls:   true,
		namedResults:    true,
		hostPart:        mistralPart,
		hostBlock:       mistralBlock,
		inBlocks:        true,
	}.format("", provider.Mistral, signs{
		members: []string{"safe_prompt", "random_seed", "prompt_mode"},
		fields:  []string{"prefix"},
		blocks:  []blockSign{{"document_url", "document_url"}, {"reference", "reference_ids"}},
		models: []string{
			"mistral-large-latest", "mistral-medium-latest", "mistral-small-latest",
			"mistral-large-####", "mistral-medium-####",
			"mistral-small-####", "mistral-tiny*", "ministral-#b-*", "ministral-##b-*",
			"codestral-latest", "codestral-####", "magistral-*",
			"pixtral-*", "voxtral-*", "devstral-medium-*", "devstral-small-latest",
			"devstral-small-####", "open-mistral-*", "open-mixtral-*",
		},
	})
	f.chatLike = true
	return f
}

// prefix reads the prefix mark of an assistant message, which is only valid on text at the end of
// the messages.
func (c *chat) prefix(d *decoder, v jsonscan.Value, m *preflight.Message, parts []preflight.Part) {
	if prefix, _ := v.Get("prefix").Bool(); !prefix || !c.prefixes {
		return
	}
	if d.index == d.r.list.Len()-1 && holdsOnlyText(parts) {
		m.Meta = preflight.Metadata{provider.MetaPrefix: json.RawMessage("true")}
		return
	}
	d.repaired(v, "prefix", "mistral/prefix-not-last",
		"only text at the end of the messages can be a prefix",
		"removed the prefix mark from a message")
}

// isPrefix reports whether a message is marked as a prefix and can be one.
func isPrefix(m *preflight.Message) bool {
	return string(m.Meta[provider.MetaPrefix]) == "true" && holdsOnlyText(withoutNil(m.Parts))
}

// writePrefix writes or removes the prefix mark.
func (c *chat) writePrefix(message *member, m *preflight.Message) {
	have, _ := message.v.Get("prefix").Bool()
	switch want := callsTools(m.Role) && isPrefix(m); {
	case !c.prefixes || have == want:
	case want:
		message.flag("prefix", true)
	default:
		message.drop("prefix")
	}
}

// holdsOnlyText reports whether parts are only text and reasoning, with some text.
func holdsOnlyText(parts []preflight.Part) bool {
	some := false
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Text:
			some = some || !isEmptyText(p)
		case *preflight.Reasoning:
		default:
			return false
		}
	}
	return some
}

// mistralPart reads Mistral's own blocks, nil for any other.
func mistralPart(d *decoder, v jsonscan.Value) preflight.Part {
	kind := v.Get("type").Str()
	value := v.Get(kind)
	if kind == "thinking" {
		return d.thoughts.one(preflight.Reasoning{Carried: d.carried(v), Text: thinkingText(value)})
	}
	// a document without its address is still a document
	if value.Kind() != jsonscan.String && kind != "document_url" {
		return nil
	}
	m := d.media.one(preflight.Media{Carried: d.carried(v)})
	switch kind {
	case "image_url":
		m.Kind, m.URL = "image", d.imageAddress(value)
	case "document_url":
		m.Kind, m.URL, m.Name = "document", value.Str(), v.Get("document_name").Str()
	case "input_audio":
		m.Kind, m.Data = "audio", value.Str()
	default:
		return nil
	}
	return m
}

// mistralBlock writes Mistral's own blocks, nil for any other.
func mistralBlock(p preflight.Part) ([][]byte, error) {
	switch p := p.(type) {
	case *preflight.Reasoning:
		if isOpaque(p) {
			return nil, errOpaque
		}
		o, block := openObject(p.Native, mistralName, `{"type":"thinking","thinking":[]}`,
			"thinking")
		if text := thoughtsOf(p); thinkingText(block.v.Get("thinking")) != text {
			block.o.SetMember("thinking",
				[]byte(`[{"type":"text","text":`+string(quoted(text))+`}]`))
		}
		return o.pieces()
	case *preflight.Media:
		switch key := stringMember(p); {
		case mediaKind(p) == "document" && p.FileID == "":
			o, block := openObject(p.Native, mistralName,
				`{"type":"document_url","document_url":""}`, "document_url")
			block.text("document_url", addressOf(p))
			block.optional("document_name", p.Name)
			return o.pieces()
		case key == "image_url":
			o, block := openObject(p.Native, mistralName, `{}`)
			block.text(key, addressOf(p))
			return o.pieces()
		case key == "input_audio":
			o, block := openObject(p.Native, mistralName, `{}`)
			block.text(key, p.Data)
			return o.pieces()
		}
	}
	return nil, nil
}

// stringMember returns the name of the member that a block is named after, if its value is a
// string.
func stringMember(m *preflight.Media) string {
	block := valueOf(m.Native.JSON)
	kind := block.Get("type").Str()
	if m.Native.Format != mistralName || block.Get(kind).Kind() != jsonscan.String {
		return ""
	}
	return kind
}
