package gemini

import (
	"fmt"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// The schema of a request: unknown fields, types, and the kinds of parts.

// What the fields of the protocol's messages are.
var (
	requestFields = known(
		`model contents systemInstruction tools toolConfig safetySettings generationConfig
		cachedContent labels store serviceTier modelArmorConfig`)
	contentFields = known(`parts role`)
	partFields    = known(
		`text inlineData functionCall functionResponse fileData executableCode codeExecutionResult
		toolCall toolResponse thought thoughtSignature videoMetadata partMetadata mediaResolution
		audioTranscription mediaProcessing speechMetadata`)
	callFields     = known(`id name args partialArgs willContinue`)
	responseFields = known(`id name response willContinue scheduling parts`)
)

// extra also refuses the two spellings of one field together, which the
// parser takes for the field twice.
func extra(r *fake.Request, found fake.Found) {
	look := func(o map[string]any, known map[string]bool, path string) {
		for _, name := range read.UnknownNames(o, nil) {
			at, where := strings.TrimPrefix(path+"."+name, "."), ""
			if path != "" {
				where = fmt.Sprintf(" at '%s'", snake(path))
			}
			if !known[name] {
				found.Says(at,
					fmt.Sprintf("Invalid JSON payload received. Unknown name %q%s: Cannot find "+
						"field.", name, where))
			} else if snake := snake(name); snake != name && o[name] != nil &&
				o[snake] != nil {
				found.Says(at,
					fmt.Sprintf("Invalid JSON payload received. Unknown name %q%s: Proto field "+
						"is not repeating, cannot start list.", name, where))
			}
		}
	}
	look(r.Root, requestFields, "")
	for _, c := range opened(r).all(r) {
		look(c.object, contentFields, c.path)
		for _, p := range c.parts {
			look(p.object, partFields, p.path)
			look(p.call, callFields, p.path+".functionCall")
			look(p.response, responseFields, p.path+".functionResponse")
		}
	}
}

// wrong words a value of the wrong type.
func wrong(path, want string, v any) string {
	return fmt.Sprintf("Invalid value at '%s' (%s), %s", snake(path), want, fake.Marshal(v))
}

func schema(r *fake.Request, found fake.Found) {
	wrong := func(path, want string, v any) { found.Says(path, wrong(path, want, v)) }
	list := func(path string, v any) {
		if v != nil && read.Kind(v) != "array" &&
			(read.Kind(v) != "object" || !strings.HasSuffix(path, ".parts") && path != "contents") {
			wrong(path, "type.googleapis.com/google.protobuf.ListValue", v)
		}
	}
	message := func(path, name string, v any) {
		if v != nil && read.Kind(v) != "object" {
			wrong(path, "type.googleapis.com/google.ai.generativelanguage.v1beta."+name, v)
		}
	}
	field := func(o map[string]any, path, name, want, proto string) {
		if v := member(o, name); v != nil && read.Kind(v) != want {
			wrong(path+"."+name, proto, v)
		}
	}
	list("contents", r.Root["contents"])
	list("tools", r.Root["tools"])
	for i, c := range listOf(r.Root["contents"]) {
		message(fmt.Sprintf("contents[%d]", i), "Content", c)
		if c == nil {
			wrong(fmt.Sprintf("contents[%d]", i),
				"type.googleapis.com/google.ai.generativelanguage.v1beta.Content", nil)
		}
	}
	message("system_instruction", "Content", member(r.Root, "systemInstruction"))
	for _, c := range opened(r).all(r) {
		list(c.path+".parts", c.object["parts"])
		field(c.object, c.path, "role", "string", "TYPE_STRING")
		for i, v := range listOf(c.object["parts"]) {
			p := c.parts[i]
			if v == nil {
				wrong(p.path, "type.googleapis.com/google.ai.generativelanguage.v1beta.Part", nil)
			}
			if list := read.Array(v); len(list) == 0 || read.Kind(list[0]) != "object" {
				message(p.path, "Part", v)
			} // a list of parts among the parts was recorded to be read
			field(p.object, p.path, "text", "string", "TYPE_STRING")
			field(p.object, p.path, "thought", "boolean", "TYPE_BOOL")
			field(p.object, p.path, "thoughtSignature", "string", "TYPE_BYTES")
			for _, name := range data[1:] {
				message(p.path+"."+name, strings.ToUpper(name[:1])+name[1:],
					member(p.object, name))
			}
			for _, name := range []string{"id", "name"} {
				field(p.call, p.path+".functionCall", name, "string", "TYPE_STRING")
				field(p.response, p.path+".functionResponse", name, "string", "TYPE_STRING")
			}
			for i, v := range listOf(p.response["parts"]) {
				message(fmt.Sprintf("%s.functionResponse.parts[%d]", p.path, i),
					"FunctionResponsePart", v)
			}
		}
	}
}

// objects looks at what has to be an object. The words about a list are
// those of the parser, which takes it for a repeated field.
func objects(r *fake.Request, found fake.Found) {
	look := func(o map[string]any, path, name string) {
		switch v := o[name].(type) {
		case nil, map[string]any:
		case []any:
			found.Says(path+"."+name,
				fmt.Sprintf("Invalid JSON payload received. Unknown name %q at '%s': Proto field "+
					"is not repeating, cannot start list.", name, snake(path)))
		default:
			found.Says(path+"."+name,
				wrong(path+"."+name, "type.googleapis.com/google.protobuf.Struct", v))
		}
	}
	opened(r).each(func(i int, c content, p part) {
		look(p.call, p.path+".functionCall", "args")
		look(p.response, p.path+".functionResponse", "response")
	})
}

// known lists the fields of a message of the protocol.
func known(names string) map[string]bool {
	known := map[string]bool{}
	for _, name := range strings.Fields(names) {
		known[name], known[snake(name)] = true, true
	}
	return known
}

// data are the kinds of data of which a part holds one.
var data = strings.Fields(
	`text inlineData functionCall functionResponse fileData executableCode codeExecutionResult ` +
		`toolCall toolResponse`)
