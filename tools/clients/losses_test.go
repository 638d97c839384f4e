//go:build unix

package main

import (
	"slices"
	"testing"
)

// TestLostIn: a part that another owner says is lost, and so is a result that answers another call.
func TestLostIn(t *testing.T) {
	const (
		user = `{"role":"user","content":"PROMPT-ONE"}`
		call = `{"role":"assistant","content":[{"type":"text","text":"TEXT-ONE"},` +
			`{"type":"tool_use","id":"a","name":"sh","input":{"command":"printf 'RES-%s' one"}}]}`
		other = `{"role":"assistant","content":[{"type":"text","text":"TEXT-ONE"},` +
			`{"type":"tool_use","id":"a","name":"sh","input":{"command":"printf 'RES-%s' two"}}]}`
		result = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",` +
			`"content":"RES-one"}]}`
		asText   = `{"role":"user","content":"The result was RES-one, after TEXT-ONE"}`
		asResult = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"b",` +
			`"content":"RES-one PROMPT-ONE"}]}`
	)
	markers := []string{"PROMPT-ONE", "TEXT-ONE", "RES-one"}
	for name, test := range map[string]struct {
		messages string
		want     []string
	}{
		"all":                       {user + "," + call + "," + result, nil},
		"none":                      {"", markers},
		"a result as text":          {user + "," + call + "," + asText, []string{"RES-one"}},
		"the model's text":          {user + "," + asText, []string{"TEXT-ONE", "RES-one"}},
		"of another call":           {user + "," + other + "," + result, []string{"RES-one"}},
		"of no call, and a prompt":  {call + "," + asResult, []string{"PROMPT-ONE", "RES-one"}},
		"a result before its call":  {user + "," + result + "," + call, []string{"RES-one"}},
		"a result without any call": {user + "," + result, []string{"TEXT-ONE", "RES-one"}},
	} {
		body := `{"model":"m","max_tokens":1,"messages":[` + test.messages + `]}`
		lost, err := lostIn("anthropic", markers, []byte(body))
		if err != nil || !slices.Equal(lost, test.want) {
			t.Errorf("%s: lost %v, want %v (%v)", name, lost, test.want, err)
		}
	}
	if _, err := lostIn("anthropic", markers, []byte("no JSON")); err == nil {
		t.Error("a request that cannot be read has no error")
	}
}
