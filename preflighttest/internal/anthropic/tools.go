package anthropic

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Ids, names and arguments of tools.

var idForm = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

func idPattern(r *fake.Request, found fake.Found) {
	each(r, func(m message, b block) {
		name := map[string]string{"tool_use": "id", "tool_result": "tool_use_id"}[b.kind]
		if id, ok := b.object[name].(string); ok && !idForm.MatchString(id) &&
			!(opened(r).foreign() && !read.BlankID(id)) {
			found(b.at()+"."+name, "messages.1.content.1.tool_use.id", b.path+"."+b.kind+"."+name)
		}
	})
}

// nameLong is Anthropic's own: no other vendor was seen to have a limit.
func nameLong(r *fake.Request, found fake.Found) {
	if opened(r).foreign() {
		return
	}
	each(r, func(m message, b block) {
		if b.kind == "tool_use" && len([]rune(read.Text(b.object["name"]))) > 200 {
			found(b.at()+".name", b.fill()...)
		}
	})
}

func nameEmpty(r *fake.Request, found fake.Found) {
	each(r, func(m message, b block) {
		if name, ok := b.object["name"].(string); ok && b.kind == "tool_use" && name == "" {
			found(b.at()+".name", b.fill()...)
		}
	})
}

var tool = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)

func toolName(r *fake.Request, found fake.Found) {
	for i, t := range opened(r).tools {
		o := read.Object(t)
		custom := !read.Has(o, "type") || read.Text(o["type"]) == "custom"
		if name, ok := o["name"].(string); ok && custom && !tool.MatchString(name) {
			found(fmt.Sprintf("tools[%d].name", i), "tools.7", "tools."+strconv.Itoa(i), "{1,64}",
				"{1,128}")
		}
	}
}

func toolNamesUnique(r *fake.Request, found fake.Found) {
	seen := map[string]bool{}
	for i, t := range opened(r).tools {
		name := read.Text(read.Object(t)["name"])
		if seen[name] && name != "" {
			found(fmt.Sprintf("tools[%d].name", i))
		}
		seen[name] = true
	}
}

func container(r *fake.Request, found fake.Found) {
	if !read.Has(r.Root, "container") {
		return
	}
	for _, t := range opened(r).tools {
		kind := read.Text(read.Object(t)["type"])
		// The search and fetch tools of 2026 run code execution themselves.
		if strings.HasPrefix(kind, "code_execution_") ||
			strings.HasPrefix(kind, "web_search_2026") ||
			strings.HasPrefix(kind, "web_fetch_2026") {
			return
		}
	}
	found("container")
}

func inputObject(r *fake.Request, found fake.Found) {
	each(r, func(m message, b block) {
		if b.kind != "tool_use" && b.kind != "server_tool_use" && b.kind != "mcp_tool_use" {
			return
		}
		if _, ok := b.object["input"].(map[string]any); !ok {
			found(b.at()+".input", b.fill(".tool_use.", "."+b.kind+".")...)
		}
	})
}

// undeclaredReference finds what a tool search found and no tool is. Nothing can be said where
// tools come without names, from servers, or from messages.
func undeclaredReference(r *fake.Request, found fake.Found) {
	names := map[string]bool{}
	for _, t := range opened(r).tools {
		name := read.Text(read.Object(t)["name"])
		if name == "" {
			return
		}
		kind := read.Text(read.Object(t)["type"])
		names[name] = !strings.HasPrefix(kind, "tool_search_tool_bm25")
	}
	adds := read.Has(r.Root, "mcp_servers")
	each(r, func(_ message, b block) { adds = adds || b.kind == "tool_addition" })
	if adds {
		return
	}
	each(r, func(_ message, b block) {
		at, list := b.path+".content", read.Array(b.object["content"])
		if b.kind == "tool_search_tool_result" {
			at += ".tool_references"
			list = read.Array(read.Object(b.object["content"])["tool_references"])
		} else if b.kind != "tool_result" {
			return
		}
		for k, v := range list {
			ref := read.Object(v)
			name, ok := ref["tool_name"].(string)
			if ok && read.Text(ref["type"]) == "tool_reference" && !names[name] {
				found(fmt.Sprintf("%s.%d", at, k), "LSP", name)
			}
		}
	})
}
