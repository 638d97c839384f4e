package session_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/session"
)

// wholeSessions returns sessions to damage: the samples of this package, and those of real clients
// where they are there.
func wholeSessions(t testing.TB) map[string][]string {
	whole := map[string][]string{}
	for client, lines := range stored {
		whole[client] = lines
	}
	files, err := filepath.Glob(sharedSessions + "/*/*.jsonl")
	require.NoError(t, err)
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		label := filepath.Base(filepath.Dir(name)) + "/" + filepath.Base(name)
		whole[label] = strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	}
	return whole
}

// A damage is one way in which the lines of a file are changed.
var damages = []struct {
	name string
	do   func(r *rand.Rand, lines []string) []string
}{
	{"cut", func(r *rand.Rand, lines []string) []string {
		k := r.IntN(len(lines))
		lines[k] = lines[k][:r.IntN(len(lines[k])+1)]
		return lines
	}},
	{"cut off at the end", func(r *rand.Rand, lines []string) []string {
		lines = lines[:1+r.IntN(len(lines))]
		last := len(lines) - 1
		lines[last] = lines[last][:r.IntN(len(lines[last])+1)]
		return lines
	}},
	{"double", func(r *rand.Rand, lines []string) []string {
		k := r.IntN(len(lines))
		return slices.Insert(lines, r.IntN(len(lines)+1), lines[k])
	}},
	{"delete", func(r *rand.Rand, lines []string) []string {
		if len(lines) < 2 {
			return lines
		}
		k := r.IntN(len(lines))
		return slices.Delete(lines, k, k+1)
	}},
	{"glue", func(r *rand.Rand, lines []string) []string {
		if len(lines) < 2 {
			return lines
		}
		k := r.IntN(len(lines) - 1)
		first := lines[k]
		if r.IntN(2) == 0 {
			first = first[:r.IntN(len(first)+1)]
		}
		lines[k+1] = first + lines[k+1]
		return slices.Delete(lines, k, k+1)
	}},
	{"two processes", func(r *rand.Rand, lines []string) []string {
		k := 1 + r.IntN(len(lines))
		first, second := lines[k:], ofAnother(lines[k:])
		lines = slices.Clone(lines[:k])
		for len(first)+len(second) > 0 {
			from := &first
			if len(first) == 0 || len(second) > 0 && r.IntN(2) == 0 {
				from = &second
			}
			lines, *from = append(lines, (*from)[0]), (*from)[1:]
		}
		return lines
	}},
	{"reorder", func(r *rand.Rand, lines []string) []string {
		k, n := r.IntN(len(lines)), r.IntN(len(lines))
		lines[k], lines[n] = lines[n], lines[k]
		return lines
	}},
}

// ofAnother returns what another process would have written after the same beginning: with ids of
// its own.
func ofAnother(lines []string) []string {
	var ids []string
	for _, line := range lines {
		for _, match := range ownID.FindAllStringSubmatch(line, -1) {
			ids = append(ids, `"`+match[1]+`"`, `"`+match[1]+`_2"`)
		}
	}
	replacer := strings.NewReplacer(ids...)
	var other []string
	for _, line := range lines {
		other = append(other, replacer.Replace(line))
	}
	return other
}

var ownID = regexp.MustCompile(`"(?:uuid|id|toolCallId|call_id)":"([^"]+)"`)

// TestDamaged damages whole sessions in every way and in several at once. See requireRepaired.
func TestDamaged(t *testing.T) {
	rounds := 25
	if testing.Short() {
		rounds = 8
	}
	for label, lines := range wholeSessions(t) {
		t.Run(label, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for round := range rounds {
				damaged := slices.Clone(lines)
				var done []string
				for range 1 + round%3 {
					d := damages[r.IntN(len(damages))]
					damaged = d.do(r, damaged)
					done = append(done, d.name)
				}
				data := []byte(strings.Join(damaged, "\n"))
				if r.IntN(3) > 0 {
					data = append(data, '\n')
				}
				requireRepaired(t, data, fmt.Sprint(round, done))
			}
		})
	}
}

// requireRepaired repairs a session. It requires that no line that can be read is lost, that one
// run is enough, and that the provider accepts what the client sends.
func requireRepaired(t *testing.T, data []byte, what string) {
	t.Helper()
	out, report := repairedOnce(t, data, what)
	if len(out) == 0 {
		return // there was nothing in it that the client could go on from
	}
	require.Empty(t, report.Left, what)
	s, err := session.Read(out)
	require.NoError(t, err, what)
	before, err := session.Read(data)
	require.NoError(t, err, what)
	if report.Sound() {
		requireAccepted(t, before, "it is called sound: "+what)
	}
	requireNothingLost(t, before, s, report, strings.Split(string(data), "\n"), what)
	if len(s.Lines) > 0 {
		requireAccepted(t, s, what)
	}
}

// requireNothingLost requires that each text that the client would have sent is still sent, unless
// the report says that its line is removed.
func requireNothingLost(
	t *testing.T, before, after *session.Session, report *session.Report, lines []string, what string,
) {
	t.Helper()
	if before.Client == "gemini-cli" &&
		slices.ContainsFunc(report.Findings, func(f session.Finding) bool {
			return f.Code == session.CodeGluedLines
		}) {
		return // the list in such a line takes the place of that before it
	}
	removed := ""
	for _, f := range report.Findings {
		for _, n := range f.Lines {
			if strings.Contains(f.Fix, "remove") || f.Code == session.CodeOrphanResult {
				removed += lines[n-1]
			}
		}
	}
	for _, match := range sentText.FindAllStringSubmatch(string(before.Body), -1) {
		text := match[1]
		if !strings.Contains(string(after.Body), text) && !slices.Contains(madeUp, text) {
			require.Contains(t, removed, text, "%s: a text that was sent is not any more", what)
		}
	}
}

// madeUp are the texts of results that clients make up.
var madeUp = []string{
	`"aborted"`, `"No result provided"`,
	`"Tool execution was interrupted before a result was recorded."`,
}

var sentText = regexp.MustCompile(`"(?:text|content|output)":("(?:[^"\\]|\\.)+")`)

// repairedOnce repairs a session. It requires that no line that can be read is lost, and that one
// run is enough. out is nil if it is no session.
func repairedOnce(t *testing.T, data []byte, what string) (out []byte, report *session.Report) {
	t.Helper()
	given := bytes.Clone(data)
	out, report, err := session.Repair(data, nil)
	require.Equal(t, given, data, "%s: the input was written to", what)
	if err != nil {
		require.ErrorIs(t, err, session.ErrUnknown, what)
		require.Equal(t, data, out, what)
		return nil, nil
	}
	requireAccounted(t, data, out, report, what)
	if len(out) > 0 {
		again, second, err := session.Repair(out, nil)
		require.NoError(t, err, what)
		require.Equal(t, string(out), string(again), what)
		require.False(t, second.Changed, what)
	}
	return out, report
}

// requireAccounted requires that each line that can be read is still there, or that the report has
// it among the lines that were changed or removed.
func requireAccounted(t *testing.T, was, is []byte, report *session.Report, what string) {
	t.Helper()
	done := map[int]bool{}
	for _, f := range report.Findings {
		for _, n := range f.Lines {
			done[n] = done[n] || f.Fix != ""
		}
	}
	there := map[string]bool{}
	for line := range bytes.Lines(is) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		there[string(line)] = true
		there[withoutParent(line)] = true
	}
	number := 0
	for line := range bytes.Lines(was) {
		number++
		line = bytes.TrimSuffix(line, []byte("\n"))
		if json.Valid(line) && !done[number] {
			require.True(t, there[string(line)] || there[withoutParent(line)],
				"%s: line %d is gone without a finding", what, number)
		}
	}
}

// withoutParent is a line without the member that links it to the record before it.
func withoutParent(line []byte) string {
	var record map[string]json.RawMessage
	if json.Unmarshal(line, &record) != nil || record["parentUuid"] == nil {
		return ""
	}
	delete(record, "parentUuid")
	data, err := json.Marshal(record)
	if err != nil {
		return ""
	}
	return string(data)
}

// prompts are what the user says next, and models are one for each format.
var prompts = map[string][2]string{
	"anthropic":        {"claude-sonnet-4-5", `{"role":"user","content":"Go on."}`},
	"openai-responses": {"gpt-5", `{"role":"user","content":"Go on."}`},
	"gemini":           {"gemini-2.5-pro", `{"role":"user","parts":[{"text":"Go on."}]}`},
	"openai-chat":      {"gpt-4o", `{"role":"user","content":"Go on."}`},
}

// requireAccepted requires that the strict fake accepts the session when the user continues.
func requireAccepted(t *testing.T, s *session.Session, what string) {
	t.Helper()
	require.Empty(t, refusals(t, s, what), what)
}

// refusals returns the rules for which the strict fake refuses the session.
func refusals(t *testing.T, s *session.Session, what string) (rules []string) {
	t.Helper()
	model, prompt := prompts[s.Format][0], prompts[s.Format][1]
	members := map[string]json.RawMessage{}
	require.NoError(t, json.Unmarshal(s.Body, &members), what)
	for name, list := range members {
		if s.Format == "gemini" { // the client's own context comes first
			list = append([]byte(`[{"role":"user","parts":[{"text":"Context."}]},`), list[1:]...)
		}
		members[name] = append(bytes.TrimSuffix(list, []byte("]")), ","+prompt+"]"...)
	}
	if s.Format != "gemini" {
		members["model"] = mustJSON(t, model)
	}
	if s.Format == "anthropic" {
		members["max_tokens"] = []byte("1000")
		members["tools"] = []byte(`[{"name":"any","input_schema":{"type":"object"}}]`)
	}
	if s.Format == "openai-responses" {
		members["store"] = []byte("false")
	}
	fake := preflighttest.Options{Model: model, Lenient: true}
	found, err := fake.Violations(s.Format, mustJSON(t, members))
	require.NoError(t, err)
	for _, f := range found {
		rules = append(rules, f.Rule)
	}
	return rules
}

// TestBrokenOffAnswer: pi sends no answer that broke off, and sends the results of its calls.
func TestBrokenOffAnswer(t *testing.T) {
	data := strings.Replace(string(file(stored["pi"])), `"stopReason":"toolUse"`,
		`"stopReason":"aborted"`, 1)
	out, report, err := session.Repair([]byte(data), nil)
	require.NoError(t, err)
	require.Equal(t, []string{"anthropic/tool-result-orphan"}, report.Refused)
	require.Empty(t, report.Left)
	require.Contains(t, string(out), `"stopReason":"aborted"`)
	require.NotContains(t, string(out), `"toolResult"`)
}
