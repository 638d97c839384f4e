package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/go-preflight/preflight/preflighthttp"
)

// This file answers gateways that call a webhook with a request and take a transformed one back:
// Portkey's guardrail default.webhook. Its form was read from the package @portkey-ai/gateway
// 1.15.2: github.com/Portkey-AI/gateway, plugins/default/webhook.ts.

const portkeyPath = "/hooks/portkey"

// portkeyRequests are the paths of the formats that the bodies of a type of request have. Chat
// bodies are in OpenAI's format whatever the provider: Portkey converts them after the webhook. It
// calls no webhook for requests of OpenAI's Responses API.
var portkeyRequests = map[string]string{
	"chatComplete": "https://api.openai.com/v1/chat/completions",
	"messages":     "https://api.anthropic.com/v1/messages",
}

// portkeyCall is what Portkey sends, as far as it is used.
type portkeyCall struct {
	Request struct {
		JSON json.RawMessage `json:"json"`
	} `json:"request"`
	RequestType string `json:"requestType"`
	EventType   string `json:"eventType"`
}

// portkeyAnswer is what Portkey takes.
type portkeyAnswer struct {
	Verdict     bool            `json:"verdict"`
	Data        any             `json:"data,omitempty"`
	Transformed *portkeyChanged `json:"transformedData,omitempty"`
}

type portkeyChanged struct {
	Request struct {
		JSON json.RawMessage `json:"json"`
	} `json:"request"`
}

func (g *Gateway) servePortkey(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		writeText(w, http.StatusMethodNotAllowed, "preflight serve: a webhook is called by POST\n")
		return
	}
	now := g.state.Load()
	if r.ContentLength < 0 || r.ContentLength > now.config.MaxBody {
		writeText(w, http.StatusRequestEntityTooLarge,
			"preflight serve: the body has no length, or is too large\n")
		return
	}
	in := pace(w, r)
	in.hold()
	body, room, err := readHeld(in, now.budget)
	defer func() { now.budget.Give(room) }()
	switch {
	case errors.Is(err, preflighthttp.ErrBusy):
		w.Header().Set("Retry-After", "1")
		w.Header().Set("Connection", "close") // the body was not read
		writeText(w, http.StatusServiceUnavailable, "preflight serve: too many bodies are held\n")
		return
	case in.wasLate():
		writeLate(w)
		return
	case err != nil:
		return // the client is gone
	}
	var call portkeyCall
	if err := json.Unmarshal(body, &call); err != nil {
		writeText(w, http.StatusBadRequest, "preflight serve: this is not a call of a webhook\n")
		return
	}
	f := &flight{route: portkeyPath}
	answer := g.judgePortkey(context.WithValue(r.Context(), flightKey{}, f), now, &call)
	w.Header().Set("Content-Type", "application/json")
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(answer) // a client that is gone needs no answer
}

// readHeld reads a body, and takes room for what came of it, which is to be given back.
func readHeld(in io.Reader, budget *preflighthttp.Budget) (body []byte, room int64, err error) {
	const first = 64 << 10
	for {
		if len(body) == cap(body) {
			more := int64(max(cap(body), first))
			if !budget.Take(more) {
				return nil, room, preflighthttp.ErrBusy
			}
			room += more
			body = append(make([]byte, 0, room), body...)
		}
		n, err := in.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case err == io.EOF:
			return body, room, nil
		case err != nil:
			return nil, room, err
		}
	}
}

// judgePortkey repairs the body of a call. What is not a request to an LLM passes.
func (g *Gateway) judgePortkey(
	ctx context.Context, now *state, call *portkeyCall,
) *portkeyAnswer {
	target, ok := portkeyRequests[call.RequestType]
	if !ok || call.EventType != "beforeRequestHook" || len(call.Request.JSON) == 0 {
		return &portkeyAnswer{Verdict: true}
	}
	u, err := url.Parse(target)
	if err != nil {
		return &portkeyAnswer{Verdict: true}
	}
	decision := now.webhook.Judge(http.MethodPost, u, nil)
	sent, report, _ := decision.Body(ctx, call.Request.JSON) // without hooks it has no error
	g.reported(ctx, report)
	answer := &portkeyAnswer{Verdict: true}
	if report.Err != nil {
		answer.Data = map[string]any{"explanation": report.Err.Error()}
	}
	if report.Changed {
		answer.Data = map[string]any{"changes": len(report.Warnings)}
		answer.Transformed = new(portkeyChanged)
		answer.Transformed.Request.JSON = sent
	}
	return answer
}
