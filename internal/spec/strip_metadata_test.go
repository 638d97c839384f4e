package spec

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/fixer"
)

// This file tests the fixers that remove metadata.

func TestStripEphemeral(t *testing.T) {
	with := func(meta string, parts ...preflight.Part) preflight.Message {
		m := botMsg(parts...)
		if meta != "" {
			m.Meta = preflight.Metadata{"openai": json.RawMessage(meta)}
		}
		return m
	}
	runFixer(t, preflight.Fixers.StripEphemeral, []fixerCase{
		{
			name: "ids and encrypted reasoning go, the rest stays byte for byte",
			in: history(with(`{"itemId":"m","k": 1.0,"reasoningEncryptedContent":"x"}`,
				says("a"))),
			want:  history(with(`{"k": 1.0}`, says("a"))),
			codes: warned(codes.MetadataStripped),
		},
		{
			name:  "what this empties disappears",
			in:    history(with(`{"itemId":"m"}`, says("a"))),
			want:  history(with("", says("a"))),
			codes: warned(codes.MetadataStripped),
		},
		{
			name:  "so does what was empty before",
			in:    history(with(`{}`, says("a"))),
			want:  history(with("", says("a"))),
			codes: warned(codes.MetadataStripped),
		},
	})
}

func TestClearMetaOfEntries(t *testing.T) {
	with := func(meta preflight.Metadata) []preflight.Message {
		m := userMsg(says("q"))
		m.Meta = meta
		return history(m)
	}
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	runFixer(t, fixer.ClearMeta("run", "app.turn"), []fixerCase{
		{
			name: "an entry, and one field of another",
			in: with(preflight.Metadata{
				"run": raw(`"r1"`),
				"app": raw(`{"turn":3,"keep":1.0}`),
			}),
			want:  with(preflight.Metadata{"app": raw(`{"keep":1.0}`)}),
			codes: warned(codes.BindingCleared),
		},
	})
}

// TestStripEphemeralKeepsContent: the metadata of a result, or of the parts in it, is removed
// without the result's content.
func TestStripEphemeralKeepsContent(t *testing.T) {
	item := func(p preflight.Part) preflight.Part {
		preflight.CarriedBy(p).Meta = preflight.Metadata{"openai": json.RawMessage(`{"itemId":"i"}`)}
		return p
	}
	call := botMsg(calls("a"))
	stripped := warned(codes.MetadataStripped)
	runFixer(t, preflight.Fixers.StripEphemeral, []fixerCase{
		{
			name:  "of a result",
			in:    history(call, toolMsg(item(answers("a", "1")))),
			want:  history(call, toolMsg(answers("a", "1"))),
			codes: stripped,
		},
		{
			name: "of a part in it",
			in: history(call,
				toolMsg(&preflight.ToolResult{
					CallID:  "a",
					Content: []preflight.Part{says("1"), item(says("2"))},
				})),
			want: history(call,
				toolMsg(&preflight.ToolResult{
					CallID:  "a",
					Content: []preflight.Part{says("1"), says("2")},
				})),
			codes: stripped,
		},
		{
			name: "of both",
			in: history(call,
				toolMsg(item(&preflight.ToolResult{
					CallID:  "a",
					Content: []preflight.Part{item(says("1"))},
				}))),
			want:  history(call, toolMsg(answers("a", "1"))),
			codes: stripped,
		},
	})
}

// TestStripsEphemeralEverywhere: of messages, parts and the parts of results, under both names, and
// nothing beside it.
func TestStripsEphemeralEverywhere(t *testing.T) {
	meta := func(pairs ...string) preflight.Metadata {
		m := preflight.Metadata{}
		for k := 0; k < len(pairs); k += 2 {
			m[pairs[k]] = json.RawMessage(pairs[k+1])
		}
		return m
	}
	with := func(m preflight.Metadata) []preflight.Message {
		p := says("q")
		preflight.CarriedBy(p).Meta = m
		return history(userMsg(says("r"), p))
	}
	plain := with(nil)
	gone := []string{"metadata-stripped 0.1"}
	runFixer(t, preflight.Fixers.StripEphemeral, []fixerCase{
		{
			name:   "under both names",
			in:     with(meta("openai", `{"itemId":"i"}`, "azure", `{"itemId":"i","k":1}`)),
			want:   with(meta("azure", `{"k":1}`)),
			report: gone,
		},
		{name: "under no other", in: with(meta("anthropic", `{"itemId":"i"}`))},
		{
			name:   "beside others",
			in:     with(meta("openai", `{"itemId":"i"}`, "mine", `{"itemId":"i"}`)),
			want:   with(meta("mine", `{"itemId":"i"}`)),
			report: gone,
		},
		{
			name:   "a name twice",
			in:     with(meta("openai", `{"itemId":"i","k":1,"itemId":"j"}`)),
			want:   with(meta("openai", `{"k":1}`)),
			report: gone,
		},
		{
			name: "fields of other names",
			in:   with(meta("openai", `{"itemID":"i","id":1}`)),
		},
		{
			name: "what is not an object",
			in:   with(meta("openai", `"itemId"`, "azure", `{"itemId":`)),
		},
		{name: "nothing was there", in: plain},
	})
	cleared := []string{"binding-cleared 0.1"}
	for _, c := range []struct {
		names []string
		fixerCase
	}{
		{[]string{"openai.itemId"}, fixerCase{
			name:   "the id of an item, and not its payload",
			in:     with(meta("openai", `{"itemId":"m","reasoningEncryptedContent":"e"}`)),
			want:   with(meta("openai", `{"reasoningEncryptedContent":"e"}`)),
			report: cleared,
		}},
		{[]string{"run"}, fixerCase{
			name:   "an entry, of a part",
			in:     with(meta("run", `1`, "k", `2`)),
			want:   with(meta("k", `2`)),
			report: cleared,
		}},
		{[]string{"run.id"}, fixerCase{
			name:   "an entry whose name has a dot, and a field",
			in:     with(meta("run.id", `1`, "run", `{"id":2,"k":3}`)),
			want:   with(meta("run", `{"k":3}`)),
			report: cleared,
		}},
		{[]string{"run.id", "run.at"}, fixerCase{
			name:   "the field of an entry, and the rest of it",
			in:     with(meta("run", `{"id":2,"at":3}`)),
			want:   plain,
			report: cleared,
		}},
		{[]string{"run.id"}, fixerCase{
			name:   "an entry that is empty already",
			in:     with(meta("run", `{}`)),
			want:   plain,
			report: cleared,
		}},
		{[]string{"run", "app.id", "k.id", "k.n.o"}, fixerCase{
			name: "names that are not there",
			in:   with(meta("k", `{"n":{"o":1}}`, "app", `[1]`)),
		}},
	} {
		runFixer(t, fixer.ClearMeta(c.names...), []fixerCase{c.fixerCase})
	}
}

func TestClearMeta(t *testing.T) {
	meta := func(s string) preflight.Metadata {
		var m preflight.Metadata
		require.NoError(t, json.Unmarshal([]byte(s), &m))
		return m
	}
	in := []preflight.Message{
		{
			Role: preflight.RoleUser,
			Meta: meta(`{"run_id":"r1","keep":{"a":1.0}}`),
			Parts: []preflight.Part{
				&preflight.Text{
					Text: "t",
					Carried: preflight.Carried{
						Meta: meta(`{"openai":{"responseId":"x","other":2}}`),
					},
				},
				&preflight.ToolResult{
					CallID: "c",
					Content: []preflight.Part{
						&preflight.Text{
							Text:    "n",
							Carried: preflight.Carried{Meta: meta(`{"openai":{"responseId":"x"}}`)},
						},
					},
				},
			},
		},
	}
	out := runSystem(t, in,
		applying(&preflight.Options{},
			fixer.ClearMeta("run_id", "openai.responseId", "absent", "absent.field")))
	require.Empty(t, cmp.Diff(meta(`{"keep":{"a":1.0}}`), out.Messages[0].Meta))
	call, result := out.Messages[0].Parts[0], out.Messages[0].Parts[1].(*preflight.ToolResult)
	require.Equal(t, `{"other":2}`, string(preflight.CarriedBy(call).Meta["openai"]))
	require.Nil(t, preflight.CarriedBy(result.Content[0]).Meta)
	require.Len(t, out.Warnings, 3)
	require.Equal(t, "c", out.Warnings[2].ToolCallID)
}

func TestStripSystem(t *testing.T) {
	runFixer(t, preflight.Fixers.StripSystem, []fixerCase{
		{
			name: "every one is removed, wherever it is",
			in: history(sysMsg(says("s")), userMsg(says("q")), sysMsg(says("t")),
				botMsg(says("a"))),
			want:  history(userMsg(says("q")), botMsg(says("a"))),
			codes: warned(codes.SystemRemoved, codes.SystemRemoved),
		},
		{
			name: "a tool result in one is not what it says",
			in: history(botMsg(&preflight.ToolCall{ID: "c", Name: "f"}),
				sysMsg(says("s"), &preflight.ToolResult{CallID: "c"})),
			want: history(botMsg(&preflight.ToolCall{ID: "c", Name: "f"}),
				toolMsg(&preflight.ToolResult{CallID: "c"})),
			codes: warned(codes.SystemRemoved, codes.RoleMapped),
		},
		{
			name: "a tool result alone",
			in: history(botMsg(&preflight.ToolCall{ID: "c", Name: "f"}),
				sysMsg(&preflight.ToolResult{CallID: "c"})),
			want: history(botMsg(&preflight.ToolCall{ID: "c", Name: "f"}),
				toolMsg(&preflight.ToolResult{CallID: "c"})),
			codes: warned(codes.RoleMapped),
		},
	})
}
