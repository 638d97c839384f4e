package drift

import (
	"context"
	"go/ast"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// steps are bodies of every type of step of the Interactions API, each with all its members, by the
// SDK's type. They come after the call c1, and before its result.
var steps = map[string]string{
	"UserInputStep": `{"type":"user_input","content":[{"type":"text","text":"q","annotations":[]}]}`,
	"ModelOutputStep": `{"type":"model_output","content":[{"type":"image","data":"QUJD",` +
		`"mime_type":"image/png","resolution":"low"},{"type":"video","uri":"u","name":"v",` +
		`"processing":"static"}],"error":{"code":13}}`,
	"ThoughtStep": `{"type":"thought","signature":"QUJD","summary":[{"type":"text","text":"s"}]}`,
	"FunctionCallStep": `{"type":"function_call","id":"c2","name":"f","arguments":{}},` +
		`{"type":"function_result","call_id":"c2","result":""}`,
	"FunctionResultStep": `{"type":"function_call","id":"c2","name":"f","arguments":{}},` +
		`{"type":"function_result","call_id":"c2","name":"f","is_error":true,` +
		`"result":[{"type":"text","text":"r"},{"type":"audio","data":"QUJD","channels":1}]}`,
	"CodeExecutionCallStep": `{"type":"code_execution_call","id":"s1","signature":"QUJD",` +
		`"arguments":{"code":"1"}}`,
	"CodeExecutionResultStep": `{"type":"code_execution_result","call_id":"s1","is_error":false,` +
		`"result":"1","signature":"QUJD"}`,
	"FileSearchCallStep":   `{"type":"file_search_call","id":"s1","signature":"QUJD"}`,
	"FileSearchResultStep": `{"type":"file_search_result","call_id":"s1","signature":"QUJD"}`,
	"GoogleMapsCallStep": `{"type":"google_maps_call","id":"s1","arguments":{"queries":["q"]},` +
		`"signature":"QUJD"}`,
	"GoogleMapsResultStep": `{"type":"google_maps_result","call_id":"s1","result":[],` +
		`"signature":"QUJD"}`,
	"GoogleSearchCallStep": `{"type":"google_search_call","id":"s1","search_type":"web_search",` +
		`"arguments":{"queries":["q"]},"signature":"QUJD"}`,
	"GoogleSearchResultStep": `{"type":"google_search_result","call_id":"s1","is_error":false,` +
		`"result":[],"signature":"QUJD"}`,
	"MCPServerToolCallStep": `{"type":"mcp_server_tool_call","id":"s1","name":"f",` +
		`"server_name":"s","arguments":{}}`,
	"MCPServerToolResultStep": `{"type":"mcp_server_tool_result","call_id":"s1","name":"f",` +
		`"server_name":"s","result":"r"}`,
	"ProcessingCallStep":   `{"type":"processing_call","id":"s1","signature":"QUJD"}`,
	"ProcessingResultStep": `{"type":"processing_result","call_id":"s1","signature":"QUJD"}`,
	"RetrievalCallStep": `{"type":"retrieval_call","id":"s1","retrieval_type":"rag_store",` +
		`"arguments":{"queries":["q"]},"signature":"QUJD"}`,
	"RetrievalResultStep": `{"type":"retrieval_result","call_id":"s1","is_error":false,` +
		`"signature":"QUJD"}`,
	"URLContextCallStep": `{"type":"url_context_call","id":"s1","arguments":{"urls":["u"]},` +
		`"signature":"QUJD"}`,
	"URLContextResultStep": `{"type":"url_context_result","call_id":"s1","is_error":false,` +
		`"result":[],"signature":"QUJD"}`,
}

// TestInteractions: every type of step has a body with all its members, which is left as it is.
func TestInteractions(t *testing.T) {
	sdk := sourcesOf(t, "google.golang.org/genai", "interactions/models/interactions")
	var types []string
	sdk.fields(t, "Step", func(name string, typ ast.Expr, _ reflect.StructTag) {
		if _, member := typ.(*ast.StarExpr); member {
			types = append(types, name)
		}
	})
	require.NotEmpty(t, types)
	for name := range steps {
		require.Contains(t, types, name, "the SDK has no such step any more")
	}
	for _, name := range types {
		t.Run(name, func(t *testing.T) {
			step, ok := steps[name]
			require.True(t, ok, "%s has no body", name)
			for _, member := range sdk.object(t, name) {
				member = member[strings.LastIndexByte(member, '.')+1:]
				require.Contains(t, step, `"`+member+`":`)
			}
			in := `{"model":"gemini-3.7-flash","input":[{"type":"user_input","content":` +
				`[{"type":"text","text":"q"}]},{"type":"function_call","id":"c1","name":"f",` +
				`"arguments":{}},` + step + `,{"type":"function_result","call_id":"c1","result":"r"}]}`
			for _, provider := range []string{"gemini-interactions", ""} {
				result, err := wire.Sanitize(context.Background(), []byte(in),
					&wire.Options{Provider: provider})
				require.NoError(t, err)
				require.Equal(t, in, string(result.Body), "%v", result.Warnings)
				require.Equal(t, "gemini-interactions", result.Provider)
			}
		})
	}
}
