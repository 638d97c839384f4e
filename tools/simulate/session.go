package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"sync/atomic"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// This file is one session of an agent: what its user, its tools, its disk and its window do to the
// conversation, request by request, and what is measured on the way.

// session is a conversation under way.
type session struct {
	rng     *rand.Rand
	lab     *lab
	guarded bool // every request is sanitized by preflight
	speaker *speaker
	model   string
	variant int

	stored []json.RawMessage // the agent's store
	sent   []json.RawMessage // the messages of the request before
	edited bool              // the agent itself changed what it had sent, or a result came late
	// the number of the call that a result answers, where it is not the result's own
	calls map[string]string
	late  []done // results that are still to come
	next  int    // the number of the last text or call
	// the numbers of the calls in the model's last answer; their results have the same
	planned []int
	// preflight did not have to switch thinking off for the request before
	thinks bool
	figures
}

// figures are what a session, or many of them, add up to.
type figures struct {
	sessions, requests, refused, resent, stuck int
	textLost, resultsLost, prefixBreaks        int
	resultsRemoved                             int      // with a warning
	examples                                   []string // of what went wrong
}

func (f *figures) add(g figures) {
	f.sessions += g.sessions
	f.requests += g.requests
	f.refused += g.refused
	f.resent += g.resent
	f.stuck += g.stuck
	f.textLost += g.textLost
	f.resultsLost += g.resultsLost
	f.resultsRemoved += g.resultsRemoved
	f.prefixBreaks += g.prefixBreaks
	f.examples = append(f.examples, g.examples...)
	f.examples = f.examples[:min(len(f.examples), 3)]
}

// lab is what sessions of one worker share: a fake of each provider.
type lab struct {
	servers map[string]*preflighttest.Server
	client  *http.Client
	guarded *http.Client // the same, with preflight in its transport
	// requests that were refused, repaired harder, and sent again
	resent atomic.Int64
	reply  atomic.Pointer[preflighttest.Reply] // what the next accepted request is answered with
}

// play runs a session to its end. It is stuck when its last request was refused.
func (s *session) play() error {
	stuck := false
	for range 3 + s.rng.IntN(6) {
		s.say()
		s.mishap()
		accepted, err := s.turn()
		if err != nil {
			return err
		}
		stuck = !accepted
	}
	s.sessions = 1
	if stuck {
		s.stuck = 1
	}
	return nil
}

// say lets the user type something, sometimes twice.
func (s *session) say() {
	text := fmt.Sprintf("Please look at this. T%d;", s.number())
	s.store(s.speaker.user(text))
	if s.chance(12) {
		s.store(s.speaker.user(text))
	}
	if len(s.late) > 0 && s.chance(2) {
		for _, m := range s.speaker.results(s.late) {
			s.store(m)
		}
		s.late, s.edited = nil, true
	}
}

// turn lets the model answer, and runs its tools, until it is done or the user aborts. It reports
// whether the last request was accepted.
func (s *session) turn() (bool, error) {
	for range 4 {
		answer, accepted, err := s.request()
		if err != nil || !accepted {
			return false, err
		}
		messages, calls, err := s.speaker.answer(answer)
		if err != nil {
			return false, err
		}
		s.stored = append(s.stored, messages...)
		s.breakAnswer(len(messages))
		if len(calls) == 0 {
			return true, nil
		}
		if aborted := s.runTools(calls); aborted {
			return true, nil
		}
		s.mishap()
	}
	return true, nil
}

// runTools runs all calls, or some of them before the user aborts.
func (s *session) runTools(calls []call) (aborted bool) {
	run := len(calls)
	if s.chance(4) {
		run, aborted = s.rng.IntN(len(calls)+1), true
	}
	var all []done
	for k, c := range calls {
		all = append(all,
			done{call: c, output: fmt.Sprintf("found R%d;", s.planned[k]), failed: s.chance(6)})
	}
	if aborted && s.chance(3) {
		s.late = append(s.late, all[run:]...)
	}
	if s.chance(8) && run == 2 {
		all[0], all[1] = all[1], all[0]
	}
	if run > 0 {
		for _, m := range s.speaker.results(all[:run]) {
			s.store(m)
			if s.chance(15) { // a retry was recorded twice
				s.store(m)
			}
		}
	}
	return aborted
}

// mishap does to the store what windows, crashes and other providers do.
func (s *session) mishap() {
	n := len(s.stored)
	switch s.rng.IntN(24) {
	case 0: // the window is trimmed, wherever that cuts
		s.stored, s.edited = s.stored[s.rng.IntN(n):], true
	case 1: // a crash between two writes, and a resume from disk
		s.stored, s.edited = reload(s.stored[:max(1, n-1)]), true
	case 2: // a resume without a loss: keys in another order
		s.stored, s.edited = reload(s.stored), true
	case 3: // two writers raced
		if n > 1 && s.speaker != gemini { // without ids the order is all there is
			i := s.rng.IntN(n - 1)
			s.stored, s.edited = slices.Clone(s.stored), true
			s.stored[i], s.stored[i+1] = s.stored[i+1], s.stored[i]
		}
	case 4: // a turn was stored before anything was in it
		s.store(s.emptyAnswer())
	case 5:
		s.switchProvider()
	}
}

func (s *session) emptyAnswer() any {
	switch s.speaker.provider {
	case "gemini":
		return fields{"role": "model", "parts": []any{}}
	case "openai-responses":
		return fields{"type": "message", "role": "assistant", "content": []any{}}
	case "openai-chat", "mistral":
		return fields{"role": "assistant", "content": ""}
	}
	return fields{"role": "assistant", "content": []any{}}
}

// reload is what a store gives back that reads messages into maps and writes them again.
func reload(messages []json.RawMessage) []json.RawMessage {
	out := make([]json.RawMessage, len(messages))
	for i, m := range messages {
		var v any
		d := json.NewDecoder(bytes.NewReader(m))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			panic(err)
		}
		out[i] = raw(v)
	}
	return out
}

// breakAnswer cuts the answer that was just stored, as when the stream died and what had arrived
// was kept.
func (s *session) breakAnswer(messages int) {
	if !s.chance(12) || messages == 0 {
		return
	}
	last := &s.stored[len(s.stored)-1]
	var v any
	if json.Unmarshal(*last, &v) == nil {
		*last, s.edited = raw(cut(v)), true
	}
}

// cut shortens arguments and drops signatures, everywhere.
func cut(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = cut(v[i])
		}
	case map[string]any:
		for key, x := range v {
			text, isText := x.(string)
			switch {
			case key == "arguments" && isText:
				v[key] = text[:len(text)/2]
			case key == "signature" && isText:
				delete(v, key)
			default:
				v[key] = cut(x)
			}
		}
	}
	return v
}

// switchProvider continues with another provider. Without preflight there is no way to.
func (s *session) switchProvider() {
	var others []*speaker
	for _, o := range speakers {
		if s.lab.servers[o.provider] != nil && o != s.speaker {
			others = append(others, o)
		}
	}
	if !s.guarded || len(others) == 0 {
		return
	}
	to := others[s.rng.IntN(len(others))]
	model := to.models[s.rng.IntN(len(to.models))]
	before := s.speaker.body(s.model, s.variant, s.stored)
	result, err := wire.Convert(context.Background(), before,
		s.speaker.provider, &wire.Options{Provider: to.provider, Model: model})
	if err != nil {
		s.fail("convert from %s to %s: %v\n%s", s.speaker.provider, to.provider, err, before)
		return
	}
	messages, err := to.messages(result.Body)
	if err != nil {
		s.fail("convert from %s to %s: %v", s.speaker.provider, to.provider, err)
		return
	}
	s.measure(s.stored, result.Body, before, removedResults(result.Warnings))
	if s.speaker == gemini {
		s.calls = answered(result.Body, to.provider)
	}
	s.speaker, s.model, s.stored, s.edited, s.late = to, model, messages, true, nil
}

// request sends the conversation and returns the answer.
func (s *session) request() (answer []byte, accepted bool, err error) {
	body := s.speaker.body(s.model, s.variant, s.stored)
	if s.guarded {
		result, err := wire.Sanitize(context.Background(), body,
			&wire.Options{Provider: s.speaker.provider, Model: s.model})
		if err != nil {
			return nil, false, fmt.Errorf("%s: %w\n%s", s.speaker.provider, err, body)
		}
		s.measure(s.stored, result.Body, body, removedResults(result.Warnings))
		thinks := !slices.ContainsFunc(result.Warnings,
			func(w wire.Warning) bool { return w.Code == codes.ThinkingDisabled })
		s.edited = s.edited || thinks != s.thinks // another mode of thinking is a reason
		s.thinks = thinks
		s.comparePrefix(result.Body, body)
	}
	s.requests++
	server := s.lab.servers[s.speaker.provider]
	reply := s.reply()
	s.lab.reply.Store(&reply)
	client, resent := s.lab.client, s.lab.resent.Load()
	if s.guarded {
		client = s.lab.guarded
	}
	response, err := client.Post(server.URL+s.speaker.path(s.model), "application/json",
		bytes.NewReader(body))
	if err != nil {
		return nil, false, err
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(response.Body)
	if err != nil {
		return nil, false, err
	}
	if s.lab.resent.Load() > resent {
		s.resent++
	}
	if response.StatusCode == http.StatusOK {
		return answer, true, nil
	}
	s.refused++
	s.examples = append(s.examples,
		fmt.Sprintf("%s %s refused: %s\nstored: %s\nsent: %s", s.speaker.provider, s.model, answer,
			body, lastOf(server)))
	return answer, false, nil
}

// reply is what the model is going to say.
func (s *session) reply() preflighttest.Reply {
	r := preflighttest.Reply{}
	if s.speaker.reasons(s.model, s.variant) && s.chance(2) {
		r.Reasoning = "Let me think."
	}
	calls := max(0, s.rng.IntN(6)-2)
	if calls == 0 || s.chance(3) {
		r.Text = fmt.Sprintf("I see. T%d;", s.number())
	}
	s.planned = s.planned[:0]
	for range calls {
		s.planned = append(s.planned, s.number())
		r.Calls = append(r.Calls,
			preflighttest.Call{Name: toolName, Arguments: fmt.Sprintf(`{"what":"C%d;"}`, s.next)})
	}
	return r
}

var (
	textMark   = regexp.MustCompile(`T(\d+);`)
	callMark   = regexp.MustCompile(`C(\d+);`)
	resultMark = regexp.MustCompile(`R(\d+);`)
)

// removedResults counts the warnings of removed results: their ids, names or places say that they
// belong to no call, or their call has another result.
func removedResults(warnings []wire.Warning) int {
	n := 0
	for _, w := range warnings {
		if w.Code == codes.OrphanRemoved || w.Code == codes.ResultRemoved {
			n++
		}
	}
	return n
}

// measure counts what is in the store and not in the body: texts, and results whose calls are
// before them. As many results as were removed with a warning are counted on their own. Where only
// names tell calls apart, a result whose call is gone may have taken the place of another, and so
// may the copy of a result that was recorded twice: no more results may be lost than such ones were
// kept.
func (s *session) measure(store []json.RawMessage, body, before []byte, removed int) {
	called := map[string]bool{}
	var lost [][]byte
	strays := 0
	copies := map[string]int{} // of each result in the body, beside the first
	for _, m := range store {
		for _, t := range textMark.FindAll(m, -1) {
			if !bytes.Contains(body, t) {
				s.textLost++
				s.examples = append(s.examples,
					fmt.Sprintf("%s: text %s lost\n%s\n%s", s.speaker.provider, t, before, body))
			}
		}
		for _, r := range resultMark.FindAllSubmatch(m, -1) {
			call := cmp.Or(s.calls[string(r[1])], string(r[1]))
			switch kept := bytes.Contains(body, r[0]); {
			case called[call] && !kept:
				lost = append(lost, r[0])
			case !called[call] && kept && s.speaker == gemini:
				strays++
			case kept && s.speaker == gemini:
				copies[string(r[0])] = bytes.Count(body, r[0]) - 1
			}
		}
		for _, c := range callMark.FindAllSubmatch(m, -1) {
			called[string(c[1])] = true
		}
	}
	for _, n := range copies {
		strays += n
	}
	lost = lost[min(strays, len(lost)):]
	removed = min(removed, len(lost))
	s.resultsRemoved += removed
	for _, r := range lost[removed:] {
		s.resultsLost++
		s.examples = append(s.examples,
			fmt.Sprintf("%s: result %s lost\n%s\n%s", s.speaker.provider, r, before, body))
	}
}

// answered tells the number of the call that each result of a body answers by its id, where it is
// not the result's own. Calls that names alone had told apart get ids when the provider is
// switched; from then on these say what belongs together.
func answered(body []byte, provider string) map[string]string {
	request, err := wire.Decode(body, &wire.Options{Provider: provider})
	if err != nil {
		return nil
	}
	calls, out := map[string]string{}, map[string]string{} // by id, by result
	for _, m := range request.Messages {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case *preflight.ToolCall:
				calls[p.ID] = first(callMark, string(p.Input))
			case *preflight.ToolResult:
				said := string(p.Output)
				for _, c := range p.Content {
					if t, ok := c.(*preflight.Text); ok {
						said += t.Text
					}
				}
				if result := first(resultMark, said); result != calls[p.CallID] {
					out[result] = calls[p.CallID]
				}
			}
		}
	}
	return out
}

// first is what the first match of a mark in a text has in parentheses.
func first(mark *regexp.Regexp, text string) string {
	if found := mark.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// comparePrefix counts a break when what was sent before the open turn is sent otherwise now, and
// the agent did not change it. The open turn is all that follows what the user said last: a tool
// loop is one turn.
func (s *session) comparePrefix(body, before []byte) {
	messages, err := s.speaker.messages(body)
	if err != nil {
		s.fail("the body cannot be read: %v", err)
		return
	}
	if !s.edited {
		settled := len(s.sent)
		for settled > 0 &&
			(s.speaker.replies(s.sent[settled-1]) || !textMark.Match(s.sent[settled-1])) {
			settled--
		}
		for settled > 0 && !s.speaker.replies(s.sent[settled-1]) {
			settled-- // what is right before it may still become one message with it
		}
		for i := range settled {
			if i >= len(messages) || !bytes.Equal(messages[i], s.sent[i]) {
				s.prefixBreaks++
				s.examples = append(s.examples,
					fmt.Sprintf("%s %s: message %d was sent as %s\n%s\n%s", s.speaker.provider,
						s.model, i, s.sent[i], before, body))
				break
			}
		}
	}
	s.sent, s.edited = messages, false
}

func lastOf(server *preflighttest.Server) []byte {
	all := server.Requests()
	return all[len(all)-1].Body
}

func (s *session) fail(format string, args ...any) {
	s.refused++
	s.examples = append(s.examples, fmt.Sprintf(format, args...))
}

func (s *session) store(message any) { s.stored = append(slices.Clip(s.stored), raw(message)) }

func (s *session) number() int { s.next++; return s.next }

// chance is true once in n times.
func (s *session) chance(n int) bool { return s.rng.IntN(n) == 0 }
