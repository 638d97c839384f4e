package drift

import "testing"

func TestGemini(t *testing.T) {
	sdk := sourcesOf(t, "google.golang.org/genai", "")
	body := func(contents string) string {
		return `{"model":"gemini-3-flash-preview","contents":[{"role":"user",` +
			`"parts":[{"text":"q"}]},` +
			contents + `]}`
	}
	said := func(part string) string {
		return `{"role":"model","parts":[` + part + `]},{"role":"user","parts":[{"text":"r"}]}`
	}
	asked := func(part string) string {
		return `{"role":"model","parts":[{"text":"a"}]},{"role":"user","parts":[` + part + `]}`
	}
	called := func(call, response string) string {
		return `{"role":"model","parts":[{"functionCall":{` + call +
			`},"thoughtSignature":"QUJD"}]},{"role":"user","parts":[{"functionResponse":{` +
			response + `}}]}`
	}
	const (
		call     = `"name":"f","args":{}`
		response = `"name":"f","response":{"output":"r"}`
		blob     = `"inlineData":{"mimeType":"image/png",` +
			`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}`
	)
	plain := called(call, response)
	searched := said(`{"toolCall":{"id":"t1","toolType":"GOOGLE_SEARCH_WEB","args":{}}},` +
		`{"toolResponse":{"id":"t1","toolType":"GOOGLE_SEARCH_WEB","response":{}}},{"text":"a"}`)
	ran := said(`{"executableCode":{"language":"PYTHON","code":"c"}},` +
		`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"o"}},{"text":"a"}`)
	for name, bodies := range map[string]cases{
		"Part": {"mediaResolution": asked(
			`{` + blob + `,"mediaResolution":{"level":"MEDIA_RESOLUTION_LOW"}}`),
			"codeExecutionResult": ran, "executableCode": ran,
			"fileData": asked(
				`{"fileData":{"mimeType":"application/pdf","fileUri":"https://e/a.pdf"}}`),
			"functionCall": plain, "functionResponse": plain, "inlineData": asked(`{` + blob + `}`),
			"text":             said(`{"text":"a"}`),
			"thought":          said(`{"text":"t","thought":true},{"text":"a"}`),
			"thoughtSignature": said(`{"text":"a","thoughtSignature":"QUJD"}`),
			"videoMetadata": asked(`{"fileData":{"mimeType":"video/mp4",` +
				`"fileUri":"https://e/v"},"videoMetadata":{"fps":1.0}}`),
			"toolCall": searched, "toolResponse": searched,
			"partMetadata": asked(`{"text":"x","partMetadata":{"k":1.0}}`),
			"audioTranscription": asked(`{"inlineData":{"mimeType":"audio/wav",` +
				`"data":"UklGRg=="},"audioTranscription":{"text":"x"}}`),
			"mediaProcessing": asked(
				`{` + blob + `,"mediaProcessing":"MEDIA_PROCESSING_UNSPECIFIED"}`),
			"speechMetadata": asked(`{"text":"x","speechMetadata":{}}`)},
		"Content": {"parts": plain, "role": plain},
		"FunctionCall": {"id": called(call+`,"id":"c1"`, response+`,"id":"c1"`), "args": plain,
			"name": plain,
			"partialArgs": called(call+`,"partialArgs":[{"jsonPath":"$.a","numberValue":1.0}]`,
				response), "willContinue": called(call+`,"willContinue":false`, response)},
		"FunctionResponse": {"willContinue": called(call, response+`,"willContinue":false`),
			"scheduling": called(call, response+`,"scheduling":"SILENT"`),
			"parts":      called(call, response+`,"parts":[{`+blob+`}]`),
			"id":         called(call+`,"id":"c1"`, response+`,"id":"c1"`), "name": plain,
			"response": plain},
		"FunctionResponsePart": {"inlineData": called(call, response+`,"parts":[{`+blob+`}]`),
			"fileData": called(call,
				response+
					`,"parts":[{"fileData":{"mimeType":"image/png","fileUri":"https://e/x"}}]`),
			"mediaProcessing": called(call,
				response+`,"parts":[{`+blob+`,"mediaProcessing":"MEDIA_PROCESSING_UNSPECIFIED"}]`)},
	} {
		members := sdk.object(t, name)
		bodies.of(name, members).hold(t, "gemini", members, body)
	}
}
