package mistral

import "github.com/go-preflight/preflight/preflighttest/internal/fake"

// checks are in the order of the hosted API: the schema, then the
// validator.
var checks = []fake.Check{
	{Find: schema},
	{Rule: "mistral/unknown-fields", Find: unknown},
	{Rule: "mistral/messages-empty", Code: "1800", Find: messagesEmpty},
	{Rule: "mistral/system-null", Code: "3051", Find: systemNull},
	{Rule: "mistral/assistant-empty", Code: "3240", Find: assistantEmpty},
	{Rule: "mistral/content-chunk-types", Code: "3051", Find: chunks},
	{Rule: "mistral/media-disabled", Code: "3051", Find: mediaDisabled},
	{Rule: "mistral/function-name", Code: "3280", Find: functionName},
	{Rule: "mistral/tool-call-id", Code: "3280", Find: id},
	{Rule: "mistral/prefix-not-last", Code: "3230", Find: prefix},
	{Rule: "mistral/order-system", Code: "3230", Find: orderSystem},
	{Rule: "mistral/order-tool-after-user", Code: "3230", Find: toolAfterUser},
	{Rule: "mistral/unexpected-result-id", Code: "3230", Find: unexpected},
	{Rule: "mistral/duplicate-result-id", Code: "3230", Find: duplicate},
	{Rule: "mistral/call-result-count", Code: "3230", Find: count},
	{Rule: "mistral/last-role", Code: "3230", Find: lastRole},
}
