package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// This file tests what of a body a hook sees beside its messages.

// TestHookOnInstructions: a hook sees the instructions of Responses as the first message, and may
// change, remove or add them.
func TestHookOnInstructions(t *testing.T) {
	const in = `{"model":"gpt-5", "instructions": "Be \u0062rief.","x":1.0,"input":[ ` +
		`{"role":"developer","content":"d"}, {"role":"user","content":"q"}]}`
	system := func(m preflight.Message) bool {
		return m.Role == preflight.RoleSystem && m.Native.JSON[0] == '"'
	}
	for _, c := range []struct {
		reason, want string
		hook         func(preflight.Message) preflight.Message
	}{
		{"nothing", in, func(m preflight.Message) preflight.Message { return m }},
		{"changed", strings.Replace(in, `"Be \u0062rief."`, `"Be <brief>!"`, 1),
			func(m preflight.Message) preflight.Message {
				if system(m) {
					m.Parts[0].(*preflight.Text).Text = "Be <brief>!"
				}
				return m
			}},
		{"two texts", strings.Replace(in, `"Be \u0062rief."`, `"Be brief.\n\nBe kind."`, 1),
			func(m preflight.Message) preflight.Message {
				if system(m) {
					m.Parts = append(m.Parts, &preflight.Text{Text: "Be kind."})
				}
				return m
			}},
		{"removed", strings.Replace(in, ` "instructions": "Be \u0062rief.",`, ``, 1),
			func(m preflight.Message) preflight.Message {
				if system(m) {
					return preflight.Message{}
				}
				return m
			}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			result := hooked(t, "openai-responses", in, c.hook)
			require.Equal(t, c.want, string(result.Body))
			for _, w := range result.Warnings {
				require.Equal(t, "instructions", w.Path)
			}
			require.Equal(t, c.want != in, len(result.Warnings) == 1)
		})
	}
}

// TestInstructionsAlone: instructions are no history that could be sent.
func TestInstructionsAlone(t *testing.T) {
	options := &wire.Options{Provider: "openai-responses"}
	for _, in := range []string{
		`{"instructions":"i","input":[]}`, `{"instructions":"i","input":[{"role":"developer"}]}`,
	} {
		_, err := wire.Sanitize(context.Background(), []byte(in), options)
		require.ErrorIs(t, err, preflight.ErrEmptyHistory)
	}

	var seen []string
	stored := `{"instructions":"i","previous_response_id":"resp_1","input":[]}`
	result := hooked(t, "openai-responses", stored,
		func(m preflight.Message) preflight.Message {
			seen = append(seen, m.Parts[0].(*preflight.Text).Text)
			return m
		})
	require.Equal(t, stored, string(result.Body))
	require.Equal(t, []string{"i"}, seen)
}

// TestNeutralRoles: a hook gets neutral roles.
func TestNeutralRoles(t *testing.T) {
	var seen []preflight.Role
	hooked(t, "openai-chat", `{"model":"gpt-4o","messages":[{"role":"developer","content":"d"},`+
		`{"role":"human","content":"q"},{"role":"ai","content":"a"},{"role":"user","content":"r"}]}`,
		func(m preflight.Message) preflight.Message {
			seen = append(seen, m.Role)
			return m
		})
	require.Equal(t, []preflight.Role{"developer", "user", "assistant", "user"}, seen)
}

// TestSystemInTwoSpellings: with the system prompt that is removed goes its other spelling, which
// would be read the next time.
func TestSystemInTwoSpellings(t *testing.T) {
	in := []byte(`{"systemInstruction":{"parts":[{"text":"s"}]},"system_instruction":"x",` +
		`"contents":[{"role":"user","parts":[{"text":"q"}]}]}`)
	options := &wire.Options{Provider: "gemini"}
	options.Options.Fixers = []preflight.Fixer{preflight.Fixers.StripSystem}
	out := requireGuarantees(t, in, options)
	require.Equal(t, `{"contents":[{"role":"user","parts":[{"text":"q"}]}]}`, string(out))
}
