package bedrock

import "github.com/go-preflight/preflight/preflighttest/internal/fake"

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
	{Rule: "bedrock/tool-result-missing", Find: says("anthropic/tool-result-first", late)},
	{Find: duplicate},
	{Rule: "bedrock/reasoning-content", Find: userReasoning},
	{Rule: "bedrock/reasoning-content", Find: unsigned},
	{
		Rule: "bedrock/reasoning-content",
		Find: says("anthropic/thinking-signature-required", signatureMissing),
	},
	{Rule: "bedrock/reasoning-content", Find: says("anthropic/redacted-thinking-data", redacted)},
	{Rule: "bedrock/reasoning-content", Find: says("anthropic/thinking-modified", modified)},
	{
		Rule: "bedrock/reasoning-content",
		Find: says("anthropic/thinking-signature-invalid", signatureInvalid),
	},
	{Rule: "bedrock/reasoning-content", Find: says("anthropic/thinking-binding-prefix", prefix)},
	{Rule: "bedrock/reasoning-content", Find: says("anthropic/thinking-empty", thinkingEmpty)},
	{Rule: "bedrock/reasoning-content", Find: says("anthropic/thinking-final-block", thinkingLast)},
	{
		Rule: "bedrock/reasoning-content",
		Find: says("anthropic/thinking-disabled-final", thinkingOff),
	},
	{
		Rule: "bedrock/reasoning-content",
		Find: says("anthropic/thinking-order-in-message", thinkingFirst),
	},
	{Rule: "bedrock/reasoning-content", Find: says("anthropic/thinking-must-lead", thinkingLeads)},
	{Rule: "anthropic/tool-names-unique", Find: says("anthropic/tool-names-unique", namesUnique)},
	{
		Rule: "anthropic/tool-use-id-duplicate",
		Find: says("anthropic/tool-use-id-duplicate", idsUnique),
	},
	{Rule: "anthropic/prefill-unsupported", Find: says("anthropic/prefill-unsupported", prefill)},
}
