package stored_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/stored"
)

// This file tests the size limit of stored messages: what is cut, in which order.

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
		res, err := stored.Persist(context.Background(), in,
			stored.Options{MaxBytes: c.limit})
		require.NoError(t, err)
		var cut []string
		for _, w := range res.Warnings {
			require.Equal(t, codes.CutToSize, w.Code)
			cut = append(cut, w.At.String())
		}
		require.Equal(t, c.cut, cut)
		for _, r := range msgtest.Every[*preflight.ToolResult](res.Messages) {
			require.Equal(t, r.CallID, get(t, r.Output, "id").Str(),
				"an object stays an object, its small members stay")
		}
	}
}

// TestBudgetCutsUnsignedReasoning: reasoning that no provider vouches for is text like any
// other.
func TestBudgetCutsUnsignedReasoning(t *testing.T) {
	in := []preflight.Message{botMsg(&preflight.Reasoning{Text: strings.Repeat("r", 5000)})}
	out := runSystem(t, in, persisting(stored.Options{MaxBytes: 2000}))
	require.LessOrEqual(t, storedBytes(t, out.Messages[0]), 2000)
	require.True(t, strings.HasPrefix(msgtest.Only[*preflight.Reasoning](t, out.Messages).Text, "rrr"),
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
			res, err := stored.Persist(context.Background(), in,
				stored.Options{MaxBytes: 1000})
			require.ErrorIs(t, err, stored.ErrTooLarge)
			var size *preflight.Error
			require.ErrorAs(t, err, &size)
			require.Equal(t, 1, size.Message)
			require.Regexp(t, `takes [5-9]\d\d\d bytes .* the limit is 1000$`, err.Error())
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
	out := runSystem(t, in, persisting(stored.Options{
		MaxBytes: 2000, TruncateInputs: true,
	}))
	call := msgtest.Only[*preflight.ToolCall](t, out.Messages)
	require.Equal(t, "/a", get(t, call.Input, "path").Str())

	_, err := stored.Persist(context.Background(), in[:1],
		stored.Options{MaxBytes: 2000, TruncateInputs: true})
	require.ErrorIs(t, err, stored.ErrTooLarge, "a running call keeps its arguments")
}

func TestBudgetOfManySmallResults(t *testing.T) {
	m := userMsg()
	for range 400 {
		m.Parts = append(m.Parts, &preflight.ToolResult{
			CallID:  "c",
			Content: []preflight.Part{says(strings.Repeat("s", 900))},
		})
	}
	out := runSystem(t, []preflight.Message{m}, persisting(stored.Options{MaxBytes: 60000}))
	require.LessOrEqual(t, storedBytes(t, out.Messages[0]), 60000)
	require.Len(t, out.Messages[0].Parts, 400)
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
	out := runSystem(t, in, persisting(stored.Options{MaxBytes: 12000}))
	require.LessOrEqual(t, storedBytes(t, out.Messages[0]), 12000)
	require.Contains(t, string(msgtest.Only[*preflight.ToolResult](t, out.Messages).Native.JSON),
		`"extra":1.0`)
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
	res, err := stored.Persist(context.Background(), history(m),
		stored.Options{MaxBytes: size - 2500})
	require.NoError(t, err)
	require.Len(t, res.Warnings, 1)
	require.Same(t, m.Parts[1], res.Messages[0].Parts[1])
	require.LessOrEqual(t, storedBytes(t, res.Messages[0]), size-2500)
}

// TestBudgetLeavesShortArguments: what is short already is not touched for the sake of what is
// long.
func TestBudgetLeavesShortArguments(t *testing.T) {
	m := botMsg(callsWith("a", `{"path":"/a"}`),
		callsWith("b", `{"body":`+quotedRun("b", 5000)+`}`))
	in := history(m, toolMsg(answers("a", "1")), toolMsg(answers("b", "2")))
	res, err := stored.Persist(context.Background(), in,
		stored.Options{MaxBytes: 2000, TruncateInputs: true})
	require.NoError(t, err)
	require.Same(t, m.Parts[0], res.Messages[0].Parts[0])
	require.Less(t, len(res.Messages[0].Parts[1].(*preflight.ToolCall).Input), 2000)
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
		res, err := stored.Persist(context.Background(), history(message()),
			stored.Options{MaxBytes: most})
		require.NoError(t, err)
		require.LessOrEqual(t, storedBytes(t, res.Messages[0]), most)
		return res.Messages[0]
	}
	first := long[:231] + "… [truncated, original length: 3000] …" + long[:231]
	once := fitted(size - 10)
	require.Equal(t, first, once.Parts[0].(*preflight.Text).Text)
	require.Equal(t, `["`+first+`","`+long+`y"]`, string(once.Native.JSON))
	require.Empty(t, cmp.Diff(once, fitted(storedBytes(t, once))), "to the byte")
	twice := fitted(storedBytes(t, once) - 1)
	require.NotContains(t, string(twice.Native.JSON), long)
	require.Empty(t, cmp.Diff(twice, fitted(storedBytes(t, twice))), "to the byte")

	m := userMsg(says(long))
	m.Native.Format = "f"
	res, err := stored.Persist(context.Background(), history(m),
		stored.Options{MaxBytes: 1000})
	require.NoError(t, err)
	require.Equal(t, "f", res.Messages[0].Native.Format,
		"a message without native JSON keeps the name of its format")
}

// TestBudgetSteps: what a result, a text and finished arguments keep as less and less room is left.
func TestBudgetSteps(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	cut := func(room, n int) string {
		head, tail := room-room/2, room/2
		return fmt.Sprintf("%s… [truncated, original length: %d] …%s", x(head), n, x(tail))
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
		{"results first, to 1000", in(cut(962, 5000), x(5000), x(5000)), false},
		{"texts to 500", in(cut(962, 5000), cut(462, 5000), x(5000)), false},
		{"results to 100", in(cut(62, 5000), cut(462, 5000), x(5000)), false},
		{"texts to 100", in(cut(62, 5000), cut(62, 5000), x(5000)), false},
		{"results to 3", in("x…x", cut(62, 5000), x(5000)), false},
		{"texts to 3", in("x…x", "x…x", x(5000)), false},
		{"arguments to 1000", in("x…x", "x…x", cut(962, 5000)), true},
		{"to 100", in("x…x", "x…x", cut(62, 5000)), true},
		{"to 3", in("x…x", "x…x", "x…x"), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			limit := storedBytes(t, c.want[0])
			res, err := stored.Persist(context.Background(), full,
				stored.Options{MaxBytes: limit, TruncateInputs: c.inputs})
			require.NoError(t, err)
			require.Equal(t, c.want, res.Messages)
		})
	}
	least := storedBytes(t, in("x…x", "x…x", "x…x")[0])
	_, err := stored.Persist(context.Background(), full,
		stored.Options{MaxBytes: least - 1, TruncateInputs: true})
	var size *preflight.Error
	require.ErrorAs(t, err, &size)
	require.Zero(t, size.Message)
	require.EqualError(t, size.Err, tooLargeText(least, least-1))
}

// TestBudgetSaysHowLargeTheRestIs: with the native JSON that follows what was cut.
func TestBudgetSaysHowLargeTheRestIs(t *testing.T) {
	long := strings.Repeat("x", 3000)
	m := botMsg(says(long), says("x…x"), calls("a"))
	m.Native = preflight.Native{Format: "f", JSON: json.RawMessage(`["` + long + `","x…x"]`)}
	rest := botMsg(says("x…x"), says("x…x"), calls("a"))
	rest.Native = preflight.Native{Format: "f", JSON: json.RawMessage(`["x…x","x…x"]`)}
	_, err := stored.Persist(context.Background(), history(userMsg(says("q")), m),
		stored.Options{MaxBytes: 150})
	var size *preflight.Error
	require.ErrorAs(t, err, &size)
	require.Equal(t, 1, size.Message)
	require.EqualError(t, size.Err, tooLargeText(storedBytes(t, rest), 150))
}

func tooLargeText(size, limit int) string {
	return fmt.Sprintf("takes %d bytes with everything shortened that may be, and the limit is %d",
		size, limit)
}

// TestBudgetLeavesSearchesAlone: the provider verifies the payload of its own searches, and of
// their calls.
func TestBudgetLeavesSearchesAlone(t *testing.T) {
	long := quotedRun("x", 2000)
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
	res, err := stored.Persist(context.Background(), history(m, toolMsg(answers("m", "1"))),
		stored.Options{MaxBytes: 3000, TruncateInputs: true})
	require.NoError(t, err)
	require.Same(t, search, res.Messages[0].Parts[0])
	require.Less(t, len(res.Messages[0].Parts[2].(*preflight.ToolCall).Input), 1100)
	require.Less(t, len(res.Messages[0].Parts[4].(*preflight.ToolCall).Input), 1100,
		"a search of the caller's own is not opaque")
}
