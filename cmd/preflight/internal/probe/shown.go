package probe

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// This file asks servers for the prompts that they make, in the ways that some of them have.

// mostShown is how many requests it takes to find out whether a server shows its prompts, and
// eachShown how many each prompt takes then.
const (
	mostShown = 4
	eachShown = 2
)

// shown finds out whether the server shows its prompts; nil where it does not.
func (r *run) shown(ctx context.Context) (Prompt, error) {
	const token = "iridium"
	hello := r.format.plain(`[{"role":"user","content":"`+token+`"}]`, "", r.options.Model)
	for _, way := range []func(context.Context, []byte) (string, error){
		r.asker.applied, r.asker.tokenized, r.asker.rendered,
	} {
		prompt, err := way(ctx, hello)
		if err != nil {
			return nil, err
		}
		if !strings.Contains(prompt, token) {
			continue
		}
		return func(body []byte) (prompt, refusal string, err error) {
			if prompt, err = way(ctx, body); prompt == "" {
				refusal = "no prompt"
			}
			return prompt, refusal, err
		}, nil
	}
	return nil, nil
}

// chatPath is the path at which the servers with paths of their own serve OpenAI's Chat format.
const chatPath = "/v1/chat/completions"

// applied asks as llama.cpp answers: /apply-template has the prompt of a request.
func (a *asker) applied(ctx context.Context, body []byte) (string, error) {
	var shown struct {
		Prompt string `json:"prompt"`
	}
	err := a.show(ctx, "/apply-template", body, &shown)
	return shown.Prompt, err
}

// tokenized asks as vLLM answers: /tokenize has the tokens of a request, and /detokenize their
// text.
func (a *asker) tokenized(ctx context.Context, body []byte) (string, error) {
	m, err := readMembers(body)
	if err != nil {
		return "", nil
	}
	var request members
	for _, name := range []string{"model", "messages", "tools", "chat_template_kwargs"} {
		if value := m.get(name); value != nil {
			request.set(name, string(value))
		}
	}
	request.set("add_generation_prompt", "true")
	var tokens struct {
		Tokens json.RawMessage `json:"tokens"`
	}
	err = a.show(ctx, "/tokenize", request.bytes(), &tokens)
	if err != nil || len(tokens.Tokens) == 0 {
		return "", err
	}
	request = nil
	request.set("model", string(m.get("model")))
	request.set("tokens", string(tokens.Tokens))
	var text struct {
		Prompt string `json:"prompt"`
	}
	err = a.show(ctx, "/detokenize", request.bytes(), &text)
	return text.Prompt, err
}

// rendered asks as Ollama answers: it renders a request, and calls no model.
func (a *asker) rendered(ctx context.Context, body []byte) (string, error) {
	m, err := readMembers(body)
	if err != nil {
		return "", nil
	}
	m.set("_debug_render_only", "true")
	var shown struct {
		Info struct {
			Prompt string `json:"rendered_template"`
		} `json:"_debug_info"`
	}
	err = a.show(ctx, "", m.bytes(), &shown)
	return shown.Info.Prompt, err
}

// show asks at a path of the server, "" for that of requests, and reads a successful answer. The
// error ends the probe.
func (a *asker) show(ctx context.Context, path string, body []byte, answer any) error {
	u, err := url.Parse(a.options.URL)
	if err != nil || path != "" && !strings.HasSuffix(u.Path, chatPath) {
		return nil
	}
	if path != "" {
		u.Path = strings.TrimSuffix(u.Path, chatPath) + path
	}
	if err := a.pause(ctx); err != nil {
		return err
	}
	resp, data, err := a.post(ctx, u.String(), body)
	if err != nil {
		return ctx.Err() // a server that does not answer shows nothing
	}
	if resp.StatusCode == http.StatusOK {
		_ = json.Unmarshal(data, answer)
	}
	return nil
}
