package session_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// TestListTexts: what is no valid Unicode in a list is mended where it is sent, ids and all, and
// the bytes of all else stay.
func TestListTexts(t *testing.T) {
	all := map[string][]string{"cline-cli": clineMessages}
	for form, elements := range lists {
		if form != "preflight" {
			all[form] = elements
		}
	}
	for form, elements := range all {
		list := "[" + strings.Join(elements, ",\n") + "]"
		if form == "cline-cli" {
			list = string(clineFile(elements...))
		}
		mended := 0
		for _, was := range []string{"List the files.", "one", "c1", "1.0"} {
			for _, is := range []string{`a \ud83d`, `a\u0000`} {
				quoted, with := `"`+was+`"`, `"`+is+`"`
				if was == "1.0" {
					quoted, with = "1.0", `["`+is+`"]`
				}
				if strings.Contains(list, `\"n\":1.0`) && was == "1.0" {
					continue // the arguments are a text
				}
				data := []byte(strings.ReplaceAll(list, quoted, with))
				if string(data) == list {
					continue
				}
				out, report, err := session.Repair(data, nil)
				require.NoError(t, err)
				if bytes.Equal(out, data) {
					require.Empty(t, report.Left, "%s %s: %+v", form, with, report)
					continue
				}
				mended++
				require.Empty(t, report.Left, "%s %s: %+v", form, with, report)
				spelled := strings.NewReplacer(`\ud83d`, `\ufffd`, `\u0000`, "").Replace(string(data))
				require.Equal(t, spelled, string(out), form)
				requireSettled(t, out)
			}
		}
		require.Positive(t, mended, form)
		if form == "openai-chat" || form == "anthropic" {
			continue // all members are sent
		}
		unsent := strings.Replace(list, "{", `{"future":"\ud83d",`, 2)
		out, report, err := session.Repair([]byte(unsent), nil)
		require.NoError(t, err)
		require.Equal(t, unsent, string(out), "%s: %+v", form, report)
	}
}
