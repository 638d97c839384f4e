package preflighttest_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/rule"
)

// limits makes a body that is just beyond a limit, or just within it, for the
// rules whose failing request is too large for a file.
var limits = map[string]func(t *testing.T, beyond bool) string{
	"anthropic/image-size": func(t *testing.T, beyond bool) string {
		const header = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
		data := header + strings.Repeat("A", 5<<20-len(header))
		if beyond {
			data += "AAAA"
		}
		return anthropicImages([]string{data})
	},
	"anthropic/many-image-dimension": func(t *testing.T, beyond bool) string {
		images := []string{pngOf(t, 2001, 1)}
		for range 19 {
			images = append(images, pngOf(t, 1, 1))
		}
		if beyond {
			images = append(images, pngOf(t, 2000, 2000))
		}
		return anthropicImages(images)
	},
	"anthropic/messages-max": func(t *testing.T, beyond bool) string {
		pairs := strings.Repeat(`{"role":"user","content":"a"},{"role":"assistant","content":"b"},`,
			50_000)
		if beyond {
			pairs += `{"role":"user","content":"a"},`
		}
		return `{"model":"claude-sonnet-4-5","max_tokens":1,"messages":[` +
			strings.TrimSuffix(pairs, ",") + `]}`
	},
	"anthropic/request-too-large": func(t *testing.T, beyond bool) string {
		body := `{"model":"claude-sonnet-4-5","max_tokens":1,"messages":[{"role":"user",` +
			`"content":"•"}]}`
		size := 32 << 20
		if beyond {
			size++
		}
		return strings.Replace(body, "•", strings.Repeat("x", size-len(body)+len("•")), 1)
	},
	"openai-chat/string-max": func(t *testing.T, beyond bool) string {
		return `{"model":"gpt-5.4","messages":[{"role":"user","content":"` + longString(beyond) +
			`"}]}`
	},
	"openai-chat/tools-max": func(t *testing.T, beyond bool) string {
		n := 128
		if beyond {
			n++
		}
		tools := make([]string, n)
		for i := range tools {
			tools[i] = fmt.Sprintf(`{"type":"function","function":{"name":"f%d"}}`, i)
		}
		return `{"model":"gpt-5.4","messages":[{"role":"user","content":"q"}],"tools":[` +
			strings.Join(tools, ",") + `]}`
	},
	"openai-responses/string-max": func(t *testing.T, beyond bool) string {
		return `{"model":"gpt-5.4","input":[{"role":"user","content":[{"type":"input_text",` +
			`"text":"` + longString(beyond) + `"}]}]}`
	},
}

// longString counts characters, not bytes.
func longString(beyond bool) string {
	s := strings.Repeat("é", 10_485_760)
	if beyond {
		s += "é"
	}
	return s
}

func anthropicImages(images []string) string {
	var b strings.Builder
	for i, data := range images {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"type":"image","source":{"type":"base64","media_type":"image/png",` +
			`"data":"` + data + `"}}`)
	}
	return `{"model":"claude-sonnet-4-5","max_tokens":1,"messages":[{"role":"user","content":[` +
		b.String() + `]}]}`
}

func pngOf(t *testing.T, width, height int) string {
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))))
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func TestLimits(t *testing.T) {
	for id, body := range limits {
		t.Run(id, func(t *testing.T) {
			known, ok := rule.ByID(id)
			require.True(t, ok)
			violations, err := preflighttest.Violations(known.Provider, []byte(body(t, false)))
			require.NoError(t, err)
			require.Empty(t, violations, "within the limit")
			violations, err = preflighttest.Violations(known.Provider, []byte(body(t, true)))
			require.NoError(t, err)
			require.Len(t, violations, 1)
			require.Equal(t, id, violations[0].Rule)
			require.Equal(t, known.Status, violations[0].Status)
			if known.Error != "" {
				require.Equal(t, stable(known.Error), stable(violations[0].Message))
			}
		})
	}
}

// TestEveryRule: each rule of a provider that can be faked is either seen by
// the fake, as TestRules and TestLimits show, or listed with a reason; those
// that no body shows have theirs in the catalogue.
func TestEveryRule(t *testing.T) {
	tested := map[string]bool{}
	for _, f := range failingRequests(t) {
		tested[f.ID] = true
	}
	for _, provider := range preflighttest.Providers() {
		for _, r := range rule.ForProvider(provider) {
			excused := r.Coverage == rule.Unseen && r.Reason != ""
			require.True(t, tested[r.ID] || limits[r.ID] != nil || excused, "%s is in no test",
				r.ID)
		}
	}
	for id := range notFromTheBody {
		_, known := rule.ByID(id)
		require.True(t, known, "%s is excused and unknown", id)
	}
}
