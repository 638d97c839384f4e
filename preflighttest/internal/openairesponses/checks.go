package openairesponses

import "github.com/go-preflight/preflight/preflighttest/internal/fake"

var checks = []fake.Check{
	{Code: "missing_required_parameter", Find: required},
	{
		Rule: "openai-responses/input-empty",
		Text: "Invalid 'input': empty array. Expected an array with minimum length 1, but got an " +
			"empty array instead.",
		Code: "empty_array",
		Find: inputEmpty,
	},
	{Code: "invalid_value", Find: itemSchema},
	{Rule: "openai-responses/web-search-action", Code: "invalid_value", Find: only(searchAction)},
	{
		Rule: "openai-responses/tool-search-arguments",
		Code: "invalid_type",
		Find: only(searchArguments),
	},
	{Rule: "openai-responses/compaction-trigger-last", Find: only(triggerLast)},
	{Rule: "openai-responses/mcp-approval-orphan", Find: only(approvalOrphan)},
	{Rule: "openai-responses/file-type", Code: "invalid_value", Find: only(fileType)},
	{
		Rule: "openai-responses/unknown-item-field",
		Code: "unknown_parameter",
		Find: only(itemFields),
	},
	{
		Rule: "openai-responses/required-item-fields",
		Code: "missing_required_parameter",
		Find: itemRequired,
	},
	{
		Rule: "openai-responses/reasoning-summary-required",
		Code: "missing_required_parameter",
		Find: only(summaryRequired),
	},
	{
		Rule: "openai-responses/reasoning-content-nonempty",
		Code: "array_above_max_length",
		Find: only(reasoningContent),
	},
	{
		Rule: "openai-responses/required-item-fields",
		Code: "missing_required_parameter",
		Find: only(reasoningBare),
	},
	{Rule: "openai-responses/assistant-input-text", Code: "invalid_value", Find: partTypes},
	{
		Rule: "openai-responses/item-id-length",
		Code: "string_above_max_length",
		Find: only(itemIDLength),
	},
	{Rule: "openai-responses/item-id-charset", Code: "invalid_value", Find: only(itemIDCharset)},
	{Rule: "openai-responses/item-id-prefix", Code: "invalid_value", Find: only(itemIDPrefix)},
	{Rule: "openai-responses/call-id-length", Code: "string_above_max_length", Find: callIDLength},
	{Rule: "openai-responses/name-pattern", Code: "invalid_value", Find: itemName},
	{Rule: "openai-responses/string-max", Code: "string_above_max_length", Find: itemStringMax},
	{Rule: "openai-responses/duplicate-item", Find: only(itemDuplicate)},
	{Rule: "openai-responses/item-not-found", Find: only(itemNotFound)},
	{
		Rule: "openai-responses/encrypted-content-invalid",
		Code: "invalid_encrypted_content",
		Find: only(encrypted),
	},
	{Rule: "openai-responses/item-needs-reasoning", Find: only(needsReasoning)},
	{Rule: "openai-responses/reasoning-needs-following", Find: only(needsFollowing)},
	{Rule: "openai-responses/reasoning-needs-following", Find: only(reasoningDetached)},
	{Rule: "openai-responses/tool-output-orphan", Find: outputOrphan},
	{Rule: "openai-responses/tool-output-missing", Find: outputMissing},
}
