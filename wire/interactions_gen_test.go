package wire_test

import "fmt"

// This file makes up bodies of the Interactions API.

var stepCallIDs = []string{`"c1"`, `"c2"`, `"c1"`, `"c2"`, `"c3"`, `""`, `null`, `" c1"`, `7`}

// stepContent draws a content.
func (g gen) stepContent() any {
	if foreign := g.foreignBlock(); foreign != nil {
		return foreign
	}
	switch g.of([]string{"0", "0", "0", "1", "2", "3"}, "content") {
	case "0":
		o := obj("type", str("text"), "text", g.of(texts, "text"))
		if g.one(6, "annotated") {
			o = append(o, field{str("annotations"), g.of(scalars, "scalar")})
		}
		return g.spoil(o)
	case "1":
		return g.spoil(obj("type", g.of([]string{`"image"`, `"audio"`, `"video"`}, "media"),
			"mime_type", g.of([]string{`"image/png"`, `"audio/wav"`, `null`}, "type"),
			"data", g.of([]string{
				`"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"`, `""`, `null`}, "data")))
	case "2":
		return g.spoil(obj("type", str("document"), "uri",
			g.of([]string{`"https://e/x.pdf"`, `""`, `null`}, "uri")))
	}
	return g.spoil(obj("type", g.of([]string{`"x"`, `"image"`}, "kind"), "n", literal("1.0")))
}

// step draws a step that is neither the user's nor the model's words.
func (g gen) step() any {
	switch g.of([]string{"call", "call", "result", "result", "thought", "server", "odd"}, "step") {
	case "call":
		o := obj("type", str("function_call"), "id", g.of(stepCallIDs, "id"),
			"name", g.of(names, "name"), "arguments", g.of(inputs, "arguments"))
		if g.one(6, "signed") {
			o = append(o, field{str("signature"), g.of(geminiSignatures, "signature")})
		}
		return g.spoil(o)
	case "result":
		o := obj("type", str("function_result"), "call_id", g.of(stepCallIDs, "id"))
		if g.one(2, "named") {
			o = append(o, field{str("name"), g.of(names, "name")})
		}
		if g.one(4, "error") {
			o = append(o, field{str("is_error"), g.of([]string{"true", "false", "null"}, "error")})
		}
		var result any = g.of(append(scalars, texts...), "result")
		if g.one(3, "listed") {
			result = g.list(3, "result", g.stepContent)
		}
		return g.spoil(append(o, field{str("result"), result}))
	case "thought":
		o := obj("type", str("thought"))
		if g.one(2, "signed") {
			o = append(o, field{str("signature"), g.of(geminiSignatures, "signature")})
		}
		if g.one(2, "summary") {
			o = append(o, field{str("summary"), g.of([]string{
				`[{"type":"text","text":"s"}]`, `[]`, `null`, `[{"type":"image","uri":"u"}]`},
				"summary")})
		}
		return g.spoil(o)
	case "server":
		return g.spoil(obj("type", g.of([]string{
			`"google_search_call"`, `"google_search_result"`, `"code_execution_call"`,
			`"mcp_server_tool_result"`, `"processing_call"`}, "kind"),
			"id", g.of(stepCallIDs, "id"), "signature", g.of(geminiSignatures, "signature")))
	}
	return g.spoil(obj("type", g.of([]string{`"x"`, `"message"`, `""`, `null`}, "kind"),
		"id", g.of(stepCallIDs, "id")))
}

// said draws the words of one side, as a step or as a turn.
func (g gen) said(turns bool) any {
	var content any = g.list(3, "contents", func() any {
		if turns && g.one(2, "inside") {
			return g.step()
		}
		return g.stepContent()
	})
	switch {
	case g.one(4, "plain"):
		content = g.of(texts, "text")
	case g.one(12, "single"):
		content = g.stepContent()
	}
	if !turns {
		return g.spoil(obj("type", g.of([]string{`"user_input"`, `"model_output"`}, "side"),
			"content", content))
	}
	return g.spoil(obj("role", g.of([]string{`"user"`, `"model"`, `"user"`, `"model"`, `"system"`,
		`"assistant"`, `"what"`, `null`}, "role"), "content", content))
}

// interactionInput draws an input in one of its forms.
func (g gen) interactionInput() any {
	switch g.of([]string{"steps", "steps", "steps", "turns", "contents", "mixed", "content", "text"},
		"form") {
	case "turns":
		return g.list(7, "turns", func() any { return g.said(true) })
	case "contents":
		return g.list(5, "contents", g.stepContent)
	case "mixed":
		return g.list(5, "mixed", func() any {
			return []any{g.said(false), g.said(true), g.stepContent(), g.step()}[len(
				g.of([]string{"", "1", "12", "123"}, "element"))]
		})
	case "content":
		return g.stepContent()
	case "text":
		return g.of(texts, "text")
	}
	return g.list(8, "steps", func() any {
		if g.one(2, "said") {
			return g.said(false)
		}
		return g.step()
	})
}

// interaction draws a body of the Interactions API.
func (g gen) interaction() any {
	o := object{}
	if g.one(2, "model") {
		o = append(o, field{str("model"), g.of([]string{`"gemini-3.7-flash"`, `7`}, "model")})
	}
	if g.one(4, "chained") {
		o = append(o, field{str("previous_interaction_id"),
			g.of([]string{`"int_1"`, `""`, `null`, `7`}, "previous")})
	}
	if g.one(3, "system") {
		o = append(o, field{str("system_instruction"), g.of(append(texts, scalars...), "system")})
	}
	if g.one(3, "tools") {
		o = append(o, field{str("tools"), array{
			obj("type", str("function"), "name", g.of(names, "declared")),
			obj("type", str("google_search")),
		}})
	}
	return g.spoil(append(o, field{str("input"), g.interactionInput()}))
}

// longStep is message k of a long body.
func longStep(k int, text string) string {
	switch k % 4 {
	case 0:
		return fmt.Sprintf(`{"type":"user_input","content":[{"type":"text","text":"%s"}]}`, text)
	case 1:
		return fmt.Sprintf(
			`{"type":"function_call","id":"call_%d","name":"f","arguments":{"n":1.0}}`, k)
	case 2:
		return fmt.Sprintf(
			`{"type":"function_result","call_id":"call_%d","name":"f","result":"%s"}`, k-1, text)
	}
	return fmt.Sprintf(`{"type":"model_output","content":[{"type":"text","text":"%s"}]}`, text)
}
