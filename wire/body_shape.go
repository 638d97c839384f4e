package wire

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file tells where each format keeps what is converted along with the messages: the model's
// name, the declared tools, and the few settings that all formats have.

// bodyShape is where a request in one format has its members.
type bodyShape struct {
	model    string    // the member with the model's name; "" when it is in the request's address
	tools    string    // the list of tools
	older    string    // a list of declarations without wrap, in bodies that have no other; or ""
	wrap     string    // a tool's declaration is the value of this member of an element …
	grouped  bool      // … or one of the list in it
	typed    bool      // elements have "type":"function"
	schema   string    // the member with the schema of the arguments, or a path to it
	pure     [2]string // two spellings of the member with a JSON schema, where schema's is OpenAPI's
	settings [3]string // the limit on output tokens, temperature, top_p
}

var bodyShapes = map[string]bodyShape{
	"anthropic": {
		model: "model", tools: "tools", schema: "input_schema",
		settings: [3]string{"max_tokens", "temperature", "top_p"},
	},
	openAIChat: {
		model: "model", tools: "tools", older: "functions", wrap: "function", typed: true,
		schema: "parameters", settings: [3]string{"max_completion_tokens", "temperature", "top_p"},
	},
	openAIResponses: {
		model: "model", tools: "tools", typed: true, schema: "parameters",
		settings: [3]string{"max_output_tokens", "temperature", "top_p"},
	},
	gemini: {
		tools: "tools", wrap: "functionDeclarations", grouped: true, schema: "parameters",
		pure: [2]string{"parametersJsonSchema", "parameters_json_schema"},
		settings: [3]string{
			"generationConfig.maxOutputTokens", "generationConfig.temperature",
			"generationConfig.topP",
		},
	},
	"bedrock": {
		tools: "toolConfig.tools", wrap: "toolSpec", schema: "inputSchema.json",
		settings: [3]string{
			"inferenceConfig.maxTokens", "inferenceConfig.temperature", "inferenceConfig.topP",
		},
	},
	mistralName: {
		model: "model", tools: "tools", wrap: "function", typed: true, schema: "parameters",
		settings: [3]string{"max_tokens", "temperature", "top_p"},
	},
	cohereName: {
		model: "model", tools: "tools", wrap: "function", typed: true, schema: "parameters",
		settings: [3]string{"max_tokens", "temperature", "p"},
	},
	interactions: {
		model: "model", tools: "tools", typed: true, schema: "parameters",
		settings: [3]string{
			"generation_config.max_output_tokens", "generation_config.temperature",
			"generation_config.top_p",
		},
	},
	ollamaName: {
		model: "model", tools: "tools", wrap: "function", typed: true, schema: "parameters",
		settings: [3]string{"options.num_predict", "options.temperature", "options.top_p"},
	},
}

func shapeOf(format string) bodyShape { return bodyShapes[format] }

// tool is a declared tool, as JSON tokens.
type tool struct {
	name, description, schema []byte
	openAPI                   bool // the schema is of OpenAPI's subset, as Gemini has it
}

// read lists the client tools that a body declares, and the paths of declarations and members that
// are lost: the provider's own tools, which have no schema, and members that not every format has.
func (s bodyShape) read(root jsonscan.Value) (tools []tool, left []string) {
	r := toolReader{shape: s}
	for k, v := range s.olderTools(root).All() {
		r.declaration(v, indexed(s.older, k))
	}
	for k, v := range valueAt(root, s.tools).All() {
		r.element(v, indexed(s.tools, k))
	}
	return r.tools, r.left
}

// olderTools returns the older list of declarations, Absent where it does not count.
func (s bodyShape) olderTools(root jsonscan.Value) jsonscan.Value {
	older := root.Get(s.older)
	if s.older == "" || older.Kind() != jsonscan.Array || hasValue(valueAt(root, s.tools)) {
		return jsonscan.Value{}
	}
	return older
}

// toolReader collects tools, and the paths of what is left out.
type toolReader struct {
	shape bodyShape
	tools []tool
	left  []string
}

// element reads one element of the list of tools.
func (r *toolReader) element(v jsonscan.Value, path string) {
	wrap := r.shape.wrap
	if r.shape.grouped {
		wrap = keyOf(v, wrap, "function_declarations")
	}
	inner := v.Get(wrap)
	switch {
	case wrap == "":
		r.declaration(v, path)
		return
	case inner.Kind() == jsonscan.Array && r.shape.grouped:
		for k, d := range inner.All() {
			r.declaration(d, indexed(path+"."+wrap, k))
		}
	case inner.Kind() == jsonscan.Object:
		r.declaration(inner, path+"."+wrap)
	default:
		r.left = append(r.left, path)
		return
	}
	r.leftMembers(v, path, wrap, "type")
}

// declaration reads what declares one tool.
func (r *toolReader) declaration(v jsonscan.Value, path string) {
	s := &r.shape
	schema, member, openAPI := valueAt(v, s.schema), s.schema, s.pure[0] != ""
	if openAPI && !hasValue(schema) {
		if key := keyOf(v, s.pure[0], s.pure[1]); v.Has(key) {
			schema, member, openAPI = v.Get(key), key, false
		}
	}
	own := !schema.Exists() && !s.typed && s.wrap == "" // a tool of the provider's own
	if v.Get("name").Kind() != jsonscan.String ||
		schema.Kind() != jsonscan.Object && schema.Exists() || own {
		r.left = append(r.left, path)
		return
	}
	t := tool{name: v.Get("name").Raw(), schema: schema.Raw(), openAPI: openAPI}
	if d := v.Get("description"); d.Kind() == jsonscan.String {
		t.description = d.Raw()
	}
	r.tools = append(r.tools, t)
	first, _, _ := strings.Cut(member, ".")
	r.leftMembers(v, path, "name", "description", first, "type")
}

// leftMembers records the meaningful members that are not among keys.
func (r *toolReader) leftMembers(v jsonscan.Value, path string, keys ...string) {
	for k, m := range v.All() {
		if !slices.ContainsFunc(keys, m.Key().StrIs) && hasMeaning(m) {
			r.left = append(r.left, path+step(m, k))
		}
	}
}

// write returns the list of declarations.
func (s bodyShape) write(tools []tool) []byte {
	out := []byte{'['}
	if s.grouped {
		out = append(out, `{"`+s.wrap+`":[`...)
	}
	for k, t := range tools {
		if k > 0 {
			out = append(out, ',')
		}
		out = append(out, s.declare(t)...)
	}
	if s.grouped {
		out = append(out, "]}"...)
	}
	return append(out, ']')
}

// declare returns the declaration of a tool.
func (s bodyShape) declare(t tool) []byte {
	var b, outer bodyBuilder
	holder := &b
	if s.wrap != "" {
		holder = &outer
	}
	if s.typed {
		holder.set("type", []byte(`"function"`))
	}
	b.set("name", t.name)
	if t.description != nil {
		b.set("description", t.description)
	}
	if t.schema == nil {
		t.schema = []byte(`{"type":"object"}`)
	}
	if s.pure[0] == "" || inOpenAPI(valueOf(t.schema)) {
		b.set(s.schema, t.schema)
	} else {
		b.set(s.pure[0], t.schema)
	}
	if s.wrap == "" || s.grouped {
		return b.bytes()
	}
	outer.set(s.wrap, b.bytes())
	return outer.bytes()
}
