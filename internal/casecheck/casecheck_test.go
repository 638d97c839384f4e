package casecheck

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

const peers = "../../testdata/cases/peers"

// runRow is one assertion about the run, with an outcome that satisfies it and one
// that does not.
type runRow struct {
	must      string
	good, bad Outcome
}

func (r runRow) testCase() Case {
	return Case{Name: "run", Format: anthropic, Input: json.RawMessage(aOpen), Must: []string{r.must}}
}

// to is the outcome of a fix that yields this history with these warnings.
func to(history string, warnings ...string) Outcome {
	o := row{format: anthropic, in: aOpen}.outcome(history)
	for _, w := range warnings {
		o.Warnings = append(o.Warnings, json.RawMessage(w))
	}
	return o
}

// but changes one thing about an outcome.
func (o Outcome) but(change func(*Outcome)) Outcome {
	change(&o)
	return o
}

const aWarning = `{"code": "dangling_call", "tool_call_id": "c1", "detail": "raw <x>"}`

var (
	refused  = Outcome{Refused: true, Err: "nothing valid can come out of c1"}
	panicked = Outcome{Panicked: true, Err: "panic: index out of range"}
	garbage  = Outcome{Body: []byte(`{"messages": [`), Again: []byte(`{"messages": [`)}
)

var runRows = []runRow{
	{`no panic`, refused, panicked},
	{`no panic`, to(aDone), garbage},
	{`input not mutated`, to(aDone), to(aDone).but(func(o *Outcome) { o.Mutated = true })},
	{`input not mutated`, refused, panicked},
	{`idempotent`, to(aDone), to(aDone).but(func(o *Outcome) { o.AgainWarnings = 1 })},
	{`idempotent`, refused, to(aDone).but(func(o *Outcome) { o.Again = []byte(`{}`) })},
	{`idempotent`, to(aDone), garbage},
	{`two runs byte-identical`, to(aDone), to(aDone).but(func(o *Outcome) { o.Twice = append(o.Twice[:len(o.Twice):len(o.Twice)], ' ') })},
	{`two runs byte-identical`, refused, to(aDone).but(func(o *Outcome) { o.Twice = nil })},
	{`caller told`, to(aCut, aWarning), to(aCut)},
	{`caller told`, refused, Outcome{Refused: true}},
	{`caller told`, refused, panicked},
	{`its loss warned`, to(aCut, aWarning), to(aCut)},
	{`reported by Validate`, to(aOpen, aWarning), to(aOpen)},
	{`report names c1 and dangling_call`, to(aCut, aWarning), to(aCut, `{"tool_call_id": "c1"}`)},
	{`report names c1`, refused, to(aCut)},
	{`prefill kept when the model supports it; otherwise ends with user and text 'next' not silently lost`, to(aCut), to(aNo)},
	{`prefill kept when the model supports it; otherwise ends with user and text 'next' not silently lost`, refused, panicked},
	{`foreign payload removed together with its call, or left and warned`, to(aCut), to(list(aAsst(block("server_tool_use", `"id": "s"`))))},

	{`unchanged`, to(aOpen), to(aOpen, aWarning)},
	{`no dangling call c1 (or reported by Validate)`, to(aOpen, aWarning), to(aOpen)},
	{`raw text '<x>' recoverable from input or warning`, to(aCut, aWarning), to(aCut, `{"detail": "raw <y>"}`)},
	{`ends with user or caller told`, refused, to(list(aAsst(aText("a"))))},
	{`text 'next' kept`, to(aCut), refused},
	{`call c1 kept and caller told`, to(aDone, aWarning), to(aDone)},
	{`call c1 kept and caller told`, to(aDone, aWarning), refused},
}

// TestRunRulesCanFail is the table for lines about the run and the report.
func TestRunRulesCanFail(t *testing.T) {
	for _, r := range runRows {
		t.Run(r.must, func(t *testing.T) {
			require.Equal(t, []Line{{Must: r.must, Verdict: Pass}}, Evaluate(r.testCase(), r.good))
			bad := Evaluate(r.testCase(), r.bad)
			require.Equal(t, Fail, bad[0].Verdict)
			require.NotEmpty(t, bad[0].Why)
		})
	}
}

// TestJoinedLines covers the words "or" and "and", and what no rule knows.
func TestJoinedLines(t *testing.T) {
	for _, test := range []struct {
		must   string
		o      Outcome
		want   Verdict
		reason string
	}{
		{`call c1 kept or caller told`, to(aCut, aWarning), Pass, "the second alternative holds"},
		{`call c1 kept or caller told`, to(aCut), Fail, "neither holds"},
		{`call c1 kept, or caller told`, to(aCut, aWarning), Pass, "a comma before the word is no part of it"},
		{`call c1 kept or the moon is full`, to(aDone), Pass, "one alternative that holds is enough"},
		{`call c1 kept or the moon is full`, to(aCut), Prose, "the other one may hold"},
		{`call c1 kept and caller told`, to(aDone), Fail, "both are wanted"},
		{`call c1 kept and the moon is full`, to(aDone), Prose, "the other half may not hold"},
		{`call c1 kept and the moon is full`, to(aCut), Fail, "half of it does not hold"},
		{`text 'this or that' kept`, to(list(aUser(aText("this or that")))), Pass, "quoted words join nothing"},
		{`the moon is full`, to(aDone), Prose, "no rule knows it"},
		{`the moon is full`, refused, Fail, "nothing came out that a reader could judge"},
		{`the moon is full or caller told`, refused, Pass, "refusing is telling"},
		{`with previous_response_id/stored option: output c1 kept; otherwise no orphan output`, to(aCut), Pass, "the body declares neither"},
		{`with previous_response_id/stored option: output c1 kept; otherwise no orphan output`, to(aLost), Fail, "the body declares neither"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			require.Equal(t, test.want, Evaluate(runRow{must: test.must}.testCase(), test.o)[0].Verdict)
		})
	}
}

// TestOtherTargets: what holds for another provider only is not held against a fix
// that was told to serve this one.
func TestOtherTargets(t *testing.T) {
	ids := row{must: `every id is 9 alphanumerics`, format: chat, target: "mistral", in: cDone}
	require.Equal(t, Prose, Evaluate(ids.testCase(), ids.outcome(cDone))[0].Verdict)
	ids.forWho = "mistral"
	require.Equal(t, Fail, Evaluate(ids.testCase(), ids.outcome(cDone))[0].Verdict)

	empty := row{must: `no empty or whitespace-only user content`, format: chat, target: "anthropic", in: list(cText("user", " "), cQ)}
	require.Equal(t, Prose, Evaluate(empty.testCase(), empty.outcome(empty.in))[0].Verdict, "left alone")
	changed := list(cText("user", " "), cText("user", "other"))
	require.Equal(t, Fail, Evaluate(empty.testCase(), empty.outcome(changed))[0].Verdict, "not left alone")
	empty.target = ""
	require.Equal(t, Fail, Evaluate(empty.testCase(), empty.outcome(empty.in))[0].Verdict, "no other target")
}

// TestShortTextInsideALongerOne: a short text counts as kept only where it cannot
// be a part of something else.
func TestShortTextInsideALongerOne(t *testing.T) {
	r := row{must: `text 'a' kept`, format: anthropic, in: list(aUser(aText("a")), aUser(aText("b")))}
	for history, want := range map[string]Verdict{
		list(aUser(aText("a\n\nb"))):          Pass,
		list(aUser(aText("b a"))):             Pass,
		list(aUser(aText("a placeholder"))):   Fail,
		list(aUser(aText("b")), aUser()):      Fail,
		list(aUser(aText("quoted:\n a \nb"))): Pass,
	} {
		require.Equal(t, want, Evaluate(r.testCase(), r.outcome(history))[0].Verdict, history)
	}
}

// TestRun drives fixes of every sort.
func TestRun(t *testing.T) {
	c := Case{Name: "c", Format: anthropic, Input: json.RawMessage(aOpen), Must: []string{"unchanged", "idempotent", "two runs byte-identical", "no panic", "input not mutated", "caller told"}}
	runs := 0
	for _, test := range []struct {
		reason string
		fix    FixFunc
		want   string
	}{
		{"identity", func(_ string, b []byte) ([]byte, []json.RawMessage, error) { return b, nil, nil }, "pass pass pass pass pass fail"},
		{"refusal", func(string, []byte) ([]byte, []json.RawMessage, error) { return nil, nil, errors.New("no") }, "fail pass pass pass pass pass"},
		{"panic", func(string, []byte) ([]byte, []json.RawMessage, error) { panic("boom") }, "fail fail fail fail fail fail"},
		{"nothing", func(string, []byte) ([]byte, []json.RawMessage, error) { return nil, nil, nil }, "fail fail fail fail fail fail"},
		{"always a warning", func(_ string, b []byte) ([]byte, []json.RawMessage, error) {
			return b, []json.RawMessage{json.RawMessage(aWarning)}, nil
		}, "fail fail pass pass pass pass"},
		{"grows", func(_ string, b []byte) ([]byte, []json.RawMessage, error) {
			return append([]byte(" "), b...), nil, nil
		}, "pass fail pass pass pass fail"},
		{"remembers", func(_ string, b []byte) ([]byte, []json.RawMessage, error) {
			runs++
			return append([]byte(strings.Repeat(" ", runs)), b...), nil, nil
		}, "pass fail fail pass pass fail"},
		{"scribbles", func(_ string, b []byte) ([]byte, []json.RawMessage, error) {
			out := append([]byte(nil), b...)
			b[0] = '!'
			return out, nil, nil
		}, "pass pass pass pass fail fail"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			lines, o := Run(c, test.fix)
			var got []string
			for _, l := range lines {
				got = append(got, l.Verdict.String())
			}
			require.Equal(t, test.want, strings.Join(got, " "))
			require.Equal(t, test.reason == "panic", o.Panicked)
			require.Equal(t, test.reason == "refusal", o.Refused)
		})
	}
}

// TestBody: the request declares what the history needs and holds its bytes.
func TestBody(t *testing.T) {
	const call = `[{"role": "assistant","content":[{"type":"tool_use","id":"t","name":" f ","input":{"n":1.0}}]}]`
	for _, test := range []struct {
		format, target, input, want string
	}{
		{anthropic, "", `[ ]`, `{"model": "claude-sonnet-4-5", "max_tokens": 1024, "messages": [ ]}`},
		{anthropic, "claude-opus-4-6", `[]`, `{"model": "claude-opus-4-6", "max_tokens": 1024, "messages": []}`},
		{anthropic, "claude, thinking enabled", call, `{"model": "claude-sonnet-4-5", "max_tokens": 4096, "messages": ` + call +
			`, "thinking": {"type": "enabled", "budget_tokens": 2048}, "tools": [{"name": "f", "input_schema": {"type": "object", "properties": {}}}]}`},
		{chat, "", `[]`, `{"model": "gpt-4o", "messages": []}`},
		{chat, "mistral", `[]`, `{"model": "mistral-large-latest", "messages": []}`},
		{chat, "deepseek thinking", `[]`, `{"model": "deepseek-reasoner", "messages": []}`},
		{responses, "", `["\ud83d"]`, `{"model": "gpt-5", "input": ["\ud83d"]}`},
		{gemini, "", `[]`, `{"contents": []}`},
		{gemini, "gemini-3", `[]`, `{"model": "gemini-3-pro-preview", "contents": []}`},
		{gemini, "gemini-2.5-flash", `[]`, `{"model": "gemini-2.5-flash", "contents": []}`},
		{bedrock, "", `[{"content":[{"toolResult":{}}]}]`, `{"messages": [{"content":[{"toolResult":{}}]}], "toolConfig": {"tools": [{"toolSpec": {"name": "noop", "inputSchema": {"json": {"type": "object", "properties": {}}}}}]}}`},
		{bedrock, "no toolConfig", `[{"content":[{"toolResult":{}}]}]`, `{"messages": [{"content":[{"toolResult":{}}]}]}`},
	} {
		c := Case{Format: test.format, Target: test.target, Input: json.RawMessage(test.input)}
		if diff := cmp.Diff(test.want, string(c.Body())); diff != "" {
			t.Errorf("%s %q (-want +got):\n%s", test.format, test.target, diff)
		}
		require.True(t, json.Valid(c.Body()))
	}
}

// TestCasesLoad: every case can be read, has a name of its own, and stands for a
// request that is JSON and holds its input byte for byte.
func TestCasesLoad(t *testing.T) {
	cases, err := Load(peers)
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, c := range cases {
		require.False(t, seen[c.String()], "two cases are named %s", c)
		seen[c.String()] = true
		require.True(t, json.Valid(c.Body()), c.String())
		require.Contains(t, string(c.Body()), string(c.Input))
	}
}

// TestLoadRejects: a case that cannot be what its author meant is an error.
func TestLoadRejects(t *testing.T) {
	for reason, text := range map[string]string{
		"unknown format": `[{"name": "n", "source": "s", "format": "smoke", "input": [], "must": ["no panic"]}]`,
		"unknown member": `[{"name": "n", "source": "s", "format": "gemini", "input": [], "musts": ["no panic"]}]`,
		"no assertion":   `[{"name": "n", "source": "s", "format": "gemini", "input": []}]`,
		"no input":       `[{"name": "n", "source": "s", "format": "gemini", "must": ["no panic"]}]`,
		"no name":        `[{"source": "s", "format": "gemini", "input": [], "must": ["no panic"]}]`,
		"not JSON":       `[{]`,
		"no cases":       `[]`,
	} {
		t.Run(reason, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "x.json"), []byte(text), 0o600))
			_, err := Load(dir)
			require.Error(t, err)
		})
	}
}

// TestProseIsKnown: a line is evaluated, or it is in the list of those that are for
// a reader. Without the list an assertion could turn into prose unnoticed.
func TestProseIsKnown(t *testing.T) {
	cases, err := Load(peers)
	require.NoError(t, err)
	var got strings.Builder
	for _, c := range cases {
		for _, must := range c.Prose() {
			got.WriteString(c.String() + "  " + must + "\n")
		}
	}
	want, err := os.ReadFile("../../testdata/cases/prose.txt")
	require.NoError(t, err)
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("prose.txt (-want +got):\n%s", diff)
	}
}

// TestBadFixesFail: over all cases, an identity passes every `unchanged` and a fix
// that throws everything away passes none.
func TestBadFixesFail(t *testing.T) {
	cases, err := Load(peers)
	require.NoError(t, err)
	for _, c := range cases {
		identity, _ := Run(c, func(_ string, b []byte) ([]byte, []json.RawMessage, error) { return b, nil, nil })
		emptied, _ := Run(c, func(string, []byte) ([]byte, []json.RawMessage, error) {
			return []byte(`{"` + historyKey(c.Format) + `": []}`), nil, nil
		})
		for i, must := range c.Must {
			if must == "unchanged" {
				require.Equal(t, Pass, identity[i].Verdict, c.String())
				require.Equal(t, Fail, emptied[i].Verdict, c.String())
			}
			if strings.HasPrefix(must, "text ") {
				require.Equal(t, Fail, emptied[i].Verdict, "%s: %s", c, must)
			}
		}
	}
}
