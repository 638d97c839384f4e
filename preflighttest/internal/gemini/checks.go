package gemini

import "github.com/go-preflight/preflight/preflighttest/internal/fake"

// checks are what the fake looks for: first what the parser of the
// protocol refuses, then its validator, then the service.
var checks = []fake.Check{
	{Rule: "gemini/extra-field", Find: extra},
	{Find: schema},
	{Rule: "gemini/function-response-object", Find: objects},
	{Rule: "gemini/empty-part-data", Find: twoData},
	{Text: "* GenerateContentRequest.contents: contents is not specified", Find: noContents},
	{Rule: "gemini/empty-parts", Find: emptyParts},
	{Rule: "gemini/empty-parts-vertex", Find: emptyPartsVertex},
	{Rule: "gemini/empty-part-data", Find: emptyData},
	{Rule: "gemini/function-response-name", Find: responseName},
	{Rule: "gemini/function-response-media", Find: nestedMedia},
	{
		Text: "* GenerateContentRequest.contents[2].parts[0].function_call.name: Name cannot be " +
			"empty.",
		Find: callName,
	},
	{Rule: "gemini/function-name-pattern", Find: namePattern},
	{Rule: "gemini/mime-type", Find: mediaTypes},
	{Rule: "openai-chat/image-undecodable", Find: broken},
	{Rule: "gemini/function-call-id-duplicate", Find: callIDs},
	{Rule: "gemini/system-in-contents", Find: system},
	{Find: systemMedia},
	{Rule: "gemini/role-invalid", Find: role},
	{Rule: "gemini/function-call-turn-placement", Find: callPlacement},
	{Rule: "gemini/function-response-placement", Find: responsePlacement},
	{Rule: "gemini/function-response-count", Find: count},
	{Rule: "gemini/thought-signature-corrupt", Find: corrupt},
	{Rule: "gemini/thought-signature-missing", Find: unsigned},
	{Rule: "gemini/thought-signature-missing-vertex", Find: unsignedVertex},
	{Rule: "gemini/ends-with-model-turn", Find: endsWithModel},
	{Rule: "gemini/ends-with-model-turn", Find: mixed},
	{Rule: "gemini/alternation-old", Find: alternation},
	{Rule: "gemini/server-side-tool-flag", Find: toolFlag},
}
