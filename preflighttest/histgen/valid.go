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

// Valid generates histories that the provider of a profile accepts as they are: several rounds of
// tool use, parallel calls, signed and redacted thinking, provider-executed tools, media, system
// messages, cache breakpoints, unknown parts. Of the options the Request counts; nil options are
// the zero value.
func Valid(p *preflight.Profile, o *preflight.Options) *rapid.Generator[[]preflight.Message] {
	return rapid.Custom(func(t *rapid.T) []preflight.Message {
		m := maker{t: t, p: p, mode: modeOf(o),
			ids: oneOf(t, "ids", "toolu_%02d", "call_%02d", "Ab-%02d_x")}
		return m.make()
	})
}

// Waiting generates histories that the provider of a profile would accept if they held the results
// of the calls that wait, by their Awaiting: in the last assistant turn with calls, which now and
// then the user speaks after.
func Waiting(p *preflight.Profile, o *preflight.Options) *rapid.Generator[[]preflight.Message] {
	return rapid.Custom(func(t *rapid.T) []preflight.Message {
		m := maker{t: t, p: p, mode: modeOf(o),
			ids: oneOf(t, "ids", "toolu_%02d", "call_%02d", "Ab-%02d_x")}
		m.waits = true
		return m.make()
	})
}

// maker makes one history, front to back.
type maker struct {
	t       *rapid.T
	p       *preflight.Profile
	mode    provider.Thinking
	h       []preflight.Message
	tags    int
	ids     string // the format of call ids
	calls   int    // calls so far, for ids that are unique
	inTurn  int    // calls so far in this turn, for ids that start again with each turn
	waits   bool   // the calls of the last exchange wait
	closing bool   // the last exchange: its assistant turn stays open
}

// modeOf is the thinking mode of the request that a history is made for.
func modeOf(o *preflight.Options) provider.Thinking {
	if o == nil {
		return provider.ThinkingUnknown
	}
	return o.Request.Thinking
}

func (m *maker) make() []preflight.Message {
	m.leadingSystem()
	if !m.p.Turns.UserFirst && m.p.Provider != "" && chance(m.t, 8, "the assistant first") {
		m.answer()
	}
	for range pick(m.t, 4, "exchanges") {
		m.userTurn()
		m.toolRounds()
		m.answer()
		m.midwaySystem()
	}
	m.closing = true
	ends := []func(){m.userTurn, m.endOnResults}
	if !m.p.Tools.NoServerTools {
		ends = append(ends, m.endPaused, m.endMixed)
	}
	if !m.p.Prefill.Refused {
		ends = append(ends, func() { m.userTurn(); m.toolRounds(); m.answer() })
	}
	if m.waits {
		ends = []func(){m.endWaiting}
	}
	ends[pick(m.t, len(ends), "ending")]()
	m.markCache()
	return m.h
}

// markCache puts cache breakpoints on a few parts: no more than the provider takes, none on
// reasoning or empty text, and long-lived ones first.
func (m *maker) markCache() {
	left := m.p.Cache.Limit
	if left == 0 {
		left = 6
	}
	marker := json.RawMessage(`{"type":"ephemeral","ttl":"1h"}`)
	for i := range m.h {
		for j, p := range m.h[i].Parts {
			if text, ok := p.(*preflight.Text); ok && text.Text == "" {
				continue
			}
			media, ok := p.(*preflight.Media)
			if ok && m.p.Cache.NoDocument && media.Kind == "document" &&
				media.MediaType != "application/pdf" {
				continue
			}
			if _, ok := p.(*preflight.Reasoning); ok || left <= 0 || !chance(m.t, 10, "cache") {
				continue
			}
			if chance(m.t, 2, "short-lived") {
				marker = json.RawMessage(`{"type":"ephemeral"}`)
			}
			m.h[i].Parts[j] = withCache(p, marker)
			left--
		}
	}
}

func (m *maker) carried(kind string) preflight.Carried {
	m.tags++
	return tagged(kind + strconv.Itoa(m.tags))
}

var words = []string{
	"list the files", "ok", "What now?", "naïve – “quotes”", "{\"json\": 1}", "日本語 👍🏽",
	"No result, sorry", " leading space", "line\nline",
}

func (m *maker) words() string { return rapid.SampledFrom(words).Draw(m.t, "words") }

func (m *maker) text(kind string) *preflight.Text {
	text := &preflight.Text{Carried: m.carried(kind), Text: m.words()}
	if chance(m.t, 12, "native") {
		text.Native = preflight.Native{
			Format: "test",
			JSON: json.RawMessage(
				`{"type":"text","text":` + strconv.Quote("x") + `,"extra":1.0}`),
		}
	}
	if !m.p.Content.RefuseEmptyText && !m.p.Content.RefuseBlankText &&
		len(m.p.Content.NeedsText) == 0 && chance(m.t, 10, "empty text") {
		text.Text = oneOf(m.t, "empty", "", " ")
	}
	return text
}

func (m *maker) add(role preflight.Role, parts ...preflight.Part) {
	msg := preflight.Message{Role: role, Parts: parts}
	if chance(m.t, 10, "message metadata") {
		msg.Meta = preflight.Metadata{"openai": json.RawMessage(`{"k":[1,2.50]}`)}
	}
	if role == preflight.RoleUser && chance(m.t, 10, "name") {
		msg.Name = "ann-1"
	}
	m.h = append(m.h, msg)
}

func (m *maker) leadingSystem() {
	if m.p.System.Placement == provider.SystemRefused {
		return
	}
	most := 3
	if m.p.System.Single {
		most = 2
	}
	for range pick(m.t, most, "system messages") {
		m.add(preflight.RoleSystem, m.text("s"))
	}
}

// midwaySystem puts a system message after an answer where any place will do; where it has to
// follow a user turn, toolRounds does it.
func (m *maker) midwaySystem() {
	if m.p.System.Placement == provider.SystemAnywhere && chance(m.t, 5, "system midway") {
		m.add(preflight.RoleSystem, m.text("s"))
	}
}

// userTurn adds what a user says: one message, or several where neighbours of one role are allowed.
func (m *maker) userTurn() {
	messages := 1
	if m.p.Turns.Neighbours != provider.NeighboursMerged {
		messages += pick(m.t, 2, "more user messages")
	}
	for range messages {
		m.add(preflight.RoleUser, m.userParts()...)
	}
	if m.p.System.Placement == provider.SystemMidway && chance(m.t, 5, "system after user") {
		m.add(preflight.RoleSystem, m.text("s"))
	}
}

func (m *maker) userParts() []preflight.Part {
	parts := []preflight.Part{m.text("u")}
	for range pick(m.t, 3, "more user parts") {
		switch pick(m.t, 3, "user part") {
		case 0:
			parts = append(parts, m.text("u"))
		case 1:
			parts = append(parts, m.media())
		default:
			parts = append(parts, &preflight.Other{
				Carried: m.carried("o"),
				Kind:    oneOf(m.t, "kind", "container_upload", "search_result", "x-unknown"),
			})
		}
	}
	return parts
}

// pixel is a PNG of one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9" +
	"awAAAABJRU5ErkJggg=="

func (m *maker) media() *preflight.Media {
	x := &preflight.Media{Carried: m.carried("m")}
	kind := pick(m.t, 4, "media")
	if kind == 1 && m.p.Media.NoURLs ||
		kind > 1 && len(m.p.Media.Kinds) > 0 && !slices.Contains(m.p.Media.Kinds, "document") {
		kind = 0
	}
	if kind == 3 && m.p.Media.NoFiles {
		kind = 2
	}
	switch kind {
	case 0:
		x.Kind, x.MediaType, x.Data = "image", "image/png", pixel
	case 1:
		x.Kind, x.URL = "image", "https://example.com/a.jpg"
	case 2:
		x.Kind = "document"
		x.MediaType = "application/pdf"
		x.Data = "JVBERi0xLjQKJSVFT0YK"
		x.Name = fmt.Sprintf("Report %d (final)", m.tags)
	default:
		x.Kind, x.FileID, x.Name = "document", "file_1", fmt.Sprintf("Notes %d", m.tags)
	}
	if m.p.Media.UniqueTitles && x.Kind == "document" {
		x.Name += " " + strconv.Itoa(m.tags)
	}
	return x
}

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
func isText(p preflight.Part) bool      { _, ok := p.(*preflight.Text); return ok }

func (m *maker) budget() bool { return m.mode == provider.ThinkingBudget }

// thinking is the reasoning at the head of an assistant message. A closing turn has none while
// thinking is off, and always some with a budget.
func (m *maker) thinking() []preflight.Part {
	if m.p.Reasoning.Refused || m.closing && m.mode == provider.ThinkingOff {
		return nil
	}
	if m.p.Reasoning.Refused || !(m.closing && m.budget()) && !chance(m.t, 2, "thinks") {
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
	if chance(m.t, 3, "mixed with text") {
		return []preflight.Part{call, m.text("a"), result}
	}
	return []preflight.Part{call, result}
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
