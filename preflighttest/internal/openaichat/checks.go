package openaichat

import "github.com/go-preflight/preflight/preflighttest/internal/fake"

var checks = []fake.Check{
	{Code: "missing_required_parameter", Find: required},
	{Rule: "openai-chat/unknown-parameter", Code: "unknown_parameter", Find: unknown},
	{Rule: "openai-chat/messages-empty", Code: "empty_array", Find: messagesEmpty},
	{Rule: "openai-chat/tools-max", Code: "array_above_max_length", Find: toolsMax},
	{Rule: "openai-chat/role-missing", Code: "missing_required_parameter", Find: roleMissing},
	{Rule: "openai-chat/role-unknown", Code: "invalid_value", Find: roleUnknown},
	{Rule: "openai-chat/content-type", Code: "invalid_type", Find: contentType},
	{Rule: "openai-chat/part-type", Code: "invalid_value", Find: partType},
	{Code: "invalid_type", Find: schema},
	{Rule: "openai-chat/part-type", Code: "invalid_value", Find: mute},
	{Rule: "openai-chat/empty-tool-calls", Code: "empty_array", Find: emptyCalls},
	{Rule: "openai-chat/tool-call-id-length", Code: "string_above_max_length", Find: idLength},
	{Rule: "openai-chat/function-name-pattern", Code: "invalid_value", Find: functionName},
	{Rule: "openai-chat/message-name-pattern", Code: "invalid_value", Find: messageName},
	{Rule: "openai-chat/string-max", Code: "string_above_max_length", Find: stringMax},
	{Rule: "openai-chat/file-needs-filename", Code: "missing_required_parameter", Find: filename},
	{Rule: "openai-chat/content-null", Find: contentNull},
	{Rule: "openai-chat/system-role-unsupported", Code: "unsupported_value", Find: system},
	{Rule: "openai-chat/tool-message-image", Find: image},
	{Rule: "openai-chat/image-undecodable", Code: "invalid_image_format", Find: undecodable},
	{Rule: "openai-chat/tools-reasoning-effort", Find: effort},
	{Rule: "openai-chat/arguments-not-json", Code: "invalid_value", Find: arguments},
	{Rule: "openai-chat/tool-call-id-duplicate", Find: duplicate},
	{Rule: "openai-chat/tool-result-orphan", Find: orphan},
	{Rule: "openai-chat/tool-result-missing", Find: missing},
}
