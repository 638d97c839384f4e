package bedrock

import (
	"fmt"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// The schema of a request: required members, unions and types.

// The names of which a block has one, in messages and in tool results.
var (
	blockUnion = strings.Fields(
		`text image document video audio toolUse toolResult guardContent cachePoint reasoningContent
		citationsContent searchResult toolAddition toolRemoval`)
	resultUnion = strings.Fields(`json text image document video searchResult`)
)

func schema(r *fake.Request, found fake.Found) {
	want := func(path string, v any, wanted, as string) bool {
		if v != nil && read.Kind(v) != wanted {
			found.Says(
				path,
				fmt.Sprintf(
					"%s_VALUE can not be converted to a %s",
					strings.ToUpper(read.Kind(v)),
					as,
				),
			)
		}
		return v != nil && read.Kind(v) == wanted
	}
	want("messages", r.Root["messages"], "array", "List")
	for i, m := range read.Array(r.Root["messages"]) {
		path := messagePath(i)
		if !want(path, m, "object", "Structure") {
			continue
		}
		want(path+".role", read.Object(m)["role"], "string", "String")
		want(path+".content", read.Object(m)["content"], "array", "List")
	}
	if want("toolConfig", r.Root["toolConfig"], "object", "Structure") {
		want("toolConfig.tools", read.Object(r.Root["toolConfig"])["tools"], "array", "List")
		for i, t := range read.Array(read.Object(r.Root["toolConfig"])["tools"]) {
			want(fmt.Sprintf("toolConfig.tools[%d].toolSpec.name", i),
				read.Object(read.Object(t)["toolSpec"])["name"], "string", "String")
		}
	}
	each(r, func(m message, b block) {
		want(b.at(), read.Array(m.object["content"])[b.n], "object", "Structure")
		want(b.at()+".text", b.object["text"], "string", "String")
		for _, name := range blockUnion[1:] {
			want(b.at()+"."+name, b.object[name], "object", "Structure")
		}
		for _, name := range []string{"toolUseId", "name"} {
			want(b.at()+".toolUse."+name, b.use()[name], "string", "String")
		}
		for _, name := range []string{"toolUseId", "status"} {
			want(b.at()+".toolResult."+name, b.result()[name], "string", "String")
		}
		want(b.at()+".toolResult.content", b.result()["content"], "array", "List")
		for i, c := range read.Array(b.result()["content"]) {
			path := fmt.Sprintf("%s.toolResult.content[%d]", b.at(), i)
			want(path, c, "object", "Structure")
			want(path+".text", read.Object(c)["text"], "string", "String")
			for _, name := range []string{"image", "document", "video", "searchResult"} {
				want(path+"."+name, read.Object(c)[name], "object", "Structure")
			}
		}
	})
}

// held returns how many of the names an object has.
func held(o map[string]any, names []string) (n int) {
	for _, name := range names {
		if read.Has(o, name) {
			n++
		}
	}
	return n
}

// kindsOf checks that a block is of one kind.
func kindsOf(r *fake.Request, found fake.Found) {
	const specimen, at = "ContentBlock", "messages.0.content.0"
	union := func(path, place, what string, o map[string]any, keys []string) {
		if held(o, keys) > 1 {
			found(path, specimen, what, at, place)
		}
	}
	for i, b := range read.Array(r.Root["system"]) {
		union(fmt.Sprintf("system[%d]", i), fmt.Sprintf("system.%d", i), "SystemContentBlock",
			read.Object(b), blockUnion)
	}
	each(r, func(m message, b block) {
		union(b.at(), b.path, "ContentBlock", b.object, blockUnion)
		for i, c := range read.Array(b.result()["content"]) {
			union(fmt.Sprintf("%s.toolResult.content[%d]", b.at(), i),
				fmt.Sprintf("%s.toolResult.content.%d", b.path, i), "ToolResultContentBlock",
				read.Object(c), resultUnion)
		}
	})
}

// required looks for missing members and for values outside of their set.
func required(r *fake.Request, found fake.Found) {
	missing := func(path, member string) {
		found.Says(path,
			fmt.Sprintf("1 validation error detected: Value null at '%s' failed to satisfy "+
				"constraint: Member must not be null", member))
	}
	for _, m := range opened(r).messages {
		path, member := messagePath(m.index), fmt.Sprintf("messages.%d.member", m.index+1)
		switch {
		case !read.Has(m.object, "role"):
			missing(path+".role", member+".role")
		case m.role != "user" && m.role != "assistant":
			found.Says(path+".role",
				fmt.Sprintf("1 validation error detected: Value '%v' at '%s.role' failed to "+
					"satisfy constraint: Member must satisfy enum value set: [user, assistant]",
					m.object["role"], member))
		}
		if !read.Has(m.object, "content") {
			missing(path+".content", member+".content")
		}
	}
	union := func(path, at, what string, o map[string]any, keys []string) {
		if held(o, keys) == 0 {
			found.Says(path,
				fmt.Sprintf("The %s object at %s must set one of the following keys: %s.", what, at,
					strings.Join(keys, ", ")))
		}
	}
	typed := func(path, member string, o map[string]any) {
		for _, name := range []string{"image", "video", "audio"} {
			if held := read.Object(o[name]); held != nil && read.Text(held["format"]) == "" {
				missing(path+"."+name+".format", member+"."+name+".format")
			}
		}
	}
	each(r, func(m message, b block) {
		union(b.at(), b.path, "ContentBlock", b.object, blockUnion)
		reasoning := read.Object(b.object["reasoningContent"])
		if signed := read.Object(reasoning["reasoningText"]); signed != nil &&
			!read.Has(signed, "text") { // LibreChat-AI/agents#248
			missing(b.at()+".reasoningContent.reasoningText.text",
				b.member()+".reasoningContent.reasoningText.text")
		}
		typed(b.at(), b.member(), b.object)
		for i, c := range read.Array(b.answer()["content"]) {
			typed(fmt.Sprintf("%s.toolResult.content[%d]", b.at(), i),
				fmt.Sprintf("%s.toolResult.content.%d.member", b.member(), i+1), read.Object(c))
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
				if !read.Has(result, name) {
					missing(b.at()+".toolResult."+name, b.member()+".toolResult."+name)
				}
			}
			if status := result["status"]; status != nil && status != "success" &&
				status != "error" {
				found.Says(b.at()+".toolResult.status",
					fmt.Sprintf("1 validation error detected: Value '%v' at "+
						"'%s.toolResult.status' failed to satisfy constraint: Member must "+
						"satisfy enum value set: [success, error]", status, b.member()))
			}
			for i, c := range read.Array(result["content"]) {
				union(fmt.Sprintf("%s.toolResult.content[%d]", b.at(), i),
					fmt.Sprintf("%s.toolResult.content.%d", b.path, i), "ToolResultContentBlock",
					read.Object(c), resultUnion)
			}
		}
	})
	for i, t := range read.Array(read.Object(r.Root["toolConfig"])["tools"]) {
		if spec := read.Object(read.Object(t)["toolSpec"]); spec != nil && !read.Has(spec, "name") {
			missing(fmt.Sprintf("toolConfig.tools[%d].toolSpec.name", i),
				fmt.Sprintf("toolConfig.tools.%d.member.toolSpec.name", i+1))
		}
	}
	if config := read.Object(r.Root["toolConfig"]); config != nil &&
		len(read.Array(config["tools"])) == 0 {
		found.Says("toolConfig.tools",
			"1 validation error detected: Value '[]' at 'toolConfig.tools' failed to satisfy "+
				"constraint: Member must have length greater than or equal to 1")
	}
}
