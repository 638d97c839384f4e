package histgen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// This file makes rounds of tool calls and their results.

// toolRounds adds up to three rounds of calls and results.
func (m *maker) toolRounds() {
	for range pick(m.t, 3, "tool rounds") {
		m.toolRound(1 + pick(m.t, 3, "calls"))
	}
}

func (m *maker) toolRound(n int) {
	m.inTurn = 0
	calls := m.newCalls(n)
	m.addCalls(calls)
	m.addResults(calls)
	if m.p.System.Placement == provider.SystemMidway && !m.closing &&
		chance(m.t, 6, "system after results") {
		m.add(preflight.RoleSystem, m.text("s"))
	}
}

func (m *maker) newCalls(n int) []*preflight.ToolCall {
	calls := make([]*preflight.ToolCall, n)
	for k := range calls {
		m.calls++
		m.inTurn++
		number := m.calls
		if m.p.IDs.Unique != provider.ScopeHistory {
			number = m.inTurn
		}
		if m.p.IDs.Unique == provider.ScopeNone && !m.closing && chance(m.t, 6, "same id") {
			number = 1
		}
		calls[k] = &preflight.ToolCall{
			Carried: m.carried("c"), ID: fmt.Sprintf(m.ids, number),
			Name: oneOf(m.t, "tool", "read_file", "ls", "web-fetch_2"),
			Input: json.RawMessage(oneOf(m.t, "input", `{}`, `{"path":"/etc/hosts"}`,
				`{ "n": 1.0, "s": "é\u00e9" }`, `{"a":[{"b":null}]}`)),
		}
		if m.p.Pairing.ByName && !m.closing && chance(m.t, 3, "no id") {
			calls[k].ID = ""
		}
		if k == 0 && m.p.Tools.CallSignature != "" {
			calls[k].Signature = oneOf(m.t, "call signature", "EqQB+/==", m.p.Tools.CallSignature)
		}
	}
	return calls
}

// addCalls adds the assistant's side of a tool round, in one message or in several where neighbours
// may stand.
func (m *maker) addCalls(calls []*preflight.ToolCall) {
	parts := m.thinking()
	if chance(m.t, 2, "text before calls") {
		parts = append(parts, m.text("a"))
	}
	parts = append(parts, m.serverPair()...)
	if m.p.Turns.Neighbours != provider.NeighboursMerged && !m.p.Turns.CallsAfterUser &&
		!m.budget() && len(parts) > 0 &&
		chance(m.t, 4, "split turn") {
		if _, last := parts[len(parts)-1].(*preflight.Reasoning); !last {
			m.add(preflight.RoleAssistant, parts...)
			parts = nil
		}
	}
	for k, c := range calls {
		if k > 0 && m.p.Turns.Neighbours != provider.NeighboursMerged && m.p.Turns.Joined() &&
			m.p.Turns.CallsAfterUser &&
			chance(m.t, 4, "calls in two messages") {
			m.add(preflight.RoleAssistant, parts...)
			parts = nil
			c.Signature = "EqQB+/==" // a message that opens with an unsigned call is joined
		}
		parts = append(parts, c)
		if !m.p.Turns.TextBeforeCalls && chance(m.t, 6, "text between calls") {
			parts = append(parts, m.text("a"))
		}
	}
	if m.p.Reasoning.Replay == provider.ReplayInText && slices.ContainsFunc(parts, isReasoning) {
		parts = slices.DeleteFunc(parts, isText) // the template has room for one of them
	}
	m.add(preflight.RoleAssistant, parts...)
}

func isReasoning(p preflight.Part) bool { _, ok := p.(*preflight.Reasoning); return ok }

func isText(p preflight.Part) bool { _, ok := p.(*preflight.Text); return ok }

func (m *maker) budget() bool { return m.mode == provider.ThinkingBudget }

// thinking returns the reasoning at the head of an assistant message. A closing turn has none while
// thinking is off, and always some with a budget.
func (m *maker) thinking() []preflight.Part {
	if m.p.Reasoning.Refused || m.closing && m.mode == provider.ThinkingOff {
		return nil
	}
	if !(m.closing && m.budget()) && !chance(m.t, 2, "thinks") {
		return nil
	}
	var parts []preflight.Part
	for range 1 + pick(m.t, 2, "reasonings") {
		r := &preflight.Reasoning{Carried: m.carried("r")}
		switch pick(m.t, 4, "reasoning") {
		case 0:
			r.Opaque = "EncryptedRedactedBlob=="
		case 1:
			r.Signature = "Sig/Only+A=="
		default:
			r.Text, r.Signature = "Let me think: "+m.words(), "EqQBCkYIBxgCKkDabc+/=="
		}
		if !m.p.Reasoning.Signed && chance(m.t, 2, "unsigned") {
			r.Text, r.Signature, r.Opaque = "hm", "", ""
		}
		parts = append(parts, r)
	}
	return parts
}

// serverPair is, now and then, a provider-executed call with its result.
func (m *maker) serverPair() []preflight.Part {
	if m.p.Tools.NoServerTools || !chance(m.t, 4, "server tool") {
		return nil
	}
	call, result := m.servedPair()
	if chance(m.t, 3, "mixed with text") {
		return []preflight.Part{call, m.text("a"), result}
	}
	return []preflight.Part{call, result}
}

// servedPair returns a provider-executed call and its result.
func (m *maker) servedPair() (*preflight.ToolCall, *preflight.ToolResult) {
	call := m.serverCall()
	result := &preflight.ToolResult{
		Carried:          m.carried("y"),
		CallID:           call.ID,
		ProviderExecuted: true,
		Variant:          call.Variant,
	}
	switch call.Name {
	case "web_search":
		result.Output = json.RawMessage(
			`[{"type":"web_search_result","title":"T","url":"https://example.com",` +
				`"encrypted_content":"Eqoo=="}]`)
	default:
		result.Output = json.RawMessage(
			`{"stdout":` + strconv.Quote(strings.Repeat("out ", 20)) +
				`,"return_code":0,"encrypted_stdout":"` + strings.Repeat("Q", 60) + `"}`)
	}
	return call, result
}

func (m *maker) serverCall() *preflight.ToolCall {
	m.calls++
	call := &preflight.ToolCall{
		Carried: m.carried("x"), ProviderExecuted: true, ID: fmt.Sprintf("srvtoolu_%02dA", m.calls),
		Name:  oneOf(m.t, "server tool", "web_search", "code_execution", "bash_code_execution"),
		Input: json.RawMessage(`{"query":"q","code":"print(1)"}`),
	}
	if chance(m.t, 4, "mcp") {
		call.ID, call.Variant, call.Name = fmt.Sprintf("mcptoolu_%02dA", m.calls), "mcp", "echo"
	}
	return call
}

// addResults answers every call that does not wait, in any order, and sometimes goes on to speak.
func (m *maker) addResults(calls []*preflight.ToolCall) {
	var parts []preflight.Part
	for _, c := range rapid.Permutation(calls).Draw(m.t, "order of results") {
		if c.Awaiting == "" {
			parts = append(parts, m.result(c))
		}
	}
	toUser := m.p.Pairing.ResultRole == preflight.RoleUser ||
		m.p.Pairing.ResultRole == "" && chance(m.t, 3, "results of the user")
	if !toUser {
		for len(parts) > 0 {
			n := 1
			if !m.p.Pairing.OneResultPerMessage {
				n += pick(m.t, len(parts), "results in a message")
			}
			m.add(preflight.RoleTool, parts[:n:n]...)
			parts = parts[n:]
		}
		return
	}
	if m.p.Pairing.Results == provider.ResultsTogether {
		m.addTogether(parts)
		return
	}
	if m.p.Turns.Neighbours != provider.NeighboursMerged &&
		m.p.Pairing.Results != provider.ResultsFirst && len(parts) > 1 &&
		chance(m.t, 3, "results in two messages") {
		m.add(preflight.RoleUser, parts[0])
		parts = parts[1:]
	}
	if chance(m.t, 4, "text after results") && !m.closing {
		parts = append(parts, m.text("u"))
	}
	if len(parts) > 0 {
		m.add(preflight.RoleUser, parts...)
	}
}

// addTogether adds the results of a turn in one message, with whatever else it may hold, in a role
// that may hold them.
func (m *maker) addTogether(results []preflight.Part) {
	if len(results) == 0 {
		return
	}
	role, parts := preflight.RoleUser, results
	switch {
	case slices.Contains(m.p.Roles, "function") && chance(m.t, 4, "role function"):
		role = "function"
	case chance(m.t, 8, "text before results"):
		parts = append([]preflight.Part{m.text("u")}, results...)
	case chance(m.t, 8, "text among results"):
		parts = append(append(slices.Clone(results[:1]), m.text("u")), results[1:]...)
	case chance(m.t, 8, "media after results"):
		parts = append(parts, m.media())
	}
	if _, ends := parts[len(parts)-1].(*preflight.Text); ends && m.p.Turns.NoTextAfterResults {
		parts = parts[:len(parts)-1]
	}
	m.add(role, parts...)
}

// result answers a call. Its tag is the call's with another letter: c7 is answered by y7.
func (m *maker) result(c *preflight.ToolCall) *preflight.ToolResult {
	r := &preflight.ToolResult{Carried: m.carried("y"), CallID: c.ID}
	r.Meta = tagged("y" + Tag(c)[1:]).Meta
	if m.p.Pairing.ByName {
		if r.Name = c.Name; !m.closing && chance(m.t, 12, "another name") {
			r.Name = "call_1338"
		}
	}
	switch pick(m.t, 6, "result") {
	case 0:
		r.IsError = !m.p.Tools.NoErrorFlag
		r.Content = []preflight.Part{
			&preflight.Text{Carried: m.carried("i"), Text: "exit status 1"},
		}
	case 1:
		r.Content = []preflight.Part{
			&preflight.Text{Carried: m.carried("i"), Text: m.words()},
			&preflight.Text{Carried: m.carried("i"), Text: m.words()},
		}
	case 2:
		if m.p.Media.InResult {
			r.Content = []preflight.Part{
				&preflight.Media{
					Carried:   m.carried("i"),
					Kind:      "image",
					MediaType: "image/png",
					Data:      pixel,
				},
			}
		} else {
			r.Output = json.RawMessage(`"plain"`)
		}
	case 3:
		r.Output, r.Name = json.RawMessage(`{"ok":true,"n":1.0}`), c.Name
	case 4:
		if !m.p.Content.ResultNeedsText {
			break // a result may be empty: the tool had nothing to say
		}
		fallthrough
	default:
		r.Content = []preflight.Part{
			&preflight.Text{Carried: m.carried("i"), Text: "result of " + Tag(c)},
		}
	}
	return r
}

// answer closes an assistant turn with text.
func (m *maker) answer() {
	parts := append(m.thinking(), m.serverPair()...)
	final := &preflight.Text{
		Carried: m.carried("a"),
		Text:    "Done: all " + strconv.Itoa(len(m.h)) + " of them.",
	}
	if m.mode != provider.ThinkingBudget && m.mode != provider.ThinkingOff &&
		chance(m.t, 4, "interleaved") {
		parts = append(parts, m.text("a"))
		parts = append(parts, m.thinking()...)
	}
	m.add(preflight.RoleAssistant, append(parts, final)...)
}

// endOnResults ends in the middle of an agent loop.
func (m *maker) endOnResults() {
	m.userTurn()
	m.toolRound(1 + pick(m.t, 3, "calls"))
}

// endWaiting ends on calls of which some wait.
func (m *maker) endWaiting() {
	m.userTurn()
	m.inTurn = 0
	calls := m.newCalls(1 + pick(m.t, 3, "calls"))
	for k := range calls {
		if k == 0 || chance(m.t, 2, "waits") {
			calls[k].Awaiting = oneOf(m.t, "awaiting", preflight.AwaitingApproval,
				preflight.AwaitingClient)
		}
	}
	m.addCalls(calls)
	m.addResults(calls)
	if chance(m.t, 3, "the user goes on") {
		m.userTurn()
	}
}

// servedAnswer is the answer after rounds of client tools that a tool of the provider waits for:
// its result comes in the answer.
func (m *maker) servedAnswer() {
	call, result := m.servedPair()
	parts := append(m.thinking(), call)
	for range 1 + pick(m.t, 2, "rounds") {
		calls := m.newCalls(1 + pick(m.t, 2, "calls"))
		var results []preflight.Part
		for _, c := range calls {
			parts, results = append(parts, c), append(results, m.result(c))
		}
		m.add(preflight.RoleAssistant, parts...)
		m.add(preflight.RoleUser, results...)
		parts = nil
	}
	m.add(preflight.RoleAssistant, result, m.text("a"))
}

// endPaused ends where the provider paused its turn, its own tool still running.
func (m *maker) endPaused() {
	m.userTurn()
	parts := append(m.thinking(), m.text("a"))
	m.add(preflight.RoleAssistant, append(parts, m.serverCall())...)
}

// endMixed ends on an open server tool and the results of client tools of the same turn.
func (m *maker) endMixed() {
	m.userTurn()
	calls := m.newCalls(1 + pick(m.t, 2, "calls"))
	parts := append(m.thinking(), m.serverCall())
	for _, c := range calls {
		parts = append(parts, c)
	}
	m.add(preflight.RoleAssistant, parts...)
	m.addResults(calls)
}
