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
	asked := preflight.Options{StripEphemeral: true}
	runFixer(t, fixer.StripEphemeral, []fixerCase{
		{
			name: "ids and encrypted reasoning go, the rest stays byte for byte", options: asked,
			in: history(with(`{"itemId":"m","k": 1.0,"reasoningEncryptedContent":"x"}`,
				says("a"))),
			want:  history(with(`{"k": 1.0}`, says("a"))),
			codes: warned(codes.MetadataStripped),
		},
		{
			name: "what this empties disappears", options: asked,
			in:    history(with(`{"itemId":"m"}`, says("a"))),
			want:  history(with("", says("a"))),
			codes: warned(codes.MetadataStripped),
		},
		{
			name: "so does what was empty before", options: asked,
			in:    history(with(`{}`, says("a"))),
			want:  history(with("", says("a"))),
			codes: warned(codes.MetadataStripped),
		},
		{name: "not asked for", in: history(with(`{"itemId":"m"}`, says("a")))},
	})
}

func TestClearBindings(t *testing.T) {
	with := func(meta preflight.Metadata) []preflight.Message {
		m := userMsg(says("q"))
		m.Meta = meta
		return history(m)
	}
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	runFixer(t, fixer.ClearBindings, []fixerCase{
		{
			name:    "an entry, and one field of another",
			options: preflight.Options{ClearMeta: []string{"run", "app.turn"}},
			in: with(preflight.Metadata{
				"run": raw(`"r1"`),
				"app": raw(`{"turn":3,"keep":1.0}`),
			}),
			want:  with(preflight.Metadata{"app": raw(`{"keep":1.0}`)}),
			codes: warned(codes.BindingCleared),
		},
		{name: "not asked for", in: with(preflight.Metadata{"run": raw(`"r1"`)})},
	})
}

// TestStripEphemeralKeepsContent: the metadata of a result, or of the parts in it, is removed
// without the result's content.
func TestStripEphemeralKeepsContent(t *testing.T) {
	strip := preflight.Options{StripEphemeral: true}
	item := func(p preflight.Part) preflight.Part {
		preflight.CarriedBy(p).Meta = preflight.Metadata{"openai": json.RawMessage(`{"itemId":"i"}`)}
		return p
	}
	call := botMsg(calls("a"))
	stripped := warned(codes.MetadataStripped)
	runFixer(t, fixer.StripEphemeral, []fixerCase{
		{
			name: "of a result", options: strip,
			in:    history(call, toolMsg(item(answers("a", "1")))),
			want:  history(call, toolMsg(answers("a", "1"))),
			codes: stripped,
		},
		{
			name: "of a part in it", options: strip,
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
			name: "of both", options: strip,
			in: history(call,
				toolMsg(item(&preflight.ToolResult{
					CallID:  "a",
					Content: []preflight.Part{item(says("1"))},
				}))),
			want:  history(call, toolMsg(answers("a", "1"))),
			codes: stripped,
		},
		{name: "not asked for", in: history(call, toolMsg(item(answers("a", "1"))))},
	})
}

// TestStripsEphemeralEverywhere: of messages, parts and the parts of results, under both names, and
// nothing beside it.
func TestStripsEphemeralEverywhere(t *testing.T) {
	asked := preflight.Options{StripEphemeral: true}
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
	runFixer(t, fixer.StripEphemeral, []fixerCase{
		{
			name: "under both names", options: asked,
			in:     with(meta("openai", `{"itemId":"i"}`, "azure", `{"itemId":"i","k":1}`)),
			want:   with(meta("azure", `{"k":1}`)),
			report: gone,
		},
		{name: "under no other", options: asked, in: with(meta("anthropic", `{"itemId":"i"}`))},
		{
			name: "beside others", options: asked,
			in:     with(meta("openai", `{"itemId":"i"}`, "mine", `{"itemId":"i"}`)),
			want:   with(meta("mine", `{"itemId":"i"}`)),
			report: gone,
		},
		{
			name: "a name twice", options: asked,
			in:     with(meta("openai", `{"itemId":"i","k":1,"itemId":"j"}`)),
			want:   with(meta("openai", `{"k":1}`)),
			report: gone,
		},
		{
			name: "fields of other names", options: asked,
			in: with(meta("openai", `{"itemID":"i","id":1}`)),
		},
		{
			name: "what is not an object", options: asked,
			in: with(meta("openai", `"itemId"`, "azure", `{"itemId":`)),
		},
		{name: "nothing was there", options: asked, in: plain},
	})
	clear := func(names ...string) preflight.Options { return preflight.Options{ClearMeta: names} }
	cleared := []string{"binding-cleared 0.1"}
	runFixer(t, fixer.ClearBindings, []fixerCase{
		{
			name:    "the id of an item, and not its payload",
			options: clear("openai.itemId"),
			in:      with(meta("openai", `{"itemId":"m","reasoningEncryptedContent":"e"}`)),
			want:    with(meta("openai", `{"reasoningEncryptedContent":"e"}`)),
			report:  cleared,
		},
		{
			name:    "an entry, of a part",
			options: clear("run"),
			in:      with(meta("run", `1`, "k", `2`)),
			want:    with(meta("k", `2`)),
			report:  cleared,
		},
		{
			name:    "an entry whose name has a dot, and a field",
			options: clear("run.id"),
			in:      with(meta("run.id", `1`, "run", `{"id":2,"k":3}`)),
			want:    with(meta("run", `{"k":3}`)),
			report:  cleared,
		},
		{
			name:    "the field of an entry, and the rest of it",
			options: clear("run.id", "run.at"),
			in:      with(meta("run", `{"id":2,"at":3}`)),
			want:    plain,
			report:  cleared,
		},
		{
			name:    "an entry that is empty already",
			options: clear("run.id"),
			in:      with(meta("run", `{}`)),
			want:    plain,
			report:  cleared,
		},
		{
			name:    "names that are not there",
			options: clear("run", "app.id", "k.id", "k.n.o"),
			in:      with(meta("k", `{"n":{"o":1}}`, "app", `[1]`)),
		},
	})
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
		applying(&preflight.Options{
			ClearMeta: []string{"run_id", "openai.responseId", "absent", "absent.field"},
		}, fixer.ClearBindings))
	require.Empty(t, cmp.Diff(meta(`{"keep":{"a":1.0}}`), out.Messages[0].Meta))
	call, result := out.Messages[0].Parts[0], out.Messages[0].Parts[1].(*preflight.ToolResult)
	require.Equal(t, `{"other":2}`, string(preflight.CarriedBy(call).Meta["openai"]))
	require.Nil(t, preflight.CarriedBy(result.Content[0]).Meta)
	require.Len(t, out.Warnings, 3)
	require.Equal(t, "c", out.Warnings[2].ToolCallID)
}

func TestStripSystem(t *testing.T) {
	runFixer(t, fixer.StripSystem, []fixerCase{
		{
			name:    "every one is removed, wherever it is",
			options: preflight.Options{StripSystem: true},
			in: history(sysMsg(says("s")), userMsg(says("q")), sysMsg(says("t")),
				botMsg(says("a"))),
			want:  history(userMsg(says("q")), botMsg(says("a"))),
			codes: warned(codes.SystemRemoved, codes.SystemRemoved),
		},
		{
			name:    "a tool result in one is not what it says",
			options: preflight.Options{StripSystem: true},
			in: history(botMsg(&preflight.ToolCall{ID: "c", Name: "f"}),
				sysMsg(says("s"), &preflight.ToolResult{CallID: "c"})),
			want: history(botMsg(&preflight.ToolCall{ID: "c", Name: "f"}),
				toolMsg(&preflight.ToolResult{CallID: "c"})),
			codes: warned(codes.SystemRemoved, codes.RoleMapped),
		},
		{
			name:    "a tool result alone",
			options: preflight.Options{StripSystem: true},
			in: history(botMsg(&preflight.ToolCall{ID: "c", Name: "f"}),
				sysMsg(&preflight.ToolResult{CallID: "c"})),
			want: history(botMsg(&preflight.ToolCall{ID: "c", Name: "f"}),
				toolMsg(&preflight.ToolResult{CallID: "c"})),
			codes: warned(codes.RoleMapped),
		},
		{name: "not asked for", in: history(sysMsg(says("s")), userMsg(says("q")))},
	})
}
