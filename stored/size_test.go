package stored_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/stored"
)

// TestMaxBytesIsWhatIsStored: json.Marshal escapes characters of HTML, and what it writes fits.
func TestMaxBytesIsWhatIsStored(t *testing.T) {
	for _, c := range []string{"<", "&", "\u2028", "x"} {
		text := strings.Repeat(c, 2000)
		in := []preflight.Message{userMsg(says("q")), botMsg(calls("a")),
			decoded("x", toolMsg(answers("a", text), answers("b", text)))}
		in[2].Native.JSON, _ = json.Marshal(text)
		for _, limit := range []int{20_000, 5000, 2500} {
			res, err := stored.Persist(context.Background(), in,
				stored.Options{MaxBytes: limit})
			require.NoError(t, err)
			body, err := json.Marshal(res.Messages[2])
			require.NoError(t, err)
			require.LessOrEqual(t, len(body), limit, "%q", c)
			again, err := stored.Persist(context.Background(), res.Messages,
				stored.Options{MaxBytes: limit})
			require.NoError(t, err)
			require.False(t, again.Changed)
		}
	}
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
			_, err := stored.Persist(context.Background(), history(m),
				stored.Options{MaxBytes: size - 1})
			require.ErrorIs(t, err, stored.ErrTooLarge)
			res, err := stored.Persist(context.Background(), history(m),
				stored.Options{MaxBytes: size})
			require.NoError(t, err, "it fits")
			require.False(t, res.Changed)
			require.Empty(t, cmp.Diff(history(m), res.Messages))
		})
	}
}
