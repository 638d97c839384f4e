package session_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// This file holds a repair to the conversation that took place: what the user had taken back never
// comes back.

// chains writes a record of each client whose records name the one before them. what is prompt,
// answer, call or result; the text of a call or result is its id. A call can have several, and so
// can a result, but not of pi.
var chains = map[string]func(id, parent, what, text string) string{
	"claude-code": func(id, parent, what, text string) string {
		role, content := "assistant", `[{"type":"text","text":"`+text+`"}]`
		switch what {
		case "prompt":
			role, content = "user", `"`+text+`"`
		case "call":
			content = `[` + each(text, `{"type":"tool_use","id":"%s","name":"f","input":{}}`) + `]`
		case "result":
			role = "user"
			content = `[` + each(text, `{"type":"tool_result","tool_use_id":"%s","content":"done"}`) + `]`
		}
		return `{"parentUuid":` + orNull(parent) + `,"isSidechain":false,"sessionId":"s",` +
			`"version":"2.1.332","type":"` + role + `","message":{"id":"m` + id + `","role":"` +
			role + `","content":` + content + `},"uuid":"` + id + `"}`
	},
	"qwen-code": func(id, parent, what, text string) string {
		kind, role, part := "assistant", "model", `{"text":"`+text+`"}`
		switch what {
		case "prompt":
			kind, role = "user", "user"
		case "call":
			part = each(text, `{"functionCall":{"id":"%s","name":"f","args":{}}}`)
		case "result":
			kind, role = "tool_result", "user"
			part = each(text, `{"functionResponse":{"id":"%s","name":"f","response":{"output":"x"}}}`)
		}
		return `{"uuid":"` + id + `","parentUuid":` + orNull(parent) + `,"sessionId":"s",` +
			`"version":"0.24.4","type":"` + kind + `","message":{"role":"` + role + `","parts":[` +
			part + `]}}`
	},
	"pi": func(id, parent, what, text string) string {
		message := `"role":"assistant","content":[{"type":"text","text":"` + text + `"}]`
		switch what {
		case "prompt":
			message = `"role":"user","content":[{"type":"text","text":"` + text + `"}]`
		case "call":
			message = `"role":"assistant","content":[` +
				each(text, `{"type":"toolCall","id":"%s","name":"f","arguments":{}}`) + `]`
		case "result":
			message = `"role":"toolResult","toolCallId":"` + text + `","toolName":"f",` +
				`"content":[{"type":"text","text":"done"}]`
		}
		return `{"type":"message","id":"` + id + `","parentId":` + orNull(parent) +
			`,"timestamp":"2026-11-28T07:41:01.003Z","message":{` + message + `}}`
	},
}

// each writes a part for each of some ids with commas between them.
func each(ids, part string) string {
	var parts []string
	for id := range strings.SplitSeq(ids, ",") {
		parts = append(parts, fmt.Sprintf(part, id))
	}
	return strings.Join(parts, ",")
}

func orNull(id string) string {
	if id == "" {
		return "null"
	}
	return `"` + id + `"`
}

// grownTree is a session of a user who now and then goes back and asks something else.
type grownTree struct {
	lines   []string
	ids     []string
	parents map[string]string
	begins  map[string]bool // records that begin a branch
	speaks  map[string]bool // records with a message that is no result
}

func growTree(r *rand.Rand, client string, turns int) *grownTree {
	g := &grownTree{
		parents: map[string]string{}, begins: map[string]bool{}, speaks: map[string]bool{},
	}
	last := ""
	put := func(what, text string) {
		id := fmt.Sprintf("r%d", len(g.ids))
		g.lines = append(g.lines, chains[client](id, last, what, text))
		g.ids = append(g.ids, id)
		g.parents[id] = last
		g.speaks[id] = what != "result"
		last = id
	}
	var ends []string // of turns
	for turn := range turns {
		back := turn > 0 && r.IntN(3) == 0
		if back {
			last = append(ends, "")[r.IntN(len(ends)+1)]
			back = last != g.ids[len(g.ids)-1]
		}
		put("prompt", fmt.Sprint("prompt ", turn))
		g.begins[last] = back
		for call := range r.IntN(3) {
			id := fmt.Sprintf("c%d_%d", turn, call)
			put("call", id)
			put("result", id)
		}
		put("answer", fmt.Sprint("answer ", turn))
		ends = append(ends, last)
	}
	return g
}

// hides reports whether no record that is left whole shows that one began a branch: before it the
// session looks as if the user had never gone back.
func (g *grownTree) hides(lost map[int]bool) bool {
	followed := map[string]bool{}
	for k, id := range g.ids {
		shown := !lost[k] && followed[g.parents[id]]
		switch {
		case g.begins[id] && !shown:
			return true
		case lost[k] || !g.speaks[id]:
		case shown:
			return false
		default:
			followed[g.parents[id]] = true
		}
	}
	return false
}

// TestAncestors: no repair makes a record an ancestor of one that it was no ancestor of before
// lines were lost.
func TestAncestors(t *testing.T) {
	const rounds = 1000
	for client := range chains {
		t.Run(client, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			linked := 0
			for round := range rounds {
				g := growTree(r, client, 2+r.IntN(6))
				left, lost := append([]string{}, g.lines...), map[int]bool{}
				for range 1 + r.IntN(3) {
					k := r.IntN(len(left))
					lost[k] = true
					left[k] = left[k][:r.IntN(2)*r.IntN(max(1, len(left[k])))] // the whole line, or its end
				}
				if g.hides(lost) {
					continue
				}
				left = slices.DeleteFunc(left, func(line string) bool { return line == "" })
				if k := len(left); round%2 == 0 && k > 0 {
					k = r.IntN(k)
					left = slices.Insert(left, k+r.IntN(len(left)-k), left[k])
				}
				out, _, err := session.Repair(file(left), nil)
				if err != nil {
					continue
				}
				what := fmt.Sprintf("round %d\n%s\ndamaged\n%s\nrepaired\n%s", round,
					file(g.lines), file(left), out)
				linked += g.requireAncestors(t, out, what)
			}
			require.Greater(t, linked, rounds/10, "hardly anything was linked")
		})
	}
}

// requireAncestors returns how many records have another parent than before.
func (g *grownTree) requireAncestors(t *testing.T, repaired []byte, what string) (linked int) {
	t.Helper()
	now := map[string]string{}
	for line := range strings.Lines(string(repaired)) {
		var record struct{ UUID, ID, ParentUUID, ParentID string }
		require.NoError(t, json.Unmarshal([]byte(line), &record))
		now[record.UUID+record.ID] = record.ParentUUID + record.ParentID
	}
	for id := range now {
		before, known := g.parents[id]
		if !known {
			continue // a result that the repair added
		}
		if before != now[id] {
			linked++
		}
		was := map[string]bool{}
		for ; before != ""; before = g.parents[before] {
			was[before] = true
		}
		for to := now[id]; to != ""; to = now[to] {
			if _, known := g.parents[to]; known {
				require.True(t, was[to], "%s follows %s\n%s", id, to, what)
			}
		}
	}
	return linked
}

// TestParallelResults: of the results of one message any may be lost, and those that are left are
// sent.
func TestParallelResults(t *testing.T) {
	for client, record := range chains {
		lines := []string{
			record("p", "", "prompt", "Go."), record("c", "p", "call", "k0,k1,k2,k3"),
			record("r0", "c", "result", "k0"), record("r1", "r0", "result", "k1"),
			record("r2", "r1", "result", "k2"), record("r3", "r2", "result", "k3"),
			record("a", "r3", "answer", "All done."),
		}
		for lost := range 1 << 4 {
			left := []string{lines[0], lines[1]}
			for k := range 4 {
				if lost>>k&1 == 0 {
					left = append(left, lines[2+k])
				}
			}
			data := file(append(left, lines[6]))
			out, report, err := session.Repair(data, nil)
			require.NoError(t, err)
			require.Empty(t, report.Left)
			requireSettled(t, out)
			what := fmt.Sprintf("%s: %b\n%s\n%s", client, lost, data, out)
			s, err := session.Read(out)
			require.NoError(t, err)
			requireAccepted(t, s, what)
			sent := strings.Count(string(s.Body), `"text":"done"`) +
				strings.Count(string(s.Body), `"content":"done"`) +
				strings.Count(string(s.Body), `"output":"x"`) +
				strings.Count(string(s.Body), `"content":"x"`)
			require.Equal(t, len(left)-2, sent, what+"\n"+string(s.Body))
			require.Contains(t, string(s.Body), "All done.", what)
		}
	}
}

// TestAbandonedBranch: two records followed one that is lost; both follow the one before it now.
func TestAbandonedBranch(t *testing.T) {
	for client, record := range chains {
		out, _, err := session.Repair(file([]string{
			record("a1", "", "prompt", "one"), record("b1", "a2", "prompt", "delete it"),
			record("b2", "b1", "answer", "deleted"), record("c1", "a2", "prompt", "keep it"),
			record("c2", "c1", "answer", "kept"),
		}), nil)
		require.NoError(t, err)
		s, err := session.Read(out)
		require.NoError(t, err)
		require.Contains(t, string(s.Body), `one`, client)
		require.Contains(t, string(s.Body), `keep it`, client)
		require.NotContains(t, string(s.Body), `delete it`, client)
	}
}

// TestBranchIsNotGuessed: where the user has gone back before, a record whose parent is lost may
// continue any branch.
func TestBranchIsNotGuessed(t *testing.T) {
	for client, record := range chains {
		lines := []string{
			record("a1", "", "prompt", "one"), record("a2", "a1", "answer", "two"),
			record("b1", "a2", "prompt", "delete it"), record("b2", "b1", "answer", "deleted"),
			record("c1", "a2", "prompt", "delete more"), record("c2", "c1", "answer", "gone"),
			record("d1", "a2", "prompt", "keep it"), record("d2", "d1", "answer", "kept"),
		}
		data := file(lines, 7)
		out, report, err := session.Repair(data, nil)
		require.NoError(t, err)
		require.Equal(t, string(data), string(out), client)
		require.Equal(t, session.CodeBrokenChain, report.Findings[0].Code)
		require.Contains(t, report.Findings[0].Problem, "branches")
		if client == "claude-code" {
			continue // its id is at the end of a record, and lost with it
		}
		lines[6] = lines[6][:len(lines[6])-6]
		out, _, err = session.Repair(file(lines), nil)
		require.NoError(t, err)
		s, err := session.Read(out)
		require.NoError(t, err)
		require.Contains(t, string(s.Body), "one", client)
		require.Contains(t, string(s.Body), "kept", client)
		require.NotContains(t, string(s.Body), "delete", client)
	}
}

// TestDoubledAndLost: a record that is in the file twice is no branch, so that a lost record
// elsewhere hides nothing.
func TestDoubledAndLost(t *testing.T) {
	for client, record := range chains {
		lines := []string{
			record("r0", "", "prompt", "one"), record("r1", "r0", "call", "k0"),
			record("r2", "r1", "result", "k0"), record("r3", "r2", "answer", "two"),
			record("r4", "r3", "prompt", "three"), record("r5", "r4", "answer", "four"),
			record("r6", "r5", "prompt", "five"),
		}
		texts := []string{"one", "", "", "two", "three", "four", "five"}
		for twice := range lines {
			for again := twice; again < len(lines)-1; again++ { // where the second copy is
				for lost := 1; lost < len(lines)-1; lost++ {
					data := file(slices.Insert(slices.Clone(lines), again+1, lines[twice]))
					data = []byte(strings.ReplaceAll(string(data), lines[lost]+"\n", ""))
					out, _, err := session.Repair(data, nil)
					require.NoError(t, err)
					requireSettled(t, out)
					s, err := session.Read(out)
					require.NoError(t, err)
					for k, text := range texts {
						if k != lost {
							require.Contains(t, string(s.Body), text, "%s: record %d is twice, after %d, "+
								"and %d lost:\n%s\n%s", client, twice, again, lost, data, out)
						}
					}
				}
			}
		}
	}
}

// TestRecordedAgain: a retry wrote a result again, or Claude Code a call, with an id of its own.
// The provider refuses two of them, so one of them goes.
func TestRecordedAgain(t *testing.T) {
	for client, record := range chains {
		head := []string{record("p", "", "prompt", "Go."), record("c", "p", "call", "k0,k1")}
		tail := func(last string) []string {
			return []string{record("a", last, "answer", "All done."), record("q", "a", "prompt", "Next.")}
		}
		results := []string{record("r0", "c", "result", "k0"), record("r1", "r0", "result", "k1")}
		again := map[string][]string{
			"at once": slices.Concat(head, results, []string{record("r2", "r1", "result", "k1")},
				tail("r2")),
			"both": slices.Concat(head, results, []string{
				record("r2", "r1", "result", "k0"), record("r3", "r2", "result", "k1")}, tail("r3")),
		}
		if client != "pi" {
			again["in one record"] = slices.Concat(head, results, []string{
				record("r2", "r1", "result", "k0,k1")}, tail("r2"))
		}
		if client == "claude-code" {
			first, result := record("c", "p", "call", "k0"), record("r0", "c2", "result", "k0")
			second := func(id, parent string) string {
				return strings.Replace(record(id, parent, "call", "k0"), `"id":"m`+id, `"id":"mc`, 1)
			}
			other := []string{first, record("r", "c", "result", "k0"), record("b", "r", "answer", "Gone.")}
			for name, calls := range map[string][]string{
				"a call": {first, second("c2", "c"), result},
				"a call and its result": {first, record("r", "c", "result", "k0"), second("c2", "r"),
					result},
				"a call beside it": {first, second("c2", "p"), result},
				"three calls":      {first, second("c1", "p"), second("c2", "c1"), result},
				"another branch":   append(slices.Clone(other), second("c2", "p"), result),
				"after another prompt": append(slices.Clone(other),
					record("x", "p", "prompt", "What was asked."), second("c2", "x"), result),
				"without its result": {first, record("r", "c", "result", "k0"), second("c2", "p"),
					record("r0", "c2", "answer", "Well.")},
			} {
				again[name] = slices.Concat(head[:1], calls, tail("r0"))
			}
		}
		for name, lines := range again {
			out, report, err := session.Repair(file(lines), nil)
			require.NoError(t, err)
			what := fmt.Sprintf("%s, %s:\n%s\n%s", client, name, file(lines), out)
			require.NotEmpty(t, report.Refused, what)
			require.Empty(t, report.Left, what)
			requireSettled(t, out)
			s, err := session.Read(out)
			require.NoError(t, err)
			requireAccepted(t, s, what)
			for _, text := range []string{"Go.", "k0", "All done.", "Next."} {
				require.Contains(t, string(s.Body), text, what)
			}
			require.Equal(t, strings.Contains(what, "asked"), strings.Contains(string(s.Body), "asked"), what)
			require.NotContains(t, string(s.Body), "Gone.", what)
			require.NotContains(t, string(out), "interrupted", what)
		}
	}
}

// TestRecordedAgainWithMore: a record stays that has a result again and more, and so do two
// different results of one call: what the provider refuses then is in Left.
func TestRecordedAgainWithMore(t *testing.T) {
	head := func(client, calls string) []string {
		return []string{chains[client]("p", "", "prompt", "Go."), chains[client]("c", "p", "call", calls)}
	}
	qwen, claude := chains["qwen-code"], chains["claude-code"]
	blank := func(id, parent, text string) string {
		return strings.Replace(claude(id, parent, "result", "k0"), `"done"`,
			`[{"type":"text","text":"`+text+`"},{"type":"text","text":""}]`, 1)
	}
	for name, lines := range map[string][]string{
		"another result": append(head("qwen-code", "k0,k1"), qwen("r0", "c", "result", "k0"),
			qwen("r1", "r0", "result", "k0,k1"), qwen("a", "r1", "answer", "All done.")),
		"a compaction": append(head("qwen-code", "k0"), strings.Replace(`{"uuid":"s","parentUuid":"c",`+
			`"sessionId":"s","version":"0.24.4","type":"system","systemPayload":{"compressedHistory":[`+
			`{"role":"user","parts":[{"text":"Go."}]},{"role":"model","parts":[{"functionCall":`+
			`{"id":"k0","name":"f","args":{}}}]},RESULT,RESULT]}}`, "RESULT",
			`{"role":"user","parts":[{"functionResponse":{"id":"k0","name":"f","response":`+
				`{"output":"x"}}}]}`, 2), qwen("a", "s", "answer", "All done.")),
		"different results with a blank text": append(head("claude-code", "k0"), blank("r0", "c", "one"),
			blank("r1", "r0", "two"), claude("a", "r1", "answer", "All done.")),
	} {
		data := file(lines)
		out, report, err := session.Repair(data, nil)
		require.NoError(t, err)
		require.Equal(t, string(data), string(out), name)
		require.NotEmpty(t, report.Left, name)
	}
}

func TestSharedBranch(t *testing.T) {
	data, err := os.ReadFile("../../shared/harm/sessions/pi-branch-lost.jsonl")
	if err != nil {
		t.Skip("the files of real damage are kept beside the project, and are not there")
	}
	out, _, err := session.Repair(data, nil)
	require.NoError(t, err)
	s, err := session.Read(out)
	require.NoError(t, err)
	require.NotContains(t, string(s.Body), "ABANDONED")
}
