package spec

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// chatProfiles are the profiles of the hosts of the Chat format, of its kin, and what the model
// table makes of them. OpenAI's own are in underTest.
func chatProfiles() map[string]preflight.Profile {
	out := map[string]preflight.Profile{}
	for _, p := range provider.All() {
		switch {
		case p.Format == "openai-chat",
			p.Provider == "mistral", p.Provider == "cohere", p.Provider == "ollama":
			out[p.Provider] = *p
		}
	}
	for _, m := range provider.Models() {
		if p, ok := out[m.Provider]; ok && p.Model == "" {
			narrowed, _ := provider.ByName(m.Provider, m.Pattern)
			out[m.Provider+" "+m.Pattern] = *narrowed
		}
	}
	return out
}

// distinct are the profiles that differ in more than the model: the same histories would be drawn
// for the others.
func distinct(t *testing.T, profiles map[string]preflight.Profile) map[string]preflight.Profile {
	out, seen := map[string]preflight.Profile{}, map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(profiles)) {
		p := profiles[name]
		p.Model = ""
		data, err := json.Marshal(p)
		require.NoError(t, err)
		if !seen[string(data)] {
			seen[string(data)], out[name] = true, profiles[name]
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
	all := chatProfiles()
	for _, p := range properties {
		profiles := distinct(t, all)
		switch p.name {
		case "G1 valid":
			p.prove, profiles = proveHostTakes, all // judgeHost knows models by their names
		case "G3 identity":
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			for name, profile := range profiles {
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
	for name, profile := range chatProfiles() {
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
