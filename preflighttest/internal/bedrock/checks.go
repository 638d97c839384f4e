package bedrock

import (
	"github.com/go-preflight/preflight/preflighttest/internal/claude"
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
)

// checks are what the fake looks for: first the constraints of the
// service model, then what the service knows about conversations, then what
// its model says.
var checks = []fake.Check{
	{Code: "SerializationException", Find: schema},
	{Find: required},
	{Rule: "bedrock/block-union", Find: kindsOf},
	{Rule: "bedrock/tool-use-id", Find: id},
	{Rule: "bedrock/tool-name", Find: name},
	{Rule: "bedrock/starts-with-user", Find: start},
	{Rule: "bedrock/alternation", Find: alternation},
	{Rule: "bedrock/result-alone", Find: resultAlone},
	{Rule: "bedrock/document-beside-result", Find: documentBeside},
	{Find: empty},
	{Rule: "bedrock/blank-text", Find: blank},
	{Rule: "bedrock/tool-config-required", Find: toolConfig},
	{Rule: "bedrock/tool-input-object", Find: input},
	{Rule: "bedrock/tool-result-json-object", Find: jsonValues},
	{Rule: "bedrock/tool-result-error-empty", Find: errorEmpty},
	{
		Rule: "bedrock/tool-result-status-model",
		Text: "This model doesn't support the status field in the toolResult block.",
		Find: status,
	},
	{Rule: "bedrock/cache-point-alone", Find: pointAlone},
	{Rule: "bedrock/cache-point-after-reasoning", Find: pointAfterReasoning},
	{Rule: "bedrock/cache-point-after-document", Find: pointAfterDocument},
	{Rule: "bedrock/media-unsupported", Find: kinds},
	{Rule: "bedrock/tool-result-video", Find: resultVideo},
	{Rule: "bedrock/images-user-only", Find: media},
	{Rule: "bedrock/document-name", Find: documentName},
	{Rule: "bedrock/document-needs-text", Find: documentText},
	{Rule: "bedrock/tool-result-exceeds", Find: exceeds},
	{Rule: "bedrock/tool-result-missing", Find: missing},
	{Rule: "bedrock/tool-result-missing", Find: ofClaude("tool-result-first", late).Find},
	{Find: duplicate},
	{Rule: "bedrock/reasoning-content", Find: userReasoning},
	{Rule: "bedrock/reasoning-content", Find: unsigned},
	ofThinking("thinking-signature-required", claude.SignatureRequired),
	ofThinking("redacted-thinking-data", claude.Redacted),
	ofThinking("thinking-modified", claude.Modified),
	ofThinking("thinking-signature-invalid", claude.SignatureInvalid),
	ofThinking("thinking-binding-prefix", claude.Prefix),
	ofThinking("thinking-empty", claude.Empty),
	ofThinking("thinking-final-block", claude.Final),
	ofThinking("thinking-disabled-final", claude.Disabled),
	ofThinking("thinking-order-in-message", claude.Order),
	ofThinking("thinking-must-lead", claude.Leads),
	{Rule: "bedrock/reasoning-signature", Find: signature},
	{Rule: "openai-chat/image-undecodable", Find: broken},
	ofClaude("tool-result-error-text", errorContent),
	ofClaude("tool-names-unique", namesUnique),
	ofClaude("tool-use-id-duplicate", idsUnique),
	ofClaude("prefill-unsupported", prefill),
}
