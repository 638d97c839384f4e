package gemini

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
	"github.com/go-preflight/preflight/preflighttest/internal/seal"
)

// Thought signatures.

// isBase64 reports whether s is bytes in either alphabet of base64,
// padded or not.
func isBase64(s string) bool {
	s = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(s, "="))
	var b []byte
	return len(s)%4 != 1 &&
		json.Unmarshal(strconv.AppendQuote(nil, s+strings.Repeat("=", (4-len(s)%4)%4)), &b) == nil
}

// signature returns the signature of a part.
func (p part) signature() string { return read.Text(member(p.object, "thoughtSignature")) }

// standIn is the documented stand-in for a signature, which Vertex AI
// takes on the first call of a content alone.
const standIn = "skip_thought_signature_validator"

// corrupt looks at the signatures that are no bytes, and at those of
// the fakes that were damaged, or that are on another call than their own.
func corrupt(r *fake.Request, found fake.Found) {
	g := opened(r)
	g.each(func(i int, c content, p part) {
		signature := p.signature()
		if signature == "" {
			return
		}
		fields, ours := seal.Open(signature)
		switch {
		case g.vertex && g.model.signs() && p.call != nil && signature == standIn &&
			p.path != c.calls()[0].path:
			// https://github.com/earendil-works/pi/issues/4032
			found(p.path + ".thoughtSignature")
		case !ours && isBase64(signature):
		case !ours,
			len(fields) < 2,
			fields[0] != "gemini",
			p.call != nil && fields[1] == "functionCall" && signature != signatureOf(p.call):
			found(p.path + ".thoughtSignature")
		}
	})
}

// currentTurn returns the index of the first content after the last that
// opens a turn: one of the user's that holds more than responses, media beside
// them, and stray thoughts.
func (g *request) currentTurn() int {
	for i := len(g.contents) - 1; i >= 0; i-- {
		c := g.contents[i]
		answers := len(c.responses()) > 0
		others := selectParts(c.parts, func(p part) bool {
			return p.response == nil && !read.Truth(p.object["thought"]) &&
				(!answers || p.object["text"] != nil)
		})
		if !c.models() && len(others) > 0 {
			return i + 1
		}
	}
	return 0
}

// unsigned calls f for the first call of each step of the current turn that
// has no signature.
func (g *request) unsigned(f func(i int, p part)) {
	if !g.model.signs() {
		return
	}
	for i := g.currentTurn(); i < len(g.contents); i++ {
		calls := g.contents[i].calls()
		if goesOn := len(g.turnOf(i)) > 0 && g.contents[i].models(); len(calls) > 0 && !goesOn &&
			calls[0].signature() == "" && !g.contents[i].unknown() {
			f(i, calls[0])
		}
	}
}

func unsigned(r *fake.Request, found fake.Found) {
	g := opened(r)
	if g.vertex {
		return
	}
	g.unsigned(func(i int, p part) {
		found(
			p.path+".thoughtSignature",
			"default_api:NAME",
			"default_api:"+read.Text(p.call["name"]),
			"position 2",
			fmt.Sprintf("position %d", i+1),
		)
	})
}

func unsignedVertex(r *fake.Request, found fake.Found) {
	g := opened(r)
	if !g.vertex {
		return
	}
	g.unsigned(func(i int, p part) {
		found(
			p.path+".thoughtSignature",
			"`NAME`",
			"`"+read.Text(p.call["name"])+"`",
			"the 3. content",
			fmt.Sprintf("the %d. content", i+1),
		)
	})
}
