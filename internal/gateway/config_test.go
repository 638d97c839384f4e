package gateway_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/gateway"
)

func TestParseConfig(t *testing.T) {
	c, err := gateway.ParseConfig([]byte(
		`{
  "max_body": 1000,
  "routes": [
    {"prefix": "/a/", "upstream": "https://api.anthropic.com", "policies": {"dangling": "answer"}},
    {"prefix": "/a/long", "upstream": "http://localhost:8000", "provider": "chat-template", "remedies": true}
  ]
}`))
	require.NoError(t, err)
	require.Equal(t, "/a/long", c.Routes[0].Prefix, "the longest prefix is asked first")
	require.Equal(t, "/a", c.Routes[1].Prefix)
	require.Equal(t, "answer", string(c.Routes[1].Policies.Dangling))
	require.Equal(t, int64(gateway.DefaultMaxHeld), c.MaxHeld)
}

func TestParseConfigErrors(t *testing.T) {
	for _, test := range []struct {
		config string
		line   int
		want   string
	}{
		{"", 1, "EOF"},
		{"{\n\"routes\": [\n{\"prefix\": 7}]}", 3, "cannot unmarshal"},
		{"{\n\"rootes\": []}", 2, "rootes"},
		{"{\n}\n{}", 3, "something follows"},
		{"{\n\"routes\" []}", 2, "invalid character"},
		{`{"routes":[{"prefix":"a","upstream":"https://x"}]}`, 0, "a prefix begins with a slash"},
		{`{"routes":[{"prefix":"/","upstream":"https://x"}]}`, 0, "a prefix begins with a slash"},
		{`{"routes":[{"prefix":"/a","upstream":"ftp://x"}]}`, 0, "http or https"},
		{`{"routes":[{"prefix":"/a","upstream":"https://me:pw@x"}]}`, 0, "credentials"},
		{`{"routes":[{"prefix":"/a","upstream":"https://x","provider":"nobody"}]}`, 0,
			"unknown provider"},
		{`{"routes":[{"prefix":"/a","upstream":"https://x","unfixable":"maybe"}]}`, 0, "unfixable"},
		{`{"routes":[{"prefix":"/a","upstream":"https://x"},{"prefix":"/a/","upstream":"https://y"}]}`,
			0, "two routes"},
		{`{"busy":"wait"}`, 0, "busy"},
		{`{"max_held":1}`, 0, "max_held"},
		{`{"max_body":-1}`, 0, "numbers of bytes"},
	} {
		_, err := gateway.ParseConfig([]byte(test.config))
		var wrong *gateway.ConfigError
		require.ErrorAs(t, err, &wrong, test.config)
		require.Equal(t, test.line, wrong.Line, test.config)
		require.ErrorContains(t, err, test.want, test.config)
	}
}
