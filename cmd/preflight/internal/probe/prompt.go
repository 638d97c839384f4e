package probe

import (
	"context"
	"strings"
)

// This file looks for what the model does not get to see: what a server accepts and leaves out of
// the prompt, the model never reads.

// Prompt returns the prompt that a body becomes. refusal is the text of a template that refuses
// it, and err is for a template that cannot be used.
type Prompt func(body []byte) (prompt, refusal string, err error)

// word is a request of OpenAI's Chat format with a word that has to be in the prompt, and the rule
// that is enforced in silence where it is not. LAST is what its last message says.
type word struct{ rule, word, messages string }

var planted = []word{
	{"chat-template/system-unsupported", "zirconium", `[{"role":"system","content":"zirconium"},` +
		`{"role":"user","content":"LAST"}]`},
	{"chat-template/role-developer", "palladium", `[{"role":"developer","content":"palladium"},` +
		`{"role":"user","content":"LAST"}]`},
	{"chat-template/roles-supported", "tantalum", `[{"role":"user","content":"Look it up."},` +
		`{"role":"assistant","content":"","tool_calls":[{"id":"abcdefgh1","type":"function",` +
		`"function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"abcdefgh1",` +
		`"content":"tantalum"},{"role":"assistant","content":"Done."},` +
		`{"role":"user","content":"LAST"}]`},
	{"chat-template/system-first", "rhodium", `[{"role":"user","content":"Hello."},` +
		`{"role":"assistant","content":"Yes."},{"role":"system","content":"rhodium"},` +
		`{"role":"user","content":"LAST"}]`},
}

// body returns the request, in the base's format.
func (w word) body(r *run, last string) []byte {
	messages := strings.Replace(w.messages, "LAST", last, 1)
	if r.format.stream { // Ollama's
		messages = strings.NewReplacer(`"arguments":"{}"`, `"arguments":{}`,
			`"id":"abcdefgh1","type":"function",`, "",
			`"tool_call_id":"abcdefgh1"`, `"tool_name":"f"`).Replace(messages)
	}
	return r.format.plain(messages, "", r.options.Model)
}

// readsWords reports whether the words are in requests of the base's format.
func readsWords(format string) bool { return format == "openai-chat" || format == "ollama" }

// lost looks for what the model does not get to see.
func (r *run) lost(ctx context.Context) error {
	if !readsWords(formatOf(r.base)) {
		return nil
	}
	see := r.options.Prompt
	if see == nil {
		var err error
		if see, err = r.shown(ctx); err != nil {
			return err
		}
	}
	for _, w := range planted {
		if !r.wanted(w.rule) {
			continue
		}
		missing, err := false, error(nil)
		switch {
		case see != nil:
			var prompt, refusal string
			prompt, refusal, err = see(w.body(r, "Hello."))
			missing = refusal == "" && !strings.Contains(prompt, w.word)
		case r.options.Planted:
			missing, err = r.unheard(ctx, w)
		}
		if err != nil {
			return err
		}
		if missing {
			r.result.mishandles(w.rule)
		}
	}
	return nil
}

// wanted reports whether to ask about a rule: one of the plan, or, where the format has no such
// rules of its own, any.
func (p *Plan) wanted(id string) bool {
	for _, one := range p.all {
		if one.rule.ID == id {
			return true
		}
	}
	return p.format.stream && len(p.options.Rules) == 0
}

// mishandles records that what a rule forbids is accepted and left out of the prompt.
func (r *Result) mishandles(id string) {
	const why = "it is accepted, and left out of the prompt"
	for k := range r.Findings {
		if f := &r.Findings[k]; f.Rule == id {
			if f.Verdict != Refused {
				f.Verdict, f.Why = Mishandled, why
			}
			return
		}
	}
	r.Findings = append(r.Findings, Finding{Rule: id, Verdict: Mishandled, Why: why})
}

// The question for a word. It is asked in two forms, so that one odd answer decides nothing.
var questions = []string{
	"Which chemical element was named before this message? Answer with its name alone, or with NONE.",
	"One word: the name of the chemical element in what came before this message, or NONE.",
}

// unheard asks the model for a word. It is missing where no answer has it, and the model finds
// another one that a user says.
func (r *run) unheard(ctx context.Context, w word) (missing bool, err error) {
	for _, question := range questions {
		said, decided, err := r.asks(ctx, w.body(r, question))
		if err != nil || !decided || strings.Contains(said, w.word) {
			return false, err
		}
	}
	const control = "osmium"
	said, decided, err := r.asks(ctx, word{messages: `[{"role":"user","content":"` + control +
		`"},` + r.format.answer + `,{"role":"user","content":"LAST"}]`}.body(r, questions[0]))
	return err == nil && decided && strings.Contains(said, control), err
}

// longAnswer is the limit of output tokens for an answer that matters: models that reason use most
// of it for that.
const longAnswer = "1024"

// asks returns what the model says to a body.
func (r *run) asks(ctx context.Context, body []byte) (said string, decided bool, err error) {
	m, err := readMembers(body)
	if err != nil {
		return "", false, err
	}
	if r.format.within != "" {
		m.set(r.format.within, `{"`+r.format.limit+`":`+longAnswer+`}`)
	} else {
		m.set(r.format.limit, longAnswer)
	}
	got, err := r.asker.ask(ctx, m.bytes())
	return strings.ToLower(got.Said), got.accepted() && got.Said != "", err
}
