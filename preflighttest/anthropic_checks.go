package preflighttest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// anthropicChecks are what the fake looks for: first the schema of the
// request, as the API validates it on the way in, then what the blocks say to
// each other.
var anthropicChecks = []check{
	{"", inOwnWords, "", anthropicRequired},
	{"anthropic/messages-empty", "", "", anthropicMessagesEmpty},
	{"anthropic/messages-max", "messages: List should have at most 100000 items after validation",
		"", anthropicMessagesMax},
	{"anthropic/extra-inputs", "", "", anthropicExtraInputs},
	{"anthropic/cache-control-on-thinking", "", "", anthropicCacheOnThinking},
	{"anthropic/output-only-blocks", "", "", anthropicOutputOnly},
	{"", inOwnWords, "", anthropicSchema},
	{"anthropic/compaction-empty", inOwnWords, "", anthropicCompactionEmpty},
	{"anthropic/context-edit-needs-thinking", "", "", anthropicContextEdit},
	{"anthropic/thinking-signature-required", "", "", anthropicSignatureRequired},
	{"anthropic/tool-use-input-object", "", "", anthropicInputObject},
	{"anthropic/tool-use-id-pattern", "", "", anthropicIDPattern},
	{"anthropic/server-tool-id-pattern", "", "", anthropicServerIDPattern},
	{"anthropic/tool-use-name-length", "", "", anthropicNameLong},
	{"anthropic/tool-use-name-length",
		"messages.N.content.M.tool_use.name: String should have at least 1 character", "",
		anthropicNameEmpty},
	{"anthropic/tool-name-pattern", "", "", anthropicToolName},
	{"anthropic/tool-names-unique", "", "", anthropicToolNamesUnique},
	{"anthropic/container-without-tool", "", "", anthropicContainer},
	{"anthropic/cache-control-max4", "", "", anthropicCacheMax},
	{"anthropic/cache-control-ttl-order", "", "", anthropicCacheOrder},
	{"anthropic/system-role-leading", "", "", anthropicSystemLeading},
	{"anthropic/system-role-unsupported-model", "", "", anthropicSystemUnsupported},
	{"anthropic/system-role-content", "", "", anthropicSystemEmpty},
	{"anthropic/system-role-content",
		"messages.1: role 'system' supports text, tool_addition, and tool_removal blocks only", "",
		anthropicSystemBlocks},
	{"anthropic/system-role-after", "", "", anthropicSystemAfter},
	{"anthropic/system-role-before", "", "", anthropicSystemBefore},
	{"anthropic/empty-message-content", "messages.N: user messages must have non-empty content", "",
		anthropicEmptyUser},
	{"anthropic/empty-message-content", "", "", anthropicEmptyAssistant},
	{"anthropic/cache-control-empty-text", "", "", anthropicCacheOnEmpty},
	{"anthropic/empty-text-block", "", "", anthropicEmptyText},
	{"anthropic/whitespace-text-block", "", "", anthropicBlankText},
	{"anthropic/tool-use-in-user", "", "", anthropicUseInUser},
	{"anthropic/tool-result-in-assistant", "", "", anthropicResultInAssistant},
	{"anthropic/image-in-assistant", "", "", anthropicMediaInAssistant},
	{"anthropic/image-size", "", "", anthropicImageSize},
	{"anthropic/image-undecodable", "", "", anthropicUndecodable},
	{"anthropic/image-media-type-mismatch", "", "", anthropicImageType},
	{"anthropic/many-image-dimension", "", "", anthropicImageDimension},
	{"anthropic/tool-result-error-empty", "", "", anthropicErrorEmpty},
	{"anthropic/tool-use-id-duplicate", "", "", anthropicUseDuplicate},
	{"anthropic/tool-result-orphan", "", "", anthropicResultOrphan},
	{"anthropic/tool-result-duplicate", "", "", anthropicResultDuplicate},
	{"anthropic/tool-result-missing", "", "", anthropicResultMissing},
	{"anthropic/tool-result-first", "", "", anthropicResultFirst},
	{"anthropic/tool-result-missing", "", "", anthropicServerLate},
	{"anthropic/server-tool-result-orphan", "", "", anthropicServerOrphan},
	{"anthropic/server-tool-mixed-turn", "", "", anthropicServerMixed},
	{"anthropic/server-tool-result-missing", "", "", anthropicServerMissing},
	{"anthropic/mcp-tool-pairing",
		"`mcp_tool_use` block with id `mcptoolu_XXXX` was found without a corresponding " +
			"`mcp_tool_result` block", "", anthropicMCP},
	{"anthropic/mcp-tool-pairing",
		"unexpected `tool_use_id` found in `mcp_tool_result` blocks: mcptoolu_XXXX. Each " +
			"`mcp_tool_result` block must have a corresponding `mcp_tool_use` block before it.", "",
		anthropicMCPOrphan},
	{"anthropic/container-id-required", "", "", anthropicContainerRequired},
	{"anthropic/web-search-encrypted-content", "", "", anthropicEncrypted},
	{"anthropic/redacted-thinking-data", "", "", anthropicRedactedData},
	{"anthropic/thinking-modified", "", "", anthropicThinkingModified},
	{"anthropic/thinking-signature-invalid", "", "", anthropicSignatureInvalid},
	{"anthropic/thinking-binding-prefix", "", "", anthropicThinkingPrefix},
	{"anthropic/thinking-empty", "", "", anthropicThinkingEmpty},
	{"anthropic/thinking-final-block", "", "", anthropicThinkingFinal},
	{"anthropic/thinking-disabled-final", "", "", anthropicThinkingDisabled},
	{"anthropic/thinking-order-in-message", "", "", anthropicThinkingOrder},
	{"anthropic/thinking-must-lead", "", "", anthropicThinkingLeads},
	{"anthropic/prefill-unsupported", "", "", anthropicPrefill},
	{"anthropic/trailing-whitespace", "", "", anthropicTrailingSpace},
}

// anthropicOfAll are the rules that hold for models of other vendors, too,
// of a host that speaks the format: where turns, calls and results are.
var anthropicOfAll = strings.Fields(
	"messages-empty messages-max system-role-leading empty-message-content tool-use-in-user " +
		"tool-result-in-assistant tool-use-id-duplicate tool-result-orphan tool-result-duplicate " +
		"tool-result-missing tool-result-first server-tool-result-orphan server-tool-mixed-turn " +
		"server-tool-result-missing mcp-tool-pairing tool-use-id-pattern server-tool-id-pattern " +
		"tool-use-input-object tool-use-name-length extra-inputs")

// anthropicByVendor are the checks, of which those that only Anthropic makes
// pass over the models of others.
func anthropicByVendor(checks []check) []check {
	checks = slices.Clone(checks)
	for i, c := range checks {
		if c.rule == "" ||
			slices.Contains(anthropicOfAll, strings.TrimPrefix(c.rule, "anthropic/")) {
			continue
		}
		checks[i].find = func(r *request, found found) {
			if !anthropicOf(r).foreign() {
				c.find(r, found)
			}
		}
	}
	return checks
}

// foreign reports whether the model is another vendor's.
func (a *anthropicRequest) foreign() bool { return a.model.family == "" && a.named && !a.claude }

func anthropicOf(r *request) *anthropicRequest { return r.parsed.(*anthropicRequest) }

// anthropicEach calls f for every block of every message, in order, together
// with the message.
func anthropicEach(r *request, f func(m anthropicMessage, b anthropicBlock)) {
	for _, m := range anthropicOf(r).messages {
		for _, b := range m.blocks {
			f(m, b)
		}
	}
}

// anthropicEverywhere calls f for every block at every level: tools, system,
// messages, and the content of results and documents.
func anthropicEverywhere(r *request, f func(role string, b anthropicBlock)) {
	for i, t := range anthropicOf(r).tools {
		f("tools", anthropicBlock{
			kind:   "custom",
			object: object(t),
			path:   fmt.Sprintf("tools.%d", i),
			msg:    -1,
		})
	}
	for _, b := range anthropicBlocks(r.root["system"], "system", -1) {
		f("system", b)
	}
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		f(m.role, b)
		if inner := b.object["content"]; b.kind == "tool_result" || b.kind == "search_result" {
			for _, b := range anthropicBlocks(inner, b.path+"."+b.kind+".content", m.index) {
				f(m.role, b)
			}
		}
	})
}

// anthropicPath turns the provider's notation into that of Violation.Path.
func anthropicPath(path string) string {
	var out strings.Builder
	for i, step := range strings.Split(path, ".") {
		switch _, err := strconv.Atoi(step); {
		case err == nil:
			fmt.Fprintf(&out, "[%s]", step)
		case step == "tool_result" || step == "search_result":
			// The type of the union's member, which is not a name in the body.
		case i == 0:
			out.WriteString(step)
		default:
			out.WriteString("." + step)
		}
	}
	return out.String()
}

// at returns the path of a block for Violation.Path.
func (b anthropicBlock) at() string { return anthropicPath(b.path) }

// fill returns the pairs that put the block's place into a text.
func (b anthropicBlock) fill(more ...string) []string {
	return append([]string{"messages.N.content.M", b.path, "messages.N.content.0", b.path}, more...)
}

func anthropicMessagePath(i int) string { return fmt.Sprintf("messages[%d]", i) }

func anthropicNth(i int) []string {
	return []string{
		"messages.N",
		"messages." + strconv.Itoa(i),
		"messages.0",
		"messages." + strconv.Itoa(i),
		"messages.1",
		"messages." + strconv.Itoa(i),
		"messages.2",
		"messages." + strconv.Itoa(i),
	}
}
