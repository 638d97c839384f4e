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
// request. What has no such form is removed if the refusal names its type. Where it names none, it
// is removed only if there is nothing to rewrite: so after the refusal of a request that was
// rewritten already; see plainLesson.
func plainItems(
	first *wire.Result, given, sent []byte, refusal string,
) (result *wire.Result, forms []like) {
	named, ok := unknownItems(unescaped(refusal))
	if !ok {
		return nil, nil
	}
	if result = inPlainItems(first, given, sent, named, named != ""); result == nil {
		result = inPlainItems(first, given, sent, named, true)
	}
	return result, nil
}

// unknownItems returns the tool of the type that a refusal says is not known, "" if it does not say
// which. ok is false if it says nothing like that.
func unknownItems(refusal string) (named string, ok bool) {
	if m := unknownType.FindStringSubmatch(refusal); m != nil {
		return toolOf(cmp.Or(m[1], m[2])), true
	}
	return "", unknownItem.MatchString(refusal)
}

// plainLesson returns what is learned from a refusal that plainItems answers, "" for nothing: that
// later requests are rewritten before they are sent. Nothing is removed from them.
func plainLesson(refusal string) string {
	named, ok := unknownItems(unescaped(refusal))
	if !ok {
		return ""
	}
	return strings.TrimSpace(plainItemsName + " " + named)
}

// isPlainLesson reports whether an id is one of plainLesson, and which type it names.
func isPlainLesson(id string) (named string, ok bool) {
	rest, ok := strings.CutPrefix(id, plainItemsName)
	named = strings.TrimPrefix(rest, " ")
	return named, ok && allPlain([]string{named}) && strings.TrimSpace(plainItemsName+" "+named) == id
}

// inPlainItems returns the result with the items of sent in plain types, nil if that changes
// nothing.
func inPlainItems(
	first *wire.Result, given, sent []byte, named string, removing bool,
) *wire.Result {
	doc, err := jsonscan.Parse(sent)
	if err != nil || doc.Root().Get("input").Kind() != jsonscan.Array {
		return nil
	}
	p := plainInput{input: doc.Root().Get("input"), named: named, removing: removing}
	p.read()
	if len(p.removed)+len(p.rewritten) == 0 {
		return nil
	}
	object := jsonscan.EditObject(doc.Root())
	object.SetMember("input", list(p.items))
	if len(p.tools) > 0 {
		object.SetMember("tools", list(declared(doc.Root().Get("tools"), p.tools)))
	}
	edited := object.Bytes()
	out := withoutMembers(first, given, edited, nil)
	source := sources(first.Elements)
	for n, k := range p.removed {
		out.Warnings = append(out.Warnings, itemWarning(p.why[n], source, k, removedItems[p.why[n]]))
	}
	for _, k := range p.rewritten {
		out.Warnings = append(out.Warnings, itemWarning(codes.ShapeRepaired, source, k,
			"wrote an item as one of a type that the host knows"))
	}
	out.Elements = elementsBut(first.Elements, sent, given, edited, p.removed)
	return out
}

// removedItems say why an item was removed.
var removedItems = map[codes.Code]string{
	codes.PartMoved:        "moved the tools of an item to those of the request",
	codes.EmptyRemoved:     "removed reasoning that holds nothing",
	codes.ReasoningRemoved: "removed reasoning that holds only a summary",
	codes.PartRemoved:      "removed an item of a type that the host does not seem to know",
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
	input    jsonscan.Value
	named    string // the tool of the type that is not known, "" for all types that may not be
	removing bool   // what has no such form is removed

	items              [][]byte
	tools              []jsonscan.Value // that items declare
	removed, rewritten []int
	why                []codes.Code // of each that is removed
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
				"type": "function_call_output", "call_id": id, "output": plainOutput(item),
			})
		case paired && strings.HasSuffix(kind, "_call"):
			name := cmp.Or(item.Get("name").Str(), strings.TrimSuffix(kind, "_call"))
			p.rewrite(k, map[string]any{
				"type": "function_call", "call_id": id, "name": name, "arguments": plainArguments(item),
			})
		case kind == "additional_tools":
			for _, tool := range item.Get("tools").All() {
				p.tools = append(p.tools, tool)
			}
			p.remove(k, codes.PartMoved)
		case p.removing:
			p.remove(k, codes.PartRemoved)
		default:
			p.keep(k, item)
		}
	}
}

func (p *plainInput) remove(k int, why codes.Code) {
	p.removed, p.why = append(p.removed, k), append(p.why, why)
}

// taken are types that hosts of the Responses API take besides those of all, such as xAI, and those
// that hold what was said earlier or what the user decided.
var taken = []string{
	"web_search_call", "file_search_call", "code_interpreter_call", "mcp_call", "mcp_list_tools",
	"mcp_approval_request", "mcp_approval_response", "compaction", "compaction_summary",
	"item_reference",
}

// unknown reports whether the host may not know a type: a call whose type is not known and its
// output are written alike.
func (p *plainInput) unknown(kind string) bool {
	switch kind {
	case "", "message", "reasoning", "function_call", "function_call_output":
		return false
	}
	if p.named == "" {
		return !slices.Contains(taken, kind)
	}
	return toolOf(kind) == p.named
}

// toolOf returns what the types of a call and of its output have in common: custom_tool for
// custom_tool_call and custom_tool_call_output.
func toolOf(kind string) string {
	return strings.TrimSuffix(strings.TrimSuffix(kind, "_output"), "_call")
}

// declared returns the tools of a request, and further ones of other names.
func declared(tools jsonscan.Value, further []jsonscan.Value) (all [][]byte) {
	seen := map[[2]string]bool{}
	add := func(tool jsonscan.Value) {
		id := [2]string{typeOf(tool), tool.Get("name").Str()}
		if id[1] == "" || !seen[id] {
			all = append(all, tool.Raw())
		}
		seen[id] = true
	}
	for _, tool := range tools.All() {
		add(tool)
	}
	for _, tool := range further {
		add(tool)
	}
	return all
}

// keep adds an item as it is. Where the refusal names no type, it goes without the members by which
// it may not be known, and reasoning is left out that holds nothing, or nothing but a summary.
func (p *plainInput) keep(k int, item jsonscan.Value) {
	if p.named != "" {
		p.items = append(p.items, item.Raw())
		return
	}
	if typeOf(item) == "reasoning" && item.Get("encrypted_content").Str() == "" &&
		item.Get("content").Len() == 0 {
		switch {
		case item.Get("summary").Len() == 0:
			p.remove(k, codes.EmptyRemoved)
			return
		case p.removing:
			p.remove(k, codes.ReasoningRemoved)
			return
		}
	}
	object := jsonscan.EditObject(item)
	for v := item.First(); v.Exists() && item.Kind() == jsonscan.Object; v = v.Next() {
		if name := v.Key().Str(); v.Kind() == jsonscan.Null || slices.Contains(privateMembers, name) {
			object.DeleteMember(name)
		}
	}
	if p.items = append(p.items, object.Bytes()); object.Changed() {
		p.rewritten = append(p.rewritten, k)
	}
}

func (p *plainInput) rewrite(k int, item map[string]any) {
	p.items = append(p.items, inJSON(item))
	p.rewritten = append(p.rewritten, k)
}

// inJSON returns v, which has to be of strings and JSON, without HTML escapes.
func inJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return bytes.TrimSpace(b.Bytes())
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
	return string(inJSON(map[string]string{"input": plainText(item, "input", "arguments")}))
}

// plainOutput returns the output of a call of any type as that of a function: text or a list of
// parts as it is, and any other value in JSON, as what the commands of a shell have put out.
func plainOutput(item jsonscan.Value) any {
	output := item.Get("output")
	if address := output.Get("image_url"); address.Kind() == jsonscan.String {
		return []map[string]string{{"type": "input_image", "image_url": address.Str()}}
	}
	for _, part := range output.All() {
		if !strings.HasPrefix(typeOf(part), "input_") {
			return plainText(item, "output")
		}
	}
	if output.Kind() == jsonscan.Array {
		return json.RawMessage(output.Raw())
	}
	return plainText(item, "output", "tools")
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
