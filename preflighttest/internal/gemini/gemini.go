// Package gemini is the fake of Gemini generateContent and streamGenerateContent, as
// Google AI Studio serves them, and Vertex AI where a path or model names the publisher.
// What it refuses is listed in checks.go, in order.
package gemini

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

var Format = fake.Format{
	Name:      "gemini",
	Route:     route,
	NotFound:  "The requested URL %s was not found on this server.",
	Malformed: malformed,
	Open:      open,
	Checks:    checks,
	Failure:   failure,
	Reply: func(t *fake.Turn) []byte {
		return fake.Marshal(chunk(t, parts(t), stopReason(t.Reply)))
	},
	Events: events,
	Midway: func(v fake.Violation) fake.Event {
		body, _ := failure(v, "")
		return fake.Event{Name: "", Data: string(body)}
	},
}

// vertex is the prefix of the name of a model on Vertex AI.
const vertex = "publishers/google/models/"

var pathForm = regexp.MustCompile(
	`^/v1(?:alpha|beta1?)?/(?:projects/[^/]+/locations/[^/]+/)?((?:publishers/google/` +
		`)?(?:tunedM|m)odels)/([^/:]+):(g|streamG)enerateContent$`)

func route(path string) (model string, stream, ok bool) {
	m := pathForm.FindStringSubmatch(path)
	if m == nil {
		return "", false, false
	}
	if model = m[2]; strings.HasPrefix(m[1], "publishers/") {
		model = vertex + model
	}
	return model, m[3] == "streamG", true
}

// request is a request, laid open for the checks.
type request struct {
	model    model
	vertex   bool
	contents []content
	// the ids and names of the calls that contents answer themselves
	served read.Mentions
	// those in parts that nothing is known of, which may be calls or responses
	unknown read.Mentions
}

// content is one element of contents, or the system instruction.
type content struct {
	object map[string]any
	role   string
	path   string
	parts  []part
}

// part is one part of a content. Of call and response at most one is
// not nil.
type part struct {
	object         map[string]any
	path           string
	call, response map[string]any
}

// open looks into generateContentRequest, where countTokens may hold a
// whole request.
func open(r *fake.Request) {
	g := &request{}
	if whole := read.Object(r.Root["generateContentRequest"]); whole != nil &&
		r.Root["contents"] == nil {
		r.Root = whole
	}
	if r.Model == "" {
		r.Model = read.Text(r.Root["model"])
	}
	g.vertex = strings.Contains(r.Model, vertex)
	g.model = modelOf(r.Model, r.Lenient)
	for i, c := range listOf(r.Root["contents"]) {
		content := contentOf(c, fmt.Sprintf("contents[%d]", i))
		if content.models() {
			content.hideFragments()
			g.hideServed(content, i)
		}
		for _, p := range content.parts {
			if p.unknown() {
				g.unknown.AddIDs(p.object, i, "name")
			}
		}
		g.contents = append(g.contents, content)
	}
	r.Parsed = g
}

// listOf returns the elements of a repeated field. The parser takes a
// single object for a list of one, as examples in the documentation do.
func listOf(v any) []any {
	if o := read.Object(v); o != nil {
		return []any{o}
	}
	return read.Array(v)
}

func contentOf(v any, path string) content {
	o := read.Object(v)
	c := content{object: o, role: read.Text(o["role"]), path: path}
	for i, p := range listOf(o["parts"]) {
		po := read.Object(p)
		part := part{object: po, path: fmt.Sprintf("%s.parts[%d]", path, i)}
		part.call = read.Object(member(po, "functionCall"))
		part.response = read.Object(member(po, "functionResponse"))
		c.parts = append(c.parts, part)
	}
	return c
}

// hideFragments takes what follows the first piece of a streamed call, up to the
// first that does not go on, for no call: only the first has a name, and one
// response answers them all.
func (c content) hideFragments() {
	going := false
	for i, p := range c.parts {
		if p.call == nil {
			continue
		}
		follows := going || p.call["partialArgs"] != nil
		going = p.call["willContinue"] == true
		if follows && read.Text(p.call["name"]) == "" {
			c.parts[i].call = nil
		}
	}
}

// hideServed takes the calls that the model's content answers itself for those
// that the API ran: nobody has to answer them.
func (g *request) hideServed(c content, at int) {
	for i, p := range c.parts {
		for j := 0; j < i && p.response != nil; j++ {
			call := c.parts[j].call
			if call != nil && read.Text(call["id"]) == read.Text(p.response["id"]) &&
				read.Text(call["name"]) == read.Text(p.response["name"]) {
				g.served.Add(read.Text(call["id"]), at)
				g.served.Add(read.Text(call["name"]), at)
				c.parts[j].call, c.parts[i].response = nil, nil
				break
			}
		}
	}
}

func opened(r *fake.Request) *request { return r.Parsed.(*request) }

// calls returns the parts that call a function.
func (c content) calls() []part {
	return selectParts(c.parts, func(p part) bool { return p.call != nil })
}

// responses returns the parts that answer a call.
func (c content) responses() []part {
	return selectParts(c.parts, func(p part) bool { return p.response != nil })
}

func selectParts(parts []part, keep func(p part) bool) []part {
	var some []part
	for _, p := range parts {
		if keep(p) {
			some = append(some, p)
		}
	}
	return some
}

// unknown reports whether the part has no data but a field that nothing is known of.
func (p part) unknown() bool {
	return len(p.data()) == 0 && slices.ContainsFunc(read.UnknownNames(p.object, nil),
		func(name string) bool { return !partFields[name] && p.object[name] != nil })
}

// unknown reports whether a part of the content may be a call or a response that nobody knows.
func (c content) unknown() bool { return slices.ContainsFunc(c.parts, part.unknown) }

// member returns a field under its name in JSON, or under that in the
// protocol definition: functionCall or function_call.
func member(o map[string]any, name string) any {
	if v := o[name]; v != nil {
		return v
	}
	return o[snake(name)]
}

// snake turns a name in JSON into that of the protocol definition.
func snake(name string) string {
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

func malformed(err *read.SyntaxError) fake.Violation {
	return fake.Violation{
		Message: fmt.Sprintf("Invalid JSON payload received. %s at line %d, column %d", err.Reason,
			err.Line, err.Col),
		Status: 400,
	}
}

// all returns the contents with the system instruction in front.
func (g *request) all(r *fake.Request) []content {
	if o := read.Object(member(r.Root, "systemInstruction")); o != nil {
		return append([]content{contentOf(o, "system_instruction")}, g.contents...)
	}
	return g.contents
}

// each calls f for every part of the contents.
func (g *request) each(f func(i int, c content, p part)) {
	for i, c := range g.contents {
		for _, p := range c.parts {
			f(i, c, p)
		}
	}
}
