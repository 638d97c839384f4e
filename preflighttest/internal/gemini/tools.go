package gemini

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Names of functions, and declarations.

// toolFlag: ag2ai/ag2#3145.
func toolFlag(r *fake.Request, found fake.Found) {
	g := opened(r)
	if g.vertex || !g.model.signs() {
		return
	}
	declared, own := false, false
	for _, t := range read.Array(r.Root["tools"]) {
		declared = declared || len(read.Array(member(read.Object(t), "functionDeclarations"))) > 0
		own = own || read.Object(member(read.Object(t), "googleSearch")) != nil ||
			read.Object(member(read.Object(t), "urlContext")) != nil
	}
	config := read.Object(member(r.Root, "toolConfig"))
	if declared && own && member(config, "includeServerSideToolInvocations") == nil {
		found("toolConfig")
	}
}

func responseName(r *fake.Request, found fake.Found) {
	opened(r).each(func(i int, c content, p part) {
		if p.response != nil && strings.TrimSpace(read.Text(p.response["name"])) == "" {
			found(p.path+".functionResponse.name", "contents[2].parts[0]", p.path)
		}
	})
}

func callName(r *fake.Request, found fake.Found) {
	opened(r).each(func(i int, c content, p part) {
		if p.call != nil && read.Text(p.call["name"]) == "" {
			found(p.path+".functionCall.name", "contents[2].parts[0]", p.path)
		}
	})
}

var function = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$`)

// namePattern checks the names of declarations, and those of calls, which the reference restricts
// too (https://ai.google.dev/api/python/google/generativeai/protos/FunctionCall). It restricts
// those of responses as well, but others were recorded to be accepted.
func namePattern(r *fake.Request, found fake.Found) {
	for i, t := range read.Array(r.Root["tools"]) {
		for j, d := range read.Array(member(read.Object(t), "functionDeclarations")) {
			if !function.MatchString(read.Text(read.Object(d)["name"])) {
				at := fmt.Sprintf("tools[%d].function_declarations[%d]", i, j)
				found(fmt.Sprintf("tools[%d].functionDeclarations[%d].name", i, j),
					"tools[0].function_declarations[24]", at)
			}
		}
	}
	const specimen = "tools[0].function_declarations[24]"
	opened(r).each(func(i int, c content, p part) {
		if name := read.Text(p.call["name"]); name != "" && !function.MatchString(name) {
			found(p.path+".functionCall.name", specimen, p.path+".function_call")
		}
	})
}

// callIDs checks that the calls of a turn have ids of their own, where they have some. Gemini 3 was
// seen to refuse others, on the Gemini API: watt-mind/coach#280.
func callIDs(r *fake.Request, found fake.Found) {
	used := map[string]bool{}
	g := opened(r)
	if g.vertex || !g.model.ownIDs() {
		return
	}
	g.each(func(i int, c content, p part) {
		if !c.models() {
			clear(used)
		}
		if id := read.Text(p.call["id"]); id != "" {
			if used[id] {
				found.Says(p.path, "Request contains an invalid argument.")
			}
			used[id] = true
		}
	})
}
