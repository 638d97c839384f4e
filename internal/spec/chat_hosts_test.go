package spec

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// nearChat are the providers of the Chat format and its kin, but for OpenAI.
var nearChat = []string{
	"mistral", "cohere", "ollama",
	"azure", "openrouter", "deepseek", "moonshot", "qwen", "minimax", "glm", "xai", "groq",
	"openai-compatible", "chat-template",
}

// chatProfiles are their profiles, and what the model table makes of them.
func chatProfiles(t *testing.T) map[string]preflight.Profile {
	out := map[string]preflight.Profile{}
	for _, name := range nearChat {
		p, ok := provider.ByName(name, "")
		require.True(t, ok && p.Provider == name, name)
		out[name] = *p
	}
	for _, m := range provider.Models() {
		if p, ok := out[m.Provider]; ok && p.Model == "" {
			narrowed, _ := provider.ByName(m.Provider, m.Pattern)
			out[m.Provider+" "+m.Pattern] = *narrowed
		}
	}
	return out
}

// TestEachHostRuleAlone: each of a host's own rules is seen where it is the only one.
func TestEachHostRuleAlone(t *testing.T) {
	q, called, answered := userMsg(says("q")), botMsg(calls("a")), toolMsg(answers("a", "x"))
	for name, c := range map[string]struct {
		profile preflight.Profile
		in      []preflight.Message
		want    problems.Problem
		at      string
	}{
		"an empty answer": {
			preflight.Profile{Content: provider.ContentRules{
				NeedsText: []preflight.Role{preflight.RoleAssistant}}},
			history(q, botMsg(says(""))), problems.EmptyMessage, "messages[1]",
		},
		"a turn after results": {
			preflight.Profile{Turns: provider.TurnRules{BridgeResults: true}},
			history(q, called, answered, q), problems.Bridge, "messages[3]",
		},
		"two calls at once": {
			preflight.Profile{Pairing: provider.PairingRules{OneCallPerMessage: true}},
			history(q, botMsg(calls("a"), calls("b")),
				toolMsg(answers("a", "x"), answers("b", "y"))), problems.ParallelCalls, "messages[1]",
		},
		"a call that nothing was thought before": {
			preflight.Profile{Reasoning: provider.ReasoningRules{Replay: provider.ReplayOnCalls}},
			history(q, called, answered), problems.ReasoningAbsent, "messages[1]",
		},
		"a call for a model without tools": {
			preflight.Profile{Tools: provider.ToolRules{NoTools: true}},
			history(q, called), problems.ToolsRefused, "messages[1].parts[0]",
		},
		"a control character": {
			preflight.Profile{Content: provider.ContentRules{RefuseControls: true}},
			history(userMsg(says("q\x01"))), problems.Control, "messages[0].parts[0]",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var at []string
			for _, v := range preflight.Check(c.in, &c.profile, nil) {
				if v.Problem == c.want {
					at = append(at, v.At.String())
				}
			}
			require.Equal(t, []string{c.at}, at)
		})
	}
}

// TestChatGuarantees holds these profiles to the guarantees. What a valid history is, judgeHost
// says instead of judge; what a host takes has to come back untouched in TestChatIdentity.
func TestChatGuarantees(t *testing.T) {
	for _, p := range properties {
		switch p.name {
		case "G1 valid":
			p.prove = proveHostTakes
		case "G3 identity":
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			for name, profile := range chatProfiles(t) {
				t.Run(name, func(t *testing.T) {
					rapid.Check(t, func(t *rapid.T) { p.check(t, subject{profile: profile}) })
				})
			}
		})
	}
}

// TestChatIdentity: what a host takes comes back untouched. The generator knows the profiles'
// fields; what it makes that the host refuses all the same, by the second reading of its rules, is
// no history of which this speaks.
func TestChatIdentity(t *testing.T) {
	for name, profile := range chatProfiles(t) {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				h := histgen.Roomy(histgen.Valid(&profile, nil).Draw(t, "history"))
				if judgeHost(h, &profile, false) == "" {
					proveUntouched(t, given{profile: &profile, options: drawOptions(t), in: h})
				}
			})
		})
	}
}

// proveHostTakes: what comes out passes Check, and a second reading of what the hosts say.
func proveHostTakes(t *rapid.T, g given) {
	res, err := g.sanitize(g.in)
	if err != nil {
		if len(g.in) > 0 || !sameArray(res.Messages, g.in) {
			t.Fatalf("no reason to give up on this history: %v\n%s", err, dump(g.in))
		}
		return
	}
	if found := preflight.Check(res.Messages, g.profile, g.options); len(found) > 0 {
		t.Fatalf("Check finds %v\nin:\n%s\nout:\n%s", found, dump(g.in), dump(res.Messages))
	}
	if broken := judgeHost(res.Messages, g.effective(), g.options.KeepWaiting); broken != "" {
		t.Fatalf(
			"the host would say: %s\nin:\n%s\nout:\n%s",
			broken,
			dump(g.in),
			dump(res.Messages),
		)
	}
}

var (
	nineAlnum = regexp.MustCompile(`^[a-zA-Z0-9]{9}$`)
	// what templates of local models make of the kinds of content, by family
	textAlone = regexp.MustCompile(`^(gemma-[127]|zephyr|mistral-7b|mixtral|mistral-nemo|ministral-8b|` +
		`mistral-large-instruct-24|llama-2-|codellama|llama-3-(8|70)b|meta-llama-3-|llama3-chatqa|` +
		`phi-3|phi-4|solar|vicuna|falcon|alpaca|amberchat|saiga|openchat|metharme|aya-|deepseek-v2|` +
		`deepseek-coder-v2|nemotron-h)`)
	picturesAlone = regexp.MustCompile(`^(pixtral|mistral-small-24b)`)
	nineLetters   = regexp.MustCompile(`^(mistral-7b|mixtral|mistral-nemo|ministral-8b|` +
		`mistral-large-instruct-24)`)
	thoughtless = regexp.MustCompile(`^(moonshot-v1|kimi-k2-0|kimi-k2-turbo)`)
)

// judgeHost is a second reading of the hosts' own rules, by their names; "" when nothing is wrong.
// open says that calls may stay without a result.
func judgeHost(h []preflight.Message, p *preflight.Profile, open bool) string {
	called := false
	for i, m := range h {
		role, before := writtenRole(m, 0), preflight.Role("")
		if i > 0 {
			before = writtenRole(h[i-1], len(h[i-1].Parts)-1)
		}
		calls := callsOf(m.Parts, false)
		called = called || len(calls) > 0
		words, reasons, media := content(m.Parts)
		if p.Tools.NoTools && called {
			return "a tool call, for a model that knows none"
		}
		switch p.Provider {
		case "mistral":
			switch {
			case role == "system" && (before == "assistant" || before == "tool"):
				return "Unexpected role 'system'"
			case role == "tool" && before != "tool" && before != "assistant":
				return "Unexpected role 'tool'"
			case role == "assistant" && !words && len(calls) == 0:
				return "Assistant message must have either content or tool_calls"
			}
			for _, c := range calls {
				if !nineAlnum.MatchString(c.ID) && !strings.HasPrefix(p.Model, "mistral-small") {
					return "Tool call id was " + c.ID
				}
			}
		case "deepseek":
			is := func(prefix string) bool { return strings.HasPrefix(p.Model, prefix) }
			switch {
			case (is("deepseek-v4") || is("deepseek-reasoner")) && called && role == "assistant" && !reasons:
				return "The reasoning_content in the thinking mode must be passed back"
			case is("deepseek-r1") && reasons:
				return "reasoning_content"
			case media && is("deepseek-") && !is("deepseek-v4-pro"):
				return "unknown variant `image_url`"
			}
		case "moonshot":
			switch {
			case !words && len(calls) == 0:
				return fmt.Sprintf("the message at position %d must not be empty", i)
			case len(calls) > 0 && !reasons && !thoughtless.MatchString(p.Model):
				return "reasoning_content is missing in assistant tool call message"
			}
		case "glm", "chat-template":
			if p.Provider == "glm" && !words && len(calls) == 0 {
				return "messages illegal"
			}
			if role == before && role != "tool" && role != "system" {
				return "roles must alternate"
			}
			if p.Provider == "chat-template" && role == "system" && i > 0 {
				return "System message must be at the beginning."
			}
			if p.Provider == "chat-template" && role == "user" && before == "tool" {
				return "conversation roles must alternate user and assistant roles except for " +
					"tool calls and results"
			}
			if p.Provider == "chat-template" {
				if broken := judgeTemplate(m, p.Model); broken != "" {
					return broken
				}
			}
			if strings.Contains(p.Model, "llama-3") && len(calls) > 1 && !open {
				return "This model only supports single tool-calls at once!"
			}
			if strings.HasPrefix(p.Model, "zephyr") && role != "user" && role != "assistant" {
				return "Only user and assistant roles are supported!"
			}
		case "groq":
			if reasons && strings.HasPrefix(p.Model, "kimi-k2-instruct") {
				return "reasoning is not supported with this model"
			}
		case "xai":
			if len(m.Parts) == 0 {
				return "Each message must have at least one content element."
			}
		case "minimax":
			if !words && len(calls) == 0 {
				return "chat content is empty"
			}
		}
	}
	return ""
}

// judgeTemplate is a second reading of what the templates of families of local models take.
func judgeTemplate(m preflight.Message, model string) string {
	for _, c := range callsOf(m.Parts, false) {
		if nineLetters.MatchString(model) && !nineAlnum.MatchString(c.ID) {
			return "Tool call IDs should be alphanumeric strings with length 9!"
		}
	}
	vision := strings.Contains(model, "vision")
	for _, kind := range mediaKinds(m.Parts) {
		if textAlone.MatchString(model) && !vision ||
			picturesAlone.MatchString(model) && kind != "image" {
			return "media in a prompt that has none of this kind"
		}
	}
	return ""
}

// mediaKinds are the kinds of media among parts and in results.
func mediaKinds(parts []preflight.Part) (kinds []string) {
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Media:
			kind := p.Kind
			if kind == "" {
				kind, _, _ = strings.Cut(p.MediaType, "/")
			}
			kinds = append(kinds, kind)
		case *preflight.ToolResult:
			kinds = append(kinds, mediaKinds(p.Content)...)
		}
	}
	return kinds
}

// writtenRole is the role of the message in which part k of m is written: a result in a user message
// becomes a tool message.
func writtenRole(m preflight.Message, k int) preflight.Role {
	if k >= 0 && k < len(m.Parts) && asResult(m.Parts[k], false) != nil {
		return preflight.RoleTool
	}
	return spelledRole(m.Role)
}

// content says whether parts hold anything but empty text and reasoning, whether they hold
// reasoning, and media.
func content(parts []preflight.Part) (words, reasons, media bool) {
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Text:
			words = words || p.Text != ""
		case *preflight.Reasoning:
			reasons, words = true, words || p.Text != "" || p.Signed()
		case *preflight.Media:
			media, words = true, true
		case *preflight.ToolResult:
			inner, _, m := content(p.Content)
			words, media = words || inner || len(p.Output) > 0, media || m
		default:
			words = true
		}
	}
	return words, reasons, media
}

// TestChatTemplateJoinsTurns: calls in neighbouring messages are one turn, since the template gets
// them as one message.
func TestChatTemplateJoinsTurns(t *testing.T) {
	profile := provider.ChatTemplate("")
	in := history(
		userMsg(says("q")),
		botMsg(calls("a")),
		botMsg(calls("b")),
		toolMsg(answers("a", "1")),
		toolMsg(answers("b", "2")),
	)
	res, err := preflight.Sanitize(context.Background(), in, profile, nil)
	require.NoError(t, err)
	require.Equal(
		t,
		[]string{
			`user: "q"`,
			`assistant: call a | call b`,
			`tool: result a "1"`,
			`tool: result b "2"`,
		},
		lines(res.Messages),
	)
}
