package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight/wire"
)

// TestPartsOfSeveralKinds: data of another kind beside a call or a response is no unknown member of
// it. A part of both is repaired as two parts are.
func TestPartsOfSeveralKinds(t *testing.T) {
	beside := []string{
		`"inlineData":{"mimeType":"image/png","data":"QUJD"}`,
		`"inline_data":{"mime_type":"image/png","data":"QUJD"}`,
		`"fileData":{"mimeType":"image/png","fileUri":"gs://b/a.png"}`,
		`"executableCode":{"language":"PYTHON","code":"1"}`,
		`"executable_code":{"code":"1"}`, `"codeExecutionResult":true`,
		`"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}`,
		`"code_execution_result":{"outcome":"OUTCOME_OK"}`,
		`"toolCall":{"id":"t","toolType":"GOOGLE_SEARCH"}`,
		`"toolResponse":{"id":"t","toolType":"GOOGLE_SEARCH"}`, `"text":"a"`, `"text":""`,
		`"inlineData":{}`, `"codeExecutionResult":null`,
	}
	const (
		user     = `{"role":"user","parts":[{"text":"q"}]}`
		call     = `"functionCall":{"name":"f","args":{}}`
		response = `"functionResponse":{"name":"f","response":{"output":"r"}}`
	)
	for _, provider := range []string{"gemini", "vertex-gemini"} {
		rapid.Check(t, func(t *rapid.T) {
			role, data := "model", call
			if rapid.Bool().Draw(t, "a response") {
				role, data = "user", response
			}
			other := rapid.SampledFrom(beside).Draw(t, "beside")
			both := data + "," + other
			if rapid.Bool().Draw(t, "first") {
				both = other + "," + data
			}
			in := `{"contents":[` + user + `,{"role":"` + role + `","parts":[{` + both + `}]}`
			if rapid.Bool().Draw(t, "goes on") {
				in += `,{"role":"model","parts":[{"text":"a"}]},` + user
			}
			in += `]}`
			out := requireGuarantees(t, []byte(in), &wire.Options{Provider: provider})
			require.NotContains(t, string(out), `"f"`, in)
			report, err := wire.Check([]byte(in), &wire.Options{Provider: provider})
			require.NoError(t, err)
			require.Empty(t, report.Left, in)
		})
	}
}
