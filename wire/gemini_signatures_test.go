package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// TestSignaturesOfMedia: a thought signature that cannot be one is found on every kind of part.
func TestSignaturesOfMedia(t *testing.T) {
	for _, data := range []string{
		`"text":"a"`,
		`"inlineData":{"mimeType":"image/png",` +
			`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}`,
		`"fileData":{"fileUri":"https://e/x.png"}`, `"functionCall":{"name":"f","args":{}}`,
	} {
		report, err := wire.Check(
			[]byte(
				`{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{`+
					data+`,"thoughtSignature":7}]},{"role":"user","parts":[{"text":"q"}]}]}`,
			),
			&wire.Options{Provider: "gemini"},
		)
		require.NoError(t, err)
		var found []string
		for _, v := range report.Violations {
			found = append(found, v.Path)
		}
		require.Contains(t, found, "contents[1].parts[0].thoughtSignature", data)
	}
}
