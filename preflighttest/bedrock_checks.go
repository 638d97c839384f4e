package preflighttest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// bedrockChecks are what the fake looks for: first the constraints of the
// service model, then what the service knows about conversations, then what
// its model says.
var bedrockChecks = []check{
	{"", inOwnWords, "SerializationException", bedrockSchema},
	{"", inOwnWords, "", bedrockRequired},
	{"bedrock/tool-use-id", "", "", bedrockID},
	{"bedrock/tool-name", "", "", bedrockName},
	{"bedrock/starts-with-user", "", "", bedrockStart},
	{"bedrock/alternation", "", "", bedrockAlternation},
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
	{"bedrock/tool-result-missing", inOwnWords, "", bedrockRelay("anthropic/tool-result-first")},
	{"", inOwnWords, "", bedrockDuplicate},
	{"bedrock/reasoning-content", inOwnWords, "", bedrockUserReasoning},
	{"bedrock/reasoning-content", inOwnWords, "", bedrockUnsigned},
	{"bedrock/reasoning-content", inOwnWords, "",
		bedrockRelay("anthropic/thinking-", "anthropic/redacted-thinking-data")},
	{"anthropic/tool-names-unique", inOwnWords, "", bedrockRelay("anthropic/tool-names-unique")},
	{"anthropic/prefill-unsupported", inOwnWords, "",
		bedrockRelay("anthropic/prefill-unsupported")},
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

// bedrockUnions are the names of which a block has one, in messages and in
// tool results.
var (
	bedrockUnion = strings.Fields(
		`text image document video audio toolUse toolResult guardContent cachePoint reasoningContent
		citationsContent searchResult toolAddition toolRemoval`)
	bedrockResultUnion = strings.Fields(`json text image document video searchResult`)
)

func bedrockSchema(r *request, found found) {
	want := func(path string, v any, wanted, as string) bool {
		if v != nil && kind(v) != wanted {
			found(path, inOwnWords,
				fmt.Sprintf("%s_VALUE can not be converted to a %s", strings.ToUpper(kind(v)), as))
		}
		return v != nil && kind(v) == wanted
	}
	want("messages", r.root["messages"], "array", "List")
	for i, m := range array(r.root["messages"]) {
		path := bedrockMessagePath(i)
		if !want(path, m, "object", "Structure") {
			continue
		}
		want(path+".role", object(m)["role"], "string", "String")
		want(path+".content", object(m)["content"], "array", "List")
	}
	if want("toolConfig", r.root["toolConfig"], "object", "Structure") {
		want("toolConfig.tools", object(r.root["toolConfig"])["tools"], "array", "List")
		for i, t := range array(object(r.root["toolConfig"])["tools"]) {
			want(fmt.Sprintf("toolConfig.tools[%d].toolSpec.name", i),
				object(object(t)["toolSpec"])["name"], "string", "String")
		}
	}
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		want(b.at(), array(m.object["content"])[b.n], "object", "Structure")
		want(b.at()+".text", b.object["text"], "string", "String")
		for _, name := range bedrockUnion[1:] {
			want(b.at()+"."+name, b.object[name], "object", "Structure")
		}
		for _, name := range []string{"toolUseId", "name"} {
			want(b.at()+".toolUse."+name, b.use()[name], "string", "String")
		}
		for _, name := range []string{"toolUseId", "status"} {
			want(b.at()+".toolResult."+name, b.result()[name], "string", "String")
		}
		want(b.at()+".toolResult.content", b.result()["content"], "array", "List")
		for i, c := range array(b.result()["content"]) {
			path := fmt.Sprintf("%s.toolResult.content[%d]", b.at(), i)
			want(path, c, "object", "Structure")
			want(path+".text", object(c)["text"], "string", "String")
			for _, name := range []string{"image", "document", "video", "searchResult"} {
				want(path+"."+name, object(c)[name], "object", "Structure")
			}
		}
	})
}

// bedrockRequired looks for what is missing and for what is not one of a set.
func bedrockRequired(r *request, found found) {
	missing := func(path, member string) {
		found(path, inOwnWords,
			fmt.Sprintf("1 validation error detected: Value null at '%s' failed to satisfy "+
				"constraint: Member must not be null", member))
	}
	for _, m := range bedrockOf(r).messages {
		path, member := bedrockMessagePath(m.index), fmt.Sprintf("messages.%d.member", m.index+1)
		switch {
		case !has(m.object, "role"):
			missing(path+".role", member+".role")
		case m.role != "user" && m.role != "assistant":
			found(path+".role", inOwnWords,
				fmt.Sprintf("1 validation error detected: Value '%v' at '%s.role' failed to "+
					"satisfy constraint: Member must satisfy enum value set: [user, assistant]",
					m.object["role"], member))
		}
		if !has(m.object, "content") {
			missing(path+".content", member+".content")
		}
	}
	union := func(path, at, what string, o map[string]any, keys []string) {
		n := 0
		for _, key := range keys {
			if has(o, key) {
				n++
			}
		}
		if n != 1 {
			found(path, inOwnWords,
				fmt.Sprintf("The %s object at %s must set one of the following keys: %s.", what, at,
					strings.Join(keys, ", ")))
		}
	}
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		union(b.at(), b.path, "ContentBlock", b.object, bedrockUnion)
		if use := b.use(); use != nil {
			for _, name := range []string{"toolUseId", "name", "input"} {
				if _, there := use[name]; !there || use[name] == nil && name != "input" {
					missing(b.at()+".toolUse."+name, b.member()+".toolUse."+name)
				}
			}
		}
		if result := b.result(); result != nil {
			for _, name := range []string{"toolUseId", "content"} {
				if !has(result, name) {
					missing(b.at()+".toolResult."+name, b.member()+".toolResult."+name)
				}
			}
			if status := result["status"]; status != nil && status != "success" &&
				status != "error" {
				found(b.at()+".toolResult.status", inOwnWords,
					fmt.Sprintf("1 validation error detected: Value '%v' at "+
						"'%s.toolResult.status' failed to satisfy constraint: Member must "+
						"satisfy enum value set: [success, error]", status, b.member()))
			}
			for i, c := range array(result["content"]) {
				union(fmt.Sprintf("%s.toolResult.content[%d]", b.at(), i),
					fmt.Sprintf("%s.toolResult.content.%d", b.path, i), "ToolResultContentBlock",
					object(c), bedrockResultUnion)
			}
		}
	})
	for i, t := range array(object(r.root["toolConfig"])["tools"]) {
		if spec := object(object(t)["toolSpec"]); spec != nil && !has(spec, "name") {
			missing(fmt.Sprintf("toolConfig.tools[%d].toolSpec.name", i),
				fmt.Sprintf("toolConfig.tools.%d.member.toolSpec.name", i+1))
		}
	}
	if config := object(r.root["toolConfig"]); config != nil && len(array(config["tools"])) == 0 {
		found("toolConfig.tools", inOwnWords,
			"1 validation error detected: Value '[]' at 'toolConfig.tools' failed to satisfy "+
				"constraint: Member must have length greater than or equal to 1")
	}
}

var (
	bedrockWord = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
	bedrockMark = regexp.MustCompile(`^[a-zA-Z0-9_.:-]+$`) // ids, for models other than Claude
)

// bedrockConstraint calls found for an id or a name that is empty, too long,
// or has other characters than it may. The text of the check names the
// length.
func bedrockConstraint(form *regexp.Regexp, path, specimen, member, s string, found found) {
	const limit = 64
	failed := func(constraint string) {
		found(path, inOwnWords,
			fmt.Sprintf("Value at '%s' failed to satisfy constraint: Member must %s", member,
				constraint))
	}
	switch {
	case s == "":
		failed("have length greater than or equal to 1")
	case len([]rune(s)) > limit:
		found(path, specimen, member)
	case !form.MatchString(s):
		failed("satisfy regular expression pattern: " + strings.Trim(form.String(), "^$"))
	}
}

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
	} else if messages[0].role == "assistant" &&
		(bedrockOld(r.model) || strings.Contains(r.model, "llama3")) {
		found(bedrockMessagePath(0))
	}
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

// bedrockBlank lets the families that were not seen to refuse white space have
// it; text without a character is refused by all.
func bedrockBlank(r *request, found found) {
	family := bedrockFamily(r.model)
	strict := bedrockOld(r.model) ||
		slices.Contains([]string{"nova", "command", "jamba"}, family) ||
		strings.Contains(r.model, "llama3") || strings.Contains(r.model, "deepseek.r1")
	blank := func(s string) bool { return s == "" || strict && strings.TrimSpace(s) == "" }
	for i, c := range array(r.root["system"]) {
		if s, ok := object(c)["text"].(string); ok && blank(s) {
			found(fmt.Sprintf("system[%d].text", i), "ContentBlock", "SystemContentBlock",
				"messages.0.content.0", fmt.Sprintf("system.%d", i))
		}
	}
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		if s, ok := b.object["text"].(string); ok && blank(s) {
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

// bedrockKinds checks media that a family does not take
// (pydantic/pydantic-ai tests/models/cassettes/test_multimodal_tool_returns).
func bedrockKinds(r *request, found found) {
	family := bedrockFamily(r.model)
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		for _, name := range []string{"video", "audio"} {
			if family == "claude" && has(b.object, name) {
				found(b.at(), inOwnWords,
					fmt.Sprintf("This model doesn't support the %s content block that you "+
						"provided. Update the content block and try again.", name))
			}
		}
		for _, name := range []string{"image", "document"} {
			if source := object(object(b.object[name])["source"]); family == "claude" &&
				has(source, "s3Location") {
				found(b.at(), inOwnWords,
					fmt.Sprintf("%s%s.%s.source.type: Field required", bedrockRelayed, b.path,
						name))
			}
		}
		for i, c := range array(b.answer()["content"]) {
			path := fmt.Sprintf("%s.toolResult.content[%d]", b.at(), i)
			if family == "claude" && (has(object(c), "video") || has(object(c), "audio")) {
				found(path, inOwnWords,
					"This model doesn't support the video content block that you provided. "+
						"Update the content block and try again.")
			}
		}
	})
}

// bedrockResultVideo checks video in a tool result, which Nova does not take
// (pydantic/pydantic-ai test_multimodal_tool_returns, direct-uploaded_file-video-bedrock_nova).
func bedrockResultVideo(r *request, found found) {
	if bedrockFamily(r.model) != "nova" {
		return
	}
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		for i, c := range array(b.answer()["content"]) {
			if has(object(c), "video") {
				found(fmt.Sprintf("%s.toolResult.content[%d]", b.at(), i), inOwnWords,
					fmt.Sprintf("%sMalformed input request: #/messages/%d/content/%d: extraneous "+
						"key [toolResult] is not permitted, please reformat your input and "+
						"try again.", bedrockRelayed, b.msg, b.n))
			}
		}
	})
}

// bedrockPoints calls f for every cache point with the block before it, nil
// where there is none.
func bedrockPoints(r *request, f func(b bedrockBlock, before map[string]any)) {
	for _, m := range bedrockOf(r).messages {
		for i, b := range m.blocks {
			if !has(b.object, "cachePoint") {
				continue
			}
			var before map[string]any
			if i > 0 {
				before = m.blocks[i-1].object
			}
			f(b, before)
		}
	}
}

// bedrockPointAlone: vercel/ai#19851, zed-industries/zed#59436.
func bedrockPointAlone(r *request, found found) {
	bedrockPoints(r, func(b bedrockBlock, before map[string]any) {
		if before == nil {
			found(b.at())
		}
	})
}

// bedrockPointAfterReasoning: anomalyco/opencode#36517.
func bedrockPointAfterReasoning(r *request, found found) {
	bedrockPoints(r, func(b bedrockBlock, before map[string]any) {
		if has(before, "reasoningContent") {
			found(b.at())
		}
	})
}

// bedrockPointAfterDocument: strands-agents/harness-sdk#1966.
func bedrockPointAfterDocument(r *request, found found) {
	bedrockPoints(r, func(b bedrockBlock, before map[string]any) {
		if document := object(before["document"]); document != nil && document["format"] != "pdf" {
			found(b.at(), inOwnWords, bedrockRelayed+b.path+".type: Field required")
		}
	})
}

func bedrockMedia(r *request, found found) {
	const images, documents = 20, 5
	for _, m := range bedrockOf(r).messages {
		count := map[string]int{}
		for _, b := range m.blocks {
			for _, name := range []string{"image", "document", "video", "audio"} {
				undocumented := name == "video" || name == "audio"
				if !has(b.object, name) || r.lenient && undocumented {
					continue
				}
				if count[name]++; m.role == "assistant" {
					found(b.at(), inOwnWords,
						fmt.Sprintf("The %s block at %s is not supported: images and documents "+
							"can only be included if the role is user.", name, b.path))
				}
			}
		}
		if count["image"] > images || count["document"] > documents {
			found(bedrockMessagePath(m.index), inOwnWords,
				fmt.Sprintf("The content field at messages.%d holds %d images and %d documents. "+
					"Include up to %d images and %d documents and try again.", m.index,
					count["image"], count["document"], images, documents))
		}
	}
}

var (
	bedrockDocument = regexp.MustCompile(`^[\pL\pN\s()\[\]-]{1,200}$`)
	bedrockSpaces   = regexp.MustCompile(`\s\s`)
)

func bedrockDocumentName(r *request, found found) {
	seen := map[string]bool{}
	judge := func(document map[string]any, path string) {
		switch name := text(document["name"]); {
		case document == nil:
		case !bedrockDocument.MatchString(name) || bedrockSpaces.MatchString(name):
			found(path, inOwnWords,
				"The document file name can only contain alphanumeric characters, whitespace "+
					"characters, hyphens, parentheses, and square brackets. The name can't "+
					"contain more than one consecutive whitespace character.")
		case seen[name]:
			found(path, inOwnWords,
				fmt.Sprintf("The document file name %s is used more than once. Use a different "+
					"name for each document and try again.", name))
		default:
			seen[name] = true
		}
	}
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		judge(object(b.object["document"]), b.at()+".document.name")
		for i, c := range array(b.answer()["content"]) {
			judge(object(object(c)["document"]),
				fmt.Sprintf("%s.toolResult.content[%d].document.name", b.at(), i))
		}
	})
}

func bedrockDocumentText(r *request, found found) {
	for _, m := range bedrockOf(r).messages {
		holds := func(name string) bool {
			return slices.ContainsFunc(m.blocks,
				func(b bedrockBlock) bool { return has(b.object, name) })
		}
		if holds("document") && !holds("text") {
			found(bedrockMessagePath(m.index), inOwnWords,
				fmt.Sprintf("The content field at messages.%d includes a document. Include a "+
					"text block too and try again.", m.index))
		}
	}
}

// ids returns the ids of the calls of the caller's tools, and of the results
// for them. Tools that the provider executes are called and answered within
// one message.
func (m bedrockMessage) ids() (uses, results []string) {
	served := map[string]bool{}
	for _, b := range m.blocks {
		if use := b.use(); use["type"] == "server_tool_use" && m.role == "assistant" {
			served[text(use["toolUseId"])] = true
		} else if use != nil {
			uses = append(uses, text(use["toolUseId"]))
		}
		if result := b.result(); result != nil && !served[text(result["toolUseId"])] {
			results = append(results, text(result["toolUseId"]))
		}
	}
	return uses, results
}

// head returns the message without the results that come after other blocks.
func (m bedrockMessage) head() bedrockMessage {
	other := func(b bedrockBlock) bool {
		return b.result() == nil && !has(b.object, "cachePoint")
	}
	if n := slices.IndexFunc(m.blocks, other); n >= 0 {
		m.blocks = m.blocks[:n]
	}
	return m
}

// bedrockRepeated returns the ids that occur more than once.
func bedrockRepeated(ids []string) (repeated []string) {
	count := map[string]int{}
	for _, id := range ids {
		if count[id]++; count[id] == 2 {
			repeated = append(repeated, id)
		}
	}
	return repeated
}

// bedrockDuplicate is known from https://github.com/BerriAI/litellm/issues/20048.
func bedrockDuplicate(r *request, found found) {
	for _, m := range bedrockOf(r).messages {
		report := func(name string, ids []string) {
			if ids = bedrockRepeated(ids); ids != nil {
				found(bedrockMessagePath(m.index), inOwnWords,
					fmt.Sprintf("The %s blocks at messages.%d.content contain duplicate Ids: %s",
						name, m.index, strings.Join(ids, ", ")))
			}
		}
		uses, results := m.ids()
		report("toolUse", uses)
		report("toolResult", results)
	}
}

// bedrockExceeds counts the caller's results of a message against the calls of
// the turn before it. A result for a call that the provider ran there itself is
// of no account: no refusal of one is on record.
func bedrockExceeds(r *request, found found) {
	calls, before := 0, ""
	var last bedrockMessage
	for _, m := range bedrockOf(r).messages {
		uses, results := m.ids()
		if m.role == "assistant" && before == m.role && bedrockFamily(r.model) == "claude" {
			calls += len(uses) // Claude reads neighbours as one turn
			last = m
			continue
		}
		before = m.role
		if m.role != "assistant" {
			results = slices.DeleteFunc(results, last.served)
		}
		if len(results) > calls {
			found(bedrockMessagePath(m.index), "messages.8.content",
				fmt.Sprintf("messages.%d.content", m.index))
		}
		if calls = 0; m.role == "assistant" { // a call that the user makes is no turn's
			calls = len(uses)
		}
		last = m
	}
}

// served reports whether an id is that of a call that the provider ran and
// answered itself in the message, and of none of the caller's there.
func (m bedrockMessage) served(id string) bool {
	ran, answered := false, false
	for _, b := range m.blocks {
		use, result := b.use(), b.result()
		switch {
		case use != nil && text(use["toolUseId"]) == id && use["type"] != "server_tool_use":
			return false
		case use != nil && text(use["toolUseId"]) == id:
			ran = true
		case result != nil && text(result["toolUseId"]) == id:
			answered = answered || ran
		}
	}
	return answered && m.role == "assistant"
}

func bedrockMissing(r *request, found found) {
	messages := bedrockOf(r).messages
	for i, m := range messages {
		uses, _ := m.ids()
		answered := map[string]bool{}
		at := i + 1
		joined := m.role == "assistant" && bedrockFamily(r.model) == "claude"
		for joined && at < len(messages) && messages[at].role == "assistant" {
			at++
		}
		if at < len(messages) {
			next := messages[at]
			if !r.lenient && bedrockFamily(r.model) != "claude" {
				next = next.head() // Claude words it itself; what the others take is on no record
			}
			_, results := next.ids()
			for _, id := range results {
				answered[id] = true
			}
		}
		missing := slices.DeleteFunc(uses, func(id string) bool { return answered[id] })
		if len(missing) > 0 {
			found(bedrockMessagePath(i), "messages.2.content",
				fmt.Sprintf("messages.%d.content", i+1), "tooluse_XXXX",
				strings.Join(missing, ", "))
		}
	}
}

// bedrockUnsigned checks the models that take no reasoning back: DeepSeek R1
// (https://github.com/langchain-ai/langchain-aws/issues/401), Nova where the
// request does not have it reason (https://github.com/can1357/oh-my-pi/pull/9086),
// and families that do not reason (badlogic/pi-mono bedrock-models.test.ts).
// Claude wants it signed, and words that itself; others take it as they made it.
func bedrockUnsigned(r *request, found found) {
	setting := object(object(r.root["additionalModelRequestFields"])["reasoningConfig"])
	thoughtless := []string{"deepseek.r1", "meta.llama3", "cohere.command", "google.gemma-3-"}
	refuses := bedrockFamily(r.model) == "nova" && setting["type"] != "enabled" ||
		slices.ContainsFunc(thoughtless,
			func(name string) bool { return strings.Contains(r.model, name) })
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		if has(b.object, "reasoningContent") && m.role != "user" && refuses {
			found(b.at(), inOwnWords,
				"User messages cannot contain reasoning content. Please remove the reasoning "+
					"content and try again.")
		}
	})
}

func bedrockUserReasoning(r *request, found found) {
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		if has(b.object, "reasoningContent") && m.role == "user" {
			found(b.at(), inOwnWords,
				bedrockRelayed+b.path+": `thinking` blocks can only be in `assistant` messages")
		}
	})
}

// bedrockRelayed is the prefix of the words of Claude.
const bedrockRelayed = "The model returned the following errors: "

// bedrockRelay returns a check that asks Claude about the rules that are its
// own, and passes on what it answers.
func bedrockRelay(rules ...string) func(r *request, found found) {
	claude := format{
		checks: slices.DeleteFunc(slices.Clone(anthropicChecks), func(c check) bool {
			return !slices.ContainsFunc(rules,
				func(rule string) bool { return c.rule != "" && strings.HasPrefix(c.rule, rule) })
		}),
	}
	return func(r *request, found found) {
		if bedrockFamily(r.model) != "claude" {
			return
		}
		b := bedrockOf(r)
		for _, v := range claude.judge(b.claude) {
			found(b.originOf(v.Path), inOwnWords, bedrockRelayed+v.Message)
		}
	}
}

// originOf returns the path in the request by that in Claude's.
func (b *bedrockRequest) originOf(path string) string {
	for end := len(path); end > 0; end = strings.LastIndexByte(path[:end], '.') {
		if origin, ok := b.origin[path[:end]]; ok {
			return origin + path[end:]
		}
	}
	return path
}
