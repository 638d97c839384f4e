package preflighttest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// This file checks ids and names of tools in Anthropic's requests.

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

// anthropicNameLong is Anthropic's own: no other vendor was seen to have a limit.
func anthropicNameLong(r *request, found found) {
	if anthropicOf(r).foreign() {
		return
	}
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

// served reports whether the block is a call of a tool that the provider runs, or
// its result.
func (b anthropicBlock) served() bool {
	return b.kind == "server_tool_use" || b.kind == "mcp_tool_use" || b.answersServer() ||
		b.answersMCP()
}

// anthropicServerLate looks for results of server tools after a call of the
// client's tools (https://github.com/vercel/ai/issues/13013). Where the model
// thought in between, the order is its own.
func anthropicServerLate(r *request, found found) {
	if anthropicOf(r).foreign() {
		return
	}
	for _, m := range anthropicOf(r).messages {
		var call *anthropicBlock
		late := false
		for i, b := range m.blocks {
			if b.kind == "tool_use" && call == nil {
				call = &m.blocks[i]
			}
			if call != nil && b.thinks() {
				call = nil
				break
			}
			late = late || call != nil && b.answersServer()
		}
		if call != nil && late && m.role == "assistant" {
			found(call.at(), append(anthropicNth(m.index), "toolu_XXXX",
				text(call.object["id"]))...)
		}
	}
}
