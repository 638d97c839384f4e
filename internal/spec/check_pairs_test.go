package spec

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/pairs"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// TestCheckPairs gives Check one fault at a time, under a profile that forbids nothing else:
// pairs of calls and results, and their ids.
func TestCheckPairs(t *testing.T) {
	q, a := userMsg(says("q")), botMsg(says("a"))
	empty := func(role preflight.Role) preflight.Message { return preflight.Message{Role: role} }
	turns := preflight.Profile{
		IDs:   provider.IDRules{Unique: provider.ScopeTurn},
		Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined},
	}
	anywhere := preflight.Profile{Pairing: provider.PairingRules{Results: provider.ResultsAnywhere}}
	anywhereBlank := anywhere
	anywhereBlank.IDs.Call.Optional = true
	words := preflight.Profile{
		IDs: provider.IDRules{
			Call:       provider.Pattern{Alphabet: provider.WordChars},
			ServerCall: provider.Pattern{Prefix: "s_"},
		},
	}
	byName := preflight.Profile{
		IDs:     provider.IDRules{Call: provider.Pattern{Optional: true}},
		Pairing: provider.PairingRules{ByName: true},
	}
	call := func(id, name string) *preflight.ToolCall { c := calls(id); c.Name = name; return c }
	result := func(id, name string) *preflight.ToolResult {
		r := answers(id, "1")
		r.Name = name
		return r
	}
	for _, c := range []struct {
		name    string
		profile preflight.Profile
		in      []preflight.Message
		want    []string // problem and place
	}{
		// Pairs of the caller's side.
		{"a call without a result", preflight.Profile{},
			history(q, botMsg(says("x"), calls("a")), q),
			[]string{"dangling messages[1].parts[1]"}},
		{"two calls of one id and one result", preflight.Profile{},
			history(q, botMsg(calls("a"), calls("a")), toolMsg(answers("a", "1"))),
			[]string{"dangling messages[1].parts[1]"}},
		{"two calls of one id, one of which waits, and one result", preflight.Profile{},
			history(q, botMsg(waits("a"), calls("a")), toolMsg(answers("a", "1"))), nil},
		{"two results of one call", preflight.Profile{},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1"), answers("a", "2"))),
			[]string{"duplicate-result messages[2].parts[1]"}},
		{"a result without a call", preflight.Profile{}, history(q, a, toolMsg(answers("x", "1"))),
			[]string{"orphan messages[2].parts[0]"}},
		{"a result of the turn before the last", preflight.Profile{},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("b")),
				toolMsg(answers("b", "2"), answers("a", "3"))),
			[]string{"duplicate-result messages[4].parts[1]"}},
		{"a result after other content",
			preflight.Profile{Pairing: provider.PairingRules{ResultRole: preflight.RoleUser}},
			history(q, botMsg(calls("a")), userMsg(says("x"), answers("a", "1"))),
			[]string{"dangling messages[1].parts[0]", "result-not-first messages[2].parts[1]"}},
		{"a result inside the assistant's turn", preflight.Profile{},
			history(q, botMsg(calls("a"), answers("a", "1"))),
			[]string{
				"dangling messages[1].parts[0]",
				"result-misplaced messages[1].parts[1]",
				"orphan messages[1].parts[1]",
			}},
		{"a message without content is not between a call and its result",
			preflight.Profile{},
			history(q, botMsg(calls("a")), empty("user"), toolMsg(answers("a", "1"))), nil},
		{"whosever it is", preflight.Profile{},
			history(q, botMsg(calls("a")), empty("assistant"), empty("system"),
				toolMsg(answers("a", "1"))), nil},
		{"nor does text that goes",
			preflight.Profile{
				Pairing: provider.PairingRules{ResultRole: preflight.RoleUser},
				Content: provider.ContentRules{RefuseEmptyText: true},
			}, history(q, botMsg(calls("a")), userMsg(says(""), answers("a", "1"))),
			[]string{"empty-text messages[2].parts[0]"}},
		{"of the system's either",
			preflight.Profile{Content: provider.ContentRules{RefuseEmptyText: true}},
			history(q, botMsg(calls("a")), sysMsg(says("")), toolMsg(answers("a", "1"))),
			[]string{"empty-text messages[2].parts[0]"}},
		{"what the system does say is between them", preflight.Profile{},
			history(q, botMsg(calls("a")), sysMsg(says("s")), toolMsg(answers("a", "1"))),
			[]string{"dangling messages[1].parts[0]", "result-not-first messages[3].parts[0]"}},
		{"neighbours that are one turn",
			preflight.Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined}},
			history(q, botMsg(calls("a")), botMsg(calls("b")),
				toolMsg(answers("a", "1"), answers("b", "2"))), nil},
		{"neighbours that are two", preflight.Profile{},
			history(q, botMsg(calls("a")), botMsg(calls("b")),
				toolMsg(answers("a", "1"), answers("b", "2"))),
			[]string{"dangling messages[1].parts[0]", "orphan messages[3].parts[0]"}},

		{"two results where each is a message of its own",
			preflight.Profile{Pairing: provider.PairingRules{OneResultPerMessage: true}},
			history(q, botMsg(calls("a"), calls("b")),
				toolMsg(answers("a", "1"), answers("b", "2"))), nil},
		{"the same, decoded from the provider's own format",
			preflight.Profile{Provider: "own",
				Pairing: provider.PairingRules{OneResultPerMessage: true}},
			history(q, botMsg(calls("a"), calls("b")),
				decoded("own", toolMsg(answers("a", "1"), answers("b", "2")))),
			[]string{"result-misplaced messages[2].parts[1]"}},
		{"two calls and their results in a message each",
			preflight.Profile{Pairing: provider.PairingRules{OneResultPerMessage: true}},
			history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1")),
				toolMsg(answers("b", "2"))), nil},

		// Pairs by name, where ids may be missing.
		{"names alone, in any order", byName,
			history(q, botMsg(call("", "f"), call("", "g")),
				toolMsg(result("", "g"), result("", "f"))), nil},
		{"a message without content does not part a call and its result", byName,
			history(q, empty("user"), botMsg(call("", "f")), empty("assistant"),
				toolMsg(result("", "f"))), nil},
		{"nor does text that goes, by name",
			preflight.Profile{
				IDs:     provider.IDRules{Call: provider.Pattern{Optional: true}},
				Pairing: provider.PairingRules{ByName: true, ResultRole: preflight.RoleUser},
				Content: provider.ContentRules{RefuseEmptyText: true},
			}, history(q, botMsg(call("", "f")), userMsg(says(""), result("", "f"))),
			[]string{"empty-text messages[2].parts[0]"}},
		{"other content does",
			preflight.Profile{
				IDs:     provider.IDRules{Call: provider.Pattern{Optional: true}},
				Pairing: provider.PairingRules{ByName: true, ResultRole: preflight.RoleUser},
			}, history(q, botMsg(call("a", "f")), userMsg(says("x"), result("a", "f"))),
			[]string{"result-not-first messages[2].parts[1]"}},
		{"a system message, too", byName,
			history(q, botMsg(call("", "f")), sysMsg(says("s")), toolMsg(result("", "f"))),
			[]string{"result-not-first messages[3].parts[0]"}},
		{"one id and another name", byName,
			history(q, botMsg(call("a", "f")), toolMsg(result("a", "g"))), nil},
		{"no name", byName, history(q, botMsg(call("a", "f")), toolMsg(result("", ""))),
			[]string{"result-name messages[2].parts[0]"}},
		{"one name and another id", byName,
			history(q, botMsg(call("a", "f")), toolMsg(result("b", "f"))),
			[]string{"dangling messages[1].parts[0]", "orphan messages[2].parts[0]"}},
		{"an id on one side alone", byName,
			history(q, botMsg(call("a", "f"), call("", "g")),
				toolMsg(result("", "f"), result("b", "g"))), nil},
		{"a call without a result, by name", byName,
			history(q, botMsg(call("", "f"), call("", "g")), toolMsg(result("", "g"))),
			[]string{"dangling messages[1].parts[0]"}},
		{"of two of one name the second", byName,
			history(q, botMsg(call("", "f"), call("", "f")), toolMsg(result("", "f"))),
			[]string{"dangling messages[1].parts[1]"}},
		{"unless the first waits", byName,
			history(q, botMsg(waitsFor(call("", "f")), call("", "f")), toolMsg(result("", "f"))),
			nil},
		{"a result without a call, by name", byName,
			history(q, botMsg(call("", "f")), toolMsg(result("", "f"), result("", "g"))),
			[]string{"orphan messages[2].parts[1]"}},
		{"a further one, by its name", byName,
			history(q, botMsg(call("", "f")), toolMsg(result("", "f"), result("", "f"))),
			[]string{"duplicate-result messages[2].parts[1]"}},
		{"and by its id", byName,
			history(q, botMsg(call("a", "f")), toolMsg(result("a", "f"), result("a", "g"))),
			[]string{"duplicate-result messages[2].parts[1]"}},
		{"but not by the name of another id", byName,
			history(q, botMsg(call("a", "f")), toolMsg(result("a", "f"), result("b", "f"))),
			[]string{"orphan messages[2].parts[1]"}},
		{"inside the turn, by name", byName, history(q, botMsg(call("", "f"), result("", "f"))),
			[]string{
				"dangling messages[1].parts[0]",
				"result-misplaced messages[1].parts[1]",
				"orphan messages[1].parts[1]",
			}},
		{"neighbours that are two turns, by name", byName,
			history(q, botMsg(call("", "f")), botMsg(call("", "g")),
				toolMsg(result("", "f"), result("", "g"))),
			[]string{"dangling messages[1].parts[0]", "orphan messages[3].parts[0]"}},
		{"and one, by name",
			preflight.Profile{
				IDs:     provider.IDRules{Call: provider.Pattern{Optional: true}},
				Turns:   provider.TurnRules{Neighbours: provider.NeighboursJoined},
				Pairing: provider.PairingRules{ByName: true},
			},
			history(q, botMsg(call("", "f")), botMsg(call("", "g")),
				toolMsg(result("", "f"), result("", "g"))), nil},
		{"each turn by itself", byName,
			history(q, botMsg(call("", "f")), toolMsg(result("", "f")),
				botMsg(call("", "f"), call("", "h")), toolMsg(result("", "g"))),
			[]string{
				"dangling messages[3].parts[0]",
				"dangling messages[3].parts[1]",
				"orphan messages[4].parts[0]",
			}},
		{"another name in the place of the only one", byName,
			history(q, botMsg(call("", "f")), toolMsg(result("", "call_1"))), nil},

		// Ids.
		{"an id again in its turn", turns,
			history(q, botMsg(calls("a"), calls("a")),
				toolMsg(answers("a", "1"), answers("a", "2"))),
			[]string{"id-duplicate messages[1].parts[1]"}},
		{"in the other half of a turn", turns,
			history(q, botMsg(calls("a")), botMsg(calls("a")),
				toolMsg(answers("a", "1"), answers("a", "2"))),
			[]string{"id-duplicate messages[2].parts[0]"}},
		{"a message without content does not part the halves", turns,
			history(q, botMsg(calls("a")), empty("user"), botMsg(calls("a")),
				toolMsg(answers("a", "1"), answers("a", "2"))),
			[]string{"id-duplicate messages[3].parts[0]"}},
		{"in another turn", turns,
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("a")),
				toolMsg(answers("a", "2"))), nil},
		{"anywhere", preflight.Profile{IDs: provider.IDRules{Unique: provider.ScopeHistory}},
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("a")),
				toolMsg(answers("a", "2"))), []string{"id-duplicate messages[3].parts[0]"}},

		// More pairs of the caller's side.
		{"text after a call in its own message", preflight.Profile{},
			history(q, botMsg(calls("a"), says("x")), toolMsg(answers("a", "1"))), nil},
		{"three calls of one id and two results", preflight.Profile{},
			history(q, botMsg(calls("a"), calls("a"), calls("a")),
				toolMsg(answers("a", "1"), answers("a", "2"))),
			[]string{"dangling messages[1].parts[2]"}},
		{"of which the results come late",
			preflight.Profile{Pairing: provider.PairingRules{ResultRole: preflight.RoleUser}},
			history(q, botMsg(calls("a"), calls("a"), calls("a")),
				userMsg(says("x"), answers("a", "1"), answers("a", "2"))),
			[]string{
				"dangling messages[1].parts[0]",
				"dangling messages[1].parts[1]",
				"dangling messages[1].parts[2]",
				"result-not-first messages[2].parts[1]",
				"result-not-first messages[2].parts[2]",
			}},
		{"a result answers the first call of its id, in whatever order results come",
			preflight.Profile{},
			history(q, botMsg(calls("a"), calls("b"), calls("a")),
				toolMsg(answers("b", "1"), answers("a", "2"))),
			[]string{"dangling messages[1].parts[2]"}},
		{"results in another order than their calls", preflight.Profile{},
			history(q, botMsg(calls("b"), calls("a"), calls("c"), calls("a")),
				toolMsg(answers("a", "1"), answers("a", "2"), answers("c", "3"), answers("b", "4"),
					answers("a", "5"))), []string{"duplicate-result messages[2].parts[4]"}},
		{"of calls that wait, one is taken for the call that is answered", preflight.Profile{},
			history(q, botMsg(waits("a"), calls("a"), calls("a")), toolMsg(answers("a", "1"))),
			[]string{"dangling messages[1].parts[2]"}},
		{"a call in a message of the user's is misplaced, and none that a result answers",
			preflight.Profile{}, history(userMsg(calls("a")), toolMsg(answers("a", "1"))),
			[]string{"call-misplaced messages[0].parts[0]", "orphan messages[1].parts[0]"}},

		// Results anywhere after their calls.
		{"one call of three is answered", anywhere,
			history(q, botMsg(calls("a"), calls("b"), calls("a")), q, toolMsg(answers("a", "1"))),
			[]string{"dangling messages[1].parts[1]", "dangling messages[1].parts[2]"}},
		{"one call of two is answered", anywhere,
			history(q, botMsg(calls("a"), calls("b")), q, toolMsg(answers("a", "1"))),
			[]string{"dangling messages[1].parts[1]"}},
		{"the results in another order", anywhere,
			history(q, botMsg(calls("a"), calls("b")), q, toolMsg(answers("b", "1")), a,
				toolMsg(answers("a", "1"))), nil},
		{"the call that waits comes last", anywhere,
			history(q, botMsg(waits("a"), calls("a")), q, toolMsg(answers("a", "1"))), nil},
		{"and may be answered, too", anywhere,
			history(q, botMsg(waits("a"), calls("a"), waits("a")),
				toolMsg(answers("a", "1"), answers("a", "2"), answers("a", "3"),
					answers("a", "4"))), []string{"duplicate-result messages[2].parts[3]"}},
		{"one that waits needs no result", anywhere, history(q, botMsg(waits("a")), q), nil},
		{"a result before its call", anywhere,
			history(q, toolMsg(answers("a", "1")), botMsg(calls("a"))),
			[]string{"orphan messages[1].parts[0]", "dangling messages[2].parts[0]"}},
		{"a call of the user's is none", anywhere,
			history(userMsg(calls("a")), toolMsg(answers("a", "1"))),
			[]string{"call-misplaced messages[0].parts[0]", "orphan messages[1].parts[0]"}},

		{"without ids right after it", anywhereBlank,
			history(q, botMsg(call("", "f")), toolMsg(result("", ""))), nil},
		{"without ids, after words of the user", anywhereBlank,
			history(q, botMsg(call("", "f")), q, toolMsg(result("", ""))),
			[]string{"dangling messages[1].parts[0]", "orphan messages[3].parts[0]"}},
		{"in the message of its call", anywhere, history(q, botMsg(calls("a"), answers("a", "1"))),
			[]string{
				"dangling messages[1].parts[0]",
				"result-misplaced messages[1].parts[1]",
				"orphan messages[1].parts[1]",
			}},

		// The spelling of ids.
		{"ids of calls and results", words,
			history(botMsg(calls("a"), calls("b c")),
				toolMsg(answers("a", "1"), answers("b c", "1"))),
			[]string{"id-pattern messages[0].parts[1]", "id-pattern messages[1].parts[1]"}},
		{"of the provider's own, which a result takes from its call", words,
			history(botMsg(searches("x"), finds("x", `[]`), searches("s_1"), finds("s_1", `[]`),
				calls("b c")), toolMsg(answers("b c", "1"))),
			[]string{
				"server-id messages[0].parts[0]",
				"id-pattern messages[0].parts[4]",
				"id-pattern messages[1].parts[0]",
			}},
		{"in message after message", turns,
			history(q, botMsg(calls("a"), calls("a")),
				toolMsg(answers("a", "1"), answers("a", "2")), q, empty("assistant"),
				botMsg(calls("b"), calls("b")), toolMsg(answers("b", "1"), answers("b", "2"))),
			[]string{"id-duplicate messages[1].parts[1]", "id-duplicate messages[5].parts[1]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			requireViolations(t, c.want, c.in, &c.profile, &kept)
		})
	}
}

// TestCheckSeesPairs: where Check finds nothing wrong with the calls and results of a history,
// Pairs has each of them matched and in its place. Check does not ask the matcher about most
// histories.
func TestCheckSeesPairs(t *testing.T) {
	wrong := []problems.Problem{
		problems.Dangling, problems.Orphan, problems.DuplicateResult, problems.ResultNotFirst,
		problems.ResultName,
	}
	rapid.Check(t, func(t *rapid.T) {
		profile := preflight.Profile{
			IDs: provider.IDRules{Call: provider.Pattern{Optional: true}},
			Pairing: provider.PairingRules{
				Results: rapid.SampledFrom([]provider.ResultPlace{
					"", provider.ResultsFirst, provider.ResultsTogether, provider.ResultsAnywhere,
				}).Draw(t, "results"),
				ByName: rapid.Bool().Draw(t, "by name"),
			},
			Turns: provider.TurnRules{Neighbours: rapid.SampledFrom([]provider.Neighbours{
				"", provider.NeighboursJoined,
			}).Draw(t, "neighbours")},
			Content: provider.ContentRules{RefuseEmptyText: rapid.Bool().Draw(t, "empty text")},
		}
		in := drawExchanges(t)
		for _, v := range preflight.Check(in, &profile, nil) {
			if slices.Contains(wrong, v.Problem) {
				return
			}
		}
		for _, pair := range preflight.Pairs(in, &profile) {
			if pair.Status != pairs.Matched {
				t.Fatalf("Check finds nothing, and messages[%d] is %s\n%s", pair.At.Message(),
					pair.Status, dump(in))
			}
		}
	})
}

// drawExchanges draws histories of which each message has calls, results or text.
func drawExchanges(t *rapid.T) []preflight.Message {
	ids := rapid.SampledFrom([][]string{{""}, {"a"}, {"", "a"}, {"a", "A", " "}}).Draw(t, "ids")
	names := rapid.SampledFrom([][]string{{"f"}, {"f", "g", ""}}).Draw(t, "names")
	call := rapid.Custom(func(t *rapid.T) preflight.Part {
		return &preflight.ToolCall{
			ID: rapid.SampledFrom(ids).Draw(t, "id"), Name: rapid.SampledFrom(names).Draw(t, "name"),
		}
	})
	result := rapid.Custom(func(t *rapid.T) preflight.Part {
		r := answers(rapid.SampledFrom(ids).Draw(t, "id"), "1")
		r.Name = rapid.SampledFrom(names).Draw(t, "name")
		return r
	})
	text := rapid.Map(rapid.SampledFrom([]string{"x", ""}), func(s string) preflight.Part {
		return says(s)
	})
	some := func(of *rapid.Generator[preflight.Part]) []preflight.Part {
		return rapid.SliceOfN(of, 0, 2).Draw(t, "parts")
	}
	var out []preflight.Message
	for range rapid.IntRange(2, 6).Draw(t, "messages") {
		switch rapid.IntRange(0, 7).Draw(t, "kind") {
		case 0, 1, 2:
			out = append(out, botMsg(some(call)...))
		case 3, 4:
			out = append(out, toolMsg(some(result)...))
		case 5:
			out = append(out, userMsg(some(text)...))
		case 6:
			out = append(out, userMsg(some(rapid.OneOf(text, result))...))
		case 7:
			out = append(out, botMsg(some(rapid.OneOf(text, call, result))...))
		}
	}
	return out
}
