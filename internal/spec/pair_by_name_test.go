package spec

import (
	"encoding/json"
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// TestPairByName: where ids may be missing, an id counts before a name, a name before the place,
// and the nearest turn before others.
func TestPairByName(t *testing.T) {
	named := preflight.Profile{
		IDs:     provider.IDRules{Call: provider.Pattern{Optional: true}},
		Pairing: provider.PairingRules{ByName: true},
	}
	q := userMsg(says("q"))
	call := func(id, name string) *preflight.ToolCall {
		return &preflight.ToolCall{ID: id, Name: name, Input: json.RawMessage(`{}`)}
	}
	result := func(id, name, text string) *preflight.ToolResult {
		r := answers(id, text)
		r.Name = name
		return r
	}
	cases := []fixerCase{
		{
			name: "names alone",
			in: history(q, botMsg(call("", "f"), call("", "g")),
				toolMsg(result("", "g", "2"), result("", "f", "1"))),
		},
		{
			name: "a result after a user's words may be that of a lost call",
			in: history(q, botMsg(call("", "f")), q, botMsg(call("", "f")), q,
				toolMsg(result("", "f", "1"))),
			want:  history(q, q, q),
			codes: warned(codes.OrphanRemoved, codes.DanglingRemoved, codes.DanglingRemoved),
		},
		{
			name: "with an id too",
			in: history(q, botMsg(call("a", "f")), q, botMsg(call("a", "f")), q,
				toolMsg(result("a", "f", "1"))),
			want:  history(q, q, botMsg(call("a", "f")), toolMsg(result("a", "f", "1")), q),
			codes: warned(codes.DanglingRemoved, codes.ResultMoved),
		},
		{
			name: "calls of one id whose results bear other names, in order",
			in: history(q, botMsg(call("a", "f"), call("a", "g")),
				toolMsg(result("a", "x", "1"), result("a", "y", "2"))),
		},
		{
			name: "a message of results that was recorded twice answers no earlier call",
			in: history(q, botMsg(call("", "f")), q, botMsg(call("", "f")),
				toolMsg(result("", "f", "1")), toolMsg(result("", "f", "1"))),
			want:  history(q, q, botMsg(call("", "f")), toolMsg(result("", "f", "1"))),
			codes: warned(codes.DuplicateRemoved, codes.DanglingRemoved),
		},
		{
			name: "of several results too",
			in: history(q, botMsg(call("", "f")), q, botMsg(call("", "f"), call("", "g")),
				toolMsg(result("", "f", "1"), result("", "g", "2")),
				toolMsg(result("", "f", "1"), result("", "g", "2"))),
			want: history(q, q, botMsg(call("", "f"), call("", "g")),
				toolMsg(result("", "f", "1"), result("", "g", "2"))),
			codes: warned(codes.DuplicateRemoved, codes.DuplicateRemoved, codes.DanglingRemoved),
		},
		{
			name:  "a result inside the turn of its call moves after it",
			in:    history(q, botMsg(call("", "f"), result("", "f", "1")), q),
			want:  history(q, botMsg(call("", "f")), toolMsg(result("", "f", "1")), q),
			codes: warned(codes.ResultMoved),
		},
		{
			name:    "a further result without a name is of the call with its id",
			options: preflight.Options{Duplicates: preflight.DuplicateFirst},
			in: history(q, botMsg(call("a", "f")), toolMsg(result("a", "f", "1")),
				toolMsg(result("a", "", "2"))),
			want:  history(q, botMsg(call("a", "f")), toolMsg(result("a", "f", "1"))),
			codes: warned(codes.ResultRemoved),
		},
	}
	const (
		moved  = "result-moved preflight/orphan "
		down   = "call-moved preflight/dangling "
		name   = "name-repaired preflight/result-name "
		gone   = "dangling-removed preflight/dangling "
		orphan = "orphan-removed preflight/orphan "
		again  = "duplicate-removed preflight/duplicate-result "
		one    = " -1 text -1 result -1 byte"
		same   = " -1 text -1 result -1 byte +1 text +1 result +1 byte"
	)
	f, g, wait, x := call("", "f"), call("", "g"), call("", "f"), says("x")
	wait.Awaiting = preflight.AwaitingApproval
	cases = append(cases, []fixerCase{
		{
			name:  "a result without a name takes what is left",
			in:    history(q, botMsg(f, g), toolMsg(result("", "", "1"), result("", "f", "2"))),
			want:  history(q, botMsg(f, g), toolMsg(result("", "g", "1"), result("", "f", "2"))),
			whole: []string{name + "messages[2].parts[0]" + same},
		},
		{
			name: "one of another name in the place of the only one",
			in:   history(q, botMsg(f, x), toolMsg(result("", "g", "1"))),
		},
		{
			name: "of another name and another id",
			in:   history(q, botMsg(call("a", "f"), x), toolMsg(result("b", "g", "1"))),
			want: history(q, botMsg(x)),
			whole: []string{
				orphan + "messages[2].parts[0] b" + one,
				gone + "messages[1].parts[0] a -1 call -2 byte",
			},
		},
		{
			name: "an id counts before the place of what has none",
			in: history(q, botMsg(call("", "f"), call("a", "f")),
				toolMsg(result("a", "f", "1"), result("", "f", "2"))),
		},
		{
			name: "and before the turn",
			in: history(q, botMsg(call("a", "f")), q, botMsg(call("b", "f")),
				toolMsg(result("a", "f", "1"), result("b", "f", "2"))),
			want: history(q, botMsg(call("a", "f")), toolMsg(result("a", "f", "1")), q,
				botMsg(call("b", "f")), toolMsg(result("b", "f", "2"))),
			whole: []string{moved + "messages[4].parts[0] a"},
		},
		{
			name: "the call of its id and name in its own turn comes first",
			in: history(q, botMsg(call("a", "f"), x), q, botMsg(call("a", "f")), q,
				toolMsg(result("a", "f", "1")), q),
			want: history(q, botMsg(x), q, botMsg(call("a", "f")), toolMsg(result("a", "f", "1")),
				q, q),
			whole: []string{
				gone + "messages[1].parts[0] a -1 call -2 byte",
				moved + "messages[5].parts[0] a",
			},
		},
		{
			name: "then one of an earlier turn",
			in: history(q, botMsg(call("a", "f")), q, botMsg(call("b", "g")),
				toolMsg(result("b", "g", "2")), q, toolMsg(result("a", "f", "1"))),
			want: history(q, botMsg(call("a", "f")), toolMsg(result("a", "f", "1")), q,
				botMsg(call("b", "g")), toolMsg(result("b", "g", "2")), q),
			whole: []string{moved + "messages[6].parts[0] a"},
		},
		{
			name:  "before the only call of its id",
			in:    history(q, toolMsg(result("a", "f", "1")), botMsg(call("a", "f"), x)),
			want:  history(q, botMsg(call("a", "f"), x), toolMsg(result("a", "f", "1"))),
			whole: []string{moved + "messages[1].parts[0] a"},
		},
		{
			name: "one of another name, of the only call of its id",
			in: history(q, botMsg(call("a", "f")), q, botMsg(g), toolMsg(result("", "g", "2")),
				q, toolMsg(result("a", "old", "1"))),
			want: history(q, botMsg(call("a", "f")), toolMsg(result("a", "f", "1")), q, botMsg(g),
				toolMsg(result("", "g", "2")), q),
			whole: []string{moved + "messages[6].parts[0] a ?"},
		},
		{
			name: "whatever has none in front of it",
			in: history(q, botMsg(g), toolMsg(result("", "g", "2")), botMsg(call("a", "f")), q,
				toolMsg(result("a", "old", "1"))),
			want: history(q, botMsg(g), toolMsg(result("", "g", "2")), botMsg(call("a", "f")),
				toolMsg(result("a", "f", "1")), q),
			whole: []string{moved + "messages[5].parts[0] a ?"},
		},
		{
			name:  "one after other calls is not meant for the call that waits",
			in:    history(q, botMsg(wait, f), botMsg(g), toolMsg(result("", "g", "2"), result("", "f", "1"))),
			alone: true,
			want: history(q, botMsg(wait, f), toolMsg(result("", "f", "1")), botMsg(g),
				toolMsg(result("", "g", "2"))),
			whole: []string{moved + "messages[3].parts[1]"},
		},
		{
			name: "of two, the nearer, since its name is no tool's",
			in: history(q, botMsg(call("a", "f"), x), q, botMsg(call("a", "g"), x), q,
				toolMsg(result("a", "old", "1"))),
			want: history(q, botMsg(x), q, botMsg(call("a", "g"), x),
				toolMsg(result("a", "g", "1")), q),
			whole: []string{
				gone + "messages[1].parts[0] a -1 call -2 byte",
				moved + "messages[5].parts[0] a ?",
			},
		},
		{
			name: "late results go to the turn after which they come, and what is left to " +
				"earlier ones",
			in: history(q, botMsg(f), botMsg(f), botMsg(x),
				toolMsg(result("", "f", "2"), result("", "f", "1")), q),
			want: history(q, botMsg(x, f), toolMsg(result("", "f", "2")), botMsg(f),
				toolMsg(result("", "f", "1")), q),
			whole: []string{down + "messages[1].parts[0]", down + "messages[2].parts[0]"},
		},
		{
			name: "of each turn its own",
			in: history(q, botMsg(f), botMsg(x), toolMsg(result("", "f", "1")), botMsg(g),
				botMsg(x), toolMsg(result("", "g", "2")), botMsg(x)),
			want: history(q, botMsg(x, f), toolMsg(result("", "f", "1")), botMsg(x), botMsg(g),
				toolMsg(result("", "g", "2")), botMsg(x)),
			whole: []string{down + "messages[1].parts[0]", down + "messages[4].parts[0]"},
		},
		{
			name: "a message of results once more, and again",
			in: history(q, botMsg(f), toolMsg(result("", "f", "1")),
				toolMsg(result("", "f", "1")), toolMsg(result("", "f", "1"))),
			want: history(q, botMsg(f), toolMsg(result("", "f", "1"))),
			whole: []string{
				again + "messages[3].parts[0]" + one,
				again + "messages[4].parts[0]" + one,
			},
		},
		{
			name: "one that says something else is an earlier call's",
			in: history(q, botMsg(f), botMsg(x), botMsg(f), toolMsg(result("", "f", "1")),
				toolMsg(result("", "f", "2")), q),
			want: history(q, botMsg(x), botMsg(f), toolMsg(result("", "f", "1")), botMsg(f),
				toolMsg(result("", "f", "2")), q),
			whole: []string{down + "messages[1].parts[0]"},
		},
		{
			name: "as many results as calls repeat nothing",
			in: history(q, botMsg(f, f), toolMsg(result("", "f", "1")),
				toolMsg(result("", "f", "1"))),
		},
		{
			name: "nor do results apart from each other",
			in: history(q, botMsg(f), botMsg(x), botMsg(f), toolMsg(result("", "f", "1")), userMsg(),
				toolMsg(result("", "f", "1")), q),
			want: history(q, botMsg(x), botMsg(f), toolMsg(result("", "f", "1")), userMsg(), botMsg(f),
				toolMsg(result("", "f", "1")), q),
			whole: []string{down + "messages[1].parts[0]"},
		},
	}...)
	for k := range cases {
		cases[k].profile = named
	}
	runFixer(t, preflight.Fixers.PairToolCalls, cases)
}
