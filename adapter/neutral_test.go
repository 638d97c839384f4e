package adapter_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// line is a message type as a framework may have one, with a field that is never sent.
type line struct {
	role, text, answers string
	calls               []string // their ids
	seen                int
}

var errTorn = errors.New("the line is torn")

// lines says of each part that Write was given where it is from.
func lines(origins map[string]int) *adapter.Neutral[*line] {
	return &adapter.Neutral[*line]{
		Provider: "openai-chat",
		Read: func(l *line) (preflight.Message, error) {
			if l == nil {
				return preflight.Message{}, errTorn
			}
			m := preflight.Message{Role: preflight.Role(l.role)}
			text := []preflight.Part{&preflight.Text{Text: l.text}}
			if l.answers != "" {
				m.Parts = []preflight.Part{
					&preflight.ToolResult{CallID: l.answers, Name: "f", Content: text},
				}
				return m, nil
			}
			m.Parts = text
			input := []byte(`{}`)
			if l.text == "cut off" {
				input = []byte(`{"a":`)
			}
			for _, id := range l.calls {
				m.Parts = append(m.Parts, &preflight.ToolCall{ID: id, Name: "f", Input: input})
			}
			return m, nil
		},
		Write: func(m preflight.Message, from **line, origin adapter.Origin[*line]) (*line, error) {
			out := &line{role: string(m.Role)}
			if from != nil {
				out.seen = (*from).seen
			}
			for _, p := range m.Parts {
				switch p := p.(type) {
				case *preflight.Text:
					out.text = p.Text
				case *preflight.ToolResult:
					out.answers, out.text = p.CallID, p.Content[0].(*preflight.Text).Text
				case *preflight.ToolCall:
					out.calls = append(out.calls, p.ID)
					if was, k := origin(p); was != nil {
						origins[p.ID] = (*was).seen*10 + k
					}
				default:
					return nil, errTorn
				}
			}
			return out, nil
		},
	}
}

func TestNeutral(t *testing.T) {
	ctx := context.Background()
	clean := make([]*line, 0, 9)
	clean = append(clean, []*line{
		{role: "user", text: "a", seen: 1},
		{role: "assistant", text: "b", calls: []string{"c1", "c2"}, seen: 2},
		{role: "tool", answers: "c1", text: "r"},
		{role: "tool", answers: "c2", text: "q"},
	}...)
	for _, provider := range []string{"anthropic", "gemini",
		"bedrock"} { // where results are in user messages, of which there is one
		out, warnings, err := lines(nil).Messages(ctx, clean, &wire.Options{Provider: provider})
		require.NoError(t, err)
		require.Empty(t, warnings)
		require.Same(t, &clean[0], &out[0], "the caller's own slice")
		require.Equal(t, len(out), cap(out), "an append may not reach the caller's array")
	}

	origins := map[string]int{}
	broken := []*line{
		clean[0],
		{role: "assistant", text: "cut off", calls: []string{"c1", "c2"}, seen: 2},
		{role: "tool", answers: "c2", text: "q"},
		{role: "user", text: "stop", seen: 4},
	}
	out, warnings, err := lines(origins).Messages(ctx, broken, &wire.Options{
		Provider: "bedrock", // which reads the arguments as an object
		Options:  preflight.Options{Dangling: preflight.DanglingAnswer},
	})
	require.NoError(t, err)
	var paths []string
	for _, w := range warnings {
		paths = append(paths, w.Path)
	}
	require.ElementsMatch(t,
		[]string{"messages[1].parts[1]", "messages[1].parts[2]", "messages[1].parts[1]"}, paths)
	require.Equal(t, map[string]int{"c1": 21, "c2": 22}, origins,
		"a call whose arguments were repaired is still from where it was read")
	require.Len(t, out, 5)
	require.Equal(t, 2, out[1].seen, "a field that is never sent stays")
	require.Same(t, broken[3], out[4])
}

// TestJoined: a message that was joined to another has two sources, whose metadata can be kept.
func TestJoined(t *testing.T) {
	ctx := context.Background()
	n := lines(nil)
	write, sources := n.Write, 0
	n.Write = func(m preflight.Message, from **line, o adapter.Origin[*line]) (*line, error) {
		sources = len(o.Sources(append(m.Parts, &preflight.Text{}, m.Parts[0])))
		return write(m, from, o)
	}
	a, b := &line{role: "user", text: "a"}, &line{role: "user", text: "b"}
	out, _, err := n.Messages(ctx, []*line{a, b}, &wire.Options{Portable: true})
	require.NoError(t, err)
	require.Len(t, out, 1)
	require.Equal(t, 2, sources)

	first, second := map[string]int{"a": 1}, map[string]int{"a": 2, "b": 2}
	require.Equal(t, map[string]int{"a": 1, "b": 2}, adapter.Union(first, nil, second))
	require.Len(t, first, 1, "the caller's map")
	require.Nil(t, adapter.Union[map[string]int](nil, nil))
	require.Equal(t, second, adapter.Union(nil, second))
}

// TestNeutralOptions: a measured profile and the portable one count as they do for request bodies.
func TestNeutralOptions(t *testing.T) {
	history := []*line{
		{role: "user", text: "a"},
		{role: "assistant", text: "b", calls: []string{"c1"}},
		{role: "tool", answers: "c1", text: "r"},
		{role: "user", text: "c"},
		{role: "user", text: "d"},
	}
	bridged := &provider.Measured{
		Version: provider.MeasuredVersion, Provider: "openai-chat", Model: "small-*",
		Enforced: []string{"mistral/order-after-tool"},
	}
	require.NoError(t, bridged.Check())
	for _, c := range []struct {
		reason  string
		options wire.Options
		want    int
	}{
		{"openai-chat takes it", wire.Options{}, 5},
		{"a turn is inserted", wire.Options{Measured: bridged, Model: "small-1"}, 6},
		{"a dialect of the format", wire.Options{Measured: bridged, Provider: "groq"}, 6},
		{"another model", wire.Options{Measured: bridged, Model: "large-1"}, 5},
		{"another format", wire.Options{Measured: bridged, Provider: "ollama"}, 5},
		{"user turns are merged", wire.Options{Portable: true}, 4},
	} {
		t.Run(c.reason, func(t *testing.T) {
			out, _, err := lines(map[string]int{}).Messages(t.Context(), history, &c.options)
			require.NoError(t, err)
			require.Len(t, out, c.want)
		})
	}
}

func TestNeutralErrors(t *testing.T) {
	ctx := context.Background()
	user := &line{role: "user", text: "a"}
	var e *adapter.MessageError

	out, _, err := lines(map[string]int{}).Messages(ctx, []*line{user, nil}, nil)
	require.ErrorAs(t, err, &e)
	require.Equal(t, adapter.MessageError{Message: 1, Err: errTorn}, *e)
	require.Equal(t, []*line{user, nil}, out)

	hook := preflight.Hook{
		Name: "media",
		History: func(_ context.Context, h []preflight.Message) ([]preflight.Message, error) {
			return append(h, preflight.Message{
				Role: preflight.RoleUser,
				Parts: []preflight.Part{
					&preflight.Media{Kind: "image", URL: "https://example.org/a.png"},
				},
			}), nil
		},
	}
	out, _, err = lines(map[string]int{}).Messages(ctx, []*line{user},
		&wire.Options{Options: preflight.Options{Hooks: []preflight.Hook{hook}}})
	require.ErrorAs(t, err, &e)
	require.Equal(t, adapter.MessageError{Message: -1, Reading: true, Err: errTorn}, *e)
	require.Equal(t, []*line{user}, out)

	_, _, err = lines(map[string]int{}).Messages(ctx, []*line{user},
		&wire.Options{Provider: "nobody"})
	require.ErrorIs(t, err, wire.ErrUnknownProvider)
	_, _, err = lines(map[string]int{}).Messages(ctx, nil, nil)
	require.ErrorIs(t, err, preflight.ErrEmptyHistory)
}

// TestOriginAfterHook: a part that a hook has changed, with its metadata, is from where it was
// read.
func TestOriginAfterHook(t *testing.T) {
	origins := map[string]int{}
	hook := preflight.Hook{
		Name: "marker",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			if m.Role == preflight.RoleAssistant {
				c := m.Parts[1].(*preflight.ToolCall)
				c.Meta, c.Name = preflight.Metadata{"adapter": []byte(`[9,0]`)}, "g"
			}
			return m, nil
		},
	}
	history := []*line{
		{role: "user", text: "a", seen: 7},
		{role: "assistant", text: "b", calls: []string{"c1"}, seen: 3},
		{role: "tool", answers: "c1", text: "r"},
	}
	out, _, err := lines(origins).Messages(context.Background(), history,
		&wire.Options{Options: preflight.Options{Hooks: []preflight.Hook{hook}}})
	require.NoError(t, err)
	require.Equal(t, []string{"c1"}, out[1].calls)
	require.Equal(t, map[string]int{"c1": 31}, origins)
}

// TestOriginInResult: the parts in results are from where they were read, whether they are
// repaired, are merged with those of another result, or leave theirs.
func TestOriginInResult(t *testing.T) {
	got := map[string]string{}
	tell := func(p preflight.Part, origin adapter.Origin[preflight.Message]) {
		from, k := origin(p)
		if from == nil {
			return
		}
		switch at := fmt.Sprint(from.ID, k); p := p.(type) {
		case *preflight.Text:
			got[p.Text] = at
		case *preflight.Media:
			got[p.URL] = at
		}
	}
	telling := passing
	telling.Write = func(
		m preflight.Message, _ *preflight.Message, origin adapter.Origin[preflight.Message],
	) (preflight.Message, error) {
		for _, p := range m.Parts {
			tell(p, origin)
			if r, ok := p.(*preflight.ToolResult); ok {
				for _, c := range r.Content {
					tell(c, origin)
				}
			}
		}
		return m, nil
	}
	text := func(s string) preflight.Part { return &preflight.Text{Text: s} }
	result := func(id, call string, content ...preflight.Part) preflight.Message {
		return preflight.Message{ID: id, Role: preflight.RoleTool, Parts: []preflight.Part{
			&preflight.ToolResult{CallID: call, Name: "f", Content: content},
		}}
	}
	image := &preflight.Media{Kind: "image", URL: "https://example.org/a.png"}
	_, _, err := telling.Messages(context.Background(), []preflight.Message{
		{Role: preflight.RoleUser, Parts: []preflight.Part{text("q")}},
		{Role: preflight.RoleAssistant, Parts: []preflight.Part{
			&preflight.ToolCall{ID: "c", Name: "f", Input: []byte("{}")},
			&preflight.ToolCall{ID: "d", Name: "f", Input: []byte("{}")},
		}},
		result("C", "c", text("a"), text("b\x00")),
		result("D", "d", text("e"), image, text("f")),
		result("E", "d", text("g"), text("h")),
	}, nil)
	require.NoError(t, err)
	require.Equal(t, map[string]string{
		"a": "C0", "b": "C1", "e": "D0", image.URL: "D1", "f": "D2", "g": "E0", "h": "E1",
	}, got)
}

// TestAdjust: a rule that the type's Adjust takes out does not count.
func TestAdjust(t *testing.T) {
	history := []*line{{role: "user", text: "a"}, {role: "assistant", text: "b"}}
	options := &wire.Options{Provider: "anthropic"}
	format := lines(nil)
	_, warnings, err := format.Messages(context.Background(), history, options)
	require.NoError(t, err)
	require.Len(t, warnings, 1, "the last turn is the assistant's")
	format.Adjust = func(p *preflight.Profile) { p.Prefill.Refused = false }
	_, warnings, err = format.Messages(context.Background(), history, options)
	require.NoError(t, err)
	require.Empty(t, warnings)
}

// passing hands preflight's own messages on as they are.
var passing = adapter.Neutral[preflight.Message]{
	Provider: "openai-chat",
	Read:     func(m preflight.Message) (preflight.Message, error) { return m, nil },
	Write: func(
		m preflight.Message, _ *preflight.Message, origin adapter.Origin[preflight.Message],
	) (preflight.Message, error) {
		for _, p := range m.Parts {
			if from, k := origin(p); from != nil {
				m.ID += fmt.Sprint(from.ID, k, " ")
			}
		}
		return m, nil
	},
}

// TestReadReturnsItsOwn: what Read returns is not written to, and a part that it returns twice has
// two origins.
func TestReadReturnsItsOwn(t *testing.T) {
	shared := &preflight.Text{Text: "a"}
	call := &preflight.ToolCall{ID: "c", Name: "f"}
	in := []preflight.Message{
		{ID: "0", Role: preflight.RoleUser, Parts: []preflight.Part{shared}},
		{ID: "1", Role: preflight.RoleAssistant, Parts: []preflight.Part{shared, call}},
		{ID: "2", Role: preflight.RoleUser, Parts: []preflight.Part{shared}},
	}
	out, warnings, err := passing.Messages(context.Background(), in, nil)
	require.NoError(t, err)
	require.NotEmpty(t, warnings)
	require.Nil(t, shared.Meta)
	require.Nil(t, call.Meta)
	require.Same(t, shared, in[1].Parts[0])
	require.Equal(t, "110 ", out[1].ID)
}

// TestReadReturnsAnything: results in results, parts that hold themselves, and nil parts are
// repaired.
func TestReadReturnsAnything(t *testing.T) {
	circle := &preflight.ToolResult{CallID: "c"}
	circle.Content = []preflight.Part{circle, &preflight.Text{Text: "a"}, nil, (*preflight.Text)(nil)}
	in := []preflight.Message{
		{Role: preflight.RoleAssistant, Parts: []preflight.Part{
			&preflight.ToolCall{ID: "c", Name: "f"}, nil, (*preflight.ToolResult)(nil),
		}},
		{Role: preflight.RoleTool, Parts: []preflight.Part{circle}},
	}
	out, _, err := passing.Messages(context.Background(), in, nil)
	require.NoError(t, err)
	result := out[len(out)-1].Parts[0].(*preflight.ToolResult)
	require.NotEmpty(t, result.Content)
	for _, p := range result.Content {
		require.IsType(t, (*preflight.Text)(nil), p)
	}
}
