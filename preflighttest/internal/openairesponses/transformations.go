package openairesponses

import (
	"regexp"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
	"github.com/go-preflight/preflight/preflighttest/internal/seal"
)

// What the API says of reasoning that it did not show to the model, because what comes before it is
// not what it was made after. Sources: openai-go v3.99.0, ResponseInputTransformation, and
// https://developers.openai.com/api/docs/guides/latest-model?model=gpt-6.2-astra.

// binding are the models that bind reasoning to what comes before it.
var binding = regexp.MustCompile(`^gpt-6\.2`)

// histories returns what reasoning before each item of a request, and after the last, is bound to:
// the prompt, the tools and the items so far, without what only answers have, and without other
// reasoning.
func histories(r *fake.Request) []string {
	hash := read.Digest([]any{r.Root["instructions"], r.Root["tools"]})
	out := []string{hash}
	for _, item := range opened(r).items {
		if item.kind != "reasoning" {
			hash = read.Digest([]any{hash, read.Digest(item.object, "id", "status")})
		}
		out = append(out, hash)
	}
	return out
}

// transformations returns an entry for each item of reasoning that was made here after something
// else, nil for a model that does not look.
func transformations(r *fake.Request) []any {
	if !binding.MatchString(strings.ToLower(r.Model)) {
		return nil
	}
	out, before := []any{}, histories(r)
	for i, item := range opened(r).items {
		fields, _ := seal.Open(read.Text(item.object["encrypted_content"]))
		if item.kind == "reasoning" && len(fields) == sealed && fields[3] != before[i] {
			out = append(out, map[string]any{
				"type": "reasoning", "action": "removed", "id": fields[1], "reason": "prefix_mismatch",
			})
		}
	}
	return out
}
