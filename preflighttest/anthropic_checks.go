package preflighttest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/gif"  // to measure images
	_ "image/jpeg" // to measure images
	_ "image/png"  // to measure images
	"maps"
	"regexp"
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
	"messages-empty messages-max tool-use-input-object empty-message-content tool-use-in-user " +
		"tool-result-in-assistant tool-use-id-duplicate tool-result-orphan tool-result-duplicate " +
		"tool-result-missing tool-result-first server-tool-result-orphan server-tool-mixed-turn " +
		"server-tool-result-missing mcp-tool-pairing tool-use-id-pattern server-tool-id-pattern " +
		"extra-inputs")

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

// schema reports what has no rule of its own in the catalogue.
func schema(found found, path, message string) {
	found(anthropicPath(path), inOwnWords, path+": "+message)
}

// The request as a whole.

func anthropicRequired(r *request, found found) {
	if _, ok := r.root["model"].(string); !ok {
		schema(found, "model", anthropicWrong(r.root["model"], "string"))
	}
	if n := kind(r.root["max_tokens"]); n != "integer" {
		schema(found, "max_tokens", anthropicWrong(r.root["max_tokens"], "integer"))
	}
	if _, ok := r.root["messages"].([]any); !ok {
		schema(found, "messages", anthropicWrong(r.root["messages"], "list"))
	}
	if s := r.root["system"]; s != nil && kind(s) != "string" && kind(s) != "array" {
		schema(found, "system", anthropicWrong(s, "list"))
	}
	if t := r.root["tools"]; t != nil && kind(t) != "array" {
		schema(found, "tools", anthropicWrong(t, "list"))
	}
	for i, t := range array(r.root["tools"]) {
		if _, ok := t.(map[string]any); !ok {
			schema(found, fmt.Sprintf("tools.%d", i), anthropicWrong(t, "dictionary"))
		}
	}
}

// anthropicWrong words a value that is missing or of the wrong type.
func anthropicWrong(v any, want string) string {
	if v == nil {
		return "Field required"
	}
	return "Input should be a valid " + want
}

func anthropicMessagesEmpty(r *request, found found) {
	if m, ok := r.root["messages"].([]any); ok && len(m) == 0 {
		found("messages")
	}
}

func anthropicMessagesMax(r *request, found found) {
	if len(anthropicOf(r).messages) > 100_000 {
		found("messages")
	}
}

// anthropicFields are the fields of the request, and of what it may hold
// by type. A type that is not listed is not looked into.
var anthropicFields = map[string]string{
	"request": "max_tokens messages model inference_geo temperature top_k top_p container " +
		"fallback_credit_token fallbacks speed cache_control compaction context_management " +
		"diagnostics mcp_servers metadata output_config output_format service_tier " +
		"stop_sequences stream system thinking tool_choice tools anthropic_beta anthropic_version",
	"message":           "role content clear_at output_config",
	"text":              "text citations cache_control",
	"image":             "source cache_control transformations",
	"document":          "source context title cache_control citations",
	"search_result":     "content source title cache_control citations",
	"thinking":          "signature thinking",
	"redacted_thinking": "data",
	"tool_use":          "id input name toolset_name cache_control caller",
	"tool_result": "tool_use_id toolset_name is_error " +
		"cache_control content",
	"server_tool_use":                        "id input name cache_control caller",
	"web_search_tool_result":                 "content tool_use_id cache_control caller",
	"web_fetch_tool_result":                  "content tool_use_id cache_control caller",
	"code_execution_tool_result":             "content tool_use_id cache_control",
	"bash_code_execution_tool_result":        "content tool_use_id cache_control",
	"text_editor_code_execution_tool_result": "content tool_use_id cache_control",
	"tool_search_tool_result":                "content tool_use_id cache_control",
	"advisor_tool_result":                    "content tool_use_id cache_control",
	"mcp_tool_use":                           "id input name server_name cache_control",
	"mcp_tool_result":                        "tool_use_id is_error cache_control content",
	"container_upload":                       "file_id cache_control",
	"tool_reference":                         "tool_name cache_control",
	"tool_addition":                          "tool cache_control",
	"tool_removal":                           "tool cache_control",
	"compaction": "content encrypted_content signature " +
		"tool_changes cache_control",
	"browser_state":    "tabs state_changes cache_control",
	"mcp_tool_listing": "mcp_server_name tools",
	"custom": "input_schema name eager_input_streaming defer_loading description strict " +
		"allowed_callers cache_control input_examples",
}

var (
	anthropicKnown = strings.Fields("text image document tool_use tool_result")
	anthropicLeft  = strings.Fields(
		"index partial_json parsed_output providerMetadata providerOptions")
)

// anthropicExtra returns the names in o that the type does not have, sorted.
func anthropicExtra(o map[string]any, kind string) []string {
	known, ok := anthropicFields[kind]
	if !ok {
		return nil
	}
	return unknownNames(o, append(strings.Fields(known), "type"))
}

func anthropicExtraInputs(r *request, found found) {
	const specimen = "messages.0.content.0.text.cache_control"
	if anthropicOf(r).foreign() {
		anthropicEverywhere(r, func(role string, b anthropicBlock) { // what an SDK leaves
			if role != "tools" && slices.Contains(anthropicKnown, b.kind) {
				for _, name := range unknownNames(b.object, nil) {
					if slices.Contains(anthropicLeft, name) {
						found(b.at()+"."+name, specimen, b.path+"."+b.kind+"."+name)
					}
				}
			}
		})
		return
	}
	for _, name := range anthropicExtra(r.root, "request") {
		found(name, specimen, name)
	}
	for _, m := range anthropicOf(r).messages {
		for _, name := range anthropicExtra(m.object, "message") {
			found(fmt.Sprintf("messages[%d].%s", m.index, name), specimen,
				fmt.Sprintf("messages.%d.%s", m.index, name))
		}
		if _, ok := m.object["type"]; ok {
			found(fmt.Sprintf("messages[%d].type", m.index), specimen,
				fmt.Sprintf("messages.%d.type", m.index))
		}
	}
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if role == "tools" && has(b.object, "type") && text(b.object["type"]) != "custom" {
			return // a tool of the provider, with fields of its own
		}
		for _, name := range anthropicExtra(b.object, b.kind) {
			if name != "cache_control" || !b.thinks() {
				found(b.at()+"."+name, specimen, b.path+"."+b.kind+"."+name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(object(b.object["cache_control"]))) {
			if name != "type" && name != "ttl" && name != "scope" {
				found(b.at()+".cache_control."+name, specimen,
					b.path+"."+b.kind+".cache_control."+name)
			}
		}
	})
	thinking := object(r.root["thinking"])
	if has(thinking, "block_binding") && r.header != nil &&
		!strings.Contains(r.header.Get("Anthropic-Beta"), "thinking-binding-controls-") {
		path := "thinking." + text(thinking["type"]) + ".block_binding"
		found("thinking.block_binding", specimen, path)
	}
}

func anthropicCacheOnThinking(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if b.thinks() && has(b.object, "cache_control") {
			found(b.at()+".cache_control", b.fill(".thinking.", "."+b.kind+".")...)
		}
	})
}

// anthropicInResult are the types of blocks that the result of a tool may hold.
var anthropicInResult = strings.Fields(
	"text image document search_result tool_reference browser_state")

func anthropicOutputOnly(r *request, found found) {
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		_, known := anthropicFields[b.kind]
		if strings.Contains(b.path, ".tool_result.content.") {
			known = slices.Contains(anthropicInResult, b.kind)
		}
		if b.kind == "fallback" && len(array(r.root["fallbacks"])) > 0 {
			return // the beta is on
		}
		if !known && b.kind != "" {
			found(b.at(), b.fill("'fallback'", "'"+b.kind+"'")...)
		}
	})
}

func anthropicCompactionEmpty(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if content, ok := b.object["content"].(string); b.kind == "compaction" && ok &&
			content == "" {
			found(b.at()+".content", inOwnWords,
				b.path+".compaction.content: Empty string content is not allowed")
		}
	})
}

// anthropicContextEdit looks for edits of thinking in a request without it.
func anthropicContextEdit(r *request, found found) {
	if anthropicOf(r).thinking != "disabled" {
		return
	}
	for i, e := range array(object(r.root["context_management"])["edits"]) {
		if kind := text(object(e)["type"]); strings.HasPrefix(kind, "clear_thinking_") {
			found(fmt.Sprintf("context_management.edits[%d]", i), "clear_thinking_20251015", kind)
		}
	}
}

// anthropicStrings are the fields of each type that have to be strings.
var anthropicStrings = map[string]string{
	"text":                                   "text",
	"tool_use":                               "id name",
	"server_tool_use":                        "id name",
	"mcp_tool_use":                           "id name server_name",
	"tool_result":                            "tool_use_id",
	"web_search_tool_result":                 "tool_use_id",
	"web_fetch_tool_result":                  "tool_use_id",
	"mcp_tool_result":                        "tool_use_id",
	"code_execution_tool_result":             "tool_use_id",
	"bash_code_execution_tool_result":        "tool_use_id",
	"text_editor_code_execution_tool_result": "tool_use_id",
	"tool_search_tool_result":                "tool_use_id",
	"advisor_tool_result":                    "tool_use_id",
	"redacted_thinking":                      "data",
}

// anthropicSchema looks for missing fields and wrong types in the messages.
func anthropicSchema(r *request, found found) {
	a := anthropicOf(r)
	for i, m := range array(r.root["messages"]) {
		path := "messages." + strconv.Itoa(i)
		if _, ok := m.(map[string]any); !ok {
			schema(found, path,
				"Input should be a valid dictionary or object to extract fields from")
			continue
		}
		switch role := a.messages[i].object["role"].(type) {
		case nil:
			schema(found, path+".role", "Field required")
		case string:
			if role != "user" && role != "assistant" && role != "system" {
				found(anthropicMessagePath(i)+".role", inOwnWords,
					fmt.Sprintf("messages: Unexpected role %q. Allowed roles are \"user\" or "+
						"\"assistant\".", role))
			}
		default:
			schema(found, path+".role", "Input should be a valid string")
		}
		switch c := a.messages[i].content.(type) {
		case string, []any:
		default:
			schema(found, path+".content", anthropicWrong(c, "list"))
		}
		for j, b := range array(a.messages[i].content) {
			if _, ok := b.(map[string]any); !ok {
				schema(found, fmt.Sprintf("%s.content.%d", path, j),
					"Input should be a valid dictionary or object to extract fields from")
			}
		}
	}
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if role == "tools" {
			return
		}
		if b.object == nil {
			if strings.Contains(b.path, ".tool_result.") { // those of messages are looked at above
				schema(found, b.path,
					"Input should be a valid dictionary or object to extract fields from")
			}
			return
		}
		if b.kind == "" {
			schema(found, b.path+".type", anthropicWrong(b.object["type"], "string"))
		}
		if (b.kind == "image" || b.kind == "document") && object(b.object["source"]) == nil {
			found(b.at()+".source", inOwnWords,
				b.path+"."+b.kind+".source: "+anthropicWrong(b.object["source"], "dictionary"))
		}
		for _, name := range strings.Fields(anthropicStrings[b.kind]) {
			if _, ok := b.object[name].(string); !ok {
				found(b.at()+"."+name, inOwnWords,
					b.path+"."+b.kind+"."+name+": "+anthropicWrong(b.object[name], "string"))
			}
		}
		if c := b.object["content"]; b.kind == "tool_result" && c != nil && kind(c) != "string" &&
			kind(c) != "array" {
			found(b.at()+".content", inOwnWords,
				b.path+".tool_result.content: Input should be a valid list")
		}
		if b.thinks() && role == "user" && !strings.Contains(b.path, ".tool_result.") {
			found(b.at(), inOwnWords,
				fmt.Sprintf("messages.%d: `%s` blocks can only be in `assistant` messages", b.msg,
					b.kind))
		}
	})
}

// Tools and their ids.

func anthropicInputObject(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if b.kind != "tool_use" && b.kind != "server_tool_use" && b.kind != "mcp_tool_use" {
			return
		}
		if _, ok := b.object["input"].(map[string]any); !ok {
			found(b.at()+".input", b.fill(".tool_use.", "."+b.kind+".")...)
		}
	})
}

var anthropicID = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

func anthropicIDPattern(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		name := map[string]string{"tool_use": "id", "tool_result": "tool_use_id"}[b.kind]
		if id, ok := b.object[name].(string); ok && !anthropicID.MatchString(id) &&
			!(anthropicOf(r).foreign() && !blankID(id)) {
			found(b.at()+"."+name, "messages.1.content.1.tool_use.id", b.path+"."+b.kind+"."+name)
		}
	})
}

var anthropicServerID = regexp.MustCompile(`^srvtoolu_[a-zA-Z0-9_]+$`)

func anthropicServerIDPattern(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		name := ""
		switch {
		case b.kind == "server_tool_use", b.kind == "mcp_tool_use":
			name = "id"
		case b.answersServer(), b.answersMCP():
			name = "tool_use_id"
		}
		id, ok := b.object[name].(string)
		path := b.path + "." + b.kind + "." + name
		switch mcp := strings.HasPrefix(b.kind, "mcp_"); {
		case ok && mcp && blankID(id): // of the ids of MCP calls no form is on record
			found(b.at()+"."+name, inOwnWords, path+": String should have at least 1 character")
		case ok && !mcp && !anthropicServerID.MatchString(id) &&
			(blankID(id) || !anthropicOf(r).foreign()):
			found(b.at()+"."+name, "***.content.2.server_tool_use.id", path)
		}
	})
}

// answersServer reports whether the block is the result of a server tool.
func (b anthropicBlock) answersServer() bool {
	return strings.HasSuffix(b.kind, "_tool_result") && b.kind != "mcp_tool_result"
}

func anthropicNameLong(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if b.kind == "tool_use" && len([]rune(text(b.object["name"]))) > 200 {
			found(b.at()+".name", b.fill()...)
		}
	})
}

func anthropicNameEmpty(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if name, ok := b.object["name"].(string); ok && b.kind == "tool_use" && name == "" {
			found(b.at()+".name", b.fill()...)
		}
	})
}

var anthropicTool = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)

func anthropicToolName(r *request, found found) {
	for i, t := range anthropicOf(r).tools {
		o := object(t)
		custom := !has(o, "type") || text(o["type"]) == "custom"
		if name, ok := o["name"].(string); ok && custom && !anthropicTool.MatchString(name) {
			found(fmt.Sprintf("tools[%d].name", i), "tools.7", "tools."+strconv.Itoa(i), "{1,64}",
				"{1,128}")
		}
	}
}

func anthropicToolNamesUnique(r *request, found found) {
	seen := map[string]bool{}
	for i, t := range anthropicOf(r).tools {
		name := text(object(t)["name"])
		if seen[name] && name != "" {
			found(fmt.Sprintf("tools[%d].name", i))
		}
		seen[name] = true
	}
}

func anthropicContainer(r *request, found found) {
	if !has(r.root, "container") {
		return
	}
	for _, t := range anthropicOf(r).tools {
		kind := text(object(t)["type"])
		// The search and fetch tools of 2026 run code execution themselves.
		if strings.HasPrefix(kind, "code_execution_") ||
			strings.HasPrefix(kind, "web_search_2026") ||
			strings.HasPrefix(kind, "web_fetch_2026") {
			return
		}
	}
	found("container")
}

// Cache breakpoints.

func anthropicCacheMax(r *request, found found) {
	n := 0
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if has(b.object, "cache_control") && !b.thinks() {
			n++
		}
	})
	if n > 4 {
		found("", "Found 5", fmt.Sprintf("Found %d", n))
	}
}

func anthropicCacheOrder(r *request, found found) {
	short := false
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if !has(b.object, "cache_control") {
			return
		}
		long := text(object(b.object["cache_control"])["ttl"]) == "1h"
		if long && short {
			found(b.at() + ".cache_control")
		}
		short = short || !long
	})
}

func anthropicCacheOnEmpty(r *request, found found) {
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if s, ok := b.object["text"].(string); ok && b.kind == "text" && s == "" &&
			has(b.object, "cache_control") {
			found(b.at(), "messages.0.content.1", b.path)
		}
	})
}

// Texts and messages.

func anthropicEmptyText(r *request, found found) {
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if s, ok := b.object["text"].(string); ok && b.kind == "text" && s == "" &&
			!has(b.object, "cache_control") {
			found(b.at())
		}
	})
}

// anthropicBlankText lets white space be where the API itself puts it: into an
// assistant message, beside other content.
func anthropicBlankText(r *request, found found) {
	spared := map[string]bool{}
	for _, m := range anthropicOf(r).messages {
		if m.role != "assistant" ||
			!slices.ContainsFunc(m.blocks, func(b anthropicBlock) bool { return !b.blank() }) {
			continue
		}
		for _, b := range m.blocks {
			spared[b.path] = true
		}
	}
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if s, _ := b.object["text"].(string); s != "" && b.blank() && !spared[b.path] {
			found(b.at())
		}
	})
}

// blank reports whether the block is a text of white space or of nothing.
func (b anthropicBlock) blank() bool {
	s, ok := b.object["text"].(string)
	return ok && b.kind == "text" && strings.TrimSpace(s) == ""
}

// empty reports whether the message has no content, which is not the same as
// content of the wrong type.
func (m anthropicMessage) empty() bool {
	switch c := m.content.(type) {
	case string:
		return c == ""
	case []any:
		return len(c) == 0
	}
	return false
}

func anthropicEmptyUser(r *request, found found) {
	for _, m := range anthropicOf(r).messages {
		if m.role == "user" && m.empty() {
			found(anthropicMessagePath(m.index), anthropicNth(m.index)...)
		}
	}
}

// anthropicEmptyAssistant makes no exception for the last message unless it is
// lenient: an empty prefill says nothing, and models that take no prefill and
// hosts of the others refuse it.
func anthropicEmptyAssistant(r *request, found found) {
	a := anthropicOf(r)
	for _, m := range a.messages {
		if m.role == "assistant" && m.empty() && (m.index < len(a.messages)-1 || !r.lenient) {
			found(anthropicMessagePath(m.index), anthropicNth(m.index)...)
		}
	}
}

// System messages in the conversation.

// directive reports whether a system message is of the form that may be
// anywhere: no content, only settings.
func (m anthropicMessage) directive() bool {
	c, ok := m.content.([]any)
	return ok && len(c) == 0 && has(m.object, "output_config")
}

func anthropicSystemLeading(r *request, found found) {
	if m := anthropicOf(r).messages; len(m) > 0 && m[0].role == "system" && !m[0].directive() {
		found("messages[0]")
	}
}

func anthropicSystemUnsupported(r *request, found found) {
	a := anthropicOf(r)
	for _, m := range a.messages {
		if m.role == "system" && m.index > 0 && !a.model.takesSystem() {
			found(anthropicMessagePath(m.index))
		}
	}
}

func anthropicSystemEmpty(r *request, found found) {
	for _, m := range anthropicOf(r).messages {
		if m.role == "system" && m.empty() && !m.directive() {
			found(anthropicMessagePath(m.index), anthropicNth(m.index)...)
		}
	}
}

func anthropicSystemBlocks(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if m.role != "system" || b.kind == "" {
			return
		}
		if b.kind != "text" && b.kind != "tool_addition" && b.kind != "tool_removal" {
			found(b.at(), anthropicNth(m.index)...)
		}
	})
}

// anthropicSystemRuns calls f for each run of system messages on a model that
// takes them, with the turns before and after, which are nil at the ends. A
// run of directives alone is not judged.
func anthropicSystemRuns(r *request, f func(run anthropicTurn, before, after *anthropicTurn)) {
	a := anthropicOf(r)
	if !a.model.takesSystem() {
		return
	}
	for i, t := range a.turns {
		if t.role != "system" ||
			!slices.ContainsFunc(a.messages[t.first:t.last+1],
				func(m anthropicMessage) bool { return !m.directive() }) {
			continue
		}
		var before, after *anthropicTurn
		if i > 0 {
			before = &a.turns[i-1]
		}
		if i+1 < len(a.turns) {
			after = &a.turns[i+1]
		}
		f(t, before, after)
	}
}

func anthropicSystemAfter(r *request, found found) {
	anthropicSystemRuns(r, func(run anthropicTurn, before, after *anthropicTurn) {
		if before == nil || before.role == "user" {
			return // nothing before it is the case of system-role-leading
		}
		if n := len(before.blocks); before.role == "assistant" && n > 0 &&
			before.blocks[n-1].answersServer() {
			return
		}
		found(anthropicMessagePath(run.first), anthropicNth(run.first)...)
	})
}

func anthropicSystemBefore(r *request, found found) {
	anthropicSystemRuns(r, func(run anthropicTurn, before, after *anthropicTurn) {
		if before != nil && after != nil && after.role != "assistant" {
			found(anthropicMessagePath(run.last), anthropicNth(run.last)...)
		}
	})
}

// Blocks in the wrong message, images and documents.

func anthropicUseInUser(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if m.role == "user" &&
			(b.kind == "tool_use" || b.kind == "server_tool_use" || b.kind == "mcp_tool_use") {
			found(b.at(), append(anthropicNth(m.index), "`tool_use`", "`"+b.kind+"`")...)
		}
	})
}

func anthropicResultInAssistant(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if b.kind == "tool_result" && m.role == "assistant" {
			found(b.at(), anthropicNth(m.index)...)
		}
	})
}

func anthropicMediaInAssistant(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if m.role == "assistant" &&
			(b.kind == "image" || b.kind == "document" || b.kind == "container_upload") {
			found(b.at(), append(anthropicNth(m.index), "'image'", "'"+b.kind+"'")...)
		}
	})
}

// anthropicImages calls f for every image that is in the body itself.
func anthropicImages(r *request, f func(b anthropicBlock, mediaType, data string)) {
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if source := object(b.object["source"]); b.kind == "image" &&
			text(source["type"]) == "base64" {
			f(b, text(source["media_type"]), text(source["data"]))
		}
	})
}

func anthropicImageSize(r *request, found found) {
	const limit = 5 << 20
	anthropicImages(r, func(b anthropicBlock, mediaType, data string) {
		if len(data) > limit {
			found(b.at(), "messages.0.content.1", b.path, "6291456", strconv.Itoa(len(data)))
		}
	})
}

// anthropicMagic are the first bytes of the image types that are accepted.
var anthropicMagic = []struct{ mediaType, magic string }{
	{"image/png", "\x89PNG"}, {"image/jpeg", "\xff\xd8\xff"}, {"image/gif", "GIF8"},
	{"image/webp", "RIFF????WEBP"},
}

func anthropicSniff(data string) string {
	head, _ := base64.StdEncoding.DecodeString(data[:min(len(data), 24)/4*4])
	for _, m := range anthropicMagic {
		if len(head) >= len(m.magic) && magicMatches(head, m.magic) {
			return m.mediaType
		}
	}
	return ""
}

// magicMatches compares the first bytes; ? matches any byte.
func magicMatches(head []byte, magic string) bool {
	for i := range len(magic) {
		if magic[i] != '?' && magic[i] != head[i] {
			return false
		}
	}
	return true
}

// anthropicImageType passes over the models up to 3, which take an image under
// another type.
func anthropicImageType(r *request, found found) {
	if m := anthropicOf(r).model; m.family != "" && !m.atLeast(4, 0) {
		return
	}
	anthropicImages(r, func(b anthropicBlock, mediaType, data string) {
		if is := anthropicSniff(data); is != "" && is != mediaType {
			found(b.at(), "messages.34.content.0.tool_result.content.1", b.path, "the image/png",
				"the "+mediaType, "a image/jpeg", "a "+is)
		}
	})
}

func anthropicImageDimension(r *request, found found) {
	n := 0
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if b.kind == "image" {
			n++
		}
	})
	if n <= 20 {
		return
	}
	anthropicImages(r, func(b anthropicBlock, mediaType, data string) {
		raw, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			return
		}
		if size, _, err := image.DecodeConfig(bytes.NewReader(raw)); err == nil &&
			max(size.Width, size.Height) > 2000 {
			found(b.at(), "messages.21.content.94", b.path)
		}
	})
}

func anthropicErrorEmpty(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if b.kind == "tool_result" && truth(b.object["is_error"]) &&
			text(b.object["content"]) == "" && len(array(b.object["content"])) == 0 {
			found(b.at(), b.fill()...)
		}
	})
}
