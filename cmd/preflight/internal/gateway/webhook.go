package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

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

// servePortkey answers a call, and accounts for it as for a request that is passed on.
func (g *Gateway) servePortkey(w http.ResponseWriter, r *http.Request) {
	now := g.state.Load()
	f := &flight{
		route: portkeyPath, start: time.Now(), method: r.Method, ended: true,
		client: nameOf(r.Header.Get(now.config.ClientHeader)), config: now.digest,
	}
	g.stats.begin(f)
	defer g.landedOn(r, f, func() {})
	refuse := func(status int, text string) {
		f.refused, f.status = true, status
		writeText(w, status, "preflight serve: "+text+"\n")
	}
	switch {
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		refuse(http.StatusMethodNotAllowed, "a webhook is called by POST")
		return
	case r.ContentLength < 0 || r.ContentLength > now.config.MaxBody:
		refuse(http.StatusRequestEntityTooLarge, "the body has no length, or is too large")
		return
	}
	in := pace(w, r)
	in.hold()
	body, room, err := readHeld(in, now.budget)
	defer func() { now.budget.Give(room) }()
	switch {
	case errors.Is(err, preflighthttp.ErrBusy):
		f.report = &preflighthttp.Report{Skipped: preflighthttp.Busy}
		w.Header().Set("Retry-After", "1")
		w.Header().Set("Connection", "close") // the body was not read
		refuse(http.StatusServiceUnavailable, "too many bodies are held")
		return
	case in.wasLate():
		f.result, f.status = resultLate, http.StatusRequestTimeout
		writeLate(w)
		return
	case err != nil:
		f.result, f.status = resultLeft, statusGone
		return
	}
	var call portkeyCall
	if err := json.Unmarshal(body, &call); err != nil {
		refuse(http.StatusBadRequest, "this is not a call of a webhook")
		return
	}
	answer := g.judgePortkey(context.WithValue(r.Context(), flightKey{}, f), now, &call)
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(answer) // plain data
	f.refused, f.status, f.received = false, http.StatusOK, int64(text.Len())
	f.first = time.Since(f.start)
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text.Bytes()) // a client that is gone needs no answer
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
	sent, report, err := decision.Body(ctx, call.Request.JSON)
	g.reported(ctx, report)
	answer := &portkeyAnswer{Verdict: err == nil} // it is an error only where Untrusted is set
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
