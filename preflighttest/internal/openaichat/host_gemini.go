package openaichat

import (
	"regexp"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// The fake of the Gemini API's endpoint for OpenAI's Chat format, where its
// refusals are on record: calls without results, results without calls, and
// calls without the signature that models of generation 3 want back.

var geminiHost = func() fake.Format {
	f := Format
	f.Name = "gemini-chat"
	f.Checks = []fake.Check{
		{Code: "missing_required_parameter", Find: required},
		{Code: "invalid_type", Find: schema},
		{Rule: "gemini/thought-signature-missing", Find: signatureMissing},
		{Rule: "openai-chat/tool-result-orphan", Find: orphan},
		{Rule: "openai-chat/tool-result-missing", Find: missing},
		{Rule: "openai-chat/image-undecodable", Find: broken},
	}
	return f
}()

// signs matches the models that sign their calls, but for those that draw.
var signs = regexp.MustCompile(`gemini-3(?:\.\d{1,2})?(?:-|$)`)

// signatureMissing looks at the first call of each message since the user
// last spoke: manthanabc/paws#103.
func signatureMissing(r *fake.Request, found fake.Found) {
	if !signs.MatchString(r.Model) || strings.Contains(r.Model, "-image") {
		return
	}
	messages := messagesOf(r)
	open := 0
	for i, m := range messages {
		if m.role == "user" {
			open = i
		}
	}
	for _, m := range messages[open:] {
		if len(m.calls) == 0 {
			continue
		}
		call := m.calls[0]
		google := read.Object(read.Object(call.object["extra_content"])["google"])
		if read.Text(google["thought_signature"]) == "" {
			name := strings.TrimSpace(read.Text(call.function["name"]))
			found(call.path, "default_api:NAME", "default_api:"+name, "position 2", "position 1")
		}
	}
}
