package preflighttest

import (
	"fmt"
	"slices"
	"strings"
)

// bedrockChecks are what the fake looks for: first the constraints of the
// service model, then what the service knows about conversations, then what
// its model says.
var bedrockChecks = []check{
	{"", inOwnWords, "SerializationException", bedrockSchema},
	{"", inOwnWords, "", bedrockRequired},
	{"bedrock/block-union", "", "", bedrockKindsOf},
	{"bedrock/tool-use-id", "", "", bedrockID},
	{"bedrock/tool-name", "", "", bedrockName},
	{"bedrock/starts-with-user", "", "", bedrockStart},
	{"bedrock/alternation", "", "", bedrockAlternation},
	{"bedrock/result-alone", "", "", bedrockResultAlone},
	{"bedrock/document-beside-result", inOwnWords, "", bedrockDocumentBeside},
	{"", inOwnWords, "", bedrockEmpty},
	{"bedrock/blank-text", "", "", bedrockBlank},
	{"bedrock/tool-config-required", "", "", bedrockToolConfig},
	{"bedrock/tool-input-object", "", "", bedrockInput},
	{"bedrock/tool-result-json-object", "", "", bedrockJSON},
	{"bedrock/tool-result-error-empty", "", "", bedrockErrorEmpty},
	{"bedrock/tool-result-status-model",
		"This model doesn't support the status field in the toolResult block.", "", bedrockStatus},
	{"bedrock/cache-point-alone", "", "", bedrockPointAlone},
	{"bedrock/cache-point-after-reasoning", "", "", bedrockPointAfterReasoning},
	{"bedrock/cache-point-after-document", inOwnWords, "", bedrockPointAfterDocument},
	{"bedrock/media-unsupported", inOwnWords, "", bedrockKinds},
	{"bedrock/tool-result-video", inOwnWords, "", bedrockResultVideo},
	{"bedrock/images-user-only", inOwnWords, "", bedrockMedia},
	{"bedrock/document-name", inOwnWords, "", bedrockDocumentName},
	{"bedrock/document-needs-text", inOwnWords, "", bedrockDocumentText},
	{"bedrock/tool-result-exceeds", "", "", bedrockExceeds},
	{"bedrock/tool-result-missing", "", "", bedrockMissing},
	{"bedrock/tool-result-missing", inOwnWords, "",
		bedrockSays("anthropic/tool-result-first", bedrockLate)},
	{"", inOwnWords, "", bedrockDuplicate},
	{"bedrock/reasoning-content", inOwnWords, "", bedrockUserReasoning},
	{"bedrock/reasoning-content", inOwnWords, "", bedrockUnsigned},
	{"bedrock/reasoning-content", inOwnWords, "",
		bedrockSays("anthropic/thinking-signature-required", bedrockSignatureMissing)},
	{"bedrock/reasoning-content", inOwnWords, "",
		bedrockSays("anthropic/redacted-thinking-data", bedrockRedacted)},
	{"bedrock/reasoning-content", inOwnWords, "",
		bedrockSays("anthropic/thinking-modified", bedrockModified)},
	{"bedrock/reasoning-content", inOwnWords, "",
		bedrockSays("anthropic/thinking-signature-invalid", bedrockSignatureInvalid)},
	{"bedrock/reasoning-content", inOwnWords, "",
		bedrockSays("anthropic/thinking-binding-prefix", bedrockPrefix)},
	{"bedrock/reasoning-content", inOwnWords, "",
		bedrockSays("anthropic/thinking-empty", bedrockThinkingEmpty)},
	{"bedrock/reasoning-content", inOwnWords, "",
		bedrockSays("anthropic/thinking-final-block", bedrockThinkingLast)},
	{"bedrock/reasoning-content", inOwnWords, "",
		bedrockSays("anthropic/thinking-disabled-final", bedrockThinkingOff)},
	{"bedrock/reasoning-content", inOwnWords, "",
		bedrockSays("anthropic/thinking-order-in-message", bedrockThinkingFirst)},
	{"bedrock/reasoning-content", inOwnWords, "",
		bedrockSays("anthropic/thinking-must-lead", bedrockThinkingLeads)},
	{"anthropic/tool-names-unique", inOwnWords, "",
		bedrockSays("anthropic/tool-names-unique", bedrockNamesUnique)},
	{"anthropic/tool-use-id-duplicate", inOwnWords, "",
		bedrockSays("anthropic/tool-use-id-duplicate", bedrockIDsUnique)},
	{"anthropic/prefill-unsupported", inOwnWords, "",
		bedrockSays("anthropic/prefill-unsupported", bedrockPrefill)},
}

// bedrockEach calls f for every block of the messages.
func bedrockEach(r *request, f func(m bedrockMessage, b bedrockBlock)) {
	for _, m := range bedrockOf(r).messages {
		for _, b := range m.blocks {
			f(m, b)
		}
	}
}

// member writes a path as the constraints of the service model do: 1-based.
func (b bedrockBlock) member() string {
	return fmt.Sprintf("messages.%d.member.content.%d.member", b.msg+1, b.n+1)
}

func bedrockMessagePath(i int) string { return fmt.Sprintf("messages[%d]", i) }

func bedrockID(r *request, found found) {
	const specimen = "messages.2.member.content.1.member.toolUse.toolUseId"
	form := bedrockMark
	if bedrockFamily(r.model) == "claude" {
		form = bedrockWord
	}
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		if id, ok := b.use()["toolUseId"].(string); ok {
			bedrockConstraint(form, b.at()+".toolUse.toolUseId", specimen,
				b.member()+".toolUse.toolUseId", id, found)
		}
		if id, ok := b.result()["toolUseId"].(string); ok {
			bedrockConstraint(form, b.at()+".toolResult.toolUseId", specimen,
				b.member()+".toolResult.toolUseId", id, found)
		}
	})
}

func bedrockName(r *request, found found) {
	const specimen = "toolConfig.tools.N.member.toolSpec.name"
	for i, t := range array(object(r.root["toolConfig"])["tools"]) {
		if name, ok := object(object(t)["toolSpec"])["name"].(string); ok {
			bedrockConstraint(bedrockWord, fmt.Sprintf("toolConfig.tools[%d].toolSpec.name", i),
				specimen, fmt.Sprintf("toolConfig.tools.%d.member.toolSpec.name", i+1), name, found)
		}
	}
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		if name, ok := b.use()["name"].(string); ok {
			bedrockConstraint(bedrockWord, b.at()+".toolUse.name", specimen,
				b.member()+".toolUse.name", name, found)
		}
	})
}

func bedrockStart(r *request, found found) {
	messages := bedrockOf(r).messages
	if len(messages) == 0 {
		found("messages")
	} else if messages[0].role == "assistant" && bedrockWantsUser(r.model) {
		found(bedrockMessagePath(0))
	}
}

// bedrockWantsUser knows the makers whose models were measured to refuse an
// assistant's message as the first (https://github.com/pydantic/pydantic-ai/pull/6255).
// Of Claude's, only the third generation is on record.
func bedrockWantsUser(model string) bool {
	for _, maker := range strings.Fields("amazon.nova meta.llama mistral. cohere. ai21. writer.") {
		if strings.Contains(model, maker) {
			return true
		}
	}
	return strings.Contains(model, "claude-3")
}

func bedrockAlternation(r *request, found found) {
	messages := bedrockOf(r).messages
	for i := 1; i < len(messages) && bedrockOld(r.model); i++ {
		if messages[i].role == messages[i-1].role {
			found(bedrockMessagePath(i))
		}
	}
}

func bedrockEmpty(r *request, found found) {
	for _, m := range bedrockOf(r).messages {
		if has(m.object, "content") && len(m.blocks) == 0 {
			found(bedrockMessagePath(m.index)+".content", inOwnWords,
				fmt.Sprintf("The content field in the Message object at messages.%d is empty. "+
					"Add a ContentBlock object to the content field and try again.", m.index))
		}
	}
}

// bedrockBlank lets the families that were recorded to accept white space beside
// other content of a message have it there. White space alone is refused by all
// (https://github.com/NousResearch/hermes-agent/pull/41985), and text without a
// character everywhere. A cache point is no content.
func bedrockBlank(r *request, found found) {
	family := bedrockFamily(r.model)
	strict := bedrockOld(r.model) ||
		slices.Contains([]string{"nova", "command", "jamba"}, family) ||
		strings.Contains(r.model, "llama3") || strings.Contains(r.model, "deepseek.r1")
	blank := func(s string) bool { return strings.TrimSpace(s) == "" }
	spared := make(map[int]bool) // messages that hold more than blank text
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		s, ok := b.object["text"].(string)
		if !strict && (ok && !blank(s) || !ok && !has(b.object, "cachePoint")) {
			spared[m.index] = true
		}
	})
	for i, c := range array(r.root["system"]) {
		if s, ok := object(c)["text"].(string); ok && blank(s) {
			found(fmt.Sprintf("system[%d].text", i), "ContentBlock", "SystemContentBlock",
				"messages.0.content.0", fmt.Sprintf("system.%d", i))
		}
	}
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		if s, ok := b.object["text"].(string); ok && blank(s) && !(s != "" && spared[m.index]) {
			found(b.at()+".text", "messages.0.content.0", b.path)
		}
		for i, c := range array(b.answer()["content"]) {
			if s, ok := object(c)["text"].(string); ok && blank(s) {
				found(fmt.Sprintf("%s.toolResult.content[%d].text", b.at(), i), "ContentBlock",
					"ToolResultContentBlock", "messages.0.content.0",
					fmt.Sprintf("%s.toolResult.content.%d", b.path, i))
			}
		}
	})
}

func bedrockToolConfig(r *request, found found) {
	if has(r.root, "toolConfig") {
		return
	}
	for _, m := range bedrockOf(r).messages {
		if slices.ContainsFunc(m.blocks,
			func(b bedrockBlock) bool { return b.use() != nil || b.result() != nil }) {
			found("toolConfig")
			return
		}
	}
}

func bedrockInput(r *request, found found) {
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		if input, there := b.use()["input"]; there && kind(input) != "object" {
			found(b.at()+".toolUse.input", "messages.N.content.M", b.path)
		}
	})
}

func bedrockJSON(r *request, found found) {
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		for i, c := range array(b.result()["content"]) {
			if v := object(c)["json"]; v != nil && kind(v) != "object" {
				found(fmt.Sprintf("%s.toolResult.content[%d].json", b.at(), i),
					"messages.2.content.0", b.path, "content.0.json",
					fmt.Sprintf("content.%d.json", i))
			}
		}
	})
}

func bedrockErrorEmpty(r *request, found found) {
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		if content, ok := b.answer()["content"].([]any); ok && len(content) == 0 &&
			b.answer()["status"] == "error" {
			found(b.at()+".toolResult.content", "messages.<n>.content.0", b.path)
		}
	})
}

// bedrockFamily returns the family of a model, or "" where the name tells none,
// such as that of an inference profile. Those are judged by what all have in
// common.
func bedrockFamily(model string) string {
	for _, family := range strings.Fields(
		"claude nova llama mistral mixtral pixtral command jamba deepseek titan qwen gpt-oss " +
			"palmyra kimi minimax glm gemma nemotron") {
		if strings.Contains(model, family) {
			return family
		}
	}
	return ""
}

// bedrockOld reports whether a model is of the generations of Claude for which
// the service has turns alternate
// (https://github.com/microsoft/semantic-kernel/issues/10277). Claude Sonnet 4.5
// and Nova were recorded to accept what these refuse.
func bedrockOld(model string) bool {
	return strings.Contains(model, "claude-3") || strings.Contains(model, "claude-v2") ||
		strings.Contains(model, "claude-instant")
}

// bedrockStatus checks the one family that was seen to refuse the status
// (https://github.com/strands-agents/sdk-python/issues/554); Llama 4 and Pixtral
// were recorded to accept it.
func bedrockStatus(r *request, found found) {
	if bedrockFamily(r.model) != "palmyra" {
		return
	}
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		if has(b.answer(), "status") {
			found(b.at() + ".toolResult.status")
		}
	})
}
