package preflightgenkit

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"

	"github.com/firebase/genkit/go/ai"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

// This file restores signatures. Genkit's plugins keep that of reasoning or of a tool request as
// bytes in the metadata of the part, which JSON turns into a string in base64. After a session was
// stored, they no longer find it, and send the part without.

// withSignatures returns the messages with signatures as bytes again, and a warning for each of
// them.
func withSignatures(messages []*ai.Message) (out []*ai.Message, warnings []wire.Warning) {
	out = messages
	for i, m := range messages {
		if m == nil {
			continue
		}
		for k, p := range m.Content {
			signature, ok := storedSignature(p)
			if !ok {
				continue
			}
			if len(warnings) == 0 {
				out = slices.Clone(messages)
			}
			if out[i] == m {
				own := *m
				own.Content = slices.Clone(m.Content)
				out[i] = &own
			}
			part := *p
			part.Metadata = maps.Clone(p.Metadata)
			part.Metadata["signature"] = signature
			out[i].Content[k] = &part
			warnings = append(warnings, wire.Warning{
				Warning: preflight.Warning{
					Code: codes.PartChanged, At: preflight.At(i, k),
					Detail: "decoded a signature that a store had turned into text",
				},
				Path: fmt.Sprintf("messages[%d].parts[%d]", i, k),
			})
		}
	}
	return out, warnings
}

// storedSignature returns the signature of a part, if JSON has made a string of it.
func storedSignature(p *ai.Part) ([]byte, bool) {
	if p == nil {
		return nil, false
	}
	text, _ := p.Metadata["signature"].(string)
	if text == "" {
		return nil, false
	}
	signature, err := base64.StdEncoding.DecodeString(text)
	return signature, err == nil
}
