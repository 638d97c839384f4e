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
		{"what is not JSON", `["q"`, "", []Change{{Old: "q", Now: "r"}}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			out, found := JSON([]byte(c.in), c.changes)
			require.Equal(t, c.want != "", found)
			if !found {
				c.want = c.in
			}
			require.Equal(t, c.want, string(out))
		})
	}
}
