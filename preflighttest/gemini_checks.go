package preflighttest

import (
	"fmt"
	"regexp"
	"strings"
)

// geminiChecks are what the fake looks for: first what the parser of the
// protocol refuses, then its validator, then the service.
var geminiChecks = []check{
	{"gemini/extra-field", inOwnWords, "", geminiExtra},
	{"", inOwnWords, "", geminiSchema},
	{"gemini/function-response-object", inOwnWords, "", geminiObjects},
	{"gemini/empty-part-data", inOwnWords, "", geminiTwoData},
	{"", "* GenerateContentRequest.contents: contents is not specified", "", geminiNoContents},
	{"gemini/empty-parts", "", "", geminiEmptyParts},
	{"gemini/empty-parts-vertex", "", "", geminiEmptyPartsVertex},
	{"gemini/empty-part-data", "", "", geminiEmptyData},
	{"gemini/function-response-name", "", "", geminiResponseName},
	{"", "* GenerateContentRequest.contents[2].parts[0].function_call.name: Name cannot be empty.",
		"", geminiCallName},
	{"gemini/function-name-pattern", "", "", geminiNamePattern},
	{"gemini/mime-type", "", "", geminiMediaTypes},
	{"gemini/system-in-contents", "", "", geminiSystem},
	{"", inOwnWords, "", geminiSystemMedia},
	{"gemini/role-invalid", "", "", geminiRole},
	{"gemini/function-call-turn-placement", "", "", geminiCallPlacement},
	{"gemini/function-response-placement", "", "", geminiResponsePlacement},
	{"gemini/function-response-count", "", "", geminiCount},
	{"gemini/thought-signature-corrupt", "", "", geminiCorrupt},
	{"gemini/thought-signature-missing", "", "", geminiUnsigned},
	{"gemini/thought-signature-missing-vertex", "", "", geminiUnsignedVertex},
	{"gemini/ends-with-model-turn", "", "", geminiEndsWithModel},
	{"gemini/ends-with-model-turn", "", "", geminiMixed},
	{"gemini/alternation-old", "", "", geminiAlternation},
	{"gemini/server-side-tool-flag", "", "", geminiToolFlag},
}

// geminiToolFlag: ag2ai/ag2#3145.
func geminiToolFlag(r *request, found found) {
	g := geminiOf(r)
	if g.vertex || !g.model.signs() {
		return
	}
	declared, own := false, false
	for _, t := range array(r.root["tools"]) {
		declared = declared || len(array(geminiField(object(t), "functionDeclarations"))) > 0
		own = own || object(geminiField(object(t), "googleSearch")) != nil ||
			object(geminiField(object(t), "urlContext")) != nil
	}
	config := object(geminiField(r.root, "toolConfig"))
	if declared && own && geminiField(config, "includeServerSideToolInvocations") == nil {
		found("toolConfig")
	}
}

// What the fields of the protocol's messages are.
var (
	geminiRequestFields = geminiKnown(
		`model contents systemInstruction tools toolConfig safetySettings generationConfig
		cachedContent labels store serviceTier modelArmorConfig`)
	geminiContentFields = geminiKnown(`parts role`)
	geminiPartFields    = geminiKnown(
		`text inlineData functionCall functionResponse fileData executableCode codeExecutionResult
		toolCall toolResponse thought thoughtSignature videoMetadata partMetadata mediaResolution
		audioTranscription mediaProcessing speechMetadata`)
	geminiCallFields     = geminiKnown(`id name args partialArgs willContinue`)
	geminiResponseFields = geminiKnown(`id name response willContinue scheduling parts`)
)

// geminiData are the kinds of data of which a part holds one.
var geminiData = strings.Fields(
	`text inlineData functionCall functionResponse fileData executableCode codeExecutionResult ` +
		`toolCall toolResponse`)

// all returns the contents with the system instruction in front.
func (g *geminiRequest) all(r *request) []geminiContent {
	if o := object(geminiField(r.root, "systemInstruction")); o != nil {
		return append([]geminiContent{geminiContentOf(o, "system_instruction")}, g.contents...)
	}
	return g.contents
}

// each calls f for every part of the contents.
func (g *geminiRequest) each(f func(i int, c geminiContent, p geminiPart)) {
	for i, c := range g.contents {
		for _, p := range c.parts {
			f(i, c, p)
		}
	}
}

// geminiExtra also refuses the two spellings of one field together, which the
// parser takes for the field twice.
func geminiExtra(r *request, found found) {
	look := func(o map[string]any, known map[string]bool, path string) {
		for _, name := range unknownNames(o, nil) {
			at, where := strings.TrimPrefix(path+"."+name, "."), ""
			if path != "" {
				where = fmt.Sprintf(" at '%s'", geminiProto(path))
			}
			if !known[name] {
				found(at, inOwnWords,
					fmt.Sprintf("Invalid JSON payload received. Unknown name %q%s: Cannot find "+
						"field.", name, where))
			} else if snake := geminiSnake(name); snake != name && o[name] != nil &&
				o[snake] != nil {
				found(at, inOwnWords,
					fmt.Sprintf("Invalid JSON payload received. Unknown name %q%s: Proto field "+
						"is not repeating, cannot start list.", name, where))
			}
		}
	}
	look(r.root, geminiRequestFields, "")
	for _, c := range geminiOf(r).all(r) {
		look(c.object, geminiContentFields, c.path)
		for _, p := range c.parts {
			look(p.object, geminiPartFields, p.path)
			look(p.call, geminiCallFields, p.path+".functionCall")
			look(p.response, geminiResponseFields, p.path+".functionResponse")
		}
	}
}

// geminiProto writes a path with the names of the protocol definition.
func geminiProto(path string) string { return geminiSnake(path) }

// geminiWrong words a value of the wrong type.
func geminiWrong(path, want string, v any) string {
	return fmt.Sprintf("Invalid value at '%s' (%s), %s", geminiProto(path), want, marshal(v))
}

func geminiSchema(r *request, found found) {
	wrong := func(path, want string, v any) { found(path, inOwnWords, geminiWrong(path, want, v)) }
	list := func(path string, v any) {
		if v != nil && kind(v) != "array" &&
			(kind(v) != "object" || !strings.HasSuffix(path, ".parts")) {
			wrong(path, "type.googleapis.com/google.protobuf.ListValue", v)
		}
	}
	message := func(path, name string, v any) {
		if v != nil && kind(v) != "object" {
			wrong(path, "type.googleapis.com/google.ai.generativelanguage.v1beta."+name, v)
		}
	}
	field := func(o map[string]any, path, name, want, proto string) {
		if v := geminiField(o, name); v != nil && kind(v) != want {
			wrong(path+"."+name, proto, v)
		}
	}
	list("contents", r.root["contents"])
	list("tools", r.root["tools"])
	for i, c := range array(r.root["contents"]) {
		message(fmt.Sprintf("contents[%d]", i), "Content", c)
		if c == nil {
			wrong(fmt.Sprintf("contents[%d]", i),
				"type.googleapis.com/google.ai.generativelanguage.v1beta.Content", nil)
		}
	}
	message("system_instruction", "Content", geminiField(r.root, "systemInstruction"))
	for _, c := range geminiOf(r).all(r) {
		list(c.path+".parts", c.object["parts"])
		field(c.object, c.path, "role", "string", "TYPE_STRING")
		for i, v := range geminiList(c.object["parts"]) {
			p := c.parts[i]
			if v == nil {
				wrong(p.path, "type.googleapis.com/google.ai.generativelanguage.v1beta.Part", nil)
			}
			message(p.path, "Part", v)
			field(p.object, p.path, "text", "string", "TYPE_STRING")
			field(p.object, p.path, "thought", "boolean", "TYPE_BOOL")
			field(p.object, p.path, "thoughtSignature", "string", "TYPE_BYTES")
			for _, name := range geminiData[1:] {
				message(p.path+"."+name, strings.ToUpper(name[:1])+name[1:],
					geminiField(p.object, name))
			}
			for _, name := range []string{"id", "name"} {
				field(p.call, p.path+".functionCall", name, "string", "TYPE_STRING")
				field(p.response, p.path+".functionResponse", name, "string", "TYPE_STRING")
			}
			for i, v := range geminiList(p.response["parts"]) {
				message(fmt.Sprintf("%s.functionResponse.parts[%d]", p.path, i),
					"FunctionResponsePart", v)
			}
		}
	}
}

// geminiObjects looks at what has to be an object. The words about a list are
// those of the parser, which takes it for a repeated field.
func geminiObjects(r *request, found found) {
	look := func(o map[string]any, path, name string) {
		switch v := o[name].(type) {
		case nil, map[string]any:
		case []any:
			found(path+"."+name, inOwnWords,
				fmt.Sprintf("Invalid JSON payload received. Unknown name %q at '%s': Proto field "+
					"is not repeating, cannot start list.", name, geminiProto(path)))
		default:
			found(path+"."+name, inOwnWords,
				geminiWrong(path+"."+name, "type.googleapis.com/google.protobuf.Struct", v))
		}
	}
	geminiOf(r).each(func(i int, c geminiContent, p geminiPart) {
		look(p.call, p.path+".functionCall", "args")
		look(p.response, p.path+".functionResponse", "response")
		if p.response != nil && !has(p.response, "response") {
			found(p.path+".functionResponse.response", inOwnWords,
				fmt.Sprintf("* GenerateContentRequest.%s.function_response.response: Response is "+
					"required.", p.path))
		}
	})
}

// data returns the kinds of data that the part holds.
func (p geminiPart) data() []string {
	var held []string
	for _, name := range geminiData {
		if geminiField(p.object, name) != nil {
			held = append(held, name)
		}
	}
	return held
}

func geminiTwoData(r *request, found found) {
	for _, c := range geminiOf(r).all(r) {
		for _, p := range c.parts {
			if data := p.data(); len(data) > 1 {
				found(p.path, inOwnWords,
					fmt.Sprintf("Invalid value at '%s' (oneof), oneof field 'data' is already "+
						"set. Cannot set '%s'", p.path, data[1]))
			}
		}
	}
}

func geminiNoContents(r *request, found found) {
	if len(array(r.root["contents"])) == 0 {
		found("contents")
	}
}

func geminiEmptyParts(r *request, found found) {
	g := geminiOf(r)
	for _, c := range g.all(r) {
		if !g.vertex && c.object != nil && len(c.parts) == 0 {
			found(c.path+".parts", "contents[0]", c.path)
		}
	}
}

func geminiEmptyPartsVertex(r *request, found found) {
	g := geminiOf(r)
	for _, c := range g.all(r) {
		if g.vertex && c.object != nil && len(c.parts) == 0 {
			found(c.path + ".parts")
		}
	}
}

// geminiEmptyData takes empty text for data, as the Gemini API does; Vertex AI
// has words of its own for it. A signature needs no data beside it.
func geminiEmptyData(r *request, found found) {
	g := geminiOf(r)
	for _, c := range g.all(r) {
		for _, p := range c.parts {
			data := p.data()
			empty := len(data) == 1 && p.object["text"] == ""
			switch {
			case p.object == nil || p.signature() != "" && (len(data) == 0 || empty):
			case len(data) == 0 || geminiEmptyMedia(p.object):
				found(p.path, "contents[0].parts[1]", p.path)
			case empty && g.vertex:
				found(p.path, inOwnWords,
					"Unable to submit request because it must have a text parameter. Add a text "+
						"parameter and try again.")
			}
			for i, v := range array(p.response["parts"]) {
				path := fmt.Sprintf("%s.functionResponse.parts[%d]", p.path, i)
				if geminiEmptyMedia(object(v)) {
					found(path, "contents[0].parts[1]", path)
				}
			}
		}
	}
}

// geminiEmptyMedia reports whether a part holds media without bytes or address,
// which is no data either.
func geminiEmptyMedia(part map[string]any) bool {
	inline, file := object(geminiField(part, "inlineData")), object(geminiField(part, "fileData"))
	return inline != nil && text(inline["data"]) == "" ||
		file != nil && text(geminiField(file, "fileUri")) == ""
}

func geminiResponseName(r *request, found found) {
	geminiOf(r).each(func(i int, c geminiContent, p geminiPart) {
		if p.response != nil && strings.TrimSpace(text(p.response["name"])) == "" {
			found(p.path+".functionResponse.name", "contents[2].parts[0]", p.path)
		}
	})
}

func geminiCallName(r *request, found found) {
	geminiOf(r).each(func(i int, c geminiContent, p geminiPart) {
		if p.call != nil && text(p.call["name"]) == "" {
			found(p.path+".functionCall.name", "contents[2].parts[0]", p.path)
		}
	})
}

var geminiFunction = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$`)

func geminiNamePattern(r *request, found found) {
	for i, t := range array(r.root["tools"]) {
		for j, d := range array(geminiField(object(t), "functionDeclarations")) {
			if !geminiFunction.MatchString(text(object(d)["name"])) {
				at := fmt.Sprintf("tools[%d].function_declarations[%d]", i, j)
				found(fmt.Sprintf("tools[%d].functionDeclarations[%d].name", i, j),
					"tools[0].function_declarations[24]", at)
			}
		}
	}
}

func geminiSystem(r *request, found found) {
	g := geminiOf(r)
	for _, c := range g.contents {
		if c.role != "system" {
			continue
		}
		if g.vertex {
			found(c.path+".role", inOwnWords,
				"Content with system role is not supported. Please use a valid role: user, model.")
		} else {
			found(c.path + ".role")
		}
	}
}

// geminiSystemMedia looks at the system instruction, which is documented to be
// text only (https://ai.google.dev/api/generate-content).
func geminiSystemMedia(r *request, found found) {
	if r.lenient {
		return
	}
	for _, p := range geminiContentOf(geminiField(r.root, "systemInstruction"),
		"system_instruction").parts {
		for _, name := range []string{"inlineData", "fileData"} {
			if geminiField(p.object, name) != nil {
				found(p.path, inOwnWords,
					fmt.Sprintf("* GenerateContentRequest.%s: system_instruction supports text "+
						"only.", p.path))
			}
		}
	}
}

// geminiRole asks for a role on Vertex AI alone: the Gemini API takes a content
// without one for the user's.
func geminiRole(r *request, found found) {
	g := geminiOf(r)
	for _, c := range g.contents {
		switch c.role {
		case "user", "model", "system":
			continue
		case "function":
			if !g.vertex && g.model.functions() {
				continue
			}
		case "":
			if !g.vertex {
				continue
			}
		}
		found(c.path + ".role")
	}
}

// models reports whether the content is the model's.
func (c geminiContent) models() bool { return c.role == "model" }

// geminiAlternation asks it of the first generation, which had to end with the
// user, too.
func geminiAlternation(r *request, found found) {
	g := geminiOf(r)
	if !g.model.first() {
		return
	}
	for i, c := range g.contents {
		if i == 0 && c.models() ||
			i > 0 && c.models() == g.contents[i-1].models() && c.role != "system" &&
				g.contents[i-1].role != "system" {
			found(c.path)
		}
	}
	if n := len(g.contents); n > 0 && g.contents[n-1].models() {
		found(g.contents[n-1].path, inOwnWords,
			"Please ensure that multiturn requests ends with a user role or a function response.")
	}
}

// turnOf returns the calls of the model's turn that ends right before content
// i: of its last content, and of those before that one as long as all of them
// hold calls.
func (g *geminiRequest) turnOf(i int) (calls []geminiPart) {
	for i--; i >= 0 && g.contents[i].models(); i-- {
		held := g.contents[i].calls()
		if len(held) == 0 {
			break
		}
		calls = append(held, calls...)
	}
	return calls
}

// geminiCallPlacement takes contents with calls one after the other for one
// turn: 3-flash did.
func geminiCallPlacement(r *request, found found) {
	g := geminiOf(r)
	for i, c := range g.contents {
		if len(c.calls()) > 0 &&
			(i == 0 || !c.models() ||
				g.contents[i-1].models() && len(g.contents[i-1].calls()) == 0) {
			found(c.path)
		}
	}
}

// geminiResponsePlacement wants no content between the calls and the
// responses, and no response to a call from elsewhere.
func geminiResponsePlacement(r *request, found found) {
	g := geminiOf(r)
	for i, c := range g.contents {
		n := len(c.responses())
		if n == 0 {
			continue
		}
		if calls := g.turnOf(i); c.models() || len(calls) == 0 {
			found(c.path)
		} else {
			geminiStrangers(calls, c.responses(), func(p geminiPart) { found(p.path) })
		}
	}
}

// geminiStrangers calls f for the responses whose ids are not those of the
// calls. One whose id no call has goes with a call of its name without an id,
// for which a response without an id comes first, or else with any call without
// an id. A response without an id goes with any call, which its name has to tell.
func geminiStrangers(calls, responses []geminiPart, f func(p geminiPart)) {
	type key struct{ id, name string }
	open, ids := map[key]int{}, map[string]int{}
	for _, p := range calls {
		open[key{text(p.call["id"]), text(p.call["name"])}]++
		ids[text(p.call["id"])]++
	}
	var others []geminiPart
	for _, p := range responses {
		if k := (key{text(p.response["id"]), text(p.response["name"])}); open[k] > 0 {
			open[k]--
			ids[k.id]--
		} else {
			others = append(others, p)
		}
	}
	for _, p := range others {
		switch id, bare := text(p.response["id"]), (key{"", text(p.response["name"])}); {
		case id == "":
		case ids[id] > 0:
			ids[id]--
		case open[bare] > 0:
			open[bare]--
			ids[""]--
		case ids[""] > 0:
			ids[""]-- // nothing about the call says that it is another's
		default:
			f(p)
		}
	}
}

// geminiCount leaves responses without calls to their placement.
func geminiCount(r *request, found found) {
	g := geminiOf(r)
	for i, c := range g.contents {
		if len(c.calls()) == 0 {
			continue
		}
		if i+1 == len(g.contents) {
			found(c.path)
			continue
		}
		next := g.contents[i+1]
		if next.models() && len(next.calls()) > 0 {
			continue // the turn continues
		}
		if len(next.responses()) != len(g.turnOf(i+1)) {
			found(next.path)
		}
	}
}

// signature returns the signature of a part.
func (p geminiPart) signature() string { return text(geminiField(p.object, "thoughtSignature")) }

// geminiCorrupt looks at the signatures that are no bytes, and at those of
// the fakes that were damaged, or that are on another call than their own.
func geminiCorrupt(r *request, found found) {
	geminiOf(r).each(func(i int, c geminiContent, p geminiPart) {
		signature := p.signature()
		if signature == "" {
			return
		}
		fields, ours := unseal(signature)
		switch {
		case !ours && geminiBase64(signature):
		case !ours,
			len(fields) < 2,
			fields[0] != "gemini",
			p.call != nil && fields[1] == "functionCall" && signature != geminiSeal(p.call):
			found(p.path + ".thoughtSignature")
		}
	})
}

// currentTurn returns the index of the first content after the last that
// opens a turn: one of the user's that holds more than responses and stray
// thoughts.
func (g *geminiRequest) currentTurn() int {
	for i := len(g.contents) - 1; i >= 0; i-- {
		c := g.contents[i]
		others := geminiSelect(c.parts,
			func(p geminiPart) bool { return p.response == nil && !truth(p.object["thought"]) })
		if !c.models() && len(others) > 0 {
			return i + 1
		}
	}
	return 0
}

// unsigned calls f for the first call of each step of the current turn that
// has no signature.
func (g *geminiRequest) unsigned(f func(i int, p geminiPart)) {
	if !g.model.signs() {
		return
	}
	for i := g.currentTurn(); i < len(g.contents); i++ {
		calls := g.contents[i].calls()
		if goesOn := len(g.turnOf(i)) > 0 && g.contents[i].models(); len(calls) > 0 && !goesOn &&
			calls[0].signature() == "" {
			f(i, calls[0])
		}
	}
}

func geminiUnsigned(r *request, found found) {
	g := geminiOf(r)
	if g.vertex {
		return
	}
	g.unsigned(func(i int, p geminiPart) {
		found(p.path+".thoughtSignature", "default_api:NAME", "default_api:"+text(p.call["name"]),
			"position 2", fmt.Sprintf("position %d", i+1))
	})
}

func geminiUnsignedVertex(r *request, found found) {
	g := geminiOf(r)
	if !g.vertex {
		return
	}
	g.unsigned(func(i int, p geminiPart) {
		found(p.path+".thoughtSignature", "`NAME`", "`"+text(p.call["name"])+"`", "the 3. content",
			fmt.Sprintf("the %d. content", i+1))
	})
}

func geminiEndsWithModel(r *request, found found) {
	g := geminiOf(r)
	if n := len(g.contents); n > 0 && g.contents[n-1].models() && !g.model.prefills() {
		found(g.contents[n-1].path)
	}
}

// geminiMixed looks for text after a response in its content, which Vertex AI
// takes for a final turn of the model's
// (https://github.com/router-for-me/CLIProxyAPI/issues/5607). It was seen in
// the last content; a history whose last content this was is no better later.
func geminiMixed(r *request, found found) {
	g := geminiOf(r)
	if !g.vertex || g.model.prefills() {
		return
	}
	for _, c := range g.contents {
		text := ""
		for i := len(c.parts) - 1; i >= 0 && c.parts[i].response == nil; i-- {
			if c.parts[i].object["text"] != nil && c.parts[i].signature() == "" {
				text = c.parts[i].path
			}
		}
		if text != "" && len(c.responses()) > 0 {
			found(text)
		}
	}
}

// geminiMediaTypes looks for types of media that are half a name: which types
// a model takes is not the fake's concern.
func geminiMediaTypes(r *request, found found) {
	look := func(part map[string]any, path string) {
		for _, name := range []string{"inlineData", "fileData"} {
			held := text(geminiField(object(geminiField(part, name)), "mimeType"))
			if held != "" && !strings.Contains(held, "/") {
				found(path, "MIME type: png", "MIME type: "+held)
			}
		}
	}
	geminiOf(r).each(func(i int, c geminiContent, p geminiPart) {
		look(p.object, p.path)
		for k, v := range array(p.response["parts"]) {
			look(object(v), fmt.Sprintf("%s.functionResponse.parts[%d]", p.path, k))
		}
	})
}
