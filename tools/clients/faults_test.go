//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFaultsAgain: a fault breaks a file the same way each time, because a session is broken once
// to be resumed as it is, and once to be repaired.
func TestFaultsAgain(t *testing.T) {
	sessions := map[string]string{
		"lines": `{"type":"meta"}
{"text":"PROMPT-ONE"}
{"text":"TEXT-ONE"}
{"text":"TEXT-ONE","calls":["a"]}
{"call":"printf 'RES-%s' one"}
{"result":"RES-one"}
{"result":"RES-two","sourceToolAssistantUUID":"a","message":{"content":[]}}
{"thinking":"One command first.","signature":"c2ln"}
{"text":"TEXT-THREE Both are done."}
`,
		"messages": `{"messages":[{"content":[{"text":"PROMPT-ONE"}]},{"text":"TEXT-ONE"},` +
			`{"content":[{"input":"printf 'RES-%s' two"},{"input":"printf 'RES-%s' three"}]},` +
			`{"result":"RES-one"},{"content":[{"tool_use_id":"a","content":"RES-two"}]},` +
			`{"content":[{"text":"TEXT-THREE Both are done."}]}]}`,
	}
	for form, session := range sessions {
		changed := 0
		for _, f := range faultsOf(form) {
			var results []string
			for range 2 {
				file := filepath.Join(t.TempDir(), "a")
				if err := os.WriteFile(file, []byte(session), 0o600); err != nil {
					t.Fatal(err)
				}
				there, err := f.apply(file)
				if err != nil || !there {
					t.Fatalf("%s, %s: there is nothing to break (%v)", form, f.name, err)
				}
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				results = append(results, string(data))
			}
			if results[0] != results[1] {
				t.Errorf("%s, %s: broken in two ways:\n%s", form, f.name, strings.Join(results, "\n"))
			}
			if results[0] != session {
				changed++
			}
		}
		if all := len(faultsOf(form)); changed != all-1 { // one is none
			t.Errorf("%s: %d of %d faults change the file", form, changed, all-1)
		}
	}
}
