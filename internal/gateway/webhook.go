package gateway

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
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
	if r.ContentLength < 0 || r.ContentLength > g.config.MaxBody {
		writeText(w, http.StatusRequestEntityTooLarge,
			"preflight serve: the body has no length, or is too large\n")
		return
	}
	if !g.budget.Take(r.ContentLength) {
		w.Header().Set("Retry-After", "1")
		writeText(w, http.StatusServiceUnavailable, "preflight serve: too many bodies are held\n")
		return
	}
	defer g.budget.Give(r.ContentLength)
	in := pace(w, r)
	in.hold()
	body, err := io.ReadAll(in)
	if err != nil {
		if in.wasLate() {
			writeLate(w)
		}
		return // or the client is gone
	}
	var call portkeyCall
	if err := json.Unmarshal(body, &call); err != nil {
		writeText(w, http.StatusBadRequest, "preflight serve: this is not a call of a webhook\n")
		return
	}
	f := &flight{route: portkeyPath}
	answer := g.judgePortkey(context.WithValue(r.Context(), flightKey{}, f), &call)
	w.Header().Set("Content-Type", "application/json")
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(answer) // a client that is gone needs no answer
}

// judgePortkey repairs the body of a call. What is not a request to an LLM passes.
func (g *Gateway) judgePortkey(ctx context.Context, call *portkeyCall) *portkeyAnswer {
	target, ok := portkeyRequests[call.RequestType]
	if !ok || call.EventType != "beforeRequestHook" || len(call.Request.JSON) == 0 {
		return &portkeyAnswer{Verdict: true}
	}
	u, err := url.Parse(target)
	if err != nil {
		return &portkeyAnswer{Verdict: true}
	}
	decision := g.webhook.Judge(http.MethodPost, u, nil)
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
