// Longsession is an agent that works through a hundred services: 400 messages, kept under a fixed
// number of tokens by package compact, and sent to strict fakes of Anthropic (with thinking that is
// bound to everything before it) and OpenAI Chat, which refuse what the providers would refuse.
// It prints how much of the requests a prompt cache could serve. Beside it, every request is also
// made the simple way, by cutting off all but the last messages, to see how often that is refused.
//
//	go run -C examples/longsession .
//
// It needs no network and no key.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/tokens"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

const (
	budget   = 4000 // tokens of messages in a request
	services = 100  // four messages each
	kept     = 15   // messages that stay as they are
)

// provider is a fake and the body that every request to it starts from.
type provider struct{ name, path, body string }

var providers = []provider{
	{"anthropic", "/v1/messages",
		`{"model":"claude-opus-5-5","max_tokens":1024,"thinking":{"type":"adaptive"},
"tools":[{"name":"status","input_schema":{"type":"object"}}],"system":"You are on call.",
"messages":[{"role":"user","content":"Hello."}]}`},
	{"openai-chat", "/v1/chat/completions",
		`{"model":"gpt-4.1","tools":[{"type":"function",
"function":{"name":"status","parameters":{"type":"object"}}}],
"messages":[{"role":"system","content":"You are on call."},{"role":"user","content":"Hello."}]}`},
}

func main() {
	if err := play(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "longsession:", err)
		os.Exit(1)
	}
}

func play(ctx context.Context, w io.Writer) error {
	for _, p := range providers {
		if err := p.run(ctx, w); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// agent is one session with one provider.
type agent struct {
	provider
	server  *preflighttest.Server // takes the compacted requests
	simple  *preflighttest.Server // takes the ones that were simply cut
	base    *wire.Request
	session *compact.Session
	all     []preflight.Message
	last    []byte // the body of the request before
	most    int    // tokens of the largest request
	cached  int    // bytes of requests that the request before began with
	sent    int    // bytes of all requests
}

func (p provider) run(ctx context.Context, w io.Writer) error {
	a := agent{provider: p}
	var err error
	if a.server, err = preflighttest.Start(p.name, nil); err != nil {
		return err
	}
	defer a.server.Close()
	if a.simple, err = preflighttest.Start(p.name, nil); err != nil {
		return err
	}
	defer a.simple.Close()
	if a.base, err = wire.Decode([]byte(p.body), nil); err != nil {
		return err
	}
	a.session, err = compact.NewSession(compact.SessionConfig{
		Strategy: compact.Flat{Keep: kept},
		Limits: compact.Limits{
			Budget:  budget,
			Profile: &a.base.Profile,
			Options: &preflight.Options{
				Orphans: preflight.OrphanText,
				Request: a.base.State,
			},
		},
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "━━ %s, at most %d tokens a request\n", p.name, budget)
	system := a.base.Messages[:len(a.base.Messages)-1] // empty where it is not a message
	if err := a.remember(ctx, system...); err != nil {
		return err
	}
	for n := range services {
		if err := a.check(ctx, n); err != nil {
			return fmt.Errorf("service %d: %w", n, err)
		}
		if (n+1)%25 == 0 {
			fmt.Fprintf(w,
				"   %3d messages, %5d tokens in all; the largest request: %4d, compacted %d times\n",
				a.session.Len(), total(a.all), a.most, a.session.Compactions())
		}
	}
	return a.ask(ctx, w)
}

// check is one service: a question, a tool call, its output, a conclusion. The fake plays the model
// from a script.
func (a *agent) check(ctx context.Context, n int) error {
	a.server.Script(preflighttest.Reply{
		Reasoning: "I have to look at it first.",
		Text:      "I will look.",
		Calls: []preflighttest.Call{
			{Name: "status", Arguments: fmt.Sprintf(`{"service":"svc-%d"}`, n)},
		},
	},
		preflighttest.Reply{
			Text: fmt.Sprintf("svc-%d is healthy again, ticket OPS-%d is closed.", n, 4000+n*7),
		})
	ask := preflight.UserText(fmt.Sprintf("Please check svc-%d.", n))
	if err := a.remember(ctx, ask); err != nil {
		return err
	}
	reply, err := a.send(ctx)
	if err != nil {
		return err
	}
	if err := a.remember(ctx, reply.Messages...); err != nil {
		return err
	}
	for _, call := range reply.Calls() {
		if err := a.remember(ctx, preflight.ResultOf(call, status(n), nil)); err != nil {
			return err
		}
	}
	if reply, err = a.send(ctx); err != nil {
		return err
	}
	return a.remember(ctx, reply.Messages...)
}

// status is what the tool says of a service.
func status(n int) string {
	var lines []string
	for k := range 12 {
		lines = append(lines, fmt.Sprintf("svc-%d replica %d: up, %d requests", n, k, 100*n+k))
	}
	return strings.Join(lines, "\n")
}

func (a *agent) remember(ctx context.Context, messages ...preflight.Message) error {
	a.all = append(a.all, messages...)
	return a.session.Append(ctx, messages...)
}

// send makes a request of what the session renders, and returns the answer. A refusal is an error.
func (a *agent) send(ctx context.Context) (*wire.Response, error) {
	rendered, err := a.session.Render(ctx)
	if err != nil {
		return nil, err
	}
	a.most = max(a.most, rendered.Tokens)
	if err := a.probe(ctx); err != nil {
		return nil, err
	}
	answer, err := a.post(ctx, a.server, rendered.Messages)
	if err != nil {
		return nil, err
	}
	a.measure()
	return wire.DecodeResponse(a.name, answer)
}

// measure compares the last two requests: a prompt cache serves what the second begins with.
func (a *agent) measure() {
	requests := a.server.Requests()
	body := requests[len(requests)-1].Body
	n := 0
	for n < len(body) && n < len(a.last) && body[n] == a.last[n] {
		n++
	}
	a.cached, a.sent, a.last = a.cached+n, a.sent+len(body), body
}

// probe sends the request as it would be if the history was simply cut. Whether it is refused is
// counted by the server.
func (a *agent) probe(ctx context.Context) error {
	first := 0
	if a.name == "openai-chat" {
		first = 1 // the system message is one of the messages
	}
	cut := a.all[first:]
	cut = cut[max(0, len(cut)-kept):]
	_, err := a.post(ctx, a.simple, append(a.all[:first:first], cut...))
	if err != nil && len(a.simple.Requests()) > 0 {
		return nil // refused, as one would expect now and then
	}
	return err
}

// post sends messages in the body that the session started from.
func (a *agent) post(
	ctx context.Context,
	server *preflighttest.Server,
	messages []preflight.Message,
) ([]byte, error) {
	body, err := a.base.Encode(messages)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+a.path,
		bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := server.Client().Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d: %s", res.StatusCode, answer)
	}
	return answer, nil
}

// ask wants to know something from the beginning, and reports whether the request holds the answer.
func (a *agent) ask(ctx context.Context, w io.Writer) error {
	question := "Under which ticket was svc-7 repaired?"
	if err := a.remember(ctx, preflight.UserText(question)); err != nil {
		return err
	}
	if _, err := a.send(ctx); err != nil {
		return err
	}
	fmt.Fprintf(w, "   asked: %s\n   the request holds the answer: %v\n", question,
		bytes.Contains(a.last, []byte("OPS-4049")))
	fmt.Fprintf(w, "   from the cache: %d %% of all bytes sent, compacted %d times\n",
		100*a.cached/a.sent, a.session.Compactions())
	fmt.Fprintf(w, "   requests: %d, refused: %d; simply cut: %d refused\n",
		len(a.server.Requests()), len(a.server.Refused()), len(a.simple.Refused()))
	return nil
}

func total(messages []preflight.Message) int {
	n := 0
	for _, m := range messages {
		n += tokens.Estimate(m)
	}
	return n
}
