package anthropic

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/claude"
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
	"github.com/go-preflight/preflight/preflighttest/internal/seal"
)

// Tools that the provider runs, MCP servers, and their results.

func (t turn) openServer() []block {
	return t.open("server_tool_use", block.answersServer)
}

// openMCP is openServer for the tools of MCP servers that the provider calls.
func (t turn) openMCP() []block {
	return t.open("mcp_tool_use", block.answersMCP)
}

func (b block) answersMCP() bool { return b.kind == "mcp_tool_result" }

// serverTurns calls f for each assistant turn with calls that should
// have a result in the turn and, by open, do not. after holds the turns that
// follow. The turn goes on after results of client tools that come alone;
// stale holds the calls before such results that it cannot be waiting for,
// since it ends without calling client tools again.
func serverTurns(
	r *fake.Request,
	open func(t turn) []block,
	f func(t turn, open []block, after []turn, stale bool),
) {
	turns := opened(r).turns
	for i := 0; i < len(turns); i++ {
		if turns[i].role != "assistant" {
			continue
		}
		whole, end := goingOn(turns, i)
		last := turns[end]
		var stale, rest []block
		for _, b := range open(whole) {
			if b.msg < last.first && len(last.uses()) == 0 {
				stale = append(stale, b)
			} else {
				rest = append(rest, b)
			}
		}
		if len(stale) > 0 {
			f(last, stale, turns[end+1:], true)
		}
		if len(rest) > 0 {
			f(last, rest, turns[end+1:], false)
		}
		i = end
	}
}

// goingOn joins assistant turn i and those that go on from it: with nothing
// but results of its client tools between. end is the last of them.
func goingOn(turns []turn, i int) (whole turn, end int) {
	whole, end = turns[i], i
	whole.blocks = slices.Clone(whole.blocks)
	for end+2 < len(turns) && len(turns[end].uses()) > 0 && turns[end+1].role == "user" &&
		turns[end+1].onlyResults() && turns[end+2].role == "assistant" {
		end += 2
		whole.blocks = append(whole.blocks, turns[end].blocks...)
	}
	return whole, end
}

// mixed reports whether a turn that has an open server tool also
// calls tools of the client, whose answers are the last turn but for system
// messages; alone says that nothing but the answers follows.
func mixed(t turn, after []turn) (mixed, alone bool) {
	if len(t.uses()) == 0 || len(after) == 0 || after[0].role != "user" ||
		slices.ContainsFunc(after, func(t turn) bool { return t.role == "assistant" }) {
		return false, false
	}
	return true, len(after) == 1 && after[0].onlyResults()
}

func serverMixed(r *fake.Request, found fake.Found) {
	serverTurns(r, turn.openServer,
		func(t turn, open []block, after []turn, stale bool) {
			if mixed, alone := mixed(t, after); stale || !mixed || alone {
				return
			}
			for _, b := range open {
				found(b.at(), serverFill(b)...)
			}
		})
}

func serverMissing(r *fake.Request, found fake.Found) {
	serverTurns(r, turn.openServer,
		func(t turn, open []block, after []turn, stale bool) {
			if mixed, _ := mixed(t, after); !stale && (mixed || len(after) == 0) {
				return
			}
			for _, b := range open {
				found(b.at(), append(claude.Nth(b.msg), serverFill(b)...)...)
			}
		})
}

func serverFill(b block) []string {
	name := read.Text(b.object["name"])
	return []string{
		"`web_search` ", "`" + name + "` ", "`web_search_tool_result`",
		"`" + resultKind(name) + "`",
		"srvtoolu_XXXX", read.Text(b.object["id"]), "srvtoolu_01HxbWnMRmbWyMfUtJKC45rA",
		read.Text(b.object["id"]),
	}
}

func serverOrphan(r *fake.Request, found fake.Found) {
	callless(r, "server_tool_use", block.answersServer, func(b block, id string) {
		found(b.at(), "messages.7.content.0", b.path, "advisor_tool_result", b.kind,
			"srvtoolu_XXXX", id)
	})
}

// callless calls f for each result of the provider's without a call of the type before it in its
// turn. A block that nothing is known of may be the call.
func callless(
	r *fake.Request, call string, answers func(b block) bool, f func(b block, id string),
) {
	turns := opened(r).turns
	for i := 0; i < len(turns); i++ {
		called := map[string]bool{}
		t := turns[i]
		if t.role == "assistant" {
			t, i = goingOn(turns, i)
		}
		for _, b := range t.blocks {
			if b.kind == call {
				called[read.Text(b.object["id"])] = true
			}
			if id, ok := b.object["tool_use_id"].(string); ok && answers(b) {
				if (!called[id] || t.role != "assistant") && !t.unknown.To(b.msg, id) {
					f(b, id)
				}
				delete(called, id) // a second result has no call of its own
			}
		}
	}
}

func mcp(r *fake.Request, found fake.Found) {
	serverTurns(r, turn.openMCP,
		func(t turn, open []block, after []turn, stale bool) {
			if _, alone := mixed(t, after); !stale && (alone || len(after) == 0) {
				return
			}
			for _, b := range open {
				found(b.at(), "mcptoolu_XXXX", read.Text(b.object["id"]))
			}
		})
}

func mcpOrphan(r *fake.Request, found fake.Found) {
	callless(r, "mcp_tool_use", block.answersMCP, func(b block, id string) {
		found(b.at(), "mcptoolu_XXXX", id)
	})
}

func containerRequired(r *fake.Request, found fake.Found) {
	turns := opened(r).turns
	if read.Has(r.Root, "container") || len(turns) == 0 {
		return
	}
	pending := turns[len(turns)-1]
	if pending.role == "user" && len(turns) > 1 {
		pending = turns[len(turns)-2]
	}
	for _, b := range pending.openServer() {
		if strings.Contains(read.Text(b.object["name"]), "code_execution") {
			found("container")
			return
		}
	}
}

var serverIDForm = regexp.MustCompile(`^srvtoolu_[a-zA-Z0-9_]+$`)

func serverIDPattern(r *fake.Request, found fake.Found) {
	each(r, func(m message, b block) {
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
		case ok && mcp && read.BlankID(id): // of the ids of MCP calls no form is on record
			found.Says(b.at()+"."+name, path+": String should have at least 1 character")
		case ok && !mcp && !serverIDForm.MatchString(id) &&
			(read.BlankID(id) || !opened(r).foreign()):
			found(b.at()+"."+name, "***.content.2.server_tool_use.id", path)
		}
	})
}

// answersServer reports whether the block is the result of a server tool.
func (b block) answersServer() bool {
	return strings.HasSuffix(b.kind, "_tool_result") && b.kind != "mcp_tool_result"
}

// served reports whether the block is a call of a tool that the provider runs, or
// its result.
func (b block) served() bool {
	return b.kind == "server_tool_use" || b.kind == "mcp_tool_use" || b.answersServer() ||
		b.answersMCP()
}

// serverLate looks for results of server tools after a call of the
// client's tools (https://github.com/vercel/ai/issues/13013). Where the model
// thought in between, the order is its own.
func serverLate(r *fake.Request, found fake.Found) {
	if opened(r).foreign() {
		return
	}
	for _, m := range opened(r).messages {
		var call *block
		late := false
		for i, b := range m.blocks {
			if b.kind == "tool_use" && call == nil {
				call = &m.blocks[i]
			}
			if call != nil && claude.Thinks(b.kind) {
				call = nil
				break
			}
			late = late || call != nil && b.answersServer()
		}
		if call != nil && late && m.role == "assistant" {
			found(call.at(), append(claude.Nth(m.index), "toolu_XXXX",
				read.Text(call.object["id"]))...)
		}
	}
}

func encrypted(r *fake.Request, found fake.Found) {
	each(r, func(m message, b block) {
		if !b.answersServer() && !b.answersMCP() {
			return
		}
		for i, result := range read.Array(b.object["content"]) {
			o := read.Object(result)
			_, intact := o["encrypted_content"].(string)
			fields, ours := seal.Open(read.Text(o["encrypted_content"]))
			if o["encrypted_content"] == "" ||
				read.Text(o["type"]) == "web_search_result" && (!intact || ours && fields == nil) {
				found(pathOf(b.path)+".content["+strconv.Itoa(i)+"].encrypted_content",
					b.fill()...)
			}
		}
	})
}
