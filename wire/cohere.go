package wire

import (
	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
)

// This file describes, reads and writes Cohere's v2 chat format: OpenAI's Chat format with a
// plan before the tool calls and with blocks of its own.

const cohereName = "cohere"

func cohereFormat() *format {
	f := chat{
		name:           cohereName,
		reasoning:      []string{"tool_plan"},
		emptyCalls:     true,
		noFunctionRole: true,
		noCustomCalls:  true,
		resultRule:     "cohere/tool-content-required",
		hostPart:       coherePart,
		hostBlock:      cohereBlock,
		inBlocks:       true,
	}.format("", provider.Cohere, signs{
		members: []string{"citation_options", "safety_mode", "strict_tools"},
		fields:  []string{"tool_plan"},
		models:  []string{"command", "command-a*", "command-r*", "command-light*", "c4ai-*"},
	})
	f.chatLike = true
	return f
}

// coherePart reads Cohere's own blocks, nil for any other.
func coherePart(d *decoder, v jsonscan.Value) preflight.Part {
	if v.Get("type").StrIs("thinking") {
		r := d.thoughts.one(preflight.Reasoning{Carried: d.carried(v)})
		if text := v.Get("thinking"); text.Kind() == jsonscan.String {
			r.Text = d.prose(text, v)
		}
		return r
	}
	return nil
}

// cohereBlock writes Cohere's own blocks, nil for any other.
func cohereBlock(p preflight.Part) ([][]byte, error) {
	r, ok := p.(*preflight.Reasoning)
	if !ok {
		return nil, nil
	}
	if isOpaque(r) {
		return nil, errOpaque
	}
	o, block := openObject(r.Native, cohereName, `{"type":"thinking","thinking":""}`, "thinking")
	if !isWordless(r) || !block.v.Get("thinking").StrIs("") && block.v.Has("thinking") {
		block.thoughts("thinking", r)
	}
	return o.pieces()
}
