package preflighttest_test

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
)

func partOf(body object, i, j int) object {
	return obj(arr(obj(arr(body["contents"])[i])["parts"])[j])
}

// TestThoughtSignatures holds a conversation with a model that signs its
// calls, and then changes what was signed.
func TestThoughtSignatures(t *testing.T) {
	d := dialects["gemini"]
	s := preflighttest.New(t, "gemini", nil)
	two := []preflighttest.Call{{Name: "f", Arguments: `{"city":"Oslo","days":2}`}, {Name: "g"}}
	s.Script(preflighttest.Reply{Text: "I look.", Calls: two}, preflighttest.Reply{Calls: two[:1]})
	body := d.start("How is the weather?")
	for range 2 {
		for _, id := range d.keep(body, d.ask(t, s, body, false)).ids {
			d.result(body, id, "ok")
		}
	}
	body["model"] = "gemini-3-pro-preview"
	const missing, corrupt = "gemini/thought-signature-missing", "gemini/thought-signature-corrupt"
	set := func(i, j int, signature any) func(body object) {
		return func(body object) { partOf(body, i, j)["thoughtSignature"] = signature }
	}
	signature := str(partOf(body, 1, 1)["thoughtSignature"])
	require.NotEmpty(t, signature)
	require.NotContains(t, partOf(body, 1, 2), "thoughtSignature",
		"only the first of parallel calls is signed")
	raw, err := base64.StdEncoding.DecodeString(signature)
	require.NoError(t, err)

	tryEdits(t, "gemini", body, []edit{
		{name: "nothing", make: func(object) {}},
		{"the signature is lost", set(1, 1, nil), missing,
			"function call `default_api:f` , position 2."},
		{"the signature of the second step is lost", set(3, 0, nil), missing, "position 4."},
		{"it is on the second call", func(body object) {
			partOf(body, 1, 1)["thoughtSignature"] = nil
			partOf(body, 1, 2)["thoughtSignature"] = signature
		}, corrupt, "Corrupted"},
		{"another call is put in its place", func(body object) {
			obj(partOf(body, 1, 1)["functionCall"])["args"] = object{"city": "Rome"}
		}, corrupt, "Corrupted"},
		{"its end is lost", set(1, 1, signature[:len(signature)-8]), corrupt, "Corrupted"},
		{"a byte is changed",
			set(1, 1,
				base64.StdEncoding.EncodeToString(append([]byte(string(raw[:len(raw)-9])+"x"),
					raw[len(raw)-8:]...))), corrupt, "Corrupted"},
		{"it is no base64", set(1, 1, "!!!"), corrupt, "Corrupted"},
		{
			name: "the call is spelled otherwise",
			make: func(body object) {
				obj(partOf(body, 1, 1)["functionCall"])["args"] = object{
					"days": 2.0,
					"city": "Oslo",
				}
			},
		},
		{name: "the documented stand-in", make: set(1, 1, "skip_thought_signature_validator")},
		{
			name: "the stand-in as bytes",
			make: set(1, 1,
				base64.StdEncoding.EncodeToString([]byte("skip_thought_signature_validator"))),
		},
		{name: "the signature of another server", make: set(1, 1, "EqQB+/==")},
		{
			name: "the signature is lost, and the user has gone on",
			make: func(body object) {
				partOf(body, 1, 1)["thoughtSignature"] = nil
				partOf(body, 3, 0)["thoughtSignature"] = nil
				add(body, "contents",
					object{"role": "model", "parts": array{object{"text": "done"}}})
				d.say(body, "thanks")
			},
		},
		{
			name: "the signature is lost, and the model is one that does not ask for it",
			make: func(body object) {
				partOf(body, 1, 1)["thoughtSignature"] = nil
				partOf(body, 3, 0)["thoughtSignature"] = nil
				body["model"] = "gemini-2.5-pro"
			},
		},
		{
			name: "what came first is trimmed",
			make: func(body object) { partOf(body, 0, 0)["text"] = "?" },
		},
	})
}

var lowerUpper = regexp.MustCompile(`"([a-z]+)([A-Z])([a-zA-Z]+)":`)

// TestSnakeCase: the names of the protocol definition are judged as those of
// its JSON form, for all that the catalogue knows.
func TestSnakeCase(t *testing.T) {
	for _, f := range failingRequests(t) {
		if f.Provider != "gemini" {
			continue
		}
		t.Run(f.ID, func(t *testing.T) {
			snake := lowerUpper.ReplaceAllStringFunc(string(f.Request), func(name string) string {
				m := lowerUpper.FindStringSubmatch(name)
				return `"` + m[1] + "_" + strings.ToLower(m[2]) + m[3] + `":`
			})
			options := elsewhere[f.ID]
			want, err := options.Violations("gemini", f.Request)
			require.NoError(t, err)
			got, err := options.Violations("gemini", []byte(snake))
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	}
}

// TestMalformedCall: arguments that are no object have no form, so the answer
// is that of a model that failed to write a call.
func TestMalformedCall(t *testing.T) {
	for _, raw := range []string{`{"a":`, `[]`, `"x"`} {
		s := preflighttest.New(t, "gemini", nil)
		s.Script(preflighttest.Reply{
			Text:  "I call f.",
			Calls: []preflighttest.Call{{Name: "f", Arguments: raw}},
		})
		d := dialects["gemini"]
		answer := d.ask(t, s, d.start("hi"), false)
		candidate := obj(arr(answer["candidates"])[0])
		require.Equal(t, "MALFORMED_FUNCTION_CALL", candidate["finishReason"])
		require.Equal(t, "Malformed function call: f("+raw+")", candidate["finishMessage"])
		require.Empty(t, d.keep(object{}, answer).Calls)
	}
}

// TestVertex: the paths of Vertex AI lead to its rules and words. It takes ids
// of calls, as it was recorded to, and no empty text.
func TestVertex(t *testing.T) {
	d := dialects["gemini"]
	studio := d.path
	d.path = "/v1beta1/projects/p/locations/global/publishers/google/models/gemini-3-pro-" +
		"preview:generateContent"
	s := preflighttest.New(t, "gemini", nil)
	s.Script(preflighttest.Reply{Calls: []preflighttest.Call{{ID: "call_1", Name: "f"}}},
		preflighttest.Reply{Calls: []preflighttest.Call{{Name: "f"}}})
	body := d.start("hi")
	d.keep(body, d.ask(t, s, body, false))
	d.result(body, "f", "ok")
	d.ask(t, s, body, false)
	d.say(body, "")
	require.Contains(t, failure(t, d.post(t, s, body, false)), "it must have a text parameter")
	d.path = studio
	d.ask(t, s, body, false)
}
