package preflighttest

import (
	"fmt"
	"regexp"
	"strings"
)

// This file is the schema of Bedrock's Converse requests.

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

// bedrockKindsOf checks that a block is of one kind.
func bedrockKindsOf(r *request, found found) {
	const specimen, at = "ContentBlock", "messages.0.content.0"
	union := func(path, place, what string, o map[string]any, keys []string) {
		n := 0
		for _, key := range keys {
			if has(o, key) {
				n++
			}
		}
		if n > 1 {
			found(path, specimen, what, at, place)
		}
	}
	for i, b := range array(r.root["system"]) {
		union(fmt.Sprintf("system[%d]", i), fmt.Sprintf("system.%d", i), "SystemContentBlock",
			object(b), bedrockUnion)
	}
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		union(b.at(), b.path, "ContentBlock", b.object, bedrockUnion)
		for i, c := range array(b.result()["content"]) {
			union(fmt.Sprintf("%s.toolResult.content[%d]", b.at(), i),
				fmt.Sprintf("%s.toolResult.content.%d", b.path, i), "ToolResultContentBlock",
				object(c), bedrockResultUnion)
		}
	})
}

// bedrockRequired looks for missing members and for values outside of their set.
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
		if n == 0 {
			found(path, inOwnWords,
				fmt.Sprintf("The %s object at %s must set one of the following keys: %s.", what, at,
					strings.Join(keys, ", ")))
		}
	}
	typed := func(path, member string, o map[string]any) {
		for _, name := range []string{"image", "video", "audio"} {
			if held := object(o[name]); held != nil && text(held["format"]) == "" {
				missing(path+"."+name+".format", member+"."+name+".format")
			}
		}
	}
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		union(b.at(), b.path, "ContentBlock", b.object, bedrockUnion)
		if signed := object(object(b.object["reasoningContent"])["reasoningText"]); signed != nil &&
			!has(signed, "text") { // LibreChat-AI/agents#248
			missing(b.at()+".reasoningContent.reasoningText.text",
				b.member()+".reasoningContent.reasoningText.text")
		}
		typed(b.at(), b.member(), b.object)
		for i, c := range array(b.answer()["content"]) {
			typed(fmt.Sprintf("%s.toolResult.content[%d]", b.at(), i),
				fmt.Sprintf("%s.toolResult.content.%d.member", b.member(), i+1), object(c))
		}
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
