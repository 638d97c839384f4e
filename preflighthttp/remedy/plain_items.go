package remedy

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/wire"
)

// This file is the remedy for hosts of the Responses API that know fewer types of items than
// OpenAI: the input goes in the types that all of them know.

const plainItemsName = "plain-items"

// unknownItem says that some item is not known, and not which. Sources: xAI,
// router-for-me/CLIProxyAPI#4434 and chenyme/grok2api#673; Bedrock, BerriAI/litellm#36546.
var unknownItem = regexp.MustCompile(`(?i)\bany variant of untagged enum modelinput\b|` +
	`\binvalid ["'\x60]input["'\x60]: value did not match any expected variant\b`)

// unknownType names the type that is not known. Sources: james-6-23/codex2api#224;
// vllm-project/vllm#55974.
var unknownType = regexp.MustCompile(`(?i)\binvalid input type ["'\x60]([a-z_]{3,64})["'\x60]|` +
	`\bunsupported (?:input )?item type:? ["'\x60]?([a-z_]{3,64})\b`)

// privateMembers are members of items that clients add, and that Grok does not know.
var privateMembers = []string{"phase", "internal_chat_message_metadata_passthrough", "namespace"}

// plainItems writes items of types that the refusal says are not known as the host knows them:
// calls and outputs as those of functions, and tools that an item declares among those of the
// request. What has no such form is removed.
func plainItems(
	first *wire.Result, given, sent []byte, refusal string,
) (result *wire.Result, forms []like) {
	refusal = unescaped(refusal)
	m := unknownType.FindStringSubmatch(refusal)
	if m == nil && !unknownItem.MatchString(refusal) {
		return nil, nil
	}
	doc, err := jsonscan.Parse(sent)
	if err != nil || doc.Root().Get("input").Kind() != jsonscan.Array {
		return nil, nil
	}
	p := plainInput{input: doc.Root().Get("input")}
	if m != nil {
		p.named = cmp.Or(m[1], m[2])
	}
	p.read()
	if !p.changed {
		return nil, nil
	}
	object := jsonscan.EditObject(doc.Root())
	object.SetMember("input", list(p.items))
	if len(p.tools) > 0 {
		var declared [][]byte
		for _, tool := range doc.Root().Get("tools").All() {
			declared = append(declared, tool.Raw())
		}
		object.SetMember("tools", list(append(declared, p.tools...)))
	}
	edited := object.Bytes()
	out := withoutMembers(first, given, edited, nil)
	source := sources(first.Elements)
	for _, k := range p.removed {
		out.Warnings = append(out.Warnings, itemWarning(codes.MessageRemoved, source, k,
			"removed an item of a type that the host does not know"))
	}
	for _, k := range p.rewritten {
		out.Warnings = append(out.Warnings, itemWarning(codes.ShapeRepaired, source, k,
			"wrote an item as one of a type that the host knows"))
	}
	out.Elements = elementsBut(first.Elements, sent, given, edited, p.removed)
	return out, nil
}

func itemWarning(
	code codes.Code, source func(string) string, k int, detail string,
) wire.Warning {
	return wire.Warning{
		Warning: preflight.Warning{
			Code: code, Rule: "openai-responses/item-type-unsupported", At: preflight.At(-1),
			Detail: detail,
		},
		Path: source("input[" + strconv.Itoa(k) + "]"),
	}
}

func list(values [][]byte) []byte {
	return slices.Concat([]byte("["), bytes.Join(values, []byte(",")), []byte("]"))
}

// plainInput writes a list of items in the types that all hosts know.
type plainInput struct {
	input jsonscan.Value
	named string // the one type that is not known, "" for all but those of functions

	items, tools       [][]byte
	removed, rewritten []int
	changed            bool
}

// read goes through the items. A call and its output are written as those of a function where both
// are there.
func (p *plainInput) read() {
	called, answered := map[string]bool{}, map[string]bool{}
	for _, item := range p.input.All() {
		if id := item.Get("call_id").Str(); isOutputType(typeOf(item)) {
			answered[id] = true
		} else {
			called[id] = true
		}
	}
	for k, item := range p.input.All() {
		kind, id := typeOf(item), item.Get("call_id").Str()
		paired := id != "" && called[id] && answered[id]
		switch {
		case !p.unknown(kind):
			p.keep(k, item)
		case paired && isOutputType(kind):
			p.rewrite(k, map[string]any{
				"type": "function_call_output", "call_id": id, "output": plainText(item, "output", "tools"),
			})
		case paired && strings.HasSuffix(kind, "_call"):
			name := cmp.Or(item.Get("name").Str(), strings.TrimSuffix(kind, "_call"))
			p.rewrite(k, map[string]any{
				"type": "function_call", "call_id": id, "name": name, "arguments": plainArguments(item),
			})
		default:
			for _, tool := range item.Get("tools").All() {
				if kind == "additional_tools" {
					p.tools = append(p.tools, tool.Raw())
				}
			}
			p.removed, p.changed = append(p.removed, k), true
		}
	}
}

// unknown reports whether the host may not know a type. The output of a call whose type is not
// known is written as that of a function, too.
func (p *plainInput) unknown(kind string) bool {
	switch kind {
	case "", "message", "reasoning", "function_call", "function_call_output":
		return false
	}
	return p.named == "" || kind == p.named || kind == p.named+"_output" ||
		kind == strings.TrimSuffix(p.named, "_call")+"_output"
}

// keep adds an item as it is. Where the refusal names no type, it goes without the members by which
// it may not be known, and reasoning without a payload is left out.
func (p *plainInput) keep(k int, item jsonscan.Value) {
	if p.named != "" {
		p.items = append(p.items, item.Raw())
		return
	}
	if typeOf(item) == "reasoning" && item.Get("encrypted_content").Str() == "" {
		p.removed, p.changed = append(p.removed, k), true
		return
	}
	object := jsonscan.EditObject(item)
	for v := item.First(); v.Exists() && item.Kind() == jsonscan.Object; v = v.Next() {
		if name := v.Key().Str(); v.Kind() == jsonscan.Null || slices.Contains(privateMembers, name) {
			object.DeleteMember(name)
		}
	}
	if p.items = append(p.items, object.Bytes()); object.Changed() {
		p.rewritten, p.changed = append(p.rewritten, k), true
	}
}

func (p *plainInput) rewrite(k int, item map[string]any) {
	raw, err := json.Marshal(item)
	if err != nil {
		p.removed, p.changed = append(p.removed, k), true
		return
	}
	p.items, p.rewritten, p.changed = append(p.items, raw), append(p.rewritten, k), true
}

func typeOf(item jsonscan.Value) string { return item.Get("type").Str() }

func isOutputType(kind string) bool { return strings.HasSuffix(kind, "_output") }

// plainArguments returns the arguments of a call of any type as those of a function.
func plainArguments(item jsonscan.Value) string {
	for _, name := range []string{"action", "operation", "arguments"} {
		if v := item.Get(name); v.Kind() == jsonscan.Object {
			return string(v.Raw())
		}
	}
	text, err := json.Marshal(map[string]string{"input": plainText(item, "input", "arguments")})
	if err != nil {
		return "{}"
	}
	return string(text)
}

// plainText returns the first of some members that there is: a string as it is, any other value in
// JSON.
func plainText(item jsonscan.Value, names ...string) string {
	for _, name := range names {
		switch v := item.Get(name); v.Kind() {
		case jsonscan.Absent, jsonscan.Null:
		case jsonscan.String:
			return v.Str()
		default:
			return string(v.Raw())
		}
	}
	return ""
}
