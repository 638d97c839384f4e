package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/internal/rapidseed"
	"github.com/go-preflight/preflight/redact"
	"github.com/go-preflight/preflight/stored"
	"github.com/go-preflight/preflight/wire"
)

// This file tests that what a hook, a fixer of the caller or Untrusted has removed is nowhere in
// what is stored or sent: a secret takes the place of each value of a body, in turn.

const secret = "SECRET-51c7"

// holds reports whether a text has the secret, or an id that was made of it.
func holds(s string) bool { return strings.Contains(s, "51c7") }

func hidden(s string) string { return strings.ReplaceAll(s, secret, "gone") }

// bare is a message without what its parts carry, as JSON.
func bare(m preflight.Message) string {
	parts := slices.Clone(m.Parts)
	for j, p := range parts {
		if parts[j] = preflight.CopyPart(p); preflight.CarriedBy(p) != nil {
			*preflight.CarriedBy(parts[j]) = preflight.Carried{}
		}
		if r, ok := parts[j].(*preflight.ToolResult); ok {
			r.Content = slices.Clone(r.Content)
			for k, nested := range r.Content {
				if _, unknown := nested.(*preflight.Other); !unknown && nested != nil {
					r.Content[k] = preflight.CopyPart(nested)
					*preflight.CarriedBy(r.Content[k]) = preflight.Carried{}
				}
			}
		}
		if o, ok := p.(*preflight.Other); ok {
			parts[j] = &preflight.Text{Text: string(o.Native.JSON)}
		}
	}
	data, err := json.Marshal(preflight.Message{Name: m.Name, Parts: parts})
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// holdsSecret reports whether a part holds the secret, apart from what it carries.
func holdsSecret(p preflight.Part) bool {
	return strings.Contains(bare(preflight.Message{Parts: []preflight.Part{p}}), secret)
}

// removals are hooks that remove the secret. They leave native JSON alone, but for the last.
var removals = map[string]func(preflight.Message) preflight.Message{
	"parts": func(m preflight.Message) preflight.Message {
		m.Name, m.Parts = hidden(m.Name), slices.DeleteFunc(m.Parts, holdsSecret)
		return m
	},
	"texts": func(m preflight.Message) preflight.Message {
		m.Name = hidden(m.Name)
		for _, p := range m.Parts {
			switch p := p.(type) {
			case *preflight.Text:
				p.Text = hidden(p.Text)
			case *preflight.Reasoning:
				p.Text = hidden(p.Text)
			case *preflight.ToolCall:
				p.Input = json.RawMessage(hidden(string(p.Input)))
			case *preflight.ToolResult:
				p.Output = json.RawMessage(hidden(string(p.Output)))
				for _, nested := range p.Content {
					if t, ok := nested.(*preflight.Text); ok {
						t.Text = hidden(t.Text)
					}
				}
			}
		}
		return m
	},
	"content": func(m preflight.Message) preflight.Message {
		for j, p := range m.Parts {
			switch r, ok := p.(*preflight.ToolResult); {
			case ok && !r.ProviderExecuted:
				r.Output = json.RawMessage(hidden(string(r.Output)))
				r.Content = slices.DeleteFunc(r.Content, holdsSecret)
			case holdsSecret(p):
				m.Parts[j] = &preflight.Text{Text: "gone"}
			}
		}
		return m
	},
	"redact": func(m preflight.Message) preflight.Message {
		m = redact.Message(m, hidden)
		verified := redact.Verified(m, hidden)
		m.Name, m.Parts = hidden(m.Name), slices.DeleteFunc(m.Parts, func(p preflight.Part) bool {
			return slices.Contains(verified, p) || holdsSecret(p)
		})
		return m
	},
}

// TestRemovedIsNowhere: see above. What no part holds, such as an unknown member, no hook has
// removed.
func TestRemovedIsNowhere(t *testing.T) {
	ctx := context.Background()
	tried := make(map[string]int)
	for _, provider := range wire.Providers() {
		bodies := []string{samples[provider]}
		for k := range rapidseed.Size(30, 1) {
			bodies = append(bodies, string(body(provider).Example(k)))
		}
		n := 0
		for _, sample := range bodies {
			for _, at := range spots(sample) {
				before := strings.TrimRight(sample[:at.from], " \n\t:")
				word := strings.HasSuffix(before, `"type"`) // it may change before a hook sees it
				if n++; at.key || word || n%stride(3) != 0 {
					continue
				}
				in := []byte(at.fill(sample, `"`+secret+`"`))
				for name, hide := range removals {
					if requireRemoved(ctx, t, provider, name, in, hide) {
						tried[name]++
					}
				}
			}
		}
	}
	for name := range removals {
		require.Greater(t, tried[name], 50, name)
	}
}

// requireRemoved fails if the secret is in anything that is made of a body after a hook removed it.
// It reports whether there was something to remove.
func requireRemoved(
	ctx context.Context, t *testing.T, provider, name string, in []byte,
	hide func(preflight.Message) preflight.Message,
) bool {
	r, err := wire.Decode(in, &wire.Options{Provider: provider})
	if err != nil {
		return false
	}
	held, left := false, false
	for _, m := range r.Messages {
		held = held || strings.Contains(bare(m), secret)
	}
	hook := preflight.HookFunc("hide", func(m preflight.Message) preflight.Message {
		m = hide(m)
		left = left || holds(bare(m)) // the hook left it: an id, say
		return m
	})
	options := preflight.Options{Hooks: []preflight.Hook{hook}}
	to := "anthropic"
	if provider == to {
		to = "gemini"
	}
	outcomes := map[string]func() ([]preflight.Message, []byte){
		"Sanitize": func() ([]preflight.Message, []byte) {
			res, err := preflight.Sanitize(ctx, r.Messages, &r.Profile, &options)
			return messagesOf(res, err), nil
		},
		"fallback": func() ([]preflight.Message, []byte) {
			falls := options
			falls.FallbackToLastUser, falls.Strict = true, true
			res, err := preflight.Sanitize(ctx, r.Messages, &r.Profile, &falls)
			return messagesOf(res, err), nil
		},
		"Pipeline": func() ([]preflight.Message, []byte) {
			p, err := preflight.NewPipeline(preflight.Fixers.StripEphemeral)
			require.NoError(t, err)
			res, err := msgtest.LeaveOpen(p, r.Messages, nil, &options)
			return messagesOf(res, err), nil
		},
		"Persist": func() ([]preflight.Message, []byte) {
			o := stored.PersistOptions()
			o.Options = options
			res, err := stored.Persist(ctx, r.Messages, o)
			return messagesOf(res, err), nil
		},
		"Prepare": func() ([]preflight.Message, []byte) {
			p, err := wire.Prepare(ctx, provider, r.Profile.Model, r.Messages,
				&wire.RequestOptions{MaxTokens: 9, Options: options})
			if err != nil {
				return nil, nil
			}
			return p.Messages, p.Body
		},
		"another provider": func() ([]preflight.Message, []byte) {
			p, err := wire.Prepare(ctx, to, "", r.Messages,
				&wire.RequestOptions{MaxTokens: 9, Options: options})
			if err != nil {
				return nil, nil
			}
			return p.Messages, p.Body
		},
		"Untrusted": func() ([]preflight.Message, []byte) {
			res, err := preflight.Sanitize(ctx, r.Messages, &r.Profile,
				&preflight.Options{Untrusted: true})
			return messagesOf(res, err), nil
		},
		"Untrusted, another provider": func() ([]preflight.Message, []byte) {
			p, err := wire.Prepare(ctx, to, "", r.Messages, &wire.RequestOptions{
				MaxTokens: 9, Options: preflight.Options{Untrusted: true},
			})
			if err != nil {
				return nil, nil
			}
			return p.Messages, p.Body
		},
		"a body": func() ([]preflight.Message, []byte) {
			res, err := wire.Sanitize(ctx, in, &wire.Options{Provider: provider, Options: options})
			return written(res.Body, err)
		},
		"Convert": func() ([]preflight.Message, []byte) {
			res, err := wire.Convert(ctx, in, provider, &wire.Options{Provider: to, Options: options})
			return written(res.Body, err)
		},
		"Convert, Untrusted": func() ([]preflight.Message, []byte) {
			res, err := wire.Convert(ctx, in, provider, &wire.Options{
				Provider: to, Options: preflight.Options{Untrusted: true},
			})
			if err != nil {
				return nil, nil
			}
			r, err := wire.Decode(res.Body, &wire.Options{Provider: to})
			require.NoError(t, err)
			return r.Messages, res.Body
		},
	}
	if !held {
		return false
	}
	removed := false
	for what, outcome := range outcomes {
		left = false
		messages, sent := outcome()
		if messages == nil || left {
			continue
		}
		if slices.ContainsFunc(messages, func(m preflight.Message) bool { return holds(bare(m)) }) {
			continue
		}
		removed = true
		data, err := json.Marshal(messages)
		require.NoError(t, err)
		require.NotContains(t, string(data), secret, "%s of %s after %s\n%s", what, provider, name, in)
		if !bytes.Contains(sent, []byte(secret)) {
			continue
		}
		t.Fatalf("%s of %s after %s\n%s\n%s", what, provider, name, in, sent)
	}
	return removed
}

// written returns no messages, for a body that is judged by its bytes.
func written(body []byte, err error) ([]preflight.Message, []byte) {
	if err != nil {
		return nil, nil
	}
	return []preflight.Message{}, body
}

// messagesOf are those of a result, nil after an error.
func messagesOf(res preflight.Result, err error) []preflight.Message {
	if err != nil {
		return nil
	}
	return res.Messages
}
