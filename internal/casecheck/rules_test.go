package casecheck

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Small builders, so that a row of the table shows what matters. The names say the
// wire: a for Anthropic, c for Chat, r for Responses, g for Gemini.

func list(entries ...string) string { return "[" + strings.Join(entries, ", ") + "]" }

func str(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func with(role, key string, parts []string) string {
	return fmt.Sprintf(`{"role": %q, %q: %s}`, role, key, list(parts...))
}

func aUser(parts ...string) string { return with("user", "content", parts) }
func aAsst(parts ...string) string { return with("assistant", "content", parts) }
func aText(s string) string        { return `{"type": "text", "text": ` + str(s) + `}` }
func aCall(id, name, input string) string {
	return fmt.Sprintf(`{"type": "tool_use", "id": %q, "name": %q, "input": %s}`, id, name, input)
}
func aResult(id, s string) string {
	return fmt.Sprintf(`{"type": "tool_result", "tool_use_id": %q, "content": %s}`, id, str(s))
}
func aThink(s, sig string) string {
	return fmt.Sprintf(`{"type": "thinking", "thinking": %q, "signature": %s}`, s, str(sig))
}
func block(typ, rest string) string { return fmt.Sprintf(`{"type": %q, %s}`, typ, rest) }

func cText(role, s string) string { return fmt.Sprintf(`{"role": %q, "content": %s}`, role, str(s)) }
func cAsst(calls ...string) string {
	return `{"role": "assistant", "content": null, "tool_calls": ` + list(calls...) + `}`
}
func cCall(id, name, args string) string {
	return fmt.Sprintf(`{"id": %q, "type": "function", "function": {"name": %q, "arguments": %s}}`, id, name, str(args))
}
func cTool(id, s string) string {
	return fmt.Sprintf(`{"role": "tool", "tool_call_id": %q, "content": %s}`, id, str(s))
}

func rUser(s string) string { return cText("user", s) }
func rCall(id string) string {
	return fmt.Sprintf(`{"type": "function_call", "call_id": %q, "name": "f", "arguments": "{}"}`, id)
}
func rOut(id, s string) string {
	return fmt.Sprintf(`{"type": "function_call_output", "call_id": %q, "output": %s}`, id, str(s))
}
func rThink(id, rest string) string {
	return fmt.Sprintf(`{"type": "reasoning", "id": %q, "summary": []%s}`, id, rest)
}
func rSaid(id, s string) string {
	return fmt.Sprintf(`{"type": "message", "id": %q, "role": "assistant", "content": [{"type": "output_text", "text": %s}]}`, id, str(s))
}

func gUser(parts ...string) string  { return with("user", "parts", parts) }
func gModel(parts ...string) string { return with("model", "parts", parts) }
func gText(s string) string         { return `{"text": ` + str(s) + `}` }
func gCall(id, name, rest string) string {
	return fmt.Sprintf(`{"functionCall": {"id": %q, "name": %q, "args": {}}%s}`, id, name, rest)
}
func gResult(id, name, response string) string {
	return fmt.Sprintf(`{"functionResponse": {"id": %q, "name": %q, "response": %s}}`, id, name, response)
}

// Histories that many rows start from.
var (
	aQ    = aUser(aText("q"))
	aOpen = list(aQ, aAsst(aCall("c1", "f", `{}`)), aUser(aText("next")))
	aDone = list(aQ, aAsst(aCall("c1", "f", `{}`)), aUser(aResult("c1", "r1"), aText("next")))
	aCut  = list(aQ, aUser(aText("next")))
	aTwo  = list(aQ, aAsst(aCall("c1", "f", `{"a": 1}`), aCall("c2", "g", `{"b": 2}`)), aUser(aResult("c1", "r1"), aResult("c2", "r2")))
	aSwap = list(aQ, aAsst(aCall("c1", "f", `{"a": 1}`), aCall("c2", "g", `{"b": 2}`)), aUser(aResult("c1", "r2"), aResult("c2", "r1")))
	aBack = list(aQ, aAsst(aCall("c1", "f", `{"a": 1}`), aCall("c2", "g", `{"b": 2}`)), aUser(aResult("c2", "r2"), aResult("c1", "r1")))
	aOne  = list(aQ, aAsst(aCall("c1", "f", `{"a": 1}`)), aUser(aResult("c1", "r1")))
	aSame = list(aQ, aAsst(aCall("d", "f", `{"a": 1}`), aCall("d", "f", `{"a": 2}`)), aUser(aResult("d", "r1"), aResult("d", "r2")))
	aDiff = list(aQ, aAsst(aCall("d", "f", `{"a": 1}`), aCall("d_2", "f", `{"a": 2}`)), aUser(aResult("d", "r1"), aResult("d_2", "r2")))
	aLost = list(aQ, aUser(aResult("c1", "r1")))
	aNo   = list(aQ)

	cQ    = cText("user", "q")
	cDone = list(cQ, cAsst(cCall("c1", "f", `{}`)), cTool("c1", "r1"))
	cBad  = list(cQ, cAsst(cCall("c1", "f", `{"a":`)), cTool("c1", "r1"))
	cWrap = list(cQ, cAsst(cCall("c1", "f", `{"raw": "{\"a\":"}`)), cTool("c1", "r1"))
	cLate = list(cQ, cAsst(cCall("c1", "f", `{}`)), cText("user", "x"), cTool("c1", "r1"))

	rCustom = `{"type": "custom_tool_call", "call_id": "c1", "name": "f", "input": "x"}`
	rCusOut = `{"type": "custom_tool_call_output", "call_id": "c1", "output": "r"}`

	gTwo  = list(gUser(gText("q")), gModel(gCall("a", "f", ""), gCall("b", "g", "")), gUser(gResult("a", "f", `{"x": 1}`), gResult("b", "g", `{"x": 2}`)))
	gOpen = list(gUser(gText("q")), gModel(gCall("a", "f", ""), gCall("b", "g", "")), gUser(gResult("a", "f", `{"x": 1}`)))
	gCut  = list(gUser(gText("q")), gModel(gCall("a", "f", ""), gCall("b", "g", "")), gUser(gResult("a", "f", `{"x": 1}`)), gUser(gResult("b", "g", `{"x": 2}`)))
)

// row is one assertion: with the input, an output that satisfies it and one that
// does not. An empty history stands for a silent refusal.
type row struct {
	must, format   string
	in, good, bad  string
	target, forWho string
}

var rows = []row{
	// the whole body
	{must: `unchanged`, format: anthropic, in: aDone, good: aDone, bad: aCut},
	{must: `with KeepPendingTail: unchanged`, format: anthropic, in: aDone, good: aDone, bad: aCut},
	{must: `with KeepPendingTail: unchanged; otherwise no dangling call c1`, format: anthropic, in: aOpen, good: aDone, bad: list(aQ, aAsst(aText("x"), aCall("c1", "f", `{}`)))},
	{must: `large integers exact`, format: anthropic, in: list(aQ, aAsst(aCall("c1", "f", `{"n": 12345678901234567890}`))), good: list(aQ, aAsst(aCall("c1", "f", `{"n": 12345678901234567890}`))), bad: list(aQ, aAsst(aCall("c1", "f", `{"n": 12345678901234567000}`)))},
	{must: `no allocation of new messages (identity)`, format: anthropic, in: aDone, good: aDone, bad: strings.Replace(aDone, ", ", ",", 1)},
	{must: `key order and unknown fields preserved`, format: anthropic, in: `[{"role": "user", "content": "q", "x": 1.0}]`, good: `[{"role":"user","content":"q","x":1.0}]`, bad: `[{"content": "q", "role": "user", "x": 1.0}]`},
	{must: `valid`, format: anthropic, in: aOpen, good: aDone, bad: ``},
	{must: `empty output`, format: anthropic, in: aQ, good: `[]`, bad: aNo},
	{must: `output non-empty`, format: anthropic, in: aNo, good: aNo, bad: `[]`},

	// texts
	{must: `text 'next' kept`, format: anthropic, in: aOpen, good: aCut, bad: aNo},
	{must: `text "next" kept`, format: anthropic, in: aOpen, good: aCut, bad: aNo},
	{must: `system text 'q' kept`, format: chat, in: list(cText("system", "q")), good: list(cText("user", "q\nx")), bad: list(cText("user", "quite another"))},
	{must: `information 'next' survives`, format: anthropic, in: aOpen, good: aDone, bad: aNo},
	{must: `text 'r1' kept (as result or as text)`, format: anthropic, in: aLost, good: list(aUser(aText("Result: r1."))), bad: aNo},
	{must: `'r1' kept as text`, format: anthropic, in: aLost, good: list(aUser(aText("Result: r1."))), bad: list(aUser(aText("r12")))},
	{must: `its text 'r1' kept`, format: anthropic, in: aLost, good: list(aUser(aText("(r1)"))), bad: aNo},
	{must: `result 'r1' answers c1 or kept as text`, format: anthropic, in: aLost, good: list(aUser(aText("(r1)"))), bad: aNo},
	{must: `order q<c1<next preserved`, format: anthropic, in: aDone, good: aDone, bad: list(aUser(aText("next")), aAsst(aCall("c1", "f", `{}`)), aQ)},
	{must: `concatenated assistant text is 'ab'`, format: anthropic, in: list(aQ, aAsst(aText("a")), aAsst(aText("b"))), good: list(aQ, aAsst(aText("a"), aText("b"))), bad: list(aQ, aAsst(aText("b"), aText("a")))},
	{must: `no lone surrogate in output`, format: chat, in: `[{"role": "user", "content": "x \ud83d"}]`, good: `[{"role": "user", "content": "x \ud83d\ude80"}]`, bad: `[{"role": "user", "content": "x \ud83d y"}]`},
	{must: `output has no lone surrogate`, format: chat, in: cBad, good: cDone, bad: list(cQ, cAsst(cCall("c1", "f", `{"a": "\ude80"}`)))},
	{must: `valid emoji kept`, format: chat, in: `[{"role": "user", "content": "\ud83d \ud83d\ude80"}]`, good: `[{"role": "user", "content": " \ud83d\ude80"}]`, bad: cDone},
	{must: `no 'Historical context' text`, format: anthropic, in: aOpen, good: aDone, bad: list(aUser(aText("Historical context: f was called")))},
	{must: `no wall-clock in output`, format: anthropic, in: aOpen, good: aDone, bad: list(aUser(aText("at 12:30:59")))},
	{must: `no synthetic placeholder text in assistant`, format: anthropic, in: aNo, good: aNo, bad: list(aQ, aAsst(aText("(no reply)")))},

	// calls
	{must: `no dangling call`, format: anthropic, in: aOpen, good: aCut, bad: aOpen},
	{must: `every call answered in the next message`, format: anthropic, in: aOpen, good: aDone, bad: aOpen},
	{must: `first call not dangling`, format: anthropic, in: aTwo, good: aOne, bad: list(aQ, aAsst(aCall("c1", "f", `{}`)))},
	{must: `second call c2 not dangling`, format: anthropic, in: aTwo, good: aOne, bad: list(aQ, aAsst(aCall("c2", "g", `{}`)))},
	{must: `both calls answered`, format: anthropic, in: aTwo, good: aTwo, bad: aOne},
	{must: `every call answered once`, format: anthropic, in: aTwo, good: aTwo, bad: list(aQ, aAsst(aCall("c1", "f", `{"a": 1}`), aCall("c2", "g", `{}`)), aUser(aResult("c1", "x"), aResult("c2", "y"), aResult("c2", "z")))},
	{must: `no dangling call c1`, format: anthropic, in: aOpen, good: aDone, bad: aLost},
	{must: `no dangling call c1`, format: chat, in: cLate, good: cDone, bad: cLate},
	{must: `no dangling call c1`, format: responses, in: list(rUser("q"), rCall("c1")), good: list(rUser("q"), rCall("c1"), rOut("c1", "x")), bad: list(rUser("q"), rOut("c1", "x"), rCall("c1"))},
	{must: `no dangling functionCall f`, format: gemini, in: gTwo, good: gCut, bad: list(gModel(gCall("", "f", "")), gModel(gText("x")))},
	{must: `no dangling toolUse t1`, format: bedrock, in: `[{"role": "assistant", "content": [{"toolUse": {"toolUseId": "t1", "name": "f", "input": {}}}]}]`,
		good: `[{"role": "assistant", "content": [{"toolUse": {"toolUseId": "t1", "name": "f", "input": {}}}]}, {"role": "user", "content": [{"toolResult": {"toolUseId": "t1", "content": [{"text": "r"}]}}]}]`,
		bad:  `[{"role": "assistant", "content": [{"toolUse": {"toolUseId": "t1", "name": "f", "input": {}}}]}, {"role": "user", "content": [{"text": "r"}]}]`},
	{must: `no dangling call c1 (or kept when pending tail allowed)`, format: anthropic, in: aOpen, good: list(aQ, aAsst(aCall("c1", "f", `{}`))), bad: aOpen},
	{must: `no dangling call c1 (or reported by Validate)`, format: anthropic, in: aOpen, good: aDone, bad: aOpen},
	{must: `call c1 kept`, format: anthropic, in: aOpen, good: aDone, bad: aCut},
	{must: `call c1 removed`, format: anthropic, in: aOpen, good: aCut, bad: aDone},
	{must: `exactly one result for c9 or call removed`, format: anthropic, in: aOpen, good: aCut, bad: aOpen},
	{must: `call {"a": 1} answered by 'x' or removed with its result`, format: anthropic, in: aTwo, good: aNo, bad: aTwo},
	{must: `whole round removed`, format: anthropic, in: aTwo, good: aNo, bad: aOne},
	{must: `call args {"a":1} kept`, format: anthropic, in: aTwo, good: aOne, bad: aOpen},
	{must: `input of c1 is {"a":1}`, format: chat, in: cBad, good: list(cQ, cAsst(cCall("c1", "f", `{"a": 1}`))), bad: cDone},
	{must: `input of c1 is {"a":1} or wraps the raw string`, format: anthropic, in: list(aAsst(aCall("c1", "f", `"{\"a\":"`))), good: list(aAsst(aCall("c1", "f", `{"raw": "{\"a\":"}`))), bad: list(aAsst(aCall("c1", "f", `{}`)))},
	{must: `input of c1 is {"a":1} or wraps the raw string`, format: chat, in: cBad, good: cWrap, bad: cBad},
	{must: `raw text '{"a":' recoverable from input`, format: chat, in: cBad, good: list(cQ, cAsst(`{"id": "c1", "function": {"name": "f", "arguments": "x {\"a\":"}}`)), bad: cDone},
	{must: `every arguments string is valid JSON`, format: chat, in: cBad, good: cWrap, bad: cBad},
	{must: `every tool_use has an object input`, format: anthropic, in: list(aAsst(aCall("c1", "f", `"x"`))), good: aDone, bad: list(aAsst(aCall("c1", "f", `[]`)))},
	{must: `is left as is`, format: gemini, in: list(gModel(gCall("a", "f", ""))), good: list(gModel(gCall("a", "f", `, "thoughtSignature": "s"`))), bad: list(gModel(gCall("a", "g", "")))},
	{must: `tool name for c1 is 'f'`, format: anthropic, in: list(aAsst(aCall("c1", " f", `{}`))), good: aOpen, bad: list(aAsst(aCall("c1", " f", `{}`)))},

	// results
	{must: `no orphan tool_result`, format: anthropic, in: aLost, good: aNo, bad: aLost},
	{must: `no orphan tool_result c1`, format: anthropic, in: aLost, good: aNo, bad: list(aQ, aUser(aResult("toolu_new", "r1")))},
	{must: `no orphan functionResponse z`, format: gemini, in: gTwo, good: gTwo, bad: list(gUser(gResult("z", "h", `{}`)))},
	{must: `no output before its call`, format: responses, in: list(rOut("c1", "x"), rCall("c1")), good: list(rCall("c1"), rOut("c1", "x")), bad: list(rOut("c1", "x"), rCall("c1"))},
	{must: `no custom_tool_call_output c1 without custom_tool_call`, format: responses, in: list(rCall("c1"), rCusOut), good: list(rCustom, rCusOut), bad: list(rCall("c1"), rCusOut)},
	{must: `result 'r1' kept for the first call`, format: anthropic, in: aTwo, good: aOne, bad: aSwap},
	{must: `response {"x": 1} kept for the first call`, format: gemini, in: gTwo, good: gOpen, bad: list(gUser(gText("q")))},
	{must: `result c1 is 'r1'`, format: anthropic, in: aTwo, good: aBack, bad: aSwap},
	{must: `response a is {"x":1}`, format: gemini, in: gTwo, good: gCut, bad: list(gModel(gCall("a", "f", "")), gUser(gResult("a", "f", `{"x": 3}`)))},
	{must: `result is 'r1'`, format: anthropic, in: aOne, good: aOne, bad: aTwo},
	{must: `result c1 kept`, format: anthropic, in: aDone, good: aOne, bad: aOpen},
	{must: `content set`, format: chat, in: cDone, good: cDone, bad: `[{"role": "tool", "tool_call_id": "c1", "content": null}]`},
	{must: `result c1 not empty`, format: anthropic, in: aDone, good: aDone, bad: list(aQ, aAsst(aCall("c1", "f", `{}`)), aUser(aResult("c1", "")))},
	{must: `result 'r2' for c2 kept`, format: anthropic, in: aTwo, good: aBack, bad: aSwap},
	{must: `result 'r1' kept`, format: anthropic, in: aTwo, good: aOne, bad: aLost},
	{must: `results 1,2 kept`, format: anthropic, in: aTwo, good: list(aAsst(aCall("c1", "f", `{}`), aCall("c2", "f", `{}`)), aUser(aResult("c1", "1"), aResult("c2", "2"))), bad: list(aAsst(aCall("c1", "f", `{}`)), aUser(aResult("c1", "12")))},
	{must: `2 tool messages kept`, format: anthropic, in: aTwo, good: aTwo, bad: aOne},
	{must: `result 'r1' answers the call`, format: anthropic, in: aOne, good: aOne, bad: aLost},
	{must: `result 'r1' answers c1 (only candidate)`, format: anthropic, in: aOne, good: aOne, bad: aSwap},
	{must: `'r2' answers the second call`, format: anthropic, in: aSame, good: aDiff, bad: aOne},
	{must: `first call answered by 'r1'`, format: anthropic, in: aSame, good: aDiff, bad: aNo},
	{must: `'r2' answers {"b":2}`, format: anthropic, in: aTwo, good: aTwo, bad: aSwap},
	{must: `call {"b":2} answered by 'r2'`, format: anthropic, in: aTwo, good: aTwo, bad: aSwap},
	{must: `f answered by 'r1'`, format: anthropic, in: aTwo, good: aTwo, bad: aSwap},
	{must: `text 'r2' paired with g`, format: anthropic, in: aTwo, good: aTwo, bad: aSwap},
	{must: `exactly one result for the call`, format: anthropic, in: aOne, good: aOne, bad: list(aQ, aAsst(aCall("c1", "f", `{"a": 1}`)), aUser(aResult("c1", "r1"), aResult("c1", "r1")))},
	{must: `exactly one result for c1`, format: anthropic, in: aOne, good: aTwo, bad: list(aQ, aAsst(aCall("c1", "f", `{"a": 1}`)), aUser(aResult("c1", "r1"), aResult("c1", "r1")))},
	{must: `exactly one output for c1`, format: responses, in: list(rCall("c1"), rOut("c1", "x")), good: list(rCall("c1"), rOut("c1", "x")), bad: list(rCall("c1"), rOut("c1", "x"), rOut("c1", "y"))},
	{must: `each remaining call has exactly one result`, format: anthropic, in: aTwo, good: aOne, bad: aOpen},
	{must: `number of functionResponses equals number of functionCalls`, format: gemini, in: gOpen, good: gTwo, bad: gOpen},
	{must: `at most one result`, format: anthropic, in: aTwo, good: aOne, bad: aTwo},
	{must: `result c1 immediately follows its call`, format: chat, in: cLate, good: cDone, bad: cLate},
	{must: `result c1 immediately follows its call`, format: responses, in: list(rCall("c1"), rUser("x"), rOut("c1", "r")), good: list(rCall("c1"), rCall("c2"), rOut("c1", "r")), bad: list(rCall("c1"), rUser("x"), rOut("c1", "r"))},
	{must: `each response immediately follows its call`, format: gemini, in: gTwo, good: gTwo, bad: gCut},
	{must: `any synthetic result for c1 is in the message after c1's call`, format: anthropic, in: aOpen, good: aCut, bad: aOpen},
	{must: `any synthetic result directly after its call`, format: responses, in: list(rCall("c1"), rUser("x")), good: list(rCall("c1"), rOut("c1", "s"), rUser("x")), bad: list(rCall("c1"), rUser("x"), rOut("c1", "s"))},
	{must: `synthetic tool_result before that text if synthesized`, format: anthropic, in: aOpen, good: aDone, bad: list(aQ, aAsst(aCall("c1", "f", `{}`)), aUser(aText("next"), aResult("c1", "s")))},
	{must: `both results in the message right after the call`, format: anthropic, in: aTwo, good: aBack, bad: aOpen},
	{must: `all 2 results in the message right after the call, in call order (or unanswered calls removed)`, format: anthropic, in: aTwo, good: aTwo, bad: aBack},
	{must: `both results contiguous after the call`, format: chat, in: cLate, good: list(cAsst(cCall("c1", "f", "{}"), cCall("c2", "f", "{}")), cTool("c1", "x"), cTool("c2", "y")), bad: cDone},
	{must: `results in call order 1,2`, format: anthropic, in: aTwo, good: aTwo, bad: aBack},
	{must: `responses merged into one user turn`, format: gemini, in: gCut, good: gTwo, bad: gCut},
	{must: `no synthetic result`, format: anthropic, in: aTwo, good: aOne, bad: aDone[:len(aDone)-1] + `, ` + aUser(aResult("c2", "made up")) + `]`},
	{must: `synthetic result is marked as error`, format: anthropic, in: aOpen, good: list(aAsst(aCall("c1", "f", `{}`)), aUser(block("tool_result", `"tool_use_id": "c1", "content": "s", "is_error": true`))), bad: aDone},
	{must: `synthetic output type matches call type (custom_tool_call_output)`, format: responses, in: list(rCustom), good: list(rCustom, rCusOut), bad: list(rCustom, rOut("c1", "r"))},
	{must: `no tool_result for c1 synthesized`, format: anthropic, in: aOpen, good: aCut, bad: aDone},
	{must: `server_tool_use c1 removed or paired, never answered by a client tool_result`, format: anthropic, in: aOpen, good: aCut, bad: aDone},
	{must: `result id equals its call id`, format: anthropic, in: aOne, good: aOne, bad: aLost},

	// ids and names
	{must: `ids unique`, format: anthropic, in: aSame, good: aDiff, bad: aSame},
	{must: `2 distinct call ids`, format: anthropic, in: aSame, good: aDiff, bad: aOne},
	{must: `tool_use ids unique in the message`, format: anthropic, in: aSame, good: list(aAsst(aCall("d", "f", `{}`)), aAsst(aCall("d", "f", `{}`))), bad: aSame},
	{must: `item ids unique`, format: responses, in: list(rSaid("m1", "a"), rSaid("m1", "b")), good: list(rSaid("m1", "a"), rSaid("m2", "b")), bad: list(rSaid("m1", "a"), rSaid("m1", "b"))},
	{must: `item ids unique or stripped`, format: responses, in: list(rSaid("m1", "a"), rSaid("m1", "b")), good: list(rUser("a"), rUser("b")), bad: list(rSaid("m1", "a"), rSaid("m1", "b"))},
	{must: `stripped`, format: responses, in: list(rSaid("m1", "a")), good: list(rUser("a")), bad: list(rSaid("m1", "a"))},
	{must: `every tool id matches ^[a-zA-Z0-9_-]{1,64}$`, format: anthropic, in: aOne, good: aOne, bad: list(aAsst(aCall("a.b", "f", `{}`)))},
	{must: `every tool_call_id matches ^[a-zA-Z0-9]{9}$`, format: chat, target: "mistral", forWho: "mistral", in: cDone, good: strings.ReplaceAll(cDone, "c1", "abcdefgh1"), bad: cDone},
	{must: `every id is 9 alphanumerics`, format: chat, target: "mistral", forWho: "mistral", in: cDone, good: strings.ReplaceAll(cDone, "c1", "abcdefgh1"), bad: cDone},
	{must: `every tool_call_id length <= 4`, format: chat, in: cDone, good: cDone, bad: strings.ReplaceAll(cDone, "c1", "abcde")},
	{must: `every tool name matches ^[a-z]{1,8}$`, format: chat, in: cDone, good: cDone, bad: strings.ReplaceAll(cDone, `"f"`, `"f.g"`)},
	{must: `id d kept on the second call`, format: anthropic, in: aSame, good: aSame, bad: aDiff},
	{must: `no tool message without tool_call_id`, format: chat, in: cDone, good: cDone, bad: list(cText("tool", "x"))},
	{must: `no tool_use with empty name`, format: anthropic, in: aOne, good: aOne, bad: list(aAsst(aCall("c1", " ", `{}`)))},

	// turns
	{must: `starts with user`, format: chat, in: list(cText("assistant", "a")), good: list(cText("system", "s"), cQ), bad: list(cText("system", "s"), cText("assistant", "a"), cQ)},
	{must: `ends with user`, format: anthropic, in: aTwo, good: aTwo, bad: list(aQ, aAsst(aText("a")))},
	{must: `ends with user/tool`, format: chat, in: cDone, good: cDone, bad: list(cQ, cText("assistant", "a"))},
	{must: `a user turn follows`, format: anthropic, in: aTwo, good: aTwo, bad: list(aQ, aAsst(aText("a")))},
	{must: `assistant text has no trailing whitespace`, format: anthropic, in: aQ, good: list(aQ, aAsst(aText("a"))), bad: list(aQ, aAsst(aText("a ")))},
	{must: `roles alternate`, format: anthropic, in: aTwo, good: aTwo, bad: aCut},
	{must: `roles valid`, format: anthropic, in: aTwo, good: aTwo, bad: list(cText("human", "q"))},
	{must: `no user message directly after a tool message`, format: chat, target: "mistral", forWho: "mistral", in: cDone, good: cDone, bad: list(cTool("c1", "r"), cQ)},
	{must: `no empty text block`, format: anthropic, in: aNo, good: list(aUser(aText(" "))), bad: list(aUser(aText("")))},
	{must: `no empty text block`, format: chat, in: aNo, good: `[{"role": "assistant", "content": "", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]}]`, bad: list(cText("assistant", ""))},
	{must: `no empty text block anywhere`, format: anthropic, in: aNo, good: aOne, bad: list(aUser(block("tool_result", `"tool_use_id": "c1", "content": [{"type": "text", "text": ""}]`)))},
	{must: `no whitespace-only text block`, format: anthropic, in: aNo, good: aNo, bad: list(aUser(aText(" ")))},
	{must: `no text block with null text`, format: anthropic, in: aNo, good: aNo, bad: list(aUser(block("text", `"text": null`)))},
	{must: `no empty message`, format: anthropic, in: aNo, good: aNo, bad: list(aQ, aAsst())},
	{must: `no assistant message with neither content nor tool_calls`, format: chat, in: cDone, good: cDone, bad: list(`{"role": "assistant", "content": null}`)},
	{must: `tool_result before text in its message`, format: anthropic, in: aDone, good: aDone, bad: list(aUser(aText("x"), aResult("c1", "r")))},
	{must: `no tool_result in assistant message`, format: anthropic, in: aOne, good: aOne, bad: list(aAsst(aResult("c1", "r")))},
	{must: `no tool_use in user message`, format: anthropic, in: aOne, good: aOne, bad: list(aUser(aCall("c1", "f", `{}`)))},
	{must: `no thinking block in user message`, format: anthropic, in: aOne, good: aOne, bad: list(aUser(aThink("t", "s")))},
	{must: `no toolUse/toolResult blocks when the request declares no tools`, format: anthropic, in: aOne, good: aNo, bad: aOne},
	{must: `no-tools target: no toolUse/toolResult blocks, text 'r1' kept as text; otherwise unchanged`, format: anthropic, in: aOne, good: list(aUser(aText("r1"))), bad: aNo},
	{must: `block order preserved`, format: anthropic, in: list(aUser(aText("a"), aText("b"))), good: list(aUser(aText("a"), aText("x"), aText("b"))), bad: list(aUser(aText("b"), aText("a")))},
	{must: `block order in last assistant unchanged`, format: anthropic, in: list(aAsst(aText("a"), aCall("c1", "f", `{}`))), good: list(aAsst(aText("a"))), bad: list(aAsst(aCall("c1", "f", `{}`), aText("a")))},

	// reasoning and other opaque parts
	{must: `no thinking block without signature`, format: anthropic, in: aNo, good: list(aAsst(aThink("t", "s"))), bad: list(aAsst(aThink("t", "")))},
	{must: `no thinking block with foreign signature 'x'`, format: anthropic, in: aNo, good: list(aAsst(aThink("t", "s"))), bad: list(aAsst(aThink("t", "x")))},
	{must: `no thinking block with JSON signature`, format: anthropic, in: aNo, good: list(aAsst(aThink("t", "s"))), bad: list(aAsst(aThink("t", `{"id": 1}`)))},
	{must: `thinking 't' kept with signature 's'`, format: anthropic, in: aNo, good: list(aAsst(aThink("t", "s"))), bad: list(aAsst(aThink("t", "S")))},
	{must: `no assistant message with only thinking`, format: anthropic, in: aNo, good: list(aAsst(aThink("t", "s"), aText("a"))), bad: list(aAsst(aThink("t", "s")))},
	{must: `thinking kept intact`, format: anthropic, in: list(aAsst(aThink("t", "s"), aText("a"))), good: list(aAsst(aThink("t", "s"))), bad: list(aAsst(aThink("t.", "s")))},
	{must: `redacted_thinking kept for same model or removed for another`, format: anthropic, in: aNo, good: list(aAsst(block("redacted_thinking", `"data": "d"`))), bad: aNo},
	{must: `reasoning_content 'why' kept`, format: chat, in: cDone, good: `[{"role": "assistant", "content": "a", "reasoning_content": "why"}]`, bad: cDone},
	{must: `reasoning rs_1 kept`, format: responses, in: list(rThink("rs_1", "")), good: list(rThink("rs_1", "")), bad: list(rThink("rs_2", ""))},
	{must: `if rs_1 removed then id m1 stripped`, format: responses, in: list(rThink("rs_1", ""), rSaid("m1", "a")), good: list(rThink("rs_1", ""), rSaid("m1", "a")), bad: list(rSaid("m1", "a"))},
	{must: `if c1 removed then rs_1 and rs_2 removed`, format: responses, in: list(rThink("rs_1", ""), rCall("c1")), good: list(rUser("q")), bad: list(rThink("rs_1", ""))},
	{must: `no trailing reasoning item without successor`, format: responses, in: list(rThink("rs_1", "")), good: list(rThink("rs_1", ""), rCall("c1")), bad: list(rUser("q"), rThink("rs_1", ""))},
	{must: `no reasoning item followed by user message`, format: responses, in: list(rThink("rs_1", "")), good: list(rThink("rs_1", ""), rThink("rs_2", ""), rSaid("m1", "a")), bad: list(rThink("rs_1", ""), rUser("q"))},
	{must: `no reasoning rs_1 without encrypted_content`, format: responses, in: list(rThink("rs_1", "")), good: list(rThink("rs_1", `, "encrypted_content": "e"`)), bad: list(rThink("rs_1", ""))},
	{must: `no reasoning rs_1 without encrypted_content, or following ids intact`, format: responses, in: list(rThink("rs_1", ""), rSaid("m1", "a")), good: list(rThink("rs_1", ""), rSaid("m1", "b")), bad: list(rThink("rs_1", ""), rSaid("m2", "a"))},
	{must: `following ids intact`, format: responses, in: list(rSaid("m1", "a")), good: list(rSaid("m1", "b")), bad: list(rUser("a"))},
	{must: `server_tool_use s1 kept`, format: anthropic, in: aNo, good: list(aAsst(block("server_tool_use", `"id": "s1"`))), bad: list(aAsst(block("server_tool_use", `"id": "s2"`)))},
	{must: `tool_search_output kept`, format: responses, in: aNo, good: list(block("tool_search_output", `"id": "x"`)), bad: list(rUser("q"))},
	{must: `first functionCall of the turn has a thoughtSignature`, format: gemini, in: gTwo, good: list(gModel(gCall("a", "f", `, "thoughtSignature": "s"`))), bad: gTwo},
	{must: `second functionCall has no injected signature`, format: gemini, in: gTwo, good: gTwo, bad: list(gModel(gCall("a", "f", ""), gCall("b", "g", `, "thoughtSignature": "s"`)))},
	{must: `image kept`, format: anthropic, in: aNo, good: list(aUser(block("image", `"source": {"data": "x"}`))), bad: aNo},
	{must: `no image with empty data`, format: anthropic, in: aNo, good: list(aUser(block("image", `"source": {"data": "x"}`))), bad: list(aUser(block("image", `"source": {"data": ""}`)))},
	{must: `no input_image anywhere`, format: responses, target: "text-only model", forWho: "text-only model", in: list(rUser("q")), good: list(rUser("q")), bad: `[{"role": "user", "content": [{"type": "input_image", "image_url": "u"}]}]`},
	{must: `citations kept`, format: anthropic, in: aNo, good: list(aAsst(block("text", `"text": "a", "citations": [{}]`))), bad: list(aAsst(block("text", `"text": "a", "citations": []`)))},
	{must: `cache_control on 'q' kept`, format: anthropic, in: aNo, good: list(aUser(block("text", `"text": "q", "cache_control": {"type": "ephemeral"}`))), bad: list(aUser(block("text", `"text": "z", "cache_control": {"type": "ephemeral"}`)))},
	{must: `cache_control on result c1 kept`, format: anthropic, in: aNo, good: list(aUser(block("tool_result", `"tool_use_id": "c1", "cache_control": {"type": "ephemeral"}`))), bad: list(aUser(block("tool_result", `"tool_use_id": "c1"`)))},
	{must: `cache breakpoint moved`, format: anthropic, in: aNo, good: list(aUser(block("text", `"text": "z", "cache_control": {"type": "ephemeral"}`))), bad: aNo},
	{must: `no cache_control on an empty text block`, format: anthropic, in: aNo, good: aNo, bad: list(aUser(block("text", `"text": "", "cache_control": {"type": "ephemeral"}`)))},
	{must: `is_error, image and cache_control on result c1 kept`, format: anthropic, in: list(aUser(block("tool_result", `"tool_use_id": "c1", "is_error": true`))), good: list(aUser(block("tool_result", `"is_error": true, "tool_use_id": "c1"`))), bad: list(aUser(block("tool_result", `"tool_use_id": "c1"`)))},
}

func (r row) testCase() Case {
	return Case{Name: "row", Format: r.format, Target: r.target, Provider: r.forWho, Input: json.RawMessage(r.in), Must: []string{r.must}}
}

// outcome is that of a fix that silently turns the history into another, and
// leaves its own output alone.
func (r row) outcome(history string) Outcome {
	if history == "" {
		return Outcome{Refused: true}
	}
	c := r.testCase()
	c.Input = json.RawMessage(history)
	body := c.Body()
	return Outcome{Body: body, Again: body, Twice: body}
}

// TestRulesCanFail shows for every kind of assertion about the output that the
// evaluator tells an output that satisfies it from one that does not.
func TestRulesCanFail(t *testing.T) {
	for _, r := range rows {
		t.Run(r.format+"/"+r.must, func(t *testing.T) {
			good := Evaluate(r.testCase(), r.outcome(r.good))
			require.Equal(t, []Line{{Must: r.must, Verdict: Pass}}, good)

			bad := Evaluate(r.testCase(), r.outcome(r.bad))
			require.Equal(t, Fail, bad[0].Verdict)
			require.NotEmpty(t, bad[0].Why, "a failing line says what was found")
		})
	}
}

// TestEveryRuleIsExercised keeps the table above complete: a rule that no row
// reaches is a rule that nobody has seen fail.
func TestEveryRuleIsExercised(t *testing.T) {
	reached := map[*rule]bool{}
	mark := func(c Case, o Outcome) {
		k := newCheck(c, o)
		k.line = c.Must[0]
		for _, l := range leaves(k.parse(c.Must[0])) {
			reached[l.rule] = true
		}
	}
	for _, r := range rows {
		mark(r.testCase(), r.outcome(r.in))
	}
	for _, r := range runRows {
		mark(r.testCase(), r.good)
	}
	for _, table := range [][]rule{runRules, bodyRules} {
		for i := range table {
			require.True(t, reached[&table[i]], "no row for %s", table[i].pattern)
		}
	}
}

func leaves(e expr) []leaf {
	var inner []expr
	switch e := e.(type) {
	case leaf:
		return []leaf{e}
	case anyOf:
		inner = e
	case allOf:
		inner = e
	}
	var out []leaf
	for _, x := range inner {
		out = append(out, leaves(x)...)
	}
	return out
}
