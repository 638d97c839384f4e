package wire_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// nulArguments is an Anthropic request whose tool call has n arguments with a NUL each.
func nulArguments(n int, key string) []byte {
	var b strings.Builder
	b.WriteString(
		`{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":` +
			`[{"type":"tool_use","id":"t","name":"f","input":{"` + key + `":{`,
	)
	for k := range n {
		if k > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"k%d":"\u0000"`, k)
	}
	b.WriteString(
		`}}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t",` +
			`"content":"r"}]}]}`,
	)
	return []byte(b.String())
}

// TestPathsAreShort: a long name with much to repair below it takes memory in proportion to the
// body: paths do not repeat it.
func TestPathsAreShort(t *testing.T) {
	const n = 2000
	body := nulArguments(n, strings.Repeat("x", 20_000))
	result, err := wire.Sanitize(context.Background(), body, nil)
	require.NoError(t, err)
	size, texts := 0, 0
	for _, w := range result.Warnings {
		if size += len(w.Path); w.Code == "text-repaired" {
			texts++
		}
	}
	require.Equal(t, n, texts)
	require.Less(t, size, n*100)
}

// TestPathsEndWhereContentBegins: no name of a tool's arguments, of metadata or of an unknown field
// is in a path.
func TestPathsEndWhereContentBegins(t *testing.T) {
	for _, c := range []struct{ body, path string }{
		{`{"messages":[{"role":"user","content":"q"}],` +
			`"metadata":{"a":1,"alice@example.org":"\ud800"}}`,
			"metadata[#1]"},
		{`{"messages":[{"role":"user","content":"q","alice@example.org":{"x":["\ud800"]}}]}`,
			"messages[0][#2]"},
		{`{"messages":[{"role":"user","content":[{"type":"text","text":"\ud800"}]}]}`,
			"messages[0].content[0].text"},
		{`{"messages":[{"role":"user","content":[{"type":"x",` +
			`"text":{"text":{"alice":"\ud800"}}}]}]}`,
			"messages[0].content[0].text.text[#0]"},
		{`{"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f",` +
			`"input":{"a":1,"alice":{"bob":"\ud800"}}}]},{"role":"user","content":` +
			`[{"type":"tool_result","tool_use_id":"t","content":"r"}]}]}`,
			"messages[1].content[0].input[#1]"},
	} {
		result, err := wire.Sanitize(context.Background(), []byte(c.body),
			&wire.Options{Provider: "anthropic"})
		require.NoError(t, err)
		require.Equal(t, c.path, result.Warnings[0].Path)
	}
}

// TestOrdinalsAreOriginal: the ordinal of a member counts the members of the body that came, also
// where duplicates of others were removed before it, for Sanitize, Check and Convert.
func TestOrdinalsAreOriginal(t *testing.T) {
	const answered = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t",` +
		`"content":"r"}]}`
	for body, want := range map[string][]string{
		`{"messages":[{"role":"user","content":"q"}],"metadata":{"a":1,"a":2,"x":"\ud800"}}`: {
			"metadata[#2]", "metadata[#0]"},
		`{"messages":[{"role":"user","content":"q"}],"u":1,"u":2,"v":"\ud800"}`: {"[#3]", "[#1]"},
		`{"messages":[{"role":"user","content":"q","u":1,"u":2,"v":"\ud800"}]}`: {
			"messages[0][#4]", "messages[0][#2]"},
		`{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":` +
			`"tool_use","id":"t","name":"f","input":{"a":1,"a":2,"alice":"\ud800"}}]},` + answered + `]}`: {
			"messages[1].content[0].input[#2]", "messages[1].content[0].input[#0]"},
	} {
		options := &wire.Options{Provider: "anthropic"}
		result, err := wire.Sanitize(context.Background(), []byte(body), options)
		require.NoError(t, err)
		var paths []string
		for _, w := range result.Warnings {
			paths = append(paths, w.Path)
		}
		require.Equal(t, want, paths, body)
		found, err := wire.Check([]byte(body), options)
		require.NoError(t, err)
		paths = nil
		for _, v := range found.Violations {
			paths = append(paths, v.Path)
		}
		require.Equal(t, want, paths, body)
	}
	converted, err := wire.Convert(context.Background(), []byte(`{"model":"claude-sonnet-4-5",`+
		`"max_tokens":9,"messages":[{"role":"user","content":"q","u":1,"u":2,"v":3}]}`),
		"anthropic", &wire.Options{Provider: "openai-chat"})
	require.NoError(t, err)
	var paths []string
	for _, w := range converted.Warnings {
		paths = append(paths, w.Path)
	}
	require.Equal(t, []string{"messages[0][#2]", "messages[0][#3]", "messages[0][#4]"}, paths)
}
