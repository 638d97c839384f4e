package gateway_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
	"github.com/go-preflight/preflight/codes"
)

func TestParseConfig(t *testing.T) {
	c, err := gateway.ParseConfig([]byte(
		`{
  "max_body": 1000,
  "routes": [
    {"prefix": "/a/", "upstream": "https://api.anthropic.com", "options": {"dangling": "answer"}},
    {"prefix": "/a/long", "upstream": "http://localhost:8000", "provider": "chat-template",` +
			` "remedies": true}
  ]
}`))
	require.NoError(t, err)
	require.Equal(t, "/a/long", c.Routes[0].Prefix, "the longest prefix is asked first")
	require.Equal(t, "/a", c.Routes[1].Prefix)
	require.Equal(t, "answer", string(c.Routes[1].Options.Dangling))
	require.Equal(t, int64(gateway.DefaultMaxHeld), c.MaxHeld)
}

// TestParseConfigOlder: older messages can be shortened by configuration.
func TestParseConfigOlder(t *testing.T) {
	c, err := gateway.ParseConfig([]byte(`{"webhook": {"older": {"keep": 1, "max_text": 50}},
		"routes": [{"prefix": "/a", "upstream": "https://api.anthropic.com",
			"options": {"older": {"keep": 1, "max_text": 40}, "dangling": "answer"}}]}`))
	require.NoError(t, err)
	require.Equal(t, "answer", string(c.Routes[0].Options.Dangling))
	long := preflight.Message{Role: preflight.RoleUser,
		Parts: []preflight.Part{&preflight.Text{Text: strings.Repeat("long ", 100)}}}
	for limit, options := range map[int]*preflight.Options{
		40: &c.Routes[0].Options, 50: &c.Webhook,
	} {
		res, err := preflight.Sanitize(context.Background(), []preflight.Message{long, long},
			&preflight.Profile{}, options)
		require.NoError(t, err)
		require.Len(t, res.Warnings, 1)
		require.Equal(t, codes.TruncatedOlder, res.Warnings[0].Code)
		text := res.Messages[0].Parts[0].(*preflight.Text).Text
		require.LessOrEqual(t, len([]rune(text)), limit)
	}
}

// TestParseConfigUnwanted: what is not wanted can be removed by configuration.
func TestParseConfigUnwanted(t *testing.T) {
	c, err := gateway.ParseConfig([]byte(`{"webhook": {"older": {"keep": 1}, "strip_system": true,
		"strip_ephemeral": true, "clear_meta": ["run_id"], "max_string": 50, "head_only": true,
		"truncate_inputs": true, "dangling": "answer"}}`))
	require.NoError(t, err)
	require.Equal(t, "answer", string(c.Webhook.Dangling))
	var names []string
	for _, f := range c.Webhook.Fixers {
		names = append(names, f.Name)
	}
	require.Equal(t, []string{
		"strip-ephemeral", "clear-meta", "strip-system", "truncate-provider-executed",
		"truncate-older",
	}, names)
}

// route is a configuration with one route, in line 3.
func route(members string) string { return "{\n\"routes\":[\n{" + members + "}]}" }

func TestParseConfigErrors(t *testing.T) {
	for _, test := range []struct {
		config string
		line   int
		want   string
	}{
		{"", 1, "not JSON"},
		{"[]", 1, "the configuration is an object"},
		{"{\n\"routes\": [\n{\"prefix\": 7}]}", 3, "prefix cannot be a number"},
		{"{\n\"rootes\": []}", 2, "unknown field \"rootes\""},
		{"{\n\"Routes\": []}", 2, "unknown field \"Routes\""},
		{"{\n\"max_body\": 1,\n\"MAX_BODY\": 2}", 3, "unknown field \"MAX_BODY\""},
		{"{\n\"\u017fanitize\": 1}", 2, "unknown field"},
		{route("\"prefix\":\"/a\",\n\"Options\":{}"), 4, "unknown field \"Options\""},
		{route("\"prefix\":\"/a\",\"options\":{\n\"Dangling\":\"answer\"}"), 4, "unknown field"},
		{"{\n}\n{}", 3, "not JSON"},
		{"{\n\"client_header\": \"authorization\"}", 2, "credentials"},
		{"{\n\"client_header\": \"Cf-Aig-Authorization\"}", 2, "credentials"},
		{"{\n\"client_header\": \"apikey\"}", 2, "credentials"},
		{"{\n\"client_header\": \"X-Auth-Key\"}", 2, "credentials"},
		{route("\"prefix\":\"/a\",\"headers\":{\"K\":\"one\",\n\"K\":\"two\"}"), 4, "K is there twice"},
		{"{\"timeouts\": {\"idle\": \"1s\",\n\"idle\": \"2s\"}}", 2, "idle is there twice"},
		{route("\"prefix\":\"/a\",\"upstream\":\"https://x\",\n\"headers\":{\"X-Api-Key\":\"k\\n\"}"), 4,
			"the value of X-Api-Key has a line break"},
		{route("\"prefix\":\"/a\",\"upstream\":\"https://x\",\n\"headers\":{\"k\":\"1\",\"K\":\"2\"}"), 4,
			"the header K is there twice"},
		{"{\n\"admin\": {\"token\": \"k\\n\"}}", 2, "the token has a line break"},
		{"{\n\"client_header\": \"X Team\"}", 2, "no header"},
		{"{\n\"admin\": {\"listen\": \"notanaddress\"}}", 2, "admin.listen is an address"},
		{"{\n\"hosts\": [\"https://gate.example\"]}", 2, "no name of a host"},
		{"{\"max_body\": 9,\n\"max_held_client\": 8}", 2, "less than max_body"},
		{route("\"prefix\":\"/a\",\"upstream\":\"https://x\",\n\"limits\":{\"media\":-1}"), 4, "from 0"},
		{route("\"prefix\":\"/a\",\n\"dry_run\":1.5"), 4, "a share is"},
		{"{\n\"routes\" []}", 2, "not JSON"},
		{"{\n\"routes\": {}}", 2, "routes is a list"},
		{"{\n\"max_body\": 1,\n\"max_body\": 2}", 3, "there twice"},
		{route(`"prefix":"a"`), 3, "a prefix begins with a slash"},
		{route(`"prefix":"/"`), 3, "a prefix begins with a slash"},
		{route(`"prefix":"/a b"`), 3, "need no escape"},
		{route(`"prefix":"/a%20b"`), 3, "need no escape"},
		{route(`"prefix":"/a/../b"`), 3, "no empty parts"},
		{route(`"prefix":"/metrics/"`), 3, "the gateway's own"},
		{route(`"prefix":"/hooks"`), 3, "the gateway's own"},
		{route(`"prefix":"/a","upstream":"ftp://x"`), 3, "http or https"},
		{route("\"prefix\":\"/a\",\n\"upstream\":\"https://me:pw@x\""), 4, "credentials"},
		{route("\"prefix\":\"/a\",\"upstream\":\"https://x\",\n\n\"provider\":\"none\""), 5,
			"unknown provider"},
		{route("\"prefix\":\"/a\",\"upstream\":\"https://x\",\n\"unfixable\":\"maybe\""), 4,
			"unfixable"},
		{route("\"prefix\":\"/a\",\"upstream\":\"https://x\",\n\"max_body\":-1"), 4, "max_body"},
		{route("\"prefix\":\"/a\",\"options\":\n{\"orphans\":\"text\",\n\"dangling\":\"anwser\"}"),
			5,
			"dangling is one of"},
		{route("\"prefix\":\"/a\",\"options\":{\n\"danglin\":\"answer\"}"), 4, "unknown field"},
		{route("\"prefix\":\"/a\",\"options\":{\"older\":\n{\"keep\":-1}}"), 4, "older.keep"},
		{route("\"prefix\":\"/a\",\"options\":{\"older\":{\n\"kep\":1}}"), 4, "unknown field"},
		{route("\"prefix\":\"/a\",\"options\":{\"older\":\n7}"), 4, "older is an object"},
		{"{\n\"routes\":[\n{\"prefix\":\"/a\",\"upstream\":\"https://x\"},\n" +
			"{\"prefix\":\"/a/\",\"upstream\":\"https://y\"}]}", 4, "two routes"},
		{"{\n\n\"busy\":\"wait\"}", 3, "busy"},
		{"{\n\"max_body\":2,\n\"max_held\":1}", 3, "max_held"},
		{"{\n\"max_body\":-1}", 2, "number of bytes"},
		{"{\n\"webhook\":{\n\"max_string\":-1}}", 3, "max_string"},
		{"{\n\"webhook\":{\n\"trailing\":\"x\"}}", 3, "trailing"},
	} {
		_, err := gateway.ParseConfig([]byte(test.config))
		var wrong *gateway.ConfigError
		require.ErrorAs(t, err, &wrong, test.config)
		require.Equal(t, test.line, wrong.Line, test.config)
		require.ErrorContains(t, err, test.want, test.config)
	}
}
