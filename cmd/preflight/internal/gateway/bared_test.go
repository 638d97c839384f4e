package gateway

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/wire"
)

// TestBare: a bare body shows the same fault as the body, for the failing request of each rule, and
// is as long; nothing that somebody chose is in it.
func TestBare(t *testing.T) {
	data, err := os.ReadFile("../../../../testdata/rules/failing.json")
	require.NoError(t, err)
	var requests []struct {
		ID, Provider string
		Request      json.RawMessage
	}
	require.NoError(t, json.Unmarshal(data, &requests))
	shown, all := 0, 0
	var withheld []string
	for _, f := range requests {
		if !slices.Contains(wire.Providers(), f.Provider) {
			continue
		}
		bared := bare(f.Request)
		require.True(t, json.Valid(bared), f.ID)
		requireBare(t, f.ID, f.Request, bared)
		r, _ := rule.ByID(f.ID)
		if r.Coverage != rule.Repaired {
			continue
		}
		all++
		one := Sample{}
		if one.show(f.Request, &wire.Options{Provider: f.Provider}); one.Withheld != "" {
			withheld = append(withheld, f.ID)
			continue
		}
		shown++
		again, err := wire.Sanitize(context.Background(), one.Before,
			&wire.Options{Provider: f.Provider})
		require.NoError(t, err)
		require.Equal(t, string(one.After), string(again.Body), "it is replayed")
	}
	t.Log(shown, "of", all, withheld)
	require.Greater(t, shown*100, all*90)
}

// requireBare: no string, key or number of a body that is not part of the format is in the other.
func requireBare(t *testing.T, id string, body, bared []byte) {
	doc, err := jsonscan.Parse(body)
	require.NoError(t, err)
	var walk func(v jsonscan.Value, chosen bool)
	walk = func(v jsonscan.Value, chosen bool) {
		switch v.Kind() {
		case jsonscan.Object:
			for m := v.First(); m.Exists(); m = m.Next() {
				if len(m.Key().Str()) > 4 && !isKnown(m.Key().Str()) && !schema()[m.Key().Str()] {
					require.NotContains(t, string(bared), string(m.Key().Raw()), id)
				}
				walk(m, !strings.HasPrefix(m.Key().Str(), "model"))
			}
		case jsonscan.Array:
			for _, e := range v.All() {
				walk(e, chosen)
			}
		case jsonscan.String:
			if s := v.Str(); chosen && len(s) > 4 && strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyz") &&
				!isKnown(s) && !schema()[s] && s != "No result provided" &&
				strings.Trim(s[len(prefixes.FindString(s)):], "0123456789=") != "" { // the header of a picture
				require.NotContains(t, string(bared), string(v.Raw()), id)
			}
		}
	}
	walk(doc.Root(), true)
}

// TestBareKinds: what replaces a thing is of its kind, equal things are replaced by equal ones, and
// different ones by different ones.
func TestBareKinds(t *testing.T) {
	body := `{"model":"m","mysecretmember":{"a":12.5},"tools":[{"name":"look_up","input_schema":{` +
		`"type":"object","properties":{"password":{"type":"string"}},"required":["password"]}}],` +
		`"messages":[{"role":"user","content":"P\u0000ass w\ud800rd, \u00e9\u4f60 30 times"},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_01AbC","name":"look_up",` +
		`"input":{"password":"hunter2","n":-1.5e3,"role":"user","ok":true}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_01AbC",` +
		`"content":"{\"token\":\"abc\",\"n\":4711}"},` +
		`{"type":"image","source":{"type":"url","url":"https://x.example/?key=abc"}}]}],"max_tokens":100}`
	bared := bare([]byte(body))
	doc, err := jsonscan.Parse(bared)
	require.NoError(t, err, string(bared))
	require.Len(t, bared, len(body))
	root := doc.Root()
	for _, secret := range []string{
		"mysecretmember", "look_up", "password", "hunter2", "AbC", `"token`, "4711", "example", "key=abc",
		"1.5e3", "12.5",
	} {
		require.NotContains(t, string(bared), secret)
	}
	require.Equal(t, "100", string(root.Get("max_tokens").Raw()), "a setting")
	require.Contains(t, string(bared), `\u0000`)
	require.Contains(t, string(bared), `\ud83d`)
	call := root.Get("messages").At(1).Get("content").At(0)
	result := root.Get("messages").At(2).Get("content").At(0)
	require.Equal(t, call.Get("id").Str(), result.Get("tool_use_id").Str())
	require.True(t, strings.HasPrefix(call.Get("id").Str(), "toolu_"))
	tool := root.Get("tools").At(0)
	require.Equal(t, tool.Get("name").Str(), call.Get("name").Str())
	declared := tool.Get("input_schema")
	require.Equal(t, "object", declared.Get("type").Str())
	required := declared.Get("required").At(0).Str()
	require.Equal(t, required, declared.Get("properties").First().Key().Str())
	require.Equal(t, required, call.Get("input").First().Key().Str())
	require.True(t, json.Valid([]byte(result.Get("content").Str())))
	picture := root.Get("messages").At(2).Get("content").At(1).Get("source")
	require.True(t, strings.HasPrefix(picture.Get("url").Str(), "https://"))
	require.NotEqual(t, string(bared), string(bare([]byte(body))), "each has a secret of its own")
}
