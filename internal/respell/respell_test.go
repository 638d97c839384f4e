package respell

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestJSON(t *testing.T) {
	for _, c := range []struct {
		reason, in, want string
		changes          []Change
	}{
		{"a text, however it is escaped", `{"a": "\u0071", "b":1.0}`, `{"a": "r", "b":1.0}`,
			[]Change{{Old: "q", Now: "r"}}},
		{"every occurrence", `["q",["q"]]`, `["",[""]]`, []Change{{Old: "q"}}},
		{"not a part of a text", `["qq"]`, "", []Change{{Old: "q", Now: "r"}}},
		{"not a key", `{"q":1}`, "", []Change{{Old: "q", Now: "r"}}},
		{"a value", `{"input":{"a":1},"x":2}`, `{"input":{},"x":2}`,
			[]Change{{Old: `{"a":1}`, Now: `{}`, Raw: true}}},
		{"a value that a format holds as a string", `{"arguments":"{\"a\":1}"}`,
			`{"arguments":"{}"}`, []Change{{Old: `{"a":1}`, Now: `{}`, Raw: true}}},
		{"several changes", `["a","b"]`, `["1","2"]`,
			[]Change{{Old: "a", Now: "1"}, {Old: "b", Now: "2"}}},
		{"a word of the format", `{"role":"user","text":"user"}`, `{"role":"user","text":"r"}`,
			[]Change{{Old: "user", Now: "r"}}},
		{"an element", `{"c":[{"a":1}, {"b":2}]}`, `{"c":[{"b":2}]}`,
			[]Change{{Old: `{"a":1}`, Raw: true, Cut: true}}},
		{"one of two equal elements, the last, and all", `[[1,1,2],[3,{},{}],[4 , 5]]`,
			`[[1,2],[3],[]]`, []Change{{Old: "1", Raw: true, Cut: true}, {Old: "{}", Raw: true, Cut: true},
				{Old: "{}", Raw: true, Cut: true}, {Old: "4", Raw: true, Cut: true}, {Old: "5", Raw: true, Cut: true}}},
		{"a member", `{"content":"q","call":{"a":1},"x":1.0}`, `{"content":"","call":null,"x":1.0}`,
			[]Change{{Old: `"q"`, Raw: true, Cut: true}, {Old: `{"a":1}`, Raw: true, Cut: true}}},
		{"a text", `{"c":["q","q"],"d":"q"}`, `{"c":["q"],"d":"q"}`, []Change{{Old: "q", Cut: true}}},
		{"a name", `{"name":"q","x":{"name":"q"}}`, `{"name":"r","x":{"name":"q"}}`,
			[]Change{{Old: "q", Now: "r", Key: "name"}}},
		{"what is not JSON", `["q"`, "", []Change{{Old: "q", Now: "r"}}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			out, found := JSON([]byte(c.in), c.changes)
			require.Len(t, found, len(c.changes))
			for _, held := range found {
				require.Equal(t, c.want != "", held)
			}
			if c.want == "" {
				c.want = c.in
			}
			require.Equal(t, c.want, string(out))
		})
	}
}
