package anthropic

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/claude"
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
)

// checks are what the fake looks for: first the schema of the
// request, as the API validates it on the way in, then what the blocks say to
// each other.
var checks = []fake.Check{
	{Find: required},
	{Rule: "anthropic/messages-empty", Find: messagesEmpty},
	{
		Rule: "anthropic/messages-max",
		Text: "messages: List should have at most 100000 items after validation",
		Find: messagesMax,
	},
	{Rule: "anthropic/extra-inputs", Find: extraInputs},
	{Rule: "anthropic/cache-control-on-thinking", Find: cacheOnThinking},
	{Rule: "anthropic/output-only-blocks", Find: outputOnly},
	{Find: schemaFaults},
	{Rule: "anthropic/compaction-empty", Find: compactionEmpty},
	{Rule: "anthropic/context-edit-needs-thinking", Find: contextEdit},
	{Rule: "anthropic/thinking-signature-required", Find: thinks(claude.SignatureRequired)},
	{Rule: "anthropic/tool-use-input-object", Find: inputObject},
	{Rule: "anthropic/tool-use-id-pattern", Find: idPattern},
	{Rule: "anthropic/server-tool-id-pattern", Find: serverIDPattern},
	{Rule: "anthropic/tool-use-name-length", Find: nameLong},
	{
		Rule: "anthropic/tool-use-name-length",
		Text: "messages.N.content.M.tool_use.name: String should have at least 1 character",
		Find: nameEmpty,
	},
	{Rule: "anthropic/tool-name-pattern", Find: toolName},
	{Rule: "anthropic/tool-names-unique", Find: toolNamesUnique},
	{Rule: "anthropic/container-without-tool", Find: container},
	{Rule: "anthropic/cache-control-max4", Find: cacheMax},
	{Rule: "anthropic/cache-control-ttl-order", Find: cacheOrder},
	{Rule: "anthropic/system-role-leading", Find: systemLeading},
	{Rule: "anthropic/system-role-unsupported-model", Find: systemUnsupported},
	{Rule: "anthropic/system-role-content", Find: systemEmpty},
	{
		Rule: "anthropic/system-role-content",
		Text: "messages.1: role 'system' supports text, tool_addition, and tool_removal blocks " +
			"only",
		Find: systemBlocks,
	},
	{Rule: "anthropic/system-role-after", Find: systemAfter},
	{Rule: "anthropic/system-role-before", Find: systemBefore},
	{
		Rule: "anthropic/empty-message-content",
		Text: "messages.N: user messages must have non-empty content",
		Find: emptyUser,
	},
	{Rule: "anthropic/empty-message-content", Find: emptyAssistant},
	{Rule: "anthropic/cache-control-empty-text", Find: cacheOnEmpty},
	{Rule: "anthropic/empty-text-block", Find: emptyText},
	{Rule: "anthropic/whitespace-text-block", Find: blankText},
	{Rule: "anthropic/tool-use-in-user", Find: useInUser},
	{Rule: "anthropic/tool-result-in-assistant", Find: resultInAssistant},
	{Rule: "anthropic/image-in-assistant", Find: mediaInAssistant},
	{Rule: "anthropic/image-size", Find: imageSize},
	{Rule: "anthropic/image-undecodable", Find: undecodable},
	{Rule: "anthropic/image-media-type-mismatch", Find: imageType},
	{Rule: "anthropic/many-image-dimension", Find: imageDimension},
	{Rule: "anthropic/tool-result-error-empty", Find: errorEmpty},
	{Rule: "anthropic/tool-result-error-text", Find: errorContent},
	{Rule: "anthropic/tool-use-id-duplicate", Find: useDuplicate},
	{Rule: "anthropic/tool-result-orphan", Find: resultOrphan},
	{Rule: "anthropic/tool-result-duplicate", Find: resultDuplicate},
	{Rule: "anthropic/tool-result-missing", Find: resultMissing},
	{Rule: "anthropic/tool-result-first", Find: resultFirst},
	{Rule: "anthropic/tool-result-missing", Find: serverLate},
	{Rule: "anthropic/server-tool-result-orphan", Find: serverOrphan},
	{Rule: "anthropic/server-tool-mixed-turn", Find: serverMixed},
	{Rule: "anthropic/server-tool-result-missing", Find: serverMissing},
	{
		Rule: "anthropic/mcp-tool-pairing",
		Text: "`mcp_tool_use` block with id `mcptoolu_XXXX` was found without a corresponding " +
			"`mcp_tool_result` block",
		Find: mcp,
	},
	{
		Rule: "anthropic/mcp-tool-pairing",
		Text: "unexpected `tool_use_id` found in `mcp_tool_result` blocks: mcptoolu_XXXX. Each " +
			"`mcp_tool_result` block must have a corresponding `mcp_tool_use` block before it.",
		Find: mcpOrphan,
	},
	{Rule: "anthropic/container-id-required", Find: containerRequired},
	{Rule: "anthropic/tool-reference-undeclared", Find: undeclaredReference},
	{Rule: "anthropic/web-search-encrypted-content", Find: encrypted},
	{Rule: "anthropic/redacted-thinking-data", Find: thinks(claude.Redacted)},
	{Rule: "anthropic/thinking-modified", Find: thinks(claude.Modified)},
	{Rule: "anthropic/thinking-signature-invalid", Find: thinks(claude.SignatureInvalid)},
	{Rule: "anthropic/thinking-binding-prefix", Find: thinks(claude.Prefix)},
	{Rule: "anthropic/thinking-empty", Find: thinks(claude.Empty)},
	{Rule: "anthropic/thinking-final-block", Find: thinks(claude.Final)},
	{Rule: "anthropic/thinking-disabled-final", Find: thinks(claude.Disabled)},
	{Rule: "anthropic/thinking-order-in-message", Find: thinks(claude.Order)},
	{Rule: "anthropic/thinking-must-lead", Find: thinks(claude.Leads)},
	{Rule: "anthropic/prefill-unsupported", Find: prefill},
	{Rule: "anthropic/trailing-whitespace", Find: trailingSpace},
}

// ofAll are the rules that hold for models of other vendors, too,
// of a host that speaks the format: where turns, calls and results are.
var ofAll = strings.Fields(
	"messages-empty messages-max system-role-leading system-role-content " +
		"empty-message-content tool-use-in-user " +
		"tool-result-in-assistant tool-use-id-duplicate tool-result-orphan tool-result-duplicate " +
		"tool-result-missing tool-result-first server-tool-result-orphan server-tool-mixed-turn " +
		"server-tool-result-missing mcp-tool-pairing tool-use-id-pattern server-tool-id-pattern " +
		"tool-use-input-object tool-use-name-length extra-inputs")

// byVendor returns the checks, of which those that only Anthropic makes
// pass over the models of others.
func byVendor(checks []fake.Check) []fake.Check {
	checks = slices.Clone(checks)
	for i, c := range checks {
		if c.Rule == "" ||
			slices.Contains(ofAll, strings.TrimPrefix(c.Rule, "anthropic/")) {
			continue
		}
		checks[i].Find = func(r *fake.Request, found fake.Found) {
			if !opened(r).foreign() {
				c.Find(r, found)
			}
		}
	}
	return checks
}
