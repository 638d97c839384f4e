package session_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// unknownRecords are records of each client of a kind that is not known, with what would be a fault
// in others.
func unknownRecords(client string) []string {
	const faults = `{"text":"Bad \ud83d text.","role":"user","content":[{"type":"image","source":{` +
		`"type":"base64","media_type":"image/png","data":"AAAA"}},{"type":"text","text":""}]}`
	switch client {
	case "codex":
		return []string{`{"timestamp":"t9","type":"future","payload":` + faults + `}`}
	case "copilot-cli":
		return []string{
			`{"type":"future","data":` + faults + `,"id":"x9","timestamp":"t","parentId":null}`,
		}
	}
	return []string{`{"type":"future","value":` + faults + `}`}
}

// branches are records of clients with chains that the last record does not follow: the user has
// taken them back. %s is the id of the first record.
var branches = map[string]string{
	"claude-code": `{"parentUuid":"%s","isSidechain":false,"sessionId":"s","version":"2.1.330",` +
		`"type":"user","message":{"role":"user","content":[{"type":"text","text":"Bad \ud83d text."},` +
		`{"type":"text","text":""}]},"uuid":"x9"}`,
	"qwen-code": `{"uuid":"x9","parentUuid":"%s","sessionId":"s","version":"0.24.4","type":"x",` +
		`"message":{"role":"user","parts":[{"text":"Bad \ud83d text."}]}}`,
	"pi": `{"type":"message","id":"x9","parentId":"%s","timestamp":"2026-11-28T07:41:01.003Z",` +
		`"message":{"role":"user","content":[{"type":"image","data":"AAAA","mimeType":"image/png"}]}}`,
}

// TestUntouched: a record of an unknown kind, an unknown block, an unknown member and a branch that
// was taken back keep their bytes, in a healthy session and in one that is mended.
func TestUntouched(t *testing.T) {
	for client, write := range contents {
		strange := unknownRecords(client)
		if branch := branches[client]; branch != "" {
			strange = append(strange, fmt.Sprintf(branch, "a"))
		}
		for _, text := range []string{`"Fine."`, `"Bad \ud83d text."`} {
			lines := write(text, "c2ln", onePixel)
			for at := 1; at < len(lines); at++ {
				for _, record := range strange {
					with := slices.Insert(slices.Clone(lines), at, record)
					data := file(with)
					out, report, err := session.Repair(data, nil)
					require.NoError(t, err)
					require.Contains(t, string(out), record+"\n", client)
					require.Empty(t, report.Left, client)
					if text == `"Fine."` {
						require.True(t, bytes.Equal(data, out), "%s: %+v", client, report)
					}
					requireSettled(t, out)
				}
			}
		}
	}
	for _, client := range []string{"claude-code", "pi"} {
		lines := contents[client](`"Fine."`, "c2ln", onePixel)
		for _, block := range []string{
			`{"type":"future","data":"AAAA","text":""}`, `{"type":"text","text":"a","future":{"data":""}}`,
		} {
			with := slices.Clone(lines)
			with[0] = strings.Replace(with[0], `"content":[`, `"content":[`+block+`,`, 1)
			require.NotEqual(t, lines[0], with[0])
			data := file(with)
			out, report, err := session.Repair(data, nil)
			require.NoError(t, err)
			require.True(t, bytes.Equal(data, out), "%s: %+v", client, report)
		}
	}
}
