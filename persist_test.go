package preflight_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

// This file tests the presets for histories that are stored or continued: Persist with its size
// budget, Resume, Abort and RepairInterrupted.

func persistProfile() *preflight.Profile {
	p := provider.Anthropic("")
	return p
}

// drawPersist draws the options of Persist, small enough that they bite.
func drawPersist(t *rapid.T) *preflight.Options {
	return &preflight.Options{
		StripEphemeral: rapid.Bool().Draw(t, "strip"),
		KeepEncrypted:  rapid.Bool().Draw(t, "keep encrypted"),
		MaxString:      rapid.SampledFrom([]int{0, 5, 60}).Draw(t, "max string"),
		TruncateInputs: rapid.Bool().Draw(t, "inputs"),
		KeepOutputs:    rapid.Bool().Draw(t, "keep outputs"),
		Unit: rapid.SampledFrom([]preflight.Unit{
			preflight.UnitUTF16, preflight.UnitRunes, preflight.UnitBytes,
		}).
			Draw(t, "unit"),
		MaxBytes: rapid.SampledFrom([]int{0, 250, 600, 2000}).Draw(t, "max bytes"),
		Older: preflight.Older{
			Keep:      rapid.IntRange(0, 4).Draw(t, "keep"),
			Block:     rapid.IntRange(0, 3).Draw(t, "block"),
			MaxOutput: rapid.SampledFrom([]int{-1, 0, 8, 70}).Draw(t, "older output"),
			MaxText:   rapid.SampledFrom([]int{-1, 0, 8, 70}).Draw(t, "older text"),
		},
	}
}

// grown makes some texts and outputs of a generated history long.
func grown(t *rapid.T, h []preflight.Message) []preflight.Message {
	for i := range h {
		for j, p := range h[i].Parts {
			if !rapid.Bool().Draw(t, "grow") {
				continue
			}
			tail := strings.Repeat(
				rapid.SampledFrom([]string{"x", "漢", "👩\u200d👧 ", "e\u0301"}).Draw(t, "tail"),
				rapid.IntRange(1, 400).Draw(t, "times"))
			switch p := p.(type) {
			case *preflight.Text:
				if p != nil {
					c := *p
					c.Text += tail
					h[i].Parts[j] = &c
				}
			case *preflight.ToolResult:
				if p != nil {
					c := *p
					if c.Output != nil {
						c.Output, _ = json.Marshal(map[string]any{
							"text":        tail,
							"n":           1,
							"list":        []string{tail, "s"},
							"encrypted_x": "opaque" + tail,
						})
					} else {
						c.Content = append([]preflight.Part{says(tail)}, c.Content...)
					}
					h[i].Parts[j] = &c
				}
			}
		}
	}
	return h
}

// opaque is everything nobody may touch: signatures, payloads, media, unknown parts, and values
// under encrypted keys.
func opaque(h []preflight.Message) []string {
	var out []string
	var add func(p preflight.Part)
	add = func(p preflight.Part) {
		switch p := p.(type) {
		case *preflight.Reasoning:
			if p != nil && p.Signed() {
				out = append(out, p.Text+"|"+p.Signature+"|"+p.Opaque)
			}
		case *preflight.Media:
			if p != nil {
				out = append(out, p.Data+p.URL+p.FileID)
			}
		case *preflight.Other:
			if p != nil {
				out = append(out, string(p.Native.JSON))
			}
		case *preflight.ToolResult:
			if p == nil {
				return
			}
			var members map[string]json.RawMessage
			if json.Unmarshal(p.Output, &members) == nil && members["encrypted_x"] != nil {
				out = append(out, string(members["encrypted_x"]))
			}
			for _, c := range p.Content {
				add(c)
			}
		}
	}
	for _, m := range h {
		for _, p := range m.Parts {
			add(p)
		}
	}
	return out
}

func TestPersistProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := grown(t, histgen.Any(persistProfile(), nil).Draw(t, "history"))
		options := drawPersist(t)
		before := dump(in)
		res, err := preflight.Persist(context.Background(), in, options)
		if dump(in) != before {
			t.Fatalf("the input was written to")
		}
		if err != nil {
			if strings.Contains(err.Error(), "has no JSON form") {
				if _, bad := json.Marshal(sound(in)); bad == nil {
					t.Fatalf("%v", err)
				}
				return
			}
			var size *preflight.SizeError
			if !errors.As(err, &size) || size.Size <= size.Limit {
				t.Fatalf("%v", err)
			}
			if !sameArray(res.Messages, in) || res.Changed {
				t.Fatalf("on error the input has to come back")
			}
			tooLarge := sound(in[size.Message : size.Message+1])[0]
			if most := unshortenable(tooLarge); most < options.MaxBytes/2 {
				t.Fatalf("%v, although all but %d bytes may be shortened:\n%s", err, most, dump(in))
			}
			return
		}
		for i, m := range res.Messages {
			body, bad := m.MarshalJSON()
			if bad == nil && options.MaxBytes > 0 && len(body) > options.MaxBytes {
				t.Fatalf("messages[%d] takes %d bytes: %v", i, len(body), err)
			}
		}
		again, err := preflight.Persist(context.Background(), res.Messages, options)
		if err != nil || again.Changed {
			t.Fatalf("again: %v %s\nin:\n%s\nout:\n%s", err, list(again.Warnings), dump(in),
				dump(res.Messages))
		}
		if diff := cmp.Diff(opaque(sound(in)), opaque(res.Messages)); diff != "" {
			t.Fatalf("what is opaque was touched: %s", diff)
		}
		if got := preflight.TallyOf(in...).Minus(res.Removed).Plus(res.Added); got !=
			preflight.TallyOf(res.Messages...) {
			t.Fatalf("the accounts do not balance: %+v, %+v\n%s", got,
				preflight.TallyOf(res.Messages...), list(res.Warnings))
		}
	})
}

// sound is a history without what every pipeline takes out first: parts that may not stand in a
// tool result.
func sound(h []preflight.Message) []preflight.Message {
	out, _ := preflight.StripSystem.Apply(h, nil, nil)
	return out
}

// unshortenable is what a message takes with every text and result gone.
func unshortenable(m preflight.Message) int {
	bare := m
	bare.Parts = nil
	for _, p := range m.Parts {
		switch p := p.(type) {
		case *preflight.Text:
			bare.Parts = append(bare.Parts, &preflight.Text{Carried: p.Carried, Text: "..."})
		case *preflight.ToolResult:
			c := *p
			c.Content = nil
			for _, nested := range p.Content {
				if t, ok := nested.(*preflight.Text); ok {
					nested = &preflight.Text{Carried: t.Carried, Text: "..."}
				}
				c.Content = append(c.Content, nested)
			}
			if !p.ProviderExecuted &&
				len(opaque([]preflight.Message{{Parts: []preflight.Part{p}}})) == 0 {
				c.Output = nil
			}
			bare.Parts = append(bare.Parts, &c)
		default:
			if p != nil {
				bare.Parts = append(bare.Parts, p)
			}
		}
	}
	body, _ := bare.MarshalJSON()
	return len(body)
}

func TestResumeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := histgen.Any(persistProfile(), nil).Draw(t, "history")
		var profile *preflight.Profile
		if rapid.Bool().Draw(t, "with a profile") {
			profile = persistProfile()
		}
		before := dump(in)
		res, err := preflight.Resume(context.Background(), in, profile, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, dump(in))
		}
		if dump(in) != before {
			t.Fatalf("the input was written to")
		}
		again, err := preflight.Resume(context.Background(), res.Messages, profile, nil)
		if err != nil || again.Changed || again.Rounds != 0 {
			t.Fatalf("again: %v %s\nin:\n%s\nout:\n%s", err, list(again.Warnings), dump(in),
				dump(res.Messages))
		}
		if got := preflight.TallyOf(in...).Minus(res.Removed).Plus(res.Added); got !=
			preflight.TallyOf(res.Messages...) {
			t.Fatalf("the accounts do not balance: %+v, %+v", got,
				preflight.TallyOf(res.Messages...))
		}
		for _, m := range res.Messages {
			if m.Role == preflight.RoleSystem {
				t.Fatalf("a system message is left")
			}
		}
	})
}

func TestInterruptedProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := histgen.Any(persistProfile(), nil).Draw(t, "history")
		before := dump(in)
		for name, run := range map[string]step{
			"interrupted": interrupting(nil),
			"abort": func(h []preflight.Message) (preflight.Result, error) {
				return preflight.Abort(h, "partial", nil)
			},
		} {
			res, err := run(in)
			if err != nil || dump(in) != before {
				t.Fatalf("%s: %v, or the input was written to\n%s", name, err, dump(in))
			}
			if again, err := run(res.Messages); err != nil || again.Changed {
				t.Fatalf("%s again: %v %s\nin:\n%s\nout:\n%s", name, err, list(again.Warnings),
					dump(in), dump(res.Messages))
			}
		}
	})
}

func answered(id string, output string) preflight.Message {
	return toolMsg(&preflight.ToolResult{CallID: id, Output: json.RawMessage(output)})
}

func TestBudgetCutsResultsFirstAndTheOldestFirst(t *testing.T) {
	part := func(id string) preflight.Part {
		return &preflight.ToolResult{
			CallID: id,
			Output: json.RawMessage(`{"id":"` + id + `","body":` + quotedRun("r", 4000) + `}`),
		}
	}
	in := []preflight.Message{userMsg(says(strings.Repeat("t", 4000)), part("c1"), part("c2"))}
	for _, c := range []struct {
		limit int
		cut   []string
	}{
		{13000, nil},
		{10000, []string{"messages[0].parts[1]"}},
		{7000, []string{"messages[0].parts[1]", "messages[0].parts[2]"}},
		{4000, []string{"messages[0].parts[1]", "messages[0].parts[2]", "messages[0].parts[0]"}},
	} {
		res, err := preflight.Persist(context.Background(), in,
			&preflight.Options{MaxBytes: c.limit})
		require.NoError(t, err)
		var cut []string
		for _, w := range res.Warnings {
			require.Equal(t, codes.CutToSize, w.Code)
			cut = append(cut, w.At.String())
		}
		require.Equal(t, c.cut, cut)
		for _, r := range every[*preflight.ToolResult](res.Messages) {
			require.Equal(t, r.CallID, get(t, r.Output, "id").Str(),
				"an object stays an object, its small members stay")
		}
	}
}

// TestBudgetCutsReasoningNobodySigned: reasoning that no provider vouches for is text like any
// other.
func TestBudgetCutsReasoningNobodySigned(t *testing.T) {
	in := []preflight.Message{botMsg(&preflight.Reasoning{Text: strings.Repeat("r", 5000)})}
	out := runSystem(t, in, persisting(&preflight.Options{MaxBytes: 2000}))
	require.LessOrEqual(t, storedBytes(t, out.Messages[0]), 2000)
	require.True(t, strings.HasPrefix(only[*preflight.Reasoning](t, out.Messages).Text, "rrr"),
		"what fits stays")
}

func TestBudgetSaysWhenItCannotBeMet(t *testing.T) {
	big := strings.Repeat("A", 5000)
	for name, p := range map[string]preflight.Part{
		"arguments": &preflight.ToolCall{
			ID:    "c",
			Name:  "write",
			Input: json.RawMessage(`{"body":"` + big + `"}`),
		},
		"signed":   &preflight.Reasoning{Text: big, Signature: "sig"},
		"redacted": &preflight.Reasoning{Opaque: big},
		"metadata": &preflight.Reasoning{
			Text: big,
			Carried: preflight.Carried{
				Meta: preflight.Metadata{"anthropic": json.RawMessage(`{"signature":"s"}`)},
			},
		},
		"media": &preflight.Media{Kind: "image", Data: big},
		"unknown": &preflight.Other{
			Kind: "x",
			Carried: preflight.Carried{
				Native: preflight.Native{JSON: json.RawMessage(`"` + big + `"`)},
			},
		},
		"encrypted": &preflight.ToolResult{
			CallID: "c",
			Output: json.RawMessage(`{"encrypted_content":"` + big + `"}`),
		},
		"web search": &preflight.ToolResult{
			CallID: "c", Name: "web_search", ProviderExecuted: true,
			Output: json.RawMessage(`[{"title":"` + big + `"}]`),
		},
		"data URL":        says("data:image/png;base64," + big),
		"message is base": says("/9j/" + big),
	} {
		t.Run(name, func(t *testing.T) {
			in := []preflight.Message{user("first"), botMsg(p)}
			res, err := preflight.Persist(context.Background(), in,
				&preflight.Options{MaxBytes: 1000})
			require.ErrorIs(t, err, preflight.ErrTooLarge)
			var size *preflight.SizeError
			require.ErrorAs(t, err, &size)
			require.Equal(t, 1, size.Message)
			require.Greater(t, size.Size, 5000)
			require.Equal(t, 1000, size.Limit)
			require.NotContains(t, err.Error(), big[:20], "no content in errors")
			require.Empty(t, cmp.Diff(in, res.Messages))
		})
	}
}

func TestBudgetCutsFinishedArgumentsWhenAsked(t *testing.T) {
	input := json.RawMessage(`{"path":"/a","body":` + quotedRun("b", 5000) + `}`)
	in := []preflight.Message{
		botMsg(&preflight.ToolCall{ID: "c", Name: "write", Input: input}),
		answered("c", `"ok"`),
	}
	out := runSystem(t, in, persisting(&preflight.Options{MaxBytes: 2000, TruncateInputs: true}))
	call := only[*preflight.ToolCall](t, out.Messages)
	require.Equal(t, "/a", get(t, call.Input, "path").Str())

	_, err := preflight.Persist(context.Background(), in[:1],
		&preflight.Options{MaxBytes: 2000, TruncateInputs: true})
	require.ErrorIs(t, err, preflight.ErrTooLarge, "a running call keeps its arguments")
}

func TestBudgetOfManySmallResults(t *testing.T) {
	m := userMsg()
	for range 400 {
		m.Parts = append(m.Parts, &preflight.ToolResult{
			CallID:  "c",
			Content: []preflight.Part{says(strings.Repeat("s", 900))},
		})
	}
	out := runSystem(t, []preflight.Message{m}, persisting(&preflight.Options{MaxBytes: 60000}))
	require.LessOrEqual(t, storedBytes(t, out.Messages[0]), 60000)
	require.Len(t, out.Messages[0].Parts, 400)
}

// TestPersistRedactsNativeJSON: what a hook redacts is not stored in the JSON a part was decoded
// from either.
func TestPersistRedactsNativeJSON(t *testing.T) {
	block := json.RawMessage(`{"type":"text","text":"the password is hunter2","citations":[1.0]}`)
	whole := json.RawMessage(`{"id":"m1","role":"user","content":[` + string(block) + `]}`)
	in := []preflight.Message{
		{
			Role:   preflight.RoleUser,
			Native: preflight.Native{Format: "anthropic", JSON: whole},
			Parts: []preflight.Part{
				&preflight.Text{
					Text: "the password is hunter2",
					Carried: preflight.Carried{
						Native: preflight.Native{Format: "anthropic", JSON: block},
					},
				},
			},
		},
	}
	o := preflight.PersistOptions()
	o.Hooks = []preflight.Hook{
		messageHook("redact", func(m *preflight.Message) {
			for _, p := range m.Parts {
				if t, ok := p.(*preflight.Text); ok {
					t.Text = strings.ReplaceAll(t.Text, "hunter2", "[redacted]")
				}
			}
		}),
	}
	out := runSystem(t, in, persisting(&o))
	stored, err := json.Marshal(out.Messages)
	require.NoError(t, err)
	require.NotContains(t, string(stored), "hunter2")
	require.Equal(t, `{"type":"text","text":"the password is [redacted]","citations":[1.0]}`,
		string(only[*preflight.Text](t, out.Messages).Native.JSON))
	require.Contains(t, string(out.Messages[0].Native.JSON), `"id":"m1"`,
		"what nobody modelled survives")

	o.Hooks = []preflight.Hook{
		messageHook("drop", func(m *preflight.Message) {
			m.Parts = []preflight.Part{says("nothing to see")}
		}),
	}
	out = runSystem(t, in, persisting(&o))
	stored, err = json.Marshal(out.Messages)
	require.NoError(t, err)
	require.NotContains(t, string(stored), "hunter2")
}

// TestPersistRedactsNativeReasoning: reasoning that nobody signed is redacted like text.
func TestPersistRedactsNativeReasoning(t *testing.T) {
	native := func(raw string) preflight.Native {
		return preflight.Native{Format: "anthropic", JSON: json.RawMessage(raw)}
	}
	const block = `{"type":"thinking","thinking":"the password is hunter2","x":1.0}`
	in := []preflight.Message{
		{
			Role:   preflight.RoleAssistant,
			Native: native(`{"role":"assistant","content":[` + block + `]}`),
			Parts: []preflight.Part{
				&preflight.Reasoning{
					Text:    "the password is hunter2",
					Carried: preflight.Carried{Native: native(block)},
				},
			},
		},
	}
	o := preflight.PersistOptions()
	o.Hooks = []preflight.Hook{
		messageHook("redact", func(m *preflight.Message) {
			m.Parts[0].(*preflight.Reasoning).Text = "the password is [redacted]"
		}),
	}
	out := runSystem(t, in, persisting(&o))
	const want = `{"type":"thinking","thinking":"the password is [redacted]","x":1.0}`
	require.Equal(t, want, string(only[*preflight.Reasoning](t, out.Messages).Native.JSON))
	require.Equal(t, `{"role":"assistant","content":[`+want+`]}`,
		string(out.Messages[0].Native.JSON))
}

// TestPersistRedactsNativeArguments: arguments stand in the native JSON as an object, or as a
// string that holds one.
func TestPersistRedactsNativeArguments(t *testing.T) {
	for name, c := range map[string]struct{ block, want string }{
		"an object": {`{"type":"tool_use","id":"c1","name":"login",` +
			`"input":{"password":"hunter2"},"extra":1.0}`,
			`{"type":"tool_use","id":"c1","name":"login","input":{"password":"[redacted]"},` +
				`"extra":1.0}`},
		"a string": {`{"id":"c1","function":{"name":"login",` +
			`"arguments":"{\"password\":\"hunter2\"}"},"extra":1.0}`,
			`{"id":"c1","function":{"name":"login","arguments":"{\"password\":\"[redacted]\"}"},` +
				`"extra":1.0}`},
	} {
		t.Run(name, func(t *testing.T) {
			native := func(raw string) preflight.Carried {
				return preflight.Carried{
					Native: preflight.Native{Format: "x", JSON: json.RawMessage(raw)},
				}
			}
			call := &preflight.ToolCall{
				ID:      "c1",
				Name:    "login",
				Input:   json.RawMessage(`{"password":"hunter2"}`),
				Carried: native(c.block),
			}
			in := []preflight.Message{
				{
					Role:   preflight.RoleAssistant,
					Native: native(`{"parts":[` + c.block + `],"n":2.0}`).Native,
					Parts:  []preflight.Part{call},
				},
				answered("c1", `"ok"`),
			}
			o := preflight.PersistOptions()
			o.Hooks = []preflight.Hook{
				messageHook("redact", func(m *preflight.Message) {
					if call, ok := m.Parts[0].(*preflight.ToolCall); ok {
						call.Input = json.RawMessage(`{"password":"[redacted]"}`)
					}
				}),
			}
			out := runSystem(t, in, persisting(&o))
			require.Equal(t, c.want, string(only[*preflight.ToolCall](t, out.Messages).Native.JSON))
			require.Equal(t, `{"parts":[`+c.want+`],"n":2.0}`, string(out.Messages[0].Native.JSON))
		})
	}
}

func TestPersistFitsNativeJSON(t *testing.T) {
	long := strings.Repeat("漢", 3000)
	block := json.RawMessage(`{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text",` +
		`"text":"` + long + `"}],"extra":1.0}`)
	whole := json.RawMessage(`{"role":"user","content":[` + string(block) + `]}`)
	native := func(raw json.RawMessage) preflight.Native {
		return preflight.Native{Format: "anthropic", JSON: raw}
	}
	in := []preflight.Message{
		{
			Role:   preflight.RoleUser,
			Native: native(whole),
			Parts: []preflight.Part{
				&preflight.ToolResult{
					CallID:  "c1",
					Carried: preflight.Carried{Native: native(block)},
					Content: []preflight.Part{says(long)},
				}},
		},
	}
	out := runSystem(t, in, persisting(&preflight.Options{MaxBytes: 12000}))
	require.LessOrEqual(t, storedBytes(t, out.Messages[0]), 12000)
	require.Contains(t, string(only[*preflight.ToolResult](t, out.Messages).Native.JSON),
		`"extra":1.0`)
}

func TestPersistTakesAnyShape(t *testing.T) {
	for reason, in := range map[string][]preflight.Message{
		"nothing":           nil,
		"an open call":      {user("go"), call("c1")},
		"equal neighbours":  {user("a"), user("b")},
		"an assistant only": {call("c1")},
		"an orphan":         {result("c9", "late")},
	} {
		t.Run(reason, func(t *testing.T) {
			out := runSystem(t, in, persisting(nil))
			require.False(t, out.Changed)
			require.True(t, sameArray(out.Messages, in))
		})
	}
}

// TestOlderProperties: in Sanitize, too, shortening older messages leaves a valid history that
// stays as it is.
func TestOlderProperties(t *testing.T) {
	for name, profile := range map[string]preflight.Profile{
		"anthropic":   *provider.Anthropic(""),
		"openai-chat": *provider.OpenAIChat(""),
		"bound":       *provider.Anthropic("claude-opus-5-5"),
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				in := grown(t, histgen.Any(&profile, nil).Draw(t, "history"))
				options := drawPersist(t)
				options.ClearMeta = []string{"run_id"}
				options.Interrupted = func(c *preflight.ToolCall) preflight.Part {
					if c.Name == "ls" {
						return &preflight.Text{Text: "(a listing was asked for)"}
					}
					return nil
				}
				g := given{profile: &profile, options: options, in: in}
				proveValid(t, g)
				proveIdempotent(t, g)
				provePure(t, g)
			})
		})
	}
}

func TestOlderMovesInBlocks(t *testing.T) {
	history := func(n int) []preflight.Message {
		var out []preflight.Message
		for range n {
			out = append(out, user(strings.Repeat("w", 100)))
		}
		return out
	}
	o := &preflight.Options{Older: preflight.Older{Keep: 3, Block: 4, MaxText: 50}}
	for n, want := range map[int]int{3: 0, 6: 0, 7: 4, 10: 4, 11: 8} {
		_, warnings := preflight.TruncateOlder.Apply(history(n), nil, o)
		require.Len(t, warnings, want, "of %d messages", n)
	}
	in := append([]preflight.Message{sysMsg(history(1)[0].Parts...)}, history(9)...)
	out, warnings := preflight.TruncateOlder.Apply(in, nil, o)
	require.Same(t, in[0].Parts[0], out[0].Parts[0], "instructions stay")
	require.Len(t, warnings, 3, "what stands behind them in the first block does not")
	for _, c := range []struct{ keep, block, n, want int }{
		{0, 0, 5, 0}, {0, 2, 5, 0}, {-1, 0, 5, 0}, {5, 0, 5, 0}, {6, 0, 5, 0}, {4, 0, 5, 1},
		{1, 0, 5, 4}, {1, 1, 5, 4}, {1, -1, 5, 4}, {2, 2, 5, 2}, {1, 2, 6, 4}, {1, 2, 5, 4},
	} {
		o := &preflight.Options{Older: preflight.Older{Keep: c.keep, Block: c.block, MaxText: 50}}
		_, warnings := preflight.TruncateOlder.Apply(history(c.n), nil, o)
		require.Len(t, warnings, c.want, "%+v", c)
	}
}

func TestOlderInSanitizeKeepsTheRequestValid(t *testing.T) {
	profile := *provider.Anthropic("")
	profile.Turns.Neighbours = provider.NeighboursMerged
	in := []preflight.Message{
		user(strings.Repeat("long ", 100)),
		call("toolu_1"),
		result("toolu_1", strings.Repeat("out ", 400)),
		user("a"),
		user("b"),
	}
	o := preflight.Options{Older: preflight.Older{Keep: 1, MaxOutput: 60, MaxText: 60}}
	out := runSystem(t, in, sanitizing(articlePipeline(), profile, o))
	require.Empty(t, preflight.Check(out.Messages, &profile))
	require.Equal(t, 1, out.Count(codes.TruncatedOlder),
		"the last message holds the result and both texts")
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
		}, preflight.ClearBindings))
	require.Empty(t, cmp.Diff(meta(`{"keep":{"a":1.0}}`), out.Messages[0].Meta))
	require.Equal(t, `{"other":2}`, string(metaOfPart(out.Messages[0].Parts[0])["openai"]))
	require.Nil(t, metaOfPart(out.Messages[0].Parts[1].(*preflight.ToolResult).Content[0]))
	require.Len(t, out.Warnings, 3)
	require.Equal(t, "c", out.Warnings[2].ToolCallID)
}

func TestInterruptedHook(t *testing.T) {
	ask := func(c *preflight.ToolCall) preflight.Part {
		defer func() { c.Name, c.Input = "scribble", nil }() // it is a copy
		switch c.Name {
		case "ask_user":
			return &preflight.Text{Text: "May I?"}
		case "deploy":
			return &preflight.ToolResult{
				Content: []preflight.Part{says("nobody knows")},
				IsError: true,
			}
		case "loop":
			return c
		}
		return nil
	}
	open := func(name string) preflight.Message {
		return botMsg(&preflight.ToolCall{ID: name, Name: name, Input: json.RawMessage(`{}`)})
	}
	o := asInterrupted()
	o.Interrupted = ask
	in := []preflight.Message{open("ask_user"), open("deploy"), open("loop"), open("search")}
	out := runSystem(t, in, interrupting(o))
	require.Equal(t, []string{"May I?"}, texts(out.Messages))
	require.Equal(t, []string{"deploy", "loop", "search"}, callIDs(out.Messages))
	require.Equal(t, "nobody knows", results(out.Messages)["deploy"])
	requireAnswered(t, out.Messages, "search")
	requireAnswered(t, out.Messages, "loop")
	require.Equal(t, []string{"ask_user"}, out.CallIDs(codes.DanglingReplaced))

	signed := botMsg(&preflight.Reasoning{Text: "hm", Signature: "c2ln"}, open("ask_user").Parts[0])
	out = runSystem(t, []preflight.Message{signed}, interrupting(o))
	require.Empty(t, texts(out.Messages), "a signed turn is not cut")
	requireAnswered(t, out.Messages, "ask_user")
}

func TestAbort(t *testing.T) {
	abort := func(partial string, o *preflight.Options) step {
		return func(h []preflight.Message) (preflight.Result, error) {
			return preflight.Abort(h, partial, o)
		}
	}
	in := []preflight.Message{user("go"), call("c1")}
	out := runSystem(t, in, abort(" \n", nil))
	require.Empty(t, texts(out.Messages[3-1:]), "nothing was said")
	require.Len(t, out.Messages, 3)

	out = runSystem(t, in,
		abort("so far",
			&preflight.Options{Pending: func(*preflight.ToolCall) bool { return true }}))
	require.Equal(t, []string{"go", "[INTERRUPTED]\n\nso far"}, texts(out.Messages))
	require.Len(t, out.Messages, 3, "a call that waits stays open")

	out = runSystem(t, nil, abort("", nil))
	require.False(t, out.Changed)

	died := []preflight.Message{user("go"), botMsg()}
	out = runSystem(t, died, abort("so far", nil))
	require.Len(t, out.Messages, 2, "the empty message of the dead stream goes")
}

func TestPresetsReportErrors(t *testing.T) {
	in := []preflight.Message{user("go")}
	bad := &preflight.Options{Hooks: []preflight.Hook{{Name: "nothing"}}}
	_, err := preflight.Persist(context.Background(), in, bad)
	require.ErrorIs(t, err, preflight.ErrPipeline)
	failing := &preflight.Options{
		Hooks: []preflight.Hook{
			{
				Name: "boom",
				Message: func(context.Context, preflight.Message) (preflight.Message, error) {
					panic("boom")
				},
			},
		},
	}
	for _, run := range []step{persisting(failing), interrupting(failing)} {
		res, err := run(in)
		require.ErrorIs(t, err, preflight.ErrHook)
		require.True(t, sameArray(res.Messages, in))
	}
}

func TestOptionsTravelAsJSON(t *testing.T) {
	for _, o := range []preflight.Options{
		{},
		preflight.PersistOptions(),
		preflight.ResumeOptions(),
		{Dangling: preflight.DanglingAnswer},
		{Trailing: preflight.TrailingStrip, FallbackToLastUser: true},
		{
			Unit:        preflight.UnitRunes,
			Older:       preflight.Older{Keep: 4, Block: 8},
			KeepOutputs: true, KeepEncrypted: true,
		},
	} {
		body, err := json.Marshal(o)
		require.NoError(t, err)
		var back preflight.Options
		require.NoError(t, json.Unmarshal(body, &back))
		require.Empty(t, cmp.Diff(o, back))
	}
	body, err := json.Marshal(preflight.Options{})
	require.NoError(t, err)
	require.Equal(t, `{}`, string(body))
}

// TestOptionsThatChangeValid: what a caller asks for is done to a valid history, too, however
// little it is.
func TestOptionsThatChangeValid(t *testing.T) {
	run := searches("s")
	run.Name = "code_execution"
	in := history(sysMsg(says("s")), userMsg(says(strings.Repeat("x", 12000))),
		botMsg(run, finds("s", `{"a":"`+strings.Repeat("y", 300)+`"}`), says("a")),
		userMsg(says("r")))
	in[1].Meta = preflight.Metadata{"run_id": json.RawMessage(`"1"`)}
	in[2].Parts[2].(*preflight.Text).Meta = preflight.Metadata{
		"openai": json.RawMessage(`{"itemId":"msg_1"}`),
	}
	for name, c := range map[string]struct {
		options preflight.Options
		code    preflight.Code
	}{
		"nothing":         {},
		"ids of items":    {preflight.Options{StripEphemeral: true}, codes.MetadataStripped},
		"system messages": {preflight.Options{StripSystem: true}, codes.SystemRemoved},
		"bindings":        {preflight.Options{ClearMeta: []string{"run_id"}}, codes.BindingCleared},
		"long strings":    {preflight.Options{MaxString: 50}, codes.Truncated},
		"older messages": {preflight.Options{Older: preflight.Older{Keep: 1}},
			codes.TruncatedOlder},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.code == "", preflight.Valid(in, &preflight.Profile{}, &c.options))
			res, err := preflight.Sanitize(context.Background(), in, &preflight.Profile{},
				&c.options)
			require.NoError(t, err)
			require.Equal(t, c.code != "", res.Changed)
			for _, w := range res.Warnings {
				require.Equal(t, c.code, w.Code)
			}
			again, err := preflight.Sanitize(context.Background(), res.Messages,
				&preflight.Profile{}, &c.options)
			require.NoError(t, err)
			require.False(t, again.Changed, list(again.Warnings))
			require.Zero(t, again.Rounds)
		})
	}
	require.False(t, preflight.Valid(nil, &preflight.Profile{}, nil))
	require.True(t, preflight.Valid(in, nil, nil))
}

// TestInsertedResultsStandWhereTheOthersDo: in messages of the role in which the history keeps its
// results, and as messages of the tool's where it has none yet.
func TestInsertedResultsStandWhereTheOthersDo(t *testing.T) {
	interrupted := `error b ` + interrupted
	for name, c := range map[string]struct {
		in   []preflight.Message
		want []string
	}{
		"no results": {history(userMsg(says("q")), botMsg(calls("b"))),
			[]string{`user: "q"`, "assistant: call b", "tool: " + interrupted}},
		"the user's": {history(userMsg(nil, says("q")), botMsg(calls("a")),
			userMsg(says("x"), answers("a", "1")), botMsg(calls("b"))),
			[]string{
				`user: "q"`,
				"assistant: call a",
				`user: result a "1" | "x"`,
				"assistant: call b",
				"user: " + interrupted,
			}},
		"the tool's": {history(botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("b"))),
			[]string{
				"assistant: call a",
				`tool: result a "1"`,
				"assistant: call b",
				"tool: " + interrupted,
			}},
		"first the tool's": {history(botMsg(calls("a"), calls("c")), toolMsg(answers("a", "1")),
			userMsg(answers("c", "2")), botMsg(calls("b"))),
			[]string{
				"assistant: call a | call c",
				`tool: result a "1"`,
				`user: result c "2"`,
				"assistant: call b",
				"tool: " + interrupted,
			}},
		"the provider's own": {
			history(userMsg((*preflight.ToolResult)(nil), finds("s", "[]")), botMsg(calls("b"))),
			[]string{"user: server-result s []", "assistant: call b", "tool: " + interrupted}},
		"inside the turn": {
			history(botMsg(calls("a"), answers("a", "1"), says("x")), botMsg(calls("b"))),
			[]string{
				`assistant: call a | "x"`,
				`tool: result a "1"`,
				"assistant: call b",
				"tool: " + interrupted,
			}},
		"a function's": {history(botMsg(calls("a")),
			preflight.Message{Role: "human", Parts: []preflight.Part{answers("a", "1")}},
			botMsg(calls("b"))),
			[]string{
				"assistant: call a",
				`human: result a "1"`,
				"assistant: call b",
				"user: " + interrupted,
			}},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := preflight.RepairInterrupted(context.Background(), c.in, nil)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(c.want, lines(res.Messages)))
		})
	}
}

// TestInterruptedResults: what the caller answers a call with is that call's result, under its id,
// and under its name unless it bears one; a nil of a type is nil.
func TestInterruptedResults(t *testing.T) {
	in := history(userMsg(says("q")), botMsg(calls("a")))
	for name, c := range map[string]struct {
		gives preflight.Part
		want  *preflight.ToolResult
	}{
		"a bare one": {&preflight.ToolResult{Content: []preflight.Part{says("x")}},
			&preflight.ToolResult{CallID: "a", Name: "f", Content: []preflight.Part{says("x")}}},
		"a named one": {&preflight.ToolResult{Name: "g", Output: json.RawMessage("1")},
			&preflight.ToolResult{CallID: "a", Name: "g", Output: json.RawMessage("1")}},
		"another call's": {
			&preflight.ToolResult{CallID: "z", ProviderExecuted: true, IsError: true},
			&preflight.ToolResult{CallID: "a", Name: "f", IsError: true}},
		"nil":               {nil, nil},
		"a nil of its type": {(*preflight.ToolResult)(nil), nil},
		"reasoning":         {thinks("hm", ""), nil},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := preflight.RepairInterrupted(context.Background(), in, &preflight.Options{
				Interrupted: func(*preflight.ToolCall) preflight.Part { return c.gives },
			})
			require.NoError(t, err)
			if c.want == nil {
				require.Equal(t,
					[]string{
						"dangling-removed preflight/dangling messages[1].parts[0] a -1 call -2 " +
							"byte",
					}, wholly(res.Warnings))
				return
			}
			require.Empty(t, cmp.Diff(history(in[0], in[1], toolMsg(c.want)), res.Messages))
			require.Equal(t, codes.DanglingAnswered, res.Warnings[0].Code)
			require.Equal(t, preflight.TallyOf(toolMsg(c.want)), res.Added)
		})
	}
}

// TestAbortAppendsOnce: what the model had said is appended unless the history ends with it, in the
// assistant's words.
func TestAbortAppendsOnce(t *testing.T) {
	marked := says("[INTERRUPTED]\n\nso far")
	appended := "partial-appended  messages[%d] +1 text +21 byte"
	q := userMsg(says("q"))
	for name, c := range map[string]struct {
		in    []preflight.Message
		said  string
		want  []preflight.Message
		whole []string
	}{
		"to nothing": {nil, "so far", history(botMsg(marked)), []string{fmt.Sprintf(appended, 0)}},
		"to a user turn": {history(q), "so far", history(q, botMsg(marked)),
			[]string{fmt.Sprintf(appended, 0)}},
		"once": {history(q, botMsg(says("x"), marked)), "so far", nil, nil},
		"something else": {history(q, botMsg(says("so far"))), "so far",
			history(q, botMsg(says("so far")), botMsg(marked)), []string{fmt.Sprintf(appended, 1)}},
		"again, where more stands": {history(q, botMsg(marked, says("x"))), "so far",
			history(q, botMsg(marked, says("x")), botMsg(marked)),
			[]string{fmt.Sprintf(appended, 1)}},
		"the user's own words": {history(userMsg(marked)), "so far",
			history(userMsg(marked), botMsg(marked)), []string{fmt.Sprintf(appended, 0)}},
		"behind a call that waits": {history(q, botMsg(waits("a"))), "so far",
			history(q, botMsg(waits("a")), botMsg(marked)), []string{fmt.Sprintf(appended, 1)}},
		"nothing": {history(q), " \t\n", nil, nil},
		"to a search that was running": {history(q, botMsg(says("x"), searches("s"))), "so far",
			history(q, botMsg(says("x")), botMsg(marked)),
			[]string{
				fmt.Sprintf(appended, 1),
				"dangling-removed preflight/server-dangling messages[1].parts[1] s -1 call -13 " +
					"byte",
			}},
		"nothing to a search that was running": {history(q, botMsg(says("x"), searches("s"))), "",
			nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := preflight.Abort(c.in, c.said, nil)
			require.NoError(t, err)
			if c.want == nil {
				c.want = c.in
			}
			require.Empty(t, cmp.Diff(c.want, res.Messages))
			require.Empty(t, cmp.Diff(c.whole, wholly(res.Warnings)))
			again, err := preflight.Abort(res.Messages, c.said, nil)
			require.NoError(t, err)
			require.False(t, again.Changed, list(again.Warnings))
			require.Zero(t, again.Rounds)
		})
	}
	hook := preflight.Hook{
		Name: "h",
		History: func(context.Context, []preflight.Message) ([]preflight.Message, error) {
			panic("called")
		},
	}
	res, err := preflight.Abort(history(q, botMsg(calls("a"))), "so far",
		&preflight.Options{Hooks: []preflight.Hook{hook}})
	require.NoError(t, err)
	require.Equal(t, []string{`user: "q"`, `assistant: "[INTERRUPTED]\n\nso far"`},
		lines(res.Messages), "hooks do not run; a call goes where the options say no other")
}

// TestPresetsCountRounds: a round that finds something, and one that finds nothing more; hooks take
// a round behind them.
func TestPresetsCountRounds(t *testing.T) {
	in := history(sysMsg(says("s")), userMsg(says("q")), botMsg(says("a")))
	in[1].Meta = preflight.Metadata{"run_id": json.RawMessage(`"1"`)}
	same := preflight.Hook{
		Name: "same",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			return m, nil
		},
	}
	drop := preflight.Hook{
		Name: "drop",
		History: func(_ context.Context, h []preflight.Message) ([]preflight.Message, error) {
			return h[1:], nil
		},
	}
	with := func(o preflight.Options, hooks ...preflight.Hook) *preflight.Options {
		o.Hooks = hooks
		return &o
	}
	for name, c := range map[string]struct {
		options *preflight.Options
		left    int
		rounds  int
	}{
		"nothing to do":             {&preflight.Options{}, 3, 0},
		"a hook with nothing to do": {with(preflight.Options{}, same), 3, 0},
		"system messages":           {&preflight.Options{StripSystem: true}, 2, 2},
		"and a hook":                {with(preflight.Options{StripSystem: true}, drop), 1, 3},
	} {
		t.Run(name, func(t *testing.T) {
			resume := func(h messages) (preflight.Result, error) {
				return preflight.Resume(context.Background(), h, nil, c.options)
			}
			for _, run := range []step{persisting(c.options), resume} {
				res, err := run(in)
				require.NoError(t, err)
				require.Len(t, res.Messages, c.left)
				require.Equal(t, c.rounds, res.Rounds)
				require.Equal(t, c.rounds > 0, res.Changed)
			}
		})
	}
}

// TestResumeTakesAnEmptyHistory: with a profile or without, and one that nothing is left of only
// without.
func TestResumeTakesAnEmptyHistory(t *testing.T) {
	for _, p := range []*preflight.Profile{nil, &anthropic} {
		for _, in := range [][]preflight.Message{nil, make([]preflight.Message, 0, 4)} {
			res, err := preflight.Resume(context.Background(), in, p, nil)
			require.NoError(t, err)
			require.Empty(t, res.Messages)
			require.Zero(t, cap(res.Messages))
			require.Equal(t, -1, res.FirstChanged)
			require.False(t, res.Changed)
		}
	}
	res, err := preflight.Resume(context.Background(),
		history(sysMsg(says("s")), userMsg(says(" "))), nil, nil)
	require.NoError(t, err)
	require.Empty(t, res.Messages)
	require.Equal(t, 0, res.FirstChanged)
	require.Equal(t,
		[]string{
			"system-removed  messages[0] -1 text -1 byte",
			"empty-part-removed preflight/blank-text messages[1].parts[0] -1 text -1 byte",
		}, wholly(res.Warnings))
}

// TestBudgetStopsAsSoonAsItFits: with the native JSON that follows, the first of two results is
// enough, and the second stays.
func TestBudgetStopsAsSoonAsItFits(t *testing.T) {
	long := strings.Repeat("x", 3000)
	block := func(id string) string {
		return `{"type":"tool_result","tool_use_id":"` + id + `","content":"` + long + `"}`
	}
	m := userMsg(answers("a", long), answers("b", long))
	m.Native = preflight.Native{
		Format: "anthropic",
		JSON: json.RawMessage(
			`{"role":"user","content":[` + block("a") + `,` + block("b") + `]}`),
	}
	size := storedBytes(t, m)
	res, err := preflight.Persist(context.Background(), history(m),
		&preflight.Options{MaxBytes: size - 2500})
	require.NoError(t, err)
	require.Len(t, res.Warnings, 1)
	require.Same(t, m.Parts[1], res.Messages[0].Parts[1])
	require.LessOrEqual(t, storedBytes(t, res.Messages[0]), size-2500)
}

// TestBudgetLeavesShortArguments: what is short already is not touched for the sake of what is
// long.
func TestBudgetLeavesShortArguments(t *testing.T) {
	m := botMsg(callsWith("a", `{"path":"/a"}`),
		callsWith("b", `{"body":`+string(quotedRun("b", 5000))+`}`))
	in := history(m, toolMsg(answers("a", "1")), toolMsg(answers("b", "2")))
	res, err := preflight.Persist(context.Background(), in,
		&preflight.Options{MaxBytes: 2000, TruncateInputs: true})
	require.NoError(t, err)
	require.Same(t, m.Parts[0], res.Messages[0].Parts[0])
	require.Less(t, len(res.Messages[0].Parts[1].(*preflight.ToolCall).Input), 2000)
}

// TestBudgetCountsEverything: whatever makes a message large is seen, although nothing of it may be
// shortened.
func TestBudgetCountsEverything(t *testing.T) {
	const limit = 1000
	long, raw := strings.Repeat("A", limit), json.RawMessage(`"`+strings.Repeat("A", limit)+`"`)
	bot := func(p preflight.Part) preflight.Message { return botMsg(p) }
	in := func(p preflight.Part) preflight.Message {
		return toolMsg(&preflight.ToolResult{CallID: "c", Content: []preflight.Part{p}})
	}
	sealed := preflight.Metadata{"x": json.RawMessage(`"s"`)}
	for name, m := range map[string]preflight.Message{
		"a message's id": {Role: preflight.RoleUser, ID: long},
		"its name":       {Role: preflight.RoleUser, Name: long},
		"its role":       {Role: preflight.Role(long)},
		"its metadata":   {Role: preflight.RoleUser, Meta: preflight.Metadata{"x": raw}},
		"the keys of its metadata": {
			Role: preflight.RoleUser,
			Meta: preflight.Metadata{long: json.RawMessage("1")},
		},
		"its native JSON": {
			Role:   preflight.RoleUser,
			Native: preflight.Native{Format: "x", JSON: raw},
		},
		"the name of its format": {
			Role:   preflight.RoleUser,
			Native: preflight.Native{Format: long, JSON: json.RawMessage("{}")},
		},
		"what JSON has to escape": {Role: preflight.RoleUser, ID: strings.Repeat("\x01", limit/6)},
		"many parts":              userMsg(slices.Repeat([]preflight.Part{says("")}, limit/10)...),
		"a part's metadata": bot(&preflight.Text{
			Carried: preflight.Carried{Meta: preflight.Metadata{"x": raw}},
		}),
		"a breakpoint": bot(&preflight.Text{Carried: preflight.Carried{Cache: raw}}),
		"a part's native JSON": bot(&preflight.Text{
			Carried: preflight.Carried{Native: preflight.Native{Format: "x", JSON: raw}},
		}),
		"a signature":        bot(&preflight.Reasoning{Signature: long}),
		"a redacted payload": bot(&preflight.Reasoning{Opaque: long}),
		"reasoning that a signature in its metadata may vouch for": bot(&preflight.Reasoning{
			Text:    long,
			Carried: preflight.Carried{Meta: sealed},
		}),
		"a call's id":          bot(&preflight.ToolCall{ID: long}),
		"the name of its tool": bot(&preflight.ToolCall{Name: long}),
		"its arguments":        bot(&preflight.ToolCall{Input: raw}),
		"what it waits for":    bot(&preflight.ToolCall{Awaiting: preflight.Awaiting(long)}),
		"its variant":          bot(&preflight.ToolCall{Variant: long}),
		"a result's call id":   toolMsg(&preflight.ToolResult{CallID: long}),
		"a result's name":      toolMsg(&preflight.ToolResult{Name: long}),
		"a result's variant":   toolMsg(&preflight.ToolResult{Variant: long}),
		"a kind of media":      bot(&preflight.Media{Kind: long}),
		"a media type":         bot(&preflight.Media{MediaType: long}),
		"data":                 bot(&preflight.Media{Data: long}),
		"an address":           bot(&preflight.Media{URL: long}),
		"a file id":            bot(&preflight.Media{FileID: long}),
		"a title":              bot(&preflight.Media{Name: long}),
		"a kind":               bot(&preflight.Other{Kind: long}),
		"media in a result":    in(&preflight.Media{Kind: "image", Data: long}),
	} {
		t.Run(name, func(t *testing.T) {
			size := storedBytes(t, m)
			_, err := preflight.Persist(context.Background(), history(m),
				&preflight.Options{MaxBytes: size - 1})
			require.ErrorIs(t, err, preflight.ErrTooLarge)
			res, err := preflight.Persist(context.Background(), history(m),
				&preflight.Options{MaxBytes: size})
			require.NoError(t, err, "it fits")
			require.False(t, res.Changed)
			require.Empty(t, cmp.Diff(history(m), res.Messages))
		})
	}
}

// TestPersistRedactsNativeJSONOfEveryKind: native JSON follows what a hook did to a part where it
// shows that, keeping what nobody modelled, and goes where it does not.
func TestPersistRedactsNativeJSONOfEveryKind(t *testing.T) {
	native := func(raw string) preflight.Carried {
		return preflight.Carried{Native: preflight.Native{Format: "x", JSON: json.RawMessage(raw)}}
	}
	type change = func(preflight.Part) preflight.Part
	text := func(p preflight.Part) preflight.Part { p.(*preflight.Text).Text = "[gone]"; return p }
	think := func(p preflight.Part) preflight.Part {
		p.(*preflight.Reasoning).Text = "[gone]"
		return p
	}
	within := func(p preflight.Part) preflight.Part {
		p.(*preflight.ToolResult).Content[0].(*preflight.Text).Text = "[gone]"
		return p
	}
	of := func(parts ...preflight.Part) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: "a", Content: parts}
	}
	for _, c := range []struct {
		name   string
		part   preflight.Part
		native string // of the part
		change change
		want   string // "" for none
	}{
		{"text", &preflight.Text{Text: "secret"}, `{"text":"secret","x":1.0}`, text,
			`{"text":"[gone]","x":1.0}`},
		{"text of one byte", &preflight.Text{Text: "s"}, `{"text":"s","x":1.0}`, text,
			`{"text":"[gone]","x":1.0}`},
		{"text that its JSON does not show", &preflight.Text{Text: "secret"},
			`{"text":"a secret","x":1.0}`, text, ""},
		{"reasoning", &preflight.Reasoning{Text: "secret"}, `{"thinking":"secret","x":1.0}`, think,
			`{"thinking":"[gone]","x":1.0}`},
		{"reasoning that loses its signature", &preflight.Reasoning{Text: "secret", Signature: "s"},
			`{"thinking":"secret","signature":"s"}`,
			func(p preflight.Part) preflight.Part {
				p.(*preflight.Reasoning).Signature = ""
				return think(p)
			}, ""},
		{"reasoning that loses its payload", &preflight.Reasoning{Text: "secret", Opaque: "s"},
			`{"thinking":"secret","data":"s"}`,
			func(p preflight.Part) preflight.Part {
				p.(*preflight.Reasoning).Opaque = ""
				return think(p)
			}, ""},
		{"an output", &preflight.ToolResult{CallID: "a", Output: json.RawMessage(`{"k":"secret"}`)},
			`{"output":{"k":"secret"},"x":1.0}`,
			func(p preflight.Part) preflight.Part {
				p.(*preflight.ToolResult).Output = json.RawMessage(`{"k":0}`)
				return p
			}, `{"output":{"k":0},"x":1.0}`},
		{"an output that goes",
			&preflight.ToolResult{CallID: "a", Output: json.RawMessage(`{"k":"secret"}`)},
			`{"output":{"k":"secret"},"x":1.0}`,
			func(p preflight.Part) preflight.Part {
				p.(*preflight.ToolResult).Output = nil
				return p
			}, `{"output":null,"x":1.0}`},
		{"text in a result", of(&preflight.Text{Text: "secret"}, image()),
			`{"content":[{"text":"secret"},{"image":1}],"x":1.0}`, within,
			`{"content":[{"text":"[gone]"},{"image":1}],"x":1.0}`},
		{"media in a result", of(image(), says("x")),
			`{"content":[{"url":"https://example.com/a.png"},{"text":"x"}],"x":1.0}`,
			func(p preflight.Part) preflight.Part {
				m := p.(*preflight.ToolResult).Content[0].(*preflight.Media)
				m.URL = "https://example.com/b.png"
				return p
			}, ""},
		{"a part of a result that goes", of(says("secret"), says("x")),
			`{"content":[{"text":"secret"},{"text":"x"}],"x":1.0}`,
			func(p preflight.Part) preflight.Part {
				r := p.(*preflight.ToolResult)
				r.Content = r.Content[1:]
				return r
			}, ""},
		{"media", image(), `{"url":"https://example.com/a.png","x":1.0}`,
			func(p preflight.Part) preflight.Part {
				p.(*preflight.Media).URL = "https://example.com/b.png"
				return p
			}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			part := histgen.Clone(history(userMsg(c.part)))[0].Parts[0]
			*carriedOf(part) = native(c.native)
			m := userMsg(part, says("more"))
			m.Native = native(`{"id":"m1","content":[` + c.native + `]}`).Native
			o := preflight.PersistOptions()
			o.Hooks = []preflight.Hook{
				messageHook("redact", func(m *preflight.Message) {
					m.Parts[0] = c.change(m.Parts[0])
				}),
			}
			res, err := preflight.Persist(context.Background(), history(m), &o)
			require.NoError(t, err)
			message := ""
			if c.want != "" {
				message = `{"id":"m1","content":[` + c.want + `]}`
			}
			require.Equal(t, message, string(res.Messages[0].Native.JSON))
			require.Equal(t, c.want, string(carriedOf(res.Messages[0].Parts[0]).Native.JSON))
		})
	}
	t.Run("a part that said nothing goes", func(t *testing.T) {
		m := userMsg(says(""), says("more"))
		m.Native = native(`{"id":"m1","content":["","more"]}`).Native
		o := preflight.PersistOptions()
		o.Hooks = []preflight.Hook{
			messageHook("drop", func(m *preflight.Message) {
				if len(m.Parts) > 1 {
					m.Parts = m.Parts[1:]
				}
			}),
		}
		res, err := preflight.Persist(context.Background(), history(m), &o)
		require.NoError(t, err)
		require.Equal(t, `{"id":"m1","content":["","more"]}`, string(res.Messages[0].Native.JSON))
	})
	t.Run("a part of a result that has JSON of its own", func(t *testing.T) {
		text, other := says("secret"), says("more")
		carriedOf(text).Native = native(`{"text":"secret","x":1.0}`).Native
		carriedOf(other).Native = native(`{"text":"more"}`).Native
		m := toolMsg(&preflight.ToolResult{
			CallID:  "a",
			Content: []preflight.Part{text, image(), other},
		})
		o := preflight.PersistOptions()
		o.Hooks = []preflight.Hook{
			messageHook("redact", func(m *preflight.Message) {
				m.Parts[0] = within(m.Parts[0])
			}),
		}
		given := histgen.Clone(history(m))
		res, err := preflight.Persist(context.Background(), history(m), &o)
		require.NoError(t, err)
		content := res.Messages[0].Parts[0].(*preflight.ToolResult).Content
		require.Equal(t, `{"text":"[gone]","x":1.0}`, string(carriedOf(content[0]).Native.JSON))
		require.Equal(t, `{"text":"more"}`, string(carriedOf(content[2]).Native.JSON))
		require.Empty(t, cmp.Diff(given, history(m)), "the input was written to")
	})
	t.Run("a part that goes, however little it said", func(t *testing.T) {
		m := userMsg(says("s"), says("more"))
		m.Native = native(`{"id":"m1","content":["s","more"]}`).Native
		o := preflight.PersistOptions()
		o.Hooks = []preflight.Hook{
			messageHook("drop", func(m *preflight.Message) {
				m.Parts = m.Parts[1:]
			}),
		}
		res, err := preflight.Persist(context.Background(), history(m), &o)
		require.NoError(t, err)
		require.Empty(t, res.Messages[0].Native.JSON)
	})
}

// carriedOf is what every part carries beside its content.
func carriedOf(p preflight.Part) *preflight.Carried {
	switch p := p.(type) {
	case *preflight.Text:
		return &p.Carried
	case *preflight.Reasoning:
		return &p.Carried
	case *preflight.ToolCall:
		return &p.Carried
	case *preflight.ToolResult:
		return &p.Carried
	case *preflight.Media:
		return &p.Carried
	}
	return &p.(*preflight.Other).Carried
}

// TestOlderLimits: how much of texts and results stays, and of what nothing goes.
func TestOlderLimits(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	cut := func(keep, n int) string {
		return fmt.Sprintf("%s… [truncated, original length: %d]", x(keep), n)
	}
	output := func(id, name, raw string) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: id, Name: name, Output: json.RawMessage(raw)}
	}
	server := func(name, variant, raw string) []preflight.Part {
		c, r := searches("s"), finds("s", raw)
		c.Name, r.Variant = name, variant
		return []preflight.Part{c, r}
	}
	given := func(results ...preflight.Part) messages {
		// with their calls, and a message after them
		var asked []preflight.Part
		for _, r := range results {
			asked = append(asked, calls(r.(*preflight.ToolResult).CallID))
		}
		return history(botMsg(asked...), toolMsg(results...), userMsg(says("q")))
	}
	longCall := waits("a")
	longCall.Input = json.RawMessage(`{"k":"` + x(100) + `"}`)
	keep := preflight.Options{Older: preflight.Older{Keep: 1}}
	small := preflight.Options{Older: preflight.Older{Keep: 1, MaxOutput: 40, MaxText: 40}}
	q := userMsg(says("q"))
	older := warned(codes.TruncatedOlder)
	runFixer(t, preflight.TruncateOlder, []fixerCase{
		{
			name: "as much as stays by default", options: keep,
			in: append(history(userMsg(says(x(10000)))),
				given(answers("a", x(500)), output("b", "", `"`+x(500)+`"`))...),
		},
		{
			name: "and no more", options: keep,
			in: append(history(userMsg(says(x(10001)))),
				given(answers("a", x(501)), output("b", "", `"`+x(501)+`"`))...),
			want: append(history(userMsg(says(cut(9963, 10001)))),
				given(answers("a", cut(465, 501)), output("b", "", `"`+cut(465, 501)+`"`))...),
			codes: warned(codes.TruncatedOlder, codes.TruncatedOlder, codes.TruncatedOlder),
		},
		{
			name:    "no limit",
			options: preflight.Options{Older: preflight.Older{Keep: 1, MaxOutput: -1, MaxText: -1}},
			in:      append(history(userMsg(says(x(10001)))), given(answers("a", x(501)))...),
		},
		{
			name: "the content and the output of one result", options: small,
			in: given(&preflight.ToolResult{
				CallID:  "a",
				Content: []preflight.Part{says("s"), &preflight.Other{Kind: "x"}, says(x(100))},
				Output:  json.RawMessage(`"` + x(100) + `"`),
			}),
			want: given(&preflight.ToolResult{
				CallID: "a",
				Content: []preflight.Part{
					says("s"),
					&preflight.Other{Kind: "x"},
					says(cut(5, 100)),
				},
				Output: json.RawMessage(`"` + cut(5, 100) + `"`),
			}),
			codes: older,
		},
		{
			name: "the content alone", options: small,
			in: given(&preflight.ToolResult{
				CallID:  "a",
				Content: []preflight.Part{says(x(100))},
				Output:  json.RawMessage(`"s"`),
			}),
			want: given(&preflight.ToolResult{
				CallID:  "a",
				Content: []preflight.Part{says(cut(5, 100))},
				Output:  json.RawMessage(`"s"`),
			}),
			codes: older,
		},
		{
			name: "the output alone", options: small,
			in: given(&preflight.ToolResult{
				CallID:  "a",
				Content: []preflight.Part{says("s")},
				Output:  json.RawMessage(`"` + x(100) + `"`),
			}),
			want: given(&preflight.ToolResult{
				CallID:  "a",
				Content: []preflight.Part{says("s")},
				Output:  json.RawMessage(`"` + cut(5, 100) + `"`),
			}),
			codes: older,
		},
		{
			name: "base64 is worth nothing in half", options: small,
			in: append(history(userMsg(says("/9j/"+x(100)))),
				given(answers("a", "/9j/"+x(100)))...),
		},
		{
			name: "arguments, reasoning, media and what nobody knows stay", options: small,
			in: history(botMsg(thinks(x(100), ""), longCall,
				&preflight.Media{Kind: "image", Data: x(100)}, &preflight.Other{Kind: x(100)}),
				q),
		},
		{
			name: "a provider's result keeps its structure", options: small,
			in: history(botMsg(server("run", "",
				`{"a":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,`+
					`27,28,29],"s":"`+x(100)+`"}`)...), q),
			want: history(botMsg(server("run", "",
				`{"a":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,`+
					`27,28,29],"s":"`+cut(5, 100)+`"}`)...), q),
			codes: older,
		},
		{
			name:    "and all of it where the provider verifies it: by the tool's name",
			options: small,
			in:      history(botMsg(server("web_search", "", `["`+x(100)+`"]`)...), q),
		},
		{
			name: "by the kind of result", options: small,
			in: history(botMsg(server("", "web_fetch_tool_result", `["`+x(100)+`"]`)...), q),
		},
		{
			name:    "a tool of the caller's with such a name is not the provider's",
			options: small,
			in:      given(output("a", "web_search", `"`+x(100)+`"`)),
			want:    given(output("a", "web_search", `"`+cut(5, 100)+`"`)),
			codes:   older,
		},
	})
}

// TestTruncateProviderExecutedAlone: what is shortened in the exchanges with a provider's own
// tools, and what nobody may touch.
func TestTruncateProviderExecutedAlone(t *testing.T) {
	long := func(k string) string { return `{"` + k + `":"` + strings.Repeat("x", 100) + `"}` }
	short := func(k string) string {
		return `{"` + k + `":"` + strings.Repeat("x", 5) + `… [truncated, original length: 100]"}`
	}
	runs := func(id, input string) *preflight.ToolCall {
		return &preflight.ToolCall{
			ID:               id,
			Name:             "run",
			Input:            json.RawMessage(input),
			ProviderExecuted: true,
		}
	}
	bytes := preflight.Options{MaxString: 40}
	inputs := preflight.Options{MaxString: 40, TruncateInputs: true}
	truncated := warned(codes.Truncated)
	sealed := finds("s", long("k"))
	sealed.Name = "web_search"
	runFixer(t, preflight.TruncateProviderExecuted, []fixerCase{
		{
			name: "results, and no arguments", options: bytes,
			in:    history(botMsg(runs("s", long("k")), finds("s", long("r")))),
			want:  history(botMsg(runs("s", long("k")), finds("s", short("r")))),
			codes: truncated,
		},
		{
			name: "both", options: inputs,
			in:    history(botMsg(runs("s", long("k")), finds("s", long("r")))),
			want:  history(botMsg(runs("s", short("k")), finds("s", short("r")))),
			codes: warned(codes.Truncated, codes.Truncated),
		},
		{
			name:    "one unit is little, but a limit",
			options: preflight.Options{MaxString: 1},
			in:      history(botMsg(runs("s", `{}`), finds("s", `{"k":"ab","l":"c"}`))),
			want:    history(botMsg(runs("s", `{}`), finds("s", `{"k":"…","l":"c"}`))),
			codes:   truncated,
		},
		{name: "no limit", in: history(botMsg(runs("s", long("k")), finds("s", long("r"))))},
		{
			name: "of two calls with one id the first is finished", options: inputs,
			in:    history(botMsg(runs("s", long("k")), runs("s", long("l")), finds("s", `{}`))),
			want:  history(botMsg(runs("s", short("k")), runs("s", long("l")), finds("s", `{}`))),
			codes: truncated,
		},
		{
			name: "the caller's tools are not asked", options: inputs,
			in: history(botMsg(callsWith("s", long("k")), runs("s", `{}`), finds("s", `{}`)),
				toolMsg(&preflight.ToolResult{CallID: "s", Output: json.RawMessage(long("r"))})),
		},
		{
			name: "a search", options: inputs,
			in: history(botMsg(&preflight.ToolCall{
				ID:               "s",
				Name:             "web_search",
				Input:            json.RawMessage(long("k")),
				ProviderExecuted: true,
			}, finds("s", long("r")))),
		},
		{
			name: "whose result alone says so", options: inputs,
			in: history(botMsg(runs("s", long("k")), sealed)),
		},
		{
			name: "nothing is long", options: inputs,
			in: history(botMsg(runs("s", `{}`), finds("s", `{}`))),
		},
	})
	out, warnings := preflight.TruncateProviderExecuted.Apply(
		history(botMsg(finds("s", long("r")))), nil, &inputs)
	require.Len(t, warnings, 1, "a result without a call")
	require.Empty(t, cmp.Diff(history(botMsg(finds("s", short("r")))), out))
}

// TestBudgetKeepsNativeJSONInStep: however little has to go, what was cut out of a part is not left
// in the JSON the message was decoded from, and a message is cut no further than that takes.
func TestBudgetKeepsNativeJSONInStep(t *testing.T) {
	long := strings.Repeat("x", 3000)
	message := func() preflight.Message {
		m := userMsg(says(long), says(long+"y"))
		m.Native = preflight.Native{
			Format: "f",
			JSON:   json.RawMessage(`["` + long + `","` + long + `y"]`),
		}
		return m
	}
	size := storedBytes(t, message())
	fitted := func(most int) preflight.Message {
		res, err := preflight.Persist(context.Background(), history(message()),
			&preflight.Options{MaxBytes: most})
		require.NoError(t, err)
		require.LessOrEqual(t, storedBytes(t, res.Messages[0]), most)
		return res.Messages[0]
	}
	first := strings.Repeat("x", 464) + "… [truncated, original length: 3000]"
	once := fitted(size - 10)
	require.Equal(t, first, once.Parts[0].(*preflight.Text).Text)
	require.Equal(t, `["`+first+`","`+long+`y"]`, string(once.Native.JSON))
	require.Empty(t, cmp.Diff(once, fitted(storedBytes(t, once))), "to the byte")
	twice := fitted(storedBytes(t, once) - 1)
	require.NotContains(t, string(twice.Native.JSON), long)
	require.Empty(t, cmp.Diff(twice, fitted(storedBytes(t, twice))), "to the byte")

	m := userMsg(says(long))
	m.Native.Format = "f"
	res, err := preflight.Persist(context.Background(), history(m),
		&preflight.Options{MaxBytes: 1000})
	require.NoError(t, err)
	require.Equal(t, "f", res.Messages[0].Native.Format,
		"a message without native JSON keeps the name of its format")
}

// TestBudgetSteps: what a result, a text and finished arguments keep as less and less room is left.
func TestBudgetSteps(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	cut := func(keep, n int) string {
		return fmt.Sprintf("%s… [truncated, original length: %d]", x(keep), n)
	}
	in := func(output, text, input string) []preflight.Message {
		return history(botMsg(says(text), thinks(text, ""), callsWith("a", `"`+input+`"`),
			&preflight.ToolResult{CallID: "a", Output: json.RawMessage(`"` + output + `"`)}))
	}
	full := in(x(5000), x(5000), x(5000))
	for _, c := range []struct {
		name   string
		want   []preflight.Message
		inputs bool
	}{
		{"everything", full, false},
		{"results first, to 1000", in(cut(964, 5000), x(5000), x(5000)), false},
		{"texts to 500", in(cut(964, 5000), cut(464, 5000), x(5000)), false},
		{"results to 100", in(cut(64, 5000), cut(464, 5000), x(5000)), false},
		{"texts to 100", in(cut(64, 5000), cut(64, 5000), x(5000)), false},
		{"results to 3", in("xx…", cut(64, 5000), x(5000)), false},
		{"texts to 3", in("xx…", "xx…", x(5000)), false},
		{"arguments to 1000", in("xx…", "xx…", cut(964, 5000)), true},
		{"to 100", in("xx…", "xx…", cut(64, 5000)), true},
		{"to 3", in("xx…", "xx…", "xx…"), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			limit := storedBytes(t, c.want[0])
			res, err := preflight.Persist(context.Background(), full,
				&preflight.Options{MaxBytes: limit, TruncateInputs: c.inputs})
			require.NoError(t, err)
			require.Equal(t, c.want, res.Messages)
		})
	}
	least := storedBytes(t, in("xx…", "xx…", "xx…")[0])
	_, err := preflight.Persist(context.Background(), full,
		&preflight.Options{MaxBytes: least - 1, TruncateInputs: true})
	var size *preflight.SizeError
	require.ErrorAs(t, err, &size)
	require.Equal(t, preflight.SizeError{Message: 0, Size: least, Limit: least - 1}, *size)
}

// TestBudgetSaysHowLargeTheRestIs: with the native JSON that follows what was cut.
func TestBudgetSaysHowLargeTheRestIs(t *testing.T) {
	long := strings.Repeat("x", 3000)
	m := botMsg(says(long), says("xx…"), calls("a"))
	m.Native = preflight.Native{Format: "f", JSON: json.RawMessage(`["` + long + `","xx…"]`)}
	rest := botMsg(says("xx…"), says("xx…"), calls("a"))
	rest.Native = preflight.Native{Format: "f", JSON: json.RawMessage(`["xx…","xx…"]`)}
	_, err := preflight.Persist(context.Background(), history(userMsg(says("q")), m),
		&preflight.Options{MaxBytes: 150})
	var size *preflight.SizeError
	require.ErrorAs(t, err, &size)
	require.Equal(t, preflight.SizeError{Message: 1, Size: storedBytes(t, rest), Limit: 150}, *size)
}

// TestBudgetLeavesSearchesAlone: the provider verifies the payload of its own searches, and of
// their calls.
func TestBudgetLeavesSearchesAlone(t *testing.T) {
	long := string(quotedRun("x", 2000))
	search := &preflight.ToolCall{
		ID:               "s",
		Name:             "web_search",
		Input:            json.RawMessage(`{"query":` + long + `}`),
		ProviderExecuted: true,
	}
	ran := &preflight.ToolCall{
		ID:               "r",
		Name:             "run",
		Input:            json.RawMessage(`{"code":` + long + `}`),
		ProviderExecuted: true,
	}
	mine := &preflight.ToolCall{
		ID:    "m",
		Name:  "web_search",
		Input: json.RawMessage(`{"query":` + long + `}`),
	}
	m := botMsg(search, finds("s", `["`+"`"+`"]`), ran, finds("r", `{}`), mine)
	res, err := preflight.Persist(context.Background(), history(m, toolMsg(answers("m", "1"))),
		&preflight.Options{MaxBytes: 3000, TruncateInputs: true})
	require.NoError(t, err)
	require.Same(t, search, res.Messages[0].Parts[0])
	require.Less(t, len(res.Messages[0].Parts[2].(*preflight.ToolCall).Input), 1100)
	require.Less(t, len(res.Messages[0].Parts[4].(*preflight.ToolCall).Input), 1100,
		"a search of the caller's own is nobody's secret")
}
