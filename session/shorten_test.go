package session

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/wire"
)

// TestShortened: a shortened text is JSON, reads the same at its beginning and at its end, and has
// no other fault. What is opaque, or has a fault itself, stays.
func TestShortened(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"word ", "\\", "\"", "\n", "é", "漢", "🙂", "\t", "\u2028", "/"}
	for range 300 {
		var text strings.Builder
		text.WriteString("Begin ")
		for text.Len() < 3000 {
			text.WriteString(pieces[r.IntN(len(pieces))])
		}
		text.WriteString(" end")
		raw, err := json.Marshal(map[string]any{
			"text": text.String(), "n": 1, "data": text.String(), "list": []any{text.String(), "short"},
		})
		require.NoError(t, err)
		short := shortened(raw)
		var read struct {
			Text, Data string
			List       []string
		}
		require.NoError(t, json.Unmarshal(short, &read))
		require.Equal(t, text.String(), read.Data)
		require.True(t, strings.HasSuffix(read.Text, " end"))
		require.True(t, strings.HasPrefix(text.String(), read.Text[:keptText/2]))
		require.Equal(t, "short", read.List[1])
		if strings.Contains(read.Text, shortenedMark) {
			require.Less(t, len(read.Text), 6*keptText)
		}
		doc, err := jsonscan.Parse(short)
		require.NoError(t, err)
		require.Zero(t, doc.Root().SubtreeFlags()&jsonscan.NeedsRepair)
	}
	long := strings.Repeat("a", 2*longText)
	for _, whole := range []string{
		`{"text":"` + long + `\ud83d` + long + `"}`, `{"text":"` + long + "\xff" + `"}`,
		`{"text":"` + strings.Repeat(" ", 2*longText) + `"}`, `{"data":"` + long + `"}`, `{"text":"`,
		`{"text":"` + long + `\u0000"}`, `{"text":"` + strings.Repeat(`\\`, 2*longText) + `"}`,
	} {
		require.Equal(t, whole, string(shortened([]byte(whole))))
	}
	require.Contains(t, string(shortened([]byte(`{"text":"`+long+`"}`))), shortenedMark)
}

// TestShortenedIsChecked: of a body with long texts, Check says the same as of the shortened one.
func TestShortenedIsChecked(t *testing.T) {
	long := `"` + strings.Repeat("a long text ", 200)
	for _, c := range clients {
		for _, text := range []string{
			`Fine."`, ` \ud83d"`, `\n\n"`, `\u0000"`, `{\"a\":"`, `<|channel|>"`,
		} {
			data := bytes.ReplaceAll(sampleOf(t, c.name), []byte(`List the files."`),
				[]byte(long[1:]+text))
			data = bytes.ReplaceAll(data, []byte(`"one"`), []byte(long+text))
			l := c.parse(data)
			short, _ := c.read(l)
			l.asStored = true
			whole, _ := c.read(l)
			var found [2][]string
			for k, messages := range [][]message{short, whole} {
				body := c.sessionOf(l, messages).request(c.opens)
				checked, err := wire.Check(body, &wire.Options{Provider: c.format})
				require.NoError(t, err)
				for _, v := range checked.Violations {
					found[k] = append(found[k], v.Path+" "+v.Rule)
				}
			}
			require.Equal(t, found[1], found[0], "%s %s", c.name, text)
		}
	}
}

// TestNothingShortenedIsWritten: what is mended in a record with long texts keeps them.
func TestNothingShortenedIsWritten(t *testing.T) {
	long := strings.Repeat("a long text ", 200)
	picture := `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}`
	data := bytes.Replace(sampleOf(t, "claude-code"), []byte(`"content":"one"`),
		[]byte(`"content":[{"type":"text","text":"`+long+`"},`+picture+`]`), 1)
	data = bytes.Replace(data, []byte(`"text":"Two files."`), []byte(`"text":"`+long+`\ud83d"`), 1)
	data = bytes.Replace(data, []byte(`"List the files."`), []byte(`"`+long+`"`), 1)
	out, report, err := Repair(data, nil)
	require.NoError(t, err)
	require.Empty(t, report.Left)
	require.Len(t, report.Findings, 2)
	require.Equal(t, 3, bytes.Count(out, []byte(long)))
	require.NotContains(t, string(out), "shortened")
}

func sampleOf(t *testing.T, client string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/sessions/" + client + ".jsonl")
	require.NoError(t, err)
	return data
}
