package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// This file measures what repairs cost where a model binds its reasoning to all that comes before
// it: damaged sessions are replayed against the fakes that bind, drop and say so, and the reasoning
// that the model gets to see again is counted.

// A binder is a model that binds its reasoning, and how it is asked.
type binder struct {
	provider, model, path, members string
	alone                          bool // no refusal is answered
}

// binders are a model of which the server is asked to drop what does not verify, one that does so
// unasked, one that refuses it, and that without a transport that answers refusals.
var binders = []binder{
	{"anthropic", "claude-opus-5-5", "/v1/messages", `{"thinking":{"type":"adaptive",` +
		`"block_binding":{"prefix_mismatch_behavior":"drop_block"}}}`, false},
	{"openai-responses", "gpt-6.2-astra", "/v1/responses",
		`{"store":false,"include":["reasoning.encrypted_content"]}`, false},
	{"anthropic", "claude-opus-5-5", "/v1/messages", `{"thinking":{"type":"adaptive"}}`, false},
	{"anthropic", "claude-opus-5-5", "/v1/messages", `{"thinking":{"type":"adaptive"}}`, true},
}

// pair is a session before and after it was damaged. Its reasoning is told apart by its text.
type pair struct{ whole, damaged []preflight.Message }

// session generates a session of one thought at most in each message, at its front, and damages it.
// It has some turns, so that something is bound.
func (b binder) session(c histgen.Corruption, seed int) pair {
	for n := range 400 {
		p := b.draw(c, 400*seed+n)
		if len(steps(p.whole)) > 3 && p.whole[len(p.whole)-1].Role != preflight.RoleAssistant &&
			b.writes(p.whole) && b.writes(p.damaged) {
			c := b.recorded(p.whole, false, func(k int) []preflight.Message { return p.whole[:k] })
			if c.refused+c.dropped == 0 && c.given > 0 {
				return p
			}
		}
	}
	return pair{}
}

// writes reports whether a session has a form as a request: it has no results of tools that no
// provider runs.
func (b binder) writes(h []preflight.Message) bool {
	body, err := b.body(h)
	if err != nil {
		return false
	}
	for _, result := range serverResult.FindAllSubmatch(body, -1) {
		if !slices.Contains(serverTools, string(result[1])) {
			return false
		}
	}
	return true
}

// serverResult is the type of a result of a tool that Anthropic runs, and serverTools are those.
var (
	serverResult = regexp.MustCompile(`"type":"([^"]*)_tool_result"`)
	serverTools  = []string{
		"web_search", "web_fetch", "code_execution", "bash_code_execution",
		"text_editor_code_execution", "tool_search_tool", "mcp",
	}
)

func (b binder) body(h []preflight.Message) ([]byte, error) {
	return wire.Encode(b.provider, b.model, h, &wire.RequestOptions{
		MaxTokens: 1024, Members: json.RawMessage(b.members),
		Tools: []wire.Tool{{Name: "f", Schema: json.RawMessage(`{"type":"object"}`)}},
	})
}

func (b binder) draw(c histgen.Corruption, seed int) pair {
	p, _ := provider.ByName(b.provider, b.model)
	options := &preflight.Options{Request: preflight.Request{Thinking: provider.ThinkingAdaptive}}
	return rapid.Custom(func(t *rapid.T) pair {
		h := slices.Clone(histgen.Valid(p, options).Draw(t, "valid"))
		for i := range h {
			thinks := false
			h[i].Parts = slices.DeleteFunc(slices.Clone(h[i].Parts), func(q preflight.Part) bool {
				_, ok := q.(*preflight.Reasoning)
				thinks = thinks || ok
				return ok
			})
			if thinks || h[i].Role == preflight.RoleAssistant {
				h[i].Parts = slices.Insert(h[i].Parts, 0, b.thinks(fmt.Sprint(i)))
			}
		}
		out := pair{whole: h, damaged: h}
		if len(h) > 0 {
			out.damaged = c.Break(t, p, slices.Clone(h))
		}
		return out
	}).Example(seed)
}

// seen is what became of the reasoning of one request, in parts.
type seen struct {
	given, dropped int
	unannounced    int // dropped for a repair of the request, and no warning says so
	forgotten      int // dropped for a repair of an earlier request, and this one needs none
	refused        bool
}

// replay is a session that is under way at a fake.
type replay struct {
	binder
	server    *preflighttest.Server
	transport http.RoundTripper
	made      map[string]preflight.Part // what the model made of each thought, by its text
	grown     bool                      // nobody else edits the session

	report  *preflighthttp.Report
	verdict *preflighthttp.Verdict
}

func (b binder) start(repaired bool) *replay {
	server, err := preflighttest.Start(b.provider, nil)
	if err != nil {
		panic(err) // there is a fake of each
	}
	r := &replay{binder: b, server: server, made: map[string]preflight.Part{}}
	r.transport = server.Client().Transport
	if repaired {
		transport := &preflighthttp.Transport{
			Base: r.transport,
			Endpoints: []preflighthttp.Endpoint{
				{Host: strings.TrimPrefix(server.URL, "http://"), Provider: b.provider},
			},
			Report:  func(_ context.Context, report *preflighthttp.Report) { r.report = report },
			Verdict: func(_ context.Context, v *preflighthttp.Verdict) { r.verdict = v },
		}
		if !b.alone {
			transport.Remedies = remedy.All()
		}
		r.transport = transport
	}
	return r
}

// thinks returns reasoning that stands for what the model makes, with a payload as its provider has
// it, so that no repair removes it for want of one.
func (b binder) thinks(name string) preflight.Part {
	r := &preflight.Reasoning{Text: "thought " + name}
	if p, _ := provider.ByName(b.provider, b.model); p.Reasoning.Signed {
		r.Signature = "c2ln"
	} else {
		r.Opaque = "c2ln"
	}
	return r
}

// thought returns the text of reasoning that stands for what the model makes, "" for other parts.
func thought(p preflight.Part) string {
	if r, ok := p.(*preflight.Reasoning); ok && r != nil && strings.HasPrefix(r.Text, "thought ") &&
		r.Signature+r.Opaque == "c2ln" {
		return r.Text
	}
	return ""
}

// known returns messages with what the model made, without what it has not made.
func (r *replay) known(h []preflight.Message) []preflight.Message {
	out := slices.Clone(h)
	for i := range out {
		var parts []preflight.Part
		for _, p := range out[i].Parts {
			if text := thought(p); text != "" {
				p = r.made[text]
			}
			if p != nil {
				parts = append(parts, p)
			}
		}
		out[i].Parts = parts
	}
	return out
}

// send sends messages of a session, and keeps what the model thought, if it is given a thought.
// What the messages do not have of the session's reasoning was dropped.
func (r *replay) send(h, session []preflight.Message, next string) (out seen, ok bool) {
	out.given = r.thoughts(r.known(session))
	body, err := r.body(r.known(h))
	if err != nil {
		return out, false
	}
	r.report, r.verdict = nil, nil
	r.server.Script(preflighttest.Reply{Reasoning: next, Text: "ok"})
	req, err := http.NewRequest(http.MethodPost, r.server.URL+r.path, bytes.NewReader(body))
	if err != nil {
		return out, false
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "X-Api-Key": "k", "Authorization": "Bearer k",
		"Anthropic-Version": "2023-06-01", "Anthropic-Beta": "thinking-binding-controls-2026-08-01",
	} {
		req.Header.Set(name, value)
	}
	resp, err := r.transport.RoundTrip(req)
	if err != nil {
		return out, false
	}
	text, err := io.ReadAll(resp.Body)
	if closed := resp.Body.Close(); err != nil || closed != nil {
		return out, false
	}
	if resp.StatusCode != http.StatusOK {
		out.refused = true
		return out, true
	}
	arrived := r.server.Requests()
	r.count(arrived[len(arrived)-1].Body, text, &out)
	if next != "" {
		r.keep(next, text)
	}
	return out, true
}

// thoughts counts the reasoning in messages that the model made.
func (r *replay) thoughts(h []preflight.Message) (n int) {
	for _, m := range h {
		for _, p := range m.Parts {
			if q, ok := p.(*preflight.Reasoning); ok && q != nil &&
				r.made["of "+q.Signature+q.Opaque] != nil {
				n++
			}
		}
	}
	return n
}

// copies counts the reasoning that is in messages once more, as in a message that was recorded
// twice: it was not made there.
func (r *replay) copies(h []preflight.Message) int {
	once := map[string]bool{}
	for _, m := range h {
		for _, p := range m.Parts {
			q, ok := p.(*preflight.Reasoning)
			if ok && q != nil && r.made["of "+q.Signature+q.Opaque] != nil {
				once[q.Signature+q.Opaque] = true
			}
		}
	}
	return r.thoughts(h) - len(once)
}

// count counts what the model did not get to see of a request that arrived, and how much of that no
// warning announced.
func (r *replay) count(body, answer []byte, out *seen) {
	read, err := wire.Decode(body, &wire.Options{Provider: r.provider, Model: r.model})
	if err != nil {
		return
	}
	var said struct {
		Dropped []struct {
			Type, Action string
		} `json:"input_transformations"`
	}
	if json.Unmarshal(answer, &said) != nil {
		return
	}
	left := 0 // to the server
	for _, d := range said.Dropped {
		if d.Type == "thinking_dropped" || d.Action == "removed" {
			left++
		}
	}
	removed := out.given - r.thoughts(read.Messages)
	out.dropped = removed + left
	if r.report == nil {
		return
	}
	if !r.report.Changed {
		if r.grown {
			out.forgotten = max(0, left-r.copies(read.Messages))
		}
		return
	}
	for _, w := range r.report.Warnings {
		removed -= w.Removed.Reasonings
		left -= w.Unbinds
	}
	if r.grown {
		left -= r.copies(read.Messages)
	} else { // what the repair did not cause is not its to announce
		left -= len(r.verdict.Transformations) - r.verdict.Ours()
	}
	out.unannounced = max(0, removed) + max(0, left)
}

// keep keeps what the model made of a thought.
func (r *replay) keep(next string, answer []byte) {
	read, err := wire.DecodeResponse(r.provider, answer)
	if err != nil {
		return
	}
	for _, m := range read.Messages {
		for _, p := range m.Parts {
			if q, ok := p.(*preflight.Reasoning); ok && r.made[next] == nil {
				r.made[next], r.made["of "+q.Signature+q.Opaque] = p, p
			}
		}
	}
}

// next returns the first thought of the message that comes after the first k, if the model has not
// made it yet.
func (r *replay) next(h []preflight.Message, k int) string {
	if k < len(h) {
		for _, p := range h[k].Parts {
			if text := thought(p); text != "" && r.made[text] == nil {
				return text
			}
		}
	}
	return ""
}

// cost is what all requests of sessions add up to.
type cost struct {
	requests, refused, given, dropped, unannounced, forgotten int
}

func (c *cost) add(d cost) {
	c.forgotten += d.forgotten
	c.requests += d.requests
	c.refused += d.refused
	c.given += d.given
	c.dropped += d.dropped
	c.unannounced += d.unannounced
}

func (c *cost) count(s seen) {
	c.requests++
	if s.refused {
		c.refused++
		s.dropped = s.given
	}
	c.given += s.given
	c.dropped += s.dropped
	c.unannounced += s.unannounced
	c.forgotten += s.forgotten
}

// recorded replays a session that was damaged while it was recorded: each request has what there is
// so far. sent is what is sent of the first k messages.
func (b binder) recorded(
	h []preflight.Message, repaired bool, sent func(k int) []preflight.Message,
) (c cost) {
	r := b.start(repaired)
	defer r.server.Close()
	r.grown = true
	for _, k := range steps(h) {
		if s, ok := r.send(sent(k), h[:k], r.next(h, k)); ok {
			c.count(s)
		}
	}
	return c
}

// laterTurns is how many requests follow the damage of a stored session.
const laterTurns = 3

// later replays a session that was damaged afterwards, and then goes on. It returns what became of
// each request after the damage, and the reasoning of the session that nobody can restore.
func (b binder) later(p pair, repaired bool) (turns []seen, lost []string) {
	r := b.start(repaired)
	defer r.server.Close()
	for _, k := range steps(p.whole) {
		r.send(p.whole[:k], p.whole[:k], r.next(p.whole, k))
	}
	h := slices.Clip(p.damaged)
	say := func(role preflight.Role, parts ...preflight.Part) {
		h = append(h, preflight.Message{Role: role, Parts: parts})
	}
	if len(h) == 0 || h[len(h)-1].Role == preflight.RoleAssistant {
		say("user", &preflight.Text{Text: "go on"})
	}
	lost = r.lost(p)
	for k := range laterTurns {
		thinks := b.thinks(fmt.Sprint("later ", k))
		s, _ := r.send(h, h, thought(thinks))
		turns = append(turns, s)
		say("assistant", thinks, &preflight.Text{Text: "ok"})
		say("user", &preflight.Text{Text: "go on"})
	}
	return turns, lost
}

// restored is what a repairer loses who knows the session as it was before the damage, and not what
// comes later. He leaves alone what is accepted as it is; of all else he loses what nobody can
// restore. What the model thinks is bound to what he sent: it is lost where a request before it was
// accepted as it is and this one is not, or the other way round, or where the same happens to the
// session as it was, because a call of the provider's is still open at its end.
func (b binder) restored(p pair) (c cost) {
	asIs, lost := b.later(p, false)
	before, _ := b.later(pair{p.whole, p.whole}, false)
	for k, s := range asIs {
		if s.refused {
			s = seen{given: s.given, dropped: len(lost)}
		}
		for j := range k {
			if asIs[j].refused != asIs[k].refused || asIs[k].refused && !before[j].refused &&
				before[k].refused && openCall(p.damaged) {
				s.dropped++
			}
		}
		c.count(s)
	}
	return c
}

// openCall reports whether messages have a call of the provider's without a result.
func openCall(h []preflight.Message) bool {
	open := map[string]bool{}
	each(h, func(_ preflight.Role, p preflight.Part) bool {
		switch q := p.(type) {
		case *preflight.ToolCall:
			if q.ProviderExecuted {
				open[q.ID] = true
			}
		case *preflight.ToolResult:
			delete(open, q.CallID)
		}
		return true
	})
	return len(open) > 0
}

// lost lists the reasoning of a damaged session that no repairer can keep, because what came before
// it cannot be told from what is there: the words and calls before it are others, or in another
// order or role, or a result is gone, or another one came, or their order is not known. Of
// reasoning that is there twice, the second comes after what the first led to.
func (r *replay) lost(p pair) (texts []string) {
	there, whole := contextOf(p.damaged, ""), contextOf(p.whole, "")
	once := map[string]bool{}
	each(p.damaged, func(_ preflight.Role, q preflight.Part) bool {
		text := thought(q)
		if text == "" || r.made[text] == nil {
			return true
		}
		was, is := contextOf(p.whole, text), contextOf(p.damaged, text)
		if once[text] || !sameSaid(was.said, is.said) || beyond(was.tagged, there.tagged) ||
			beyond(is.results, whole.results) ||
			reordered(p.whole, p.damaged, text) {
			texts = append(texts, text)
		}
		once[text] = true
		return true
	})
	return texts
}

// sameSaid compares what was said before a thought with what is there now. Blank text can be taken
// out, and not be put back.
func sameSaid(was, is [][2]string) bool {
	for _, block := range is {
		switch {
		case len(was) > 0 && sameWords(was[0], block):
			was = was[1:]
		case strings.TrimSpace(strings.TrimPrefix(block[1], "text ")) != "":
			return false
		}
	}
	return len(was) == 0
}

// thoughtContext is what a thought is bound to.
type thoughtContext struct {
	said            [][2]string     // role and block, without results, which their calls have a place for
	results, tagged map[string]bool // the second tells equal results of other calls apart
	order           string          // all of it, in order
}

func contextOf(h []preflight.Message, text string) thoughtContext {
	out := thoughtContext{results: map[string]bool{}, tagged: map[string]bool{}}
	each(h, func(role preflight.Role, p preflight.Part) bool {
		if _, reasons := p.(*preflight.Reasoning); !reasons {
			out.order += sentRole(role) + " " + blockOf(p) + "\n"
		}
		switch p.(type) {
		case *preflight.Reasoning:
			return text == "" || thought(p) != text
		case *preflight.ToolResult:
			out.results[blockOf(p)], out.tagged[histgen.Tag(p)+" "+blockOf(p)] = true, true
			return true
		}
		out.said = append(out.said, [2]string{string(role), blockOf(p)})
		return true
	})
	return out
}

// sentRole returns a role as a request has it: what is no other one's is the user's.
func sentRole(role preflight.Role) string {
	switch name := strings.ToLower(strings.TrimSpace(string(role))); name {
	case "assistant", "system":
		return name
	}
	return "user"
}

// reordered reports whether nobody can tell in which order results of one turn came before a
// thought: it is not that of their calls, and no longer to be seen, or another one is.
func reordered(whole, damaged []preflight.Message, text string) bool {
	calls, runs := runsOf(whole, text)
	_, left := runsOf(damaged, "")
	for _, run := range runs {
		for i := 1; i < len(run); i++ {
			a, b := run[i-1], run[i]
			seen, turned := false, false
			for _, now := range left {
				before, after := slices.Index(now, a), slices.Index(now, b)
				if before >= 0 && after >= 0 {
					seen, turned = true, before > after
				}
			}
			if turned || !seen && calls[a.id] > calls[b.id] {
				return true
			}
		}
	}
	return false
}

// a resultBlock is a result, by its call.
type resultBlock struct{ id, block string }

// runsOf returns the places of the calls by their ids, and the results that stand side by side, up
// to a thought.
func runsOf(h []preflight.Message, text string) (calls map[string]int, runs [][]resultBlock) {
	calls = map[string]int{}
	open := false
	each(h, func(_ preflight.Role, p preflight.Part) bool {
		switch q := p.(type) {
		case *preflight.ToolResult:
			if !open {
				runs = append(runs, nil)
			}
			open = true
			last := &runs[len(runs)-1]
			*last = append(*last, resultBlock{q.CallID, blockOf(p)})
			return true
		case *preflight.ToolCall:
			calls[q.ID] = len(calls)
		}
		open = false
		return text == "" || thought(p) != text
	})
	return calls, runs
}

// sameWords compares words that may have a role of another spelling.
func sameWords(a, b [2]string) bool {
	known := []string{"user", "assistant", "system", "tool"}
	if b[0] == "model" {
		b[0] = "assistant" // it is Gemini's name
	}
	return a[1] == b[1] && (a[0] == b[0] || !slices.Contains(known, b[0]))
}

// beyond reports whether a has something that b does not have.
func beyond(a, b map[string]bool) bool {
	for block := range a {
		if !b[block] {
			return true
		}
	}
	return false
}

// each calls f for each part of messages until it returns false.
func each(h []preflight.Message, f func(preflight.Role, preflight.Part) bool) {
	for _, m := range h {
		for _, p := range m.Parts {
			if preflight.CarriedBy(p) != nil && !f(m.Role, p) { // of no type nil
				return
			}
		}
	}
}

// keeps returns the profile of the model, without the repairs that remove reasoning after an edit.
func (b binder) keeps() *preflight.Profile {
	p, _ := provider.ByName(b.provider, b.model)
	whole := *p
	whole.Reasoning.Dropped, whole.Reasoning.SignatureAlphabet = true, ""
	return &whole
}

// foreseen replays a session as a repairer who knows its end would send it. Of two forms, without
// the reasoning that the repair of its end removed and with it, he sends what costs less.
func (b binder) foreseen(h []preflight.Message) cost {
	last, err := preflight.Sanitize(context.Background(), h, b.keeps(), nil)
	if err != nil {
		return b.recorded(h, true, func(k int) []preflight.Message { return h[:k] })
	}
	out := b.recorded(h, true, func(k int) []preflight.Message { return known(last, h, k) })
	kept := b.recorded(h, true, func(k int) []preflight.Message {
		return thinking(known(last, h, k), h)
	})
	if kept.sum() < out.sum() {
		return kept
	}
	return out
}

// thinking puts the reasoning that a repair removed back in front of what else is left of its
// message.
func thinking(form, h []preflight.Message) []preflight.Message {
	there, of := map[string]bool{}, map[preflight.Part]preflight.Part{}
	each(form, func(_ preflight.Role, p preflight.Part) bool {
		there[thought(p)] = true
		return true
	})
	for _, m := range h {
		for _, p := range m.Parts {
			if text := thought(m.Parts[0]); text != "" && !there[text] {
				of[p] = m.Parts[0]
			}
		}
	}
	out := slices.Clone(form)
	for i := range out {
		var parts []preflight.Part
		for _, p := range out[i].Parts {
			if text := thought(of[p]); text != "" && !there[text] {
				parts, there[text] = append(parts, of[p]), true
			}
			parts = append(parts, p)
		}
		out[i].Parts = parts
	}
	return out
}

// impossible is what a session costs that the server refuses.
const impossible = 1 << 20

// sum returns what a session costs.
func (c cost) sum() int {
	if c.refused > 0 {
		return impossible
	}
	return c.dropped
}

// bound is a row of the table for one model: sessions that were damaged while they were recorded,
// and that were damaged later. Alike are those of the former that cost more than they have to, with
// their sisters; blind is about those of the latter, with the sessions that they may have been.
type bound struct {
	recorded, later costs
	alike           online
	blind           blind
}

type costs struct{ unrepaired, ours, perfect cost }

func (x *costs) add(y costs) {
	x.unrepaired.add(y.unrepaired)
	x.ours.add(y.ours)
	if y.ours.dropped < y.perfect.dropped {
		y.perfect = y.ours // what we can do, he can
	}
	x.perfect.add(y.perfect)
}

// bind replays one session of a kind of damage.
func (b binder) bind(p pair) (x bound) {
	if p.whole == nil {
		return x
	}
	whole := func(k int) []preflight.Message { return p.damaged[:k] }
	x.recorded.unrepaired = b.recorded(p.damaged, false, whole)
	x.recorded.ours = b.recorded(p.damaged, true, whole)
	perfect := binders[0] // so that the server drops only what it has to
	if perfect.provider != b.provider {
		perfect = b
	}
	x.recorded.perfect = perfect.foreseen(p.damaged)
	if !b.alone && x.recorded.ours.dropped > x.recorded.perfect.dropped {
		x.alike = perfect.online(b, b.sisters(p))
	}
	x.later.perfect = perfect.restored(p)
	for _, repaired := range []bool{false, true} {
		turns, _ := b.later(p, repaired)
		for _, s := range turns {
			if repaired {
				x.later.ours.count(s)
			} else {
				x.later.unrepaired.count(s)
			}
		}
	}
	if !b.alone {
		x.blind = perfect.blind(b, p)
	}
	return x
}

// bindAll replays sessions of every kind of damage for some binders. The figures are by kind.
func bindAll(sessions int, all []binder) map[string]*[4]bound {
	rows := map[string]*[4]bound{}
	for _, c := range histgen.Corruptions() {
		row := &[4]bound{}
		for k, b := range all {
			for n := range sessions {
				x := b.bind(b.session(c, n+1))
				row[k].recorded.add(x.recorded)
				row[k].later.add(x.later)
				row[k].alike.add(x.alike)
				row[k].blind.add(x.blind)
			}
		}
		rows[c.Name] = row
	}
	return rows
}

const boundBegin, boundEnd = "<!-- bound: make growth -->\n", "<!-- /bound -->\n"

// boundTable writes the tables of sessions that were damaged while they were recorded, and later.
func boundTable(rows map[string]*[4]bound) string {
	var b bytes.Buffer
	for _, later := range []bool{false, true} {
		when := "Damaged while it was recorded"
		if later {
			when = "Damaged later"
		}
		fmt.Fprintf(&b, "\n| %s | sent again | refused unrepaired | the server drops: ours | perfect | "+
			"it refuses: ours | perfect | `Sanitize` alone | unannounced | of earlier repairs |\n"+
			"|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n", when)
		var total [4]costs
		for _, name := range slices.Sorted(maps.Keys(rows)) {
			var of [4]costs
			for k := range of {
				of[k] = rows[name][k].recorded
				if later {
					of[k] = rows[name][k].later
				}
				total[k].add(of[k])
			}
			boundLine(&b, name, of)
		}
		boundLine(&b, "all", total)
	}
	return b.String() + alikeTable(rows) + blindTable(rows)
}

func boundLine(b *bytes.Buffer, name string, of [4]costs) {
	var all, drops costs
	for k := range of {
		if k < 2 {
			drops.add(of[k])
		}
		all.add(of[k])
	}
	if all.ours.dropped+all.perfect.dropped == 0 {
		return // also of those kinds that no session has
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", name,
		number(all.ours.given), share(all.unrepaired.refused, all.unrepaired.requests),
		number(drops.ours.dropped), number(drops.perfect.dropped),
		number(of[2].ours.dropped), number(of[2].perfect.dropped), number(of[3].ours.dropped),
		number(all.ours.unannounced), number(all.ours.forgotten))
}
