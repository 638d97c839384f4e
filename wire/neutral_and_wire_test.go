package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// This file holds the neutral rules against those of the wire: what is right in memory is right as
// a request. neutral_and_wire_gen_test.go makes the histories.

// agreeModels are models with rules of their own, by provider.
var agreeModels = map[string][]string{
	"anthropic": {
		"claude-sonnet-4-5", "claude-opus-4-6", "claude-opus-4-8", "claude-opus-5-5",
	},
	"azure-responses": {"gpt-5.4", "grok-4"},
	"bedrock": {
		"anthropic.claude-sonnet-4-5-20250929-v1:0", "us.anthropic.claude-opus-4-6-v1",
		"amazon.nova-pro-v1:0", "us.amazon.nova-2-lite-v1:0", "meta.llama3-1-70b-instruct-v1:0",
		"us.deepseek.r1-v1:0",
	},
	"chat-template":    {"llama-3.1", "gpt-oss", "mistral"},
	"cohere":           {"command-a-03-2025"},
	"gemini":           {"gemini-3-pro-preview", "gemini-2.5-pro", "gemini-3.8-flash", "gemini-pro"},
	"mistral":          {"mistral-large-latest", "magistral-medium-latest"},
	"ollama":           {"qwen3"},
	"openai-chat":      {"gpt-5.4", "gpt-4o", "o1-mini"},
	"openai-responses": {"gpt-5.4", "gpt-4o"},
	"vertex-gemini":    {"gemini-3.8-flash", "gemini-2.5-pro"},
}

// agreeMembers are members of requests that change what the history may be, by provider.
var agreeMembers = map[string][]string{
	"anthropic": {
		`{}`, `{"thinking":{"type":"disabled"}}`, `{"thinking":{"type":"adaptive"}}`,
	},
	"openai-responses": {`{}`, `{"store":true}`, `{"store":false}`},
}

// agreeFakes are the providers that have a strict fake.
var agreeFakes = append(preflighttest.Providers(),
	"azure-responses", "deepseek-responses", "xai-responses")

// apart are the rules of the fakes that a history in memory cannot break, or that Check leaves to
// the provider, with the reason.
var apart = map[string]string{
	"anthropic/container-id-required": "the id of a container is a member of the request",
	"openai-chat/part-type": "a video, which other hosts take; a body does not tell which host " +
		"it is for",
}

// agreement is a provider, a model and the members of a request.
type agreement struct {
	provider, model string
	profile         *preflight.Profile
	members         string
	request         preflight.Request
}

// unknownModel is a model that nobody knows: a profile does less for it, a fake refuses more.
const unknownModel = "some-model"

// drawAgreement draws what a history is held to.
func drawAgreement(t *rapid.T, name string) agreement {
	a := agreement{provider: name, members: `{}`}
	a.model = rapid.SampledFrom(append([]string{"", unknownModel}, agreeModels[name]...)).
		Draw(t, "model")
	a.profile, _ = provider.ByName(name, a.model)
	if choices := agreeMembers[name]; choices != nil {
		a.members = rapid.SampledFrom(choices).Draw(t, "members")
	}
	empty, err := wire.Encode(name, a.model, nil, a.options(nil))
	if err != nil {
		t.Fatalf("%v", err)
	}
	r, err := wire.Decode(empty, a.wire())
	if err != nil {
		t.Fatalf("%v", err)
	}
	a.request = r.State
	return a
}

func (a agreement) wire() *wire.Options {
	return &wire.Options{Provider: a.provider, Model: a.model}
}

// declarable are the names that tools are declared by; every provider takes them.
var declarable = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`)

// options are those of a request with a history, whose tools are declared.
func (a agreement) options(history []preflight.Message) *wire.RequestOptions {
	o := &wire.RequestOptions{MaxTokens: 4096, Members: json.RawMessage(a.members)}
	names := []string{"f"}
	for _, m := range history {
		for _, p := range m.Parts {
			if c, ok := p.(*preflight.ToolCall); ok && c != nil && !c.ProviderExecuted &&
				declarable.MatchString(c.Name) && !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	for _, name := range names {
		o.Tools = append(o.Tools, wire.Tool{Name: name})
	}
	return o
}

// TestNeutralAndWireAgree: what Check accepts in memory, and what Sanitize returns, is written as a
// request in which nothing is wrong: wire.Check finds nothing, the strict fake accepts it, and
// wire.Sanitize returns the same bytes.
func TestNeutralAndWireAgree(t *testing.T) {
	for _, name := range wire.Providers() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				a := drawAgreement(t, name)
				h := a.drawHistory(t)
				options := &preflight.Options{Request: a.request}
				res, err := preflight.Sanitize(context.Background(), h, a.profile, options)
				if err != nil {
					return // nothing valid can be made of it
				}
				a.requireRight(t, res.Messages)
				if len(preflight.Check(h, a.profile, options)) == 0 {
					a.requireRight(t, h)
				}
			})
		})
	}
}

// requireRight holds the request with a history that is right in memory to the wire's rules.
func (a agreement) requireRight(t *rapid.T, history []preflight.Message) {
	body, err := wire.Encode(a.provider, a.model, history, a.options(history))
	if err != nil {
		a.requireNoForm(t, err, history)
		return
	}
	report, err := wire.Check(body, a.wire())
	if err != nil || len(report.Violations) > 0 {
		t.Fatalf("wire.Check: %v %+v\n%s\n%s", err, report, body, jsonOf(history))
	}
	result, err := wire.Sanitize(context.Background(), body, a.wire())
	if err != nil || !bytes.Equal(result.Body, body) {
		t.Fatalf("wire.Sanitize: %v %v\n%s\n%s", err, result.Warnings, body, jsonOf(history))
	}
	if a.model == "" || a.model == unknownModel || !slices.Contains(agreeFakes, a.provider) {
		return
	}
	found, err := (&preflighttest.Options{Model: a.model}).Violations(a.provider, body)
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, v := range found {
		if v.Rule == "openai-chat/part-type" && !strings.Contains(v.Message, "video_url") {
			t.Fatalf("%v at %s\n%s", v, v.Path, body)
		}
		if apart[v.Rule] == "" {
			t.Fatalf("the fake: %v at %s\n%s\n%s", v, v.Path, body, jsonOf(history))
		}
	}
}

// requireNoForm holds an error of Encode to its documentation: the format has no form for a part of
// the history. Of the histories here these are calls of MCP servers that are not named, and media
// in results that the provider made: these are never edited.
func (a agreement) requireNoForm(t *rapid.T, err error, history []preflight.Message) {
	var e *wire.Error
	ofServer := func(m preflight.Message) bool {
		return slices.ContainsFunc(m.Parts, func(p preflight.Part) bool {
			switch p := p.(type) {
			case *preflight.ToolCall:
				return p.ProviderExecuted && p.Variant == "mcp"
			case *preflight.ToolResult:
				return p.ProviderExecuted && slices.ContainsFunc(p.Content, isMedia)
			}
			return false
		})
	}
	if !errors.As(err, &e) || !slices.ContainsFunc(history, ofServer) {
		t.Fatalf("Encode: %v\n%s", err, jsonOf(history))
	}
}

func isMedia(p preflight.Part) bool {
	_, ok := p.(*preflight.Media)
	return ok
}

// TestPreparedIsRight: Prepare makes a request of any history in which nothing is wrong, also if
// parts of it have no form in the format. An error says that nothing valid can be made of it, or
// that a part which the provider made, and which is never edited, has none.
func TestPreparedIsRight(t *testing.T) {
	for _, name := range wire.Providers() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				a := drawAgreement(t, name)
				h := histgen.Any(a.profile, &preflight.Options{Request: a.request}).
					Draw(t, "history")
				prepared, err := wire.Prepare(context.Background(), name, a.model, h, a.options(h))
				if err != nil {
					if !errors.Is(err, preflight.ErrUnfixable) &&
						!errors.Is(err, preflight.ErrEmptyHistory) {
						a.requireNoForm(t, err, h)
					}
					return
				}
				report, err := wire.Check(prepared.Body, a.wire())
				if err != nil || len(report.Violations) > 0 {
					t.Fatalf("wire.Check: %v %+v\n%s\n%s", err, report, prepared.Body, jsonOf(h))
				}
			})
		})
	}
}

func jsonOf(history []preflight.Message) []byte {
	out, err := json.Marshal(history)
	if err != nil {
		return []byte(err.Error())
	}
	return out
}
