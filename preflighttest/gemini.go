package preflighttest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// The fake of Gemini generateContent and streamGenerateContent, as Google AI
// Studio serves them, and Vertex AI where a path or model names the publisher:
// how a request is read, and how an answer is written. What is refused is
// in gemini_checks.go.

var geminiFormat = format{
	name:      "gemini",
	route:     geminiRoute,
	notFound:  "The requested URL %s was not found on this server.",
	malformed: geminiMalformed,
	open:      geminiOpen,
	checks:    geminiChecks,
	failure:   geminiFailure,
	reply: func(t *turn) []byte {
		return marshal(geminiChunk(t, geminiParts(t), geminiStop(t.reply)))
	},
	events: geminiEvents,
	midway: func(v Violation) event {
		body, _ := geminiFailure(v, "")
		return event{"", string(body)}
	},
}

// geminiVertex is the prefix of the name of a model on Vertex AI.
const geminiVertex = "publishers/google/models/"

var geminiPath = regexp.MustCompile(
	`^/v1(?:alpha|beta1?)?/(?:projects/[^/]+/locations/[^/]+/)?((?:publishers/google/` +
		`)?(?:tunedM|m)odels)/([^/:]+):(g|streamG)enerateContent$`)

func geminiRoute(path string) (model string, stream, ok bool) {
	m := geminiPath.FindStringSubmatch(path)
	if m == nil {
		return "", false, false
	}
	if model = m[2]; strings.HasPrefix(m[1], "publishers/") {
		model = geminiVertex + model
	}
	return model, m[3] == "streamG", true
}

// geminiRequest is a request, laid open for the checks.
type geminiRequest struct {
	model    geminiModel
	vertex   bool
	contents []geminiContent
}

// geminiContent is one element of contents, or the system instruction.
type geminiContent struct {
	object map[string]any
	role   string
	path   string
	parts  []geminiPart
}

// geminiPart is one part of a content. Of call and response at most one is
// not nil.
type geminiPart struct {
	object         map[string]any
	path           string
	call, response map[string]any
}

// geminiOpen looks into generateContentRequest, where countTokens may hold a
// whole request.
func geminiOpen(r *request) {
	g := &geminiRequest{}
	if whole := object(r.root["generateContentRequest"]); whole != nil &&
		r.root["contents"] == nil {
		r.root = whole
	}
	if r.model == "" {
		r.model = text(r.root["model"])
	}
	g.vertex = strings.Contains(r.model, geminiVertex)
	g.model = geminiModelOf(r.model)
	for i, c := range geminiList(r.root["contents"]) {
		g.contents = append(g.contents, geminiContentOf(c, fmt.Sprintf("contents[%d]", i)))
	}
	r.parsed = g
}

// geminiList returns the elements of a repeated field. The parser takes a
// single object for a list of one, as examples in the documentation do.
func geminiList(v any) []any {
	if o := object(v); o != nil {
		return []any{o}
	}
	return array(v)
}

func geminiContentOf(v any, path string) geminiContent {
	o := object(v)
	c := geminiContent{object: o, role: text(o["role"]), path: path}
	for i, p := range geminiList(o["parts"]) {
		po := object(p)
		part := geminiPart{object: po, path: fmt.Sprintf("%s.parts[%d]", path, i)}
		part.call = object(geminiField(po, "functionCall"))
		part.response = object(geminiField(po, "functionResponse"))
		c.parts = append(c.parts, part)
	}
	if c.models() {
		c.hideFragments()
		c.hideServed()
	}
	return c
}

// hideFragments takes what follows the first piece of a streamed call, up to the
// first that does not go on, for no call: only the first has a name, and one
// response answers them all.
func (c geminiContent) hideFragments() {
	going := false
	for i, p := range c.parts {
		if p.call == nil {
			continue
		}
		follows := going || p.call["partialArgs"] != nil
		going = p.call["willContinue"] == true
		if follows && text(p.call["name"]) == "" {
			c.parts[i].call = nil
		}
	}
}

// hideServed takes the calls that the model's content answers itself for those
// that the API ran: nobody has to answer them.
func (c geminiContent) hideServed() {
	for i, p := range c.parts {
		for j := 0; j < i && p.response != nil; j++ {
			call := c.parts[j].call
			if call != nil && text(call["id"]) == text(p.response["id"]) &&
				text(call["name"]) == text(p.response["name"]) {
				c.parts[j].call, c.parts[i].response = nil, nil
				break
			}
		}
	}
}

func geminiOf(r *request) *geminiRequest { return r.parsed.(*geminiRequest) }

// calls returns the parts that call a function.
func (c geminiContent) calls() []geminiPart {
	return geminiSelect(c.parts, func(p geminiPart) bool { return p.call != nil })
}

// responses returns the parts that answer a call.
func (c geminiContent) responses() []geminiPart {
	return geminiSelect(c.parts, func(p geminiPart) bool { return p.response != nil })
}

func geminiSelect(parts []geminiPart, keep func(p geminiPart) bool) []geminiPart {
	var some []geminiPart
	for _, p := range parts {
		if keep(p) {
			some = append(some, p)
		}
	}
	return some
}

// geminiField returns a field under its name in JSON, or under that in the
// protocol definition: functionCall or function_call.
func geminiField(o map[string]any, name string) any {
	if v := o[name]; v != nil {
		return v
	}
	return o[geminiSnake(name)]
}

// geminiSnake turns a name in JSON into that of the protocol definition.
func geminiSnake(name string) string {
	var b strings.Builder
	for _, c := range name {
		if c >= 'A' && c <= 'Z' {
			b.WriteByte('_')
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

// geminiModel is what the name of a model tells.
type geminiModel struct {
	known        bool
	major, minor int
	lite, image  bool
}

var geminiName = regexp.MustCompile(`gemini-(\d{1,2})(?:\.(\d{1,2}))?(?:-|$)`)

func geminiModelOf(name string) geminiModel {
	if strings.HasSuffix(name, "gemini-pro") || strings.HasSuffix(name, "gemini-pro-vision") {
		return geminiModel{known: true, major: 1}
	}
	m := geminiName.FindStringSubmatch(name)
	if m == nil {
		return geminiModel{}
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	return geminiModel{
		true, major, minor, strings.Contains(name, "-lite"), strings.Contains(name, "-image"),
	}
}

// first reports whether the model is of the first generation, which wanted
// user and model in turns.
func (m geminiModel) first() bool { return m.known && m.major == 1 && m.minor == 0 }

// second reports whether the model is one of 2, which accept a call without a
// response.
func (m geminiModel) second() bool { return m.known && m.major == 2 }

// between reports whether the model is one of 3, from one minor version to
// another: what the others refuse is not on record.
func (m geminiModel) between(first, last int) bool {
	return m.known && m.major == 3 && first <= m.minor && m.minor <= last
}

// prefills reports whether the model continues a turn of its own. The lite
// one of 3.5 does not, and none from 3.6 on
// (https://github.com/LibreChat-AI/agents/pull/323).
func (m geminiModel) prefills() bool { return !m.between(6, 8) && !(m.between(5, 5) && m.lite) }

// functions reports whether the model takes the role "function", which 3.5
// was the first to refuse.
func (m geminiModel) functions() bool { return !m.between(5, 8) }

// signs reports whether the model requires its signatures on function calls.
func (m geminiModel) signs() bool { return m.known && m.major == 3 && !m.image }

func geminiMalformed(err *syntaxError) Violation {
	return Violation{
		Message: fmt.Sprintf("Invalid JSON payload received. %s at line %d, column %d", err.reason,
			err.line, err.col),
		Status: 400,
	}
}

// geminiStatuses are the names of errors by HTTP status.
var geminiStatuses = map[int]string{
	400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
	405: "UNIMPLEMENTED",
	429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
}

func geminiFailure(v Violation, requestID string) ([]byte, http.Header) {
	status := geminiStatuses[v.Status]
	if status == "" {
		status = "UNKNOWN"
	}
	body := marshal(map[string]any{
		"error": map[string]any{"code": v.Status, "message": v.Message, "status": status},
	})
	return body, nil
}

// geminiParts returns the parts of an answer. The first call is signed, or
// the text when there is none.
func geminiParts(t *turn) []map[string]any {
	var parts []map[string]any
	if t.reply.Reasoning != "" {
		parts = append(parts, map[string]any{"text": t.reply.Reasoning, "thought": true})
	}
	calls, _ := geminiCalls(t.reply)
	if t.reply.Text != "" {
		part := map[string]any{"text": t.reply.Text}
		if len(calls) == 0 && t.reply.Reasoning != "" {
			part["thoughtSignature"] = seal("gemini", "text")
		}
		parts = append(parts, part)
	}
	for i, call := range calls {
		part := map[string]any{"functionCall": call}
		if i == 0 {
			part["thoughtSignature"] = geminiSeal(call)
		}
		parts = append(parts, part)
	}
	return parts
}

// geminiCalls returns the calls of an answer, and the first whose arguments
// are no object: then there are none, as the form has no place for it.
func geminiCalls(r Reply) (calls []map[string]any, malformed *Call) {
	for i, c := range r.Calls {
		args, err := decode([]byte(arguments(c.Arguments)))
		if err != nil {
			return nil, &r.Calls[i]
		}
		call := map[string]any{"name": c.Name, "args": args}
		if c.ID != "" {
			call["id"] = c.ID
		}
		calls = append(calls, call)
	}
	return calls, nil
}

// geminiSeal signs a function call. The signature is bound to the call that it
// was issued with, and not to what came before, which may be trimmed.
func geminiSeal(call map[string]any) string {
	return seal("gemini", "functionCall", text(call["name"]),
		digest(object(geminiField(call, "args"))))
}

func geminiStop(r Reply) string {
	if r.StopReason != "" {
		return r.StopReason
	}
	if _, malformed := geminiCalls(r); malformed != nil {
		return "MALFORMED_FUNCTION_CALL"
	}
	return "STOP"
}

// geminiChunk returns an answer or one piece of it.
func geminiChunk(t *turn, parts []map[string]any, stop string) map[string]any {
	candidate := map[string]any{"index": 0}
	if parts != nil {
		candidate["content"] = map[string]any{"role": "model", "parts": parts}
	}
	if stop != "" {
		candidate["finishReason"] = stop
		if _, malformed := geminiCalls(t.reply); malformed != nil {
			candidate["finishMessage"] = "Malformed function call: " + malformed.Name + "(" +
				malformed.Arguments + ")"
		}
	}
	in, out := tokens(len(t.request.body)), tokens(len(t.reply.Text)+len(marshal(t.reply.Calls)))
	return map[string]any{
		"candidates":   []any{candidate},
		"modelVersion": strings.TrimPrefix(t.request.model, geminiVertex),
		"responseId":   t.id("", -2),
		"usageMetadata": map[string]any{
			"promptTokenCount":     in,
			"candidatesTokenCount": out,
			"totalTokenCount":      in + out,
		},
	}
}

// geminiEvents sends texts in pieces, and a signature on text in an empty
// piece of its own, as the API does.
func geminiEvents(t *turn) []event {
	var chunks [][]map[string]any
	for _, part := range geminiParts(t) {
		s, ok := part["text"].(string)
		if !ok {
			chunks = append(chunks, []map[string]any{part})
			continue
		}
		for _, piece := range pieces(s) {
			p := map[string]any{"text": piece}
			if part["thought"] != nil {
				p["thought"] = true
			}
			chunks = append(chunks, []map[string]any{p})
		}
		if part["thoughtSignature"] != nil {
			chunks = append(chunks,
				[]map[string]any{{"text": "", "thoughtSignature": part["thoughtSignature"]}})
		}
	}
	if len(chunks) == 0 {
		chunks = append(chunks, nil)
	}
	var events []event
	for i, parts := range chunks {
		stop := ""
		if i == len(chunks)-1 {
			stop = geminiStop(t.reply)
		}
		events = append(events, event{"", string(marshal(geminiChunk(t, parts, stop)))})
	}
	return events
}

// geminiKnown lists the fields of a message of the protocol.
func geminiKnown(names string) map[string]bool {
	known := map[string]bool{}
	for _, name := range strings.Fields(names) {
		known[name], known[geminiSnake(name)] = true, true
	}
	return known
}

// geminiBase64 reports whether s is bytes in either alphabet of base64,
// padded or not.
func geminiBase64(s string) bool {
	s = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(s, "="))
	var b []byte
	return len(s)%4 != 1 &&
		json.Unmarshal(strconv.AppendQuote(nil, s+strings.Repeat("=", (4-len(s)%4)%4)), &b) == nil
}
