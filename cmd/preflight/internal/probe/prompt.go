package probe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// This file looks at the prompt that a body becomes, where that can be seen: what a server accepts
// and leaves out of it, the model never reads.

// Prompt returns the prompt that a body becomes. refusal is the text of a template that refuses
// it, and err is for a template that cannot be used.
type Prompt func(body []byte) (prompt, refusal string, err error)

// planted are requests of OpenAI's Chat format with a word that has to be in the prompt, and the
// rule that is enforced in silence where it is not.
var planted = []struct{ rule, word, messages string }{
	{"chat-template/system-unsupported", "zirconium", `[{"role":"system","content":"zirconium"},` +
		`{"role":"user","content":"Hello."}]`},
	{"chat-template/role-developer", "palladium", `[{"role":"developer","content":"palladium"},` +
		`{"role":"user","content":"Hello."}]`},
	{"chat-template/roles-supported", "tantalum", `[{"role":"user","content":"Look it up."},` +
		`{"role":"assistant","content":"","tool_calls":[{"id":"abcdefgh1","type":"function",` +
		`"function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"abcdefgh1",` +
		`"content":"tantalum"},{"role":"assistant","content":"Done."},` +
		`{"role":"user","content":"Thanks."}]`},
	{"chat-template/system-first", "rhodium", `[{"role":"user","content":"Hello."},` +
		`{"role":"assistant","content":"Yes."},{"role":"system","content":"rhodium"},` +
		`{"role":"user","content":"Go on."}]`},
}

// lost looks for what the model does not get to see.
func (r *run) lost(ctx context.Context) error {
	see := r.options.Prompt
	if formatOf(r.base) != "openai-chat" {
		return nil
	}
	if see == nil {
		see = r.asker.applied(ctx)
	}
	if see == nil {
		return nil
	}
	for _, p := range planted {
		if !r.asked(p.rule) {
			continue
		}
		body := r.format.plain(p.messages, "", r.options.Model, r.format.limit)
		prompt, refusal, err := see(body)
		if err != nil {
			return err
		}
		if refusal == "" && !strings.Contains(prompt, p.word) {
			r.result.mishandles(p.rule)
		}
	}
	return nil
}

// asked reports whether a rule is one of the plan.
func (p *Plan) asked(id string) bool {
	for _, one := range p.all {
		if one.rule.ID == id {
			return true
		}
	}
	return false
}

// mishandles records that what a rule forbids is accepted and left out of the prompt.
func (r *Result) mishandles(id string) {
	for k := range r.Findings {
		if f := &r.Findings[k]; f.Rule == id && f.Verdict != Refused {
			f.Verdict, f.Why = Mishandled, "it is accepted, and left out of the prompt"
		}
	}
}

// applied asks the server for prompts, as llama.cpp shows them; nil where it does not.
func (a *asker) applied(ctx context.Context) Prompt {
	u, err := url.Parse(a.options.URL)
	if err != nil || !strings.HasSuffix(u.Path, "/v1/chat/completions") {
		return nil
	}
	u.Path = strings.TrimSuffix(u.Path, "/v1/chat/completions") + "/apply-template"
	see := func(body []byte) (prompt, refusal string, err error) {
		if err := a.pause(ctx); err != nil {
			return "", "", err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(),
			bytes.NewReader(body))
		if err != nil {
			return "", "", err
		}
		if a.options.Header != nil {
			req.Header = a.options.Header.Clone()
		}
		req.Header.Set("Content-Type", "application/json")
		a.sent++
		resp, err := a.options.client().Do(req)
		if err != nil {
			return "", "", errors.New(plainError(err))
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswer))
		var shown struct {
			Prompt string `json:"prompt"`
		}
		if err != nil || resp.StatusCode != http.StatusOK || json.Unmarshal(data, &shown) != nil ||
			shown.Prompt == "" {
			return "", "no prompt", nil
		}
		return shown.Prompt, "", nil
	}
	hello := []byte(`{"messages":[{"role":"user","content":"iridium"}]}`)
	prompt, refusal, err := see(hello)
	if err != nil || refusal != "" || !strings.Contains(prompt, "iridium") {
		return nil
	}
	return see
}
