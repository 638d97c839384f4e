package preflighttest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// This file checks media, documents and cache points in Bedrock's requests.

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

// bedrockResultVideo checks media in a tool result that a family does not take
// (pydantic/pydantic-ai test_multimodal_tool_returns, direct-uploaded_file-video-bedrock_nova;
// https://github.com/pydantic/pydantic-ai/pull/6254).
func bedrockResultVideo(r *request, found found) {
	refused := map[string][]string{
		"nova": {"video"}, "palmyra": {"image", "video"}, "mistral": {"image", "video"},
		"qwen": {"image", "document", "video"},
	}[bedrockResultFamily(r.model)]
	if refused == nil {
		return
	}
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		for i, c := range array(b.answer()["content"]) {
			if slices.ContainsFunc(refused, func(k string) bool { return has(object(c), k) }) {
				found(fmt.Sprintf("%s.toolResult.content[%d]", b.at(), i), inOwnWords,
					fmt.Sprintf("%sMalformed input request: #/messages/%d/content/%d: extraneous "+
						"key [toolResult] is not permitted, please reformat your input and "+
						"try again.", bedrockRelayed, b.msg, b.n))
			}
		}
	})
}

// bedrockResultFamily returns the family of a model, also of those that differ in nothing else.
func bedrockResultFamily(model string) string {
	for _, family := range []string{"mistral", "qwen"} {
		if strings.Contains(model, family+".") {
			return family
		}
	}
	return bedrockFamily(model)
}

// bedrockDocumentBeside checks documents beside tool results, of which Claude takes a PDF alone
// (https://github.com/pydantic/pydantic-ai/pull/6098). The error names the calls.
func bedrockDocumentBeside(r *request, found found) {
	if bedrockFamily(r.model) != "claude" {
		return
	}
	answers := false
	for _, m := range bedrockOf(r).messages {
		alone, documents := true, false
		here := false
		for _, b := range m.blocks {
			here = here || b.answer() != nil
			alone = alone && b.answer() != nil
			document := object(b.object["document"])
			documents = documents || document != nil && document["format"] != "pdf"
		}
		if m.role == "user" && documents && (here || answers) {
			found(bedrockMessagePath(m.index), inOwnWords, bedrockRelayed+"`tool_use` ids were "+
				"found without `tool_result` blocks immediately after.")
		}
		answers = m.role == "user" && here && alone
	}
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
