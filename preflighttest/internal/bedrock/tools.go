package bedrock

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Ids, names and arguments of tools, and what results hold.

func id(r *fake.Request, found fake.Found) {
	const specimen = "messages.2.member.content.1.member.toolUse.toolUseId"
	form := mark
	if family(r.Model) == "claude" || strictest(r) {
		form = word
	}
	each(r, func(m message, b block) {
		if id, ok := b.use()["toolUseId"].(string); ok {
			constraint(form, b.at()+".toolUse.toolUseId", specimen,
				b.member()+".toolUse.toolUseId", id, found)
		}
		if id, ok := b.result()["toolUseId"].(string); ok {
			constraint(form, b.at()+".toolResult.toolUseId", specimen,
				b.member()+".toolResult.toolUseId", id, found)
		}
	})
}

func name(r *fake.Request, found fake.Found) {
	const specimen = "toolConfig.tools.N.member.toolSpec.name"
	for i, t := range read.Array(read.Object(r.Root["toolConfig"])["tools"]) {
		if name, ok := read.Object(read.Object(t)["toolSpec"])["name"].(string); ok {
			constraint(word, fmt.Sprintf("toolConfig.tools[%d].toolSpec.name", i),
				specimen, fmt.Sprintf("toolConfig.tools.%d.member.toolSpec.name", i+1), name, found)
		}
	}
	each(r, func(m message, b block) {
		if name, ok := b.use()["name"].(string); ok {
			constraint(word, b.at()+".toolUse.name", specimen,
				b.member()+".toolUse.name", name, found)
		}
	})
}

func toolConfig(r *fake.Request, found fake.Found) {
	if read.Has(r.Root, "toolConfig") {
		return
	}
	for _, m := range opened(r).messages {
		if slices.ContainsFunc(m.blocks,
			func(b block) bool { return b.use() != nil || b.result() != nil }) {
			found("toolConfig")
			return
		}
	}
}

func input(r *fake.Request, found fake.Found) {
	each(r, func(m message, b block) {
		if input, there := b.use()["input"]; there && read.Kind(input) != "object" {
			found(b.at()+".toolUse.input", "messages.N.content.M", b.path)
		}
	})
}

func jsonValues(r *fake.Request, found fake.Found) {
	each(r, func(m message, b block) {
		for i, c := range read.Array(b.result()["content"]) {
			if v := read.Object(c)["json"]; v != nil && read.Kind(v) != "object" {
				found(fmt.Sprintf("%s.toolResult.content[%d].json", b.at(), i),
					"messages.2.content.0", b.path, "content.0.json",
					fmt.Sprintf("content.%d.json", i))
			}
		}
	})
}

func errorEmpty(r *fake.Request, found fake.Found) {
	each(r, func(m message, b block) {
		if content, ok := b.answer()["content"].([]any); ok && len(content) == 0 &&
			b.answer()["status"] == "error" {
			found(b.at()+".toolResult.content", "messages.<n>.content.0", b.path)
		}
	})
}

// status checks the one family that was seen to refuse the status
// (https://github.com/strands-agents/sdk-python/issues/554); Llama 4 and Pixtral
// were recorded to accept it.
func status(r *fake.Request, found fake.Found) {
	if family(r.Model) != "palmyra" && !strictest(r) {
		return
	}
	each(r, func(m message, b block) {
		if read.Has(b.answer(), "status") {
			found(b.at() + ".toolResult.status")
		}
	})
}

var (
	word = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
	mark = regexp.MustCompile(`^[a-zA-Z0-9_.:-]+$`) // ids, for models other than Claude
)

// constraint calls found for an id or a name that is empty, too long,
// or has other characters than it may. The text of the check names the
// length.
func constraint(form *regexp.Regexp, path, specimen, member, s string, found fake.Found) {
	const limit = 64
	failed := func(constraint string) {
		found.Says(path,
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

// errorContent checks results of Claude that are marked as errors, which hold text alone.
func errorContent(b *request, say fake.Found) {
	for _, m := range b.messages {
		for _, block := range m.blocks {
			for _, c := range read.Array(block.answer()["content"]) {
				if block.answer()["status"] == "error" && !read.Has(read.Object(c), "text") &&
					read.Object(c) != nil {
					say(block.at())
					break
				}
			}
		}
	}
}
