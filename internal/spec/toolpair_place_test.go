package spec

import (
	"encoding/json"
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// TestResultsAnywhere: where a result may be anywhere after its call, it stays there; one
// before every call of its id moves.
func TestResultsAnywhere(t *testing.T) {
	anywhere := preflight.Profile{
		Turns:   provider.TurnRules{Neighbours: provider.NeighboursJoined},
		Pairing: provider.PairingRules{Results: provider.ResultsAnywhere},
	}
	held := preflight.Options{Request: preflight.Request{ServerHoldsHistory: true}}
	heldWords, referring := anywhere, anywhere
	heldWords.IDs.Call.Alphabet = provider.WordChars
	referring.Items.Held, referring.Items.ReferenceKind = true, "item_reference"
	q, r := userMsg(says("q")), userMsg(says("r"))
	reference := userMsg(&preflight.Other{Kind: "item_reference"})
	reference.ID = "m_1"
	const (
		moved  = "result-moved preflight/orphan "
		orphan = "orphan-removed preflight/orphan "
		gone   = "dangling-removed preflight/dangling "
		one    = " -1 text -1 result -1 byte"
		call   = " -1 call -2 byte"
	)
	runFixer(t, preflight.Fixers.PairToolCalls, []fixerCase{
		{
			name: "turns after its call", profile: anywhere,
			in: history(q, botMsg(calls("a")), r, botMsg(says("x")),
				toolMsg(answers("a", "1"))),
		},
		{
			name: "in front of it", profile: anywhere,
			in:      history(toolMsg(answers("a", "1")), q, botMsg(says("x"), calls("a")), r),
			want:    history(q, botMsg(says("x"), calls("a")), toolMsg(answers("a", "1")), r),
			whole:   []string{moved + "messages[0].parts[0] a"},
			origins: [][]int{{1}, {2}, {0}, {3}},
		},
		{
			name: "two of one id in front of two calls are the first one's", profile: anywhere,
			in: history(toolMsg(answers("a", "1")), toolMsg(answers("a", "2")),
				botMsg(calls("a")), r, botMsg(calls("a"))),
			want: history(botMsg(calls("a")),
				toolMsg(&preflight.ToolResult{
					CallID:  "a",
					Content: []preflight.Part{says("1"), says("2")},
				}), r),
			whole: []string{
				"duplicates-merged preflight/duplicate-result messages[1].parts[0] a ? -1 result",
				gone + "messages[4].parts[0] a" + call,
				moved + "messages[0].parts[0] a",
			},
			origins: [][]int{{2}, {0, 1}, {3}},
		},
		{
			name: "whatever becomes of orphans", profile: anywhere,
			options: preflight.Options{Orphans: preflight.OrphanText},
			in:      history(toolMsg(answers("a", "1")), botMsg(says("x"), calls("a"))),
			want:    history(botMsg(says("x"), calls("a")), toolMsg(answers("a", "1"))),
			codes:   warned(codes.ResultMoved),
		},
		{
			name: "between calls of its id it is a further one of the first", profile: anywhere,
			options: preflight.Options{Duplicates: preflight.DuplicateFirst},
			in: history(botMsg(calls("a")), toolMsg(answers("a", "1")),
				toolMsg(answers("a", "2")), botMsg(calls("a"), says("x"))),
			want: history(botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(says("x"))),
			whole: []string{
				"result-removed preflight/duplicate-result messages[2].parts[0] a ?" + one,
				gone + "messages[3].parts[0] a" + call,
			},
		},
		{
			name: "inside the message of its call", profile: anywhere,
			in:    history(q, botMsg(calls("a"), answers("a", "1"), says("x"))),
			want:  history(q, botMsg(calls("a"), says("x")), toolMsg(answers("a", "1"))),
			whole: []string{moved + "messages[1].parts[1] a"},
		},
		{
			name:    "in front of it, after the results of earlier calls with its id",
			profile: anywhere, alone: true,
			in: history(toolMsg(answers("b", "2")), botMsg(calls("a"), calls("b")), r,
				toolMsg(answers("a", "1")), q),
			want: history(botMsg(calls("a"), calls("b")), toolMsg(answers("b", "2")), r,
				toolMsg(answers("a", "1")), q),
			whole: []string{moved + "messages[0].parts[0] b"},
		},
		{
			name: "an interrupted call is answered after its turn", profile: anywhere,
			options: preflight.Options{Dangling: preflight.DanglingAnswer, DanglingText: "!"},
			in:      history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1")), r),
			want: history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("a", "1")),
				toolMsg(&preflight.ToolResult{
					CallID: "b", Name: "f", IsError: true,
					Content: []preflight.Part{says("!")},
				}), r),
			whole: []string{
				"dangling-answered preflight/dangling messages[1].parts[1] b +1 text +1 result " +
					"+1 byte",
			},
		},
		{
			name:    "with an id that came before, where the later call has a result",
			profile: anywhere,
			options: preflight.Options{Dangling: preflight.DanglingAnswer, DanglingText: "!"},
			in: history(q, botMsg(calls("a")), r, botMsg(calls("a")), q,
				toolMsg(answers("a", "1")), r),
			want: history(q, botMsg(calls("a")),
				toolMsg(&preflight.ToolResult{
					CallID: "a", Name: "f", IsError: true,
					Content: []preflight.Part{says("!")},
				}), r, botMsg(calls("a")), q, toolMsg(answers("a", "1")), r),
			codes: warned(codes.DanglingAnswered),
		},
		{
			name:    "with an id that came before, after the result of the call that had it",
			profile: anywhere,
			options: preflight.Options{Dangling: preflight.DanglingAnswer, DanglingText: "!"},
			in:      history(q, botMsg(calls("a"), calls("a")), q, toolMsg(answers("a", "1")), r),
			want: history(q, botMsg(calls("a"), calls("a")), q, toolMsg(answers("a", "1")),
				toolMsg(&preflight.ToolResult{
					CallID: "a", Name: "f", IsError: true,
					Content: []preflight.Part{says("!")},
				}), r),
			codes: warned(codes.DanglingAnswered),
		},
		{
			name: "a call that waits is not meant, if another is", profile: anywhere,
			in:    history(q, botMsg(waits("a"), calls("a")), r, toolMsg(answers("a", "1"))),
			alone: true,
		},
		{
			name: "without a call", profile: anywhere,
			in:    history(q, toolMsg(answers("a", "1")), r),
			want:  history(q, r),
			whole: []string{orphan + "messages[1].parts[0] a" + one},
		},
		{
			name: "of a call that the provider holds", profile: anywhere, options: held,
			in: history(toolMsg(answers("a", "1")), r),
		},
		{
			name: "under an id that it can have", profile: heldWords, options: held,
			in:    history(toolMsg(answers("a", "1")), toolMsg(answers("b.c", "2")), r),
			want:  history(toolMsg(answers("a", "1")), r),
			whole: []string{orphan + "messages[1].parts[0] b.c" + one},
		},
		{
			name: "of one by reference, after that", profile: referring, alone: true,
			in: history(q, reference, toolMsg(answers("a", "1")), r),
		},
		{
			name: "not before it", profile: referring, alone: true,
			in:    history(toolMsg(answers("a", "1")), reference, r),
			want:  history(reference, r),
			whole: []string{orphan + "messages[0].parts[0] a" + one},
		},
	})
}

// TestWhereResultsGo: a result that moves, or is made, comes in the order of the calls, in front of
// what the user said, and never in front of a system message or into the assistant's.
func TestWhereResultsGo(t *testing.T) {
	q, r := userMsg(says("q")), userMsg(says("r"))
	user := preflight.Profile{Pairing: provider.PairingRules{ResultRole: preflight.RoleUser}}
	tool := preflight.Profile{}
	blankless := preflight.Profile{
		Pairing: provider.PairingRules{ResultRole: preflight.RoleUser},
		Content: provider.ContentRules{RefuseEmptyText: true},
	}
	const moved = "result-moved preflight/orphan "
	made := &preflight.ToolResult{
		CallID: "b", Name: "f", IsError: true,
		Content: []preflight.Part{says("!")},
	}
	answer := preflight.Options{Dangling: preflight.DanglingAnswer, DanglingText: "!"}
	const answered = "dangling-answered preflight/dangling "
	runFixer(t, preflight.Fixers.PairToolCalls, []fixerCase{
		{
			name: "into the user turn after its call, across empty ones", profile: user,
			in: history(q, botMsg(calls("a")), userMsg(), userMsg(says("x"), says("y")),
				userMsg(says("z")), userMsg(answers("a", "1"), says("r"))),
			want: history(q, botMsg(calls("a")), userMsg(),
				userMsg(answers("a", "1"), says("x"), says("y")), userMsg(says("z")), r),
			whole:   []string{moved + "messages[5].parts[0] a"},
			origins: [][]int{{0}, {1}, {2}, {3, 5}, {4}, {5}},
		},
		{
			name: "a turn of its own in front of a system message", profile: user,
			in: history(q, botMsg(calls("a")), sysMsg(says("s")),
				userMsg(answers("a", "1"), says("r"))),
			want: history(q, botMsg(calls("a")), userMsg(answers("a", "1")), sysMsg(says("s")),
				r),
			whole:   []string{moved + "messages[3].parts[0] a"},
			origins: [][]int{{0}, {1}, {3}, {2}, {3}},
		},
		{
			name: "in front of the assistant's next", profile: user,
			in: history(q, botMsg(calls("a"), calls("c")), botMsg(&preflight.Reasoning{Text: "x"}),
				userMsg(answers("c", "3"), says("r"), answers("a", "1"))),
			want: history(q, botMsg(calls("a"), calls("c")),
				userMsg(answers("a", "1"), answers("c", "3")),
				botMsg(&preflight.Reasoning{Text: "x"}), r),
			whole: []string{moved + "messages[3].parts[2] a", moved + "messages[3].parts[0] c"},
		},
		{
			name: "and at the end", profile: user, options: answer,
			in:      history(q, botMsg(calls("b"))),
			want:    history(q, botMsg(calls("b")), userMsg(made)),
			whole:   []string{answered + "messages[1].parts[0] b +1 text +1 result +1 byte"},
			origins: [][]int{{0}, {1}, nil},
		},
		{
			name: "between the results of the calls around it", profile: user, options: answer,
			in: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				userMsg(answers("a", "1"), answers("c", "3"), says("x"))),
			want: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				userMsg(answers("a", "1"), made, answers("c", "3"), says("x"))),
			whole:   []string{answered + "messages[1].parts[1] b +1 text +1 result +1 byte"},
			origins: [][]int{{0}, {1}, {2}},
		},
		{
			name: "whatever their order", profile: user, options: answer,
			in: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				userMsg(answers("c", "3"), answers("a", "1"), says("x"))),
			want: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				userMsg(made, answers("c", "3"), answers("a", "1"), says("x"))),
			codes: warned(codes.DanglingAnswered),
		},
		{
			name: "after the results of a message that holds nothing else", profile: user,
			options: answer,
			in:      history(q, botMsg(calls("a"), calls("b")), userMsg(answers("a", "1"))),
			want:    history(q, botMsg(calls("a"), calls("b")), userMsg(answers("a", "1"), made)),
			codes:   warned(codes.DanglingAnswered),
		},
		{
			name: "text that is going to be removed is no obstacle", profile: blankless,
			options: answer, alone: true,
			in: history(q, botMsg(calls("a"), calls("b")),
				userMsg(says(""), answers("a", "1"), says("x"))),
			want: history(q, botMsg(calls("a"), calls("b")),
				userMsg(says(""), answers("a", "1"), made, says("x"))),
			codes: warned(codes.DanglingAnswered),
		},
		{
			name: "tool messages come in the order of the calls", profile: tool, options: answer,
			in: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				toolMsg(answers("a", "1")), toolMsg(answers("c", "3")), r),
			want: history(q, botMsg(calls("a"), calls("b"), calls("c")),
				toolMsg(answers("a", "1")), toolMsg(made), toolMsg(answers("c", "3")), r),
			whole:   []string{answered + "messages[1].parts[1] b +1 text +1 result +1 byte"},
			origins: [][]int{{0}, {1}, {2}, nil, {3}, {4}},
		},
		{
			name: "the first at the head", profile: tool, options: answer,
			in: history(q, botMsg(calls("b"), calls("a"), calls("c")),
				toolMsg(answers("a", "1")), toolMsg(answers("c", "3"))),
			want: history(q, botMsg(calls("b"), calls("a"), calls("c")), toolMsg(made),
				toolMsg(answers("a", "1")), toolMsg(answers("c", "3"))),
			codes: warned(codes.DanglingAnswered),
		},
		{
			name: "the last after them all, whatever is removed between them", profile: tool,
			options: answer,
			in: history(q, botMsg(calls("a"), calls("c"), calls("b")),
				toolMsg(answers("x", "0")), toolMsg(answers("a", "1")), toolMsg(answers("y", "0")),
				toolMsg(answers("c", "3")), r),
			want: history(q, botMsg(calls("a"), calls("c"), calls("b")),
				toolMsg(answers("a", "1")), toolMsg(answers("c", "3")), toolMsg(made), r),
			codes: warned(codes.OrphanRemoved, codes.OrphanRemoved, codes.DanglingAnswered),
		},
		{
			name: "signed reasoning forbids to cut any message of its turn",
			profile: preflight.Profile{
				Turns: provider.TurnRules{Neighbours: provider.NeighboursJoined},
			},
			options: preflight.Options{DanglingText: "!"},
			in:      history(q, botMsg(redacted(), says("x")), botMsg(calls("b")), r),
			want: history(q, botMsg(redacted(), says("x")), botMsg(calls("b")), toolMsg(made),
				r),
			whole: []string{answered + "messages[2].parts[0] b +1 text +1 result +1 byte"},
		},
		{
			name:    "and of no other",
			options: preflight.Options{DanglingText: "!"},
			in: history(q, botMsg(redacted(), says("x")), q, botMsg(calls("b"), says("y")), q,
				botMsg(redacted(), says("z"))),
			want: history(q, botMsg(redacted(), says("x")), q, botMsg(says("y")), q,
				botMsg(redacted(), says("z"))),
			codes: warned(codes.DanglingRemoved),
		},
	})
}

// TestResultsBetweenAnswers: a model thinks again only when it has seen the results of its calls,
// so results go before reasoning that is bound to them, and not after the turn. Where a result of
// the turn is in place after it, the turn is one answer.
func TestResultsBetweenAnswers(t *testing.T) {
	q, r := userMsg(says("q")), userMsg(says("r"))
	first := botMsg(thinks("hm", "QUJD"), calls("a"), calls("b"))
	second := botMsg(thinks("so", "QUJE"), says("x"))
	bound := preflight.Profile{
		Turns:     provider.TurnRules{Neighbours: provider.NeighboursJoined},
		Pairing:   provider.PairingRules{ResultRole: preflight.RoleUser},
		Reasoning: provider.ReasoningRules{Bound: true, Signed: true, Dropped: true},
	}
	free, anywhere, toTool := bound, bound, bound
	free.Reasoning.Bound = false
	anywhere.Pairing.Results = provider.ResultsAnywhere
	toTool.Pairing.ResultRole = preflight.RoleTool
	moved := warned(codes.ResultMoved, codes.ResultMoved)
	const missing = "Tool call was interrupted before a result was recorded."
	none := func(id string) *preflight.ToolResult {
		r := fails(id, missing)
		r.Name = "f"
		return r
	}
	runFixer(t, preflight.Fixers.PairToolCalls, []fixerCase{
		{
			name: "results before their calls", profile: bound,
			in:    history(q, userMsg(answers("a", "1"), answers("b", "2")), first, second, r),
			want:  history(q, first, userMsg(answers("a", "1"), answers("b", "2")), second, r),
			codes: moved, origins: [][]int{{0}, {2}, {1}, {3}, {4}},
		},
		{
			name: "each in a message of its own", profile: toTool,
			in:    history(q, toolMsg(answers("a", "1")), toolMsg(answers("b", "2")), first, second, r),
			want:  history(q, first, toolMsg(answers("a", "1")), toolMsg(answers("b", "2")), second, r),
			codes: moved, origins: [][]int{{0}, {3}, {1}, {2}, {4}, {5}},
		},
		{
			name: "anywhere", profile: anywhere,
			in:    history(q, userMsg(answers("a", "1")), userMsg(answers("b", "2")), first, second, r),
			want:  history(q, first, userMsg(answers("a", "1")), userMsg(answers("b", "2")), second, r),
			codes: moved, origins: [][]int{{0}, {3}, {1}, {2}, {4}, {5}},
		},
		{
			name: "results that are missing", profile: bound, in: history(q, first, second, r),
			want:    history(q, first, userMsg(none("a"), none("b")), second, r),
			codes:   warned(codes.DanglingAnswered, codes.DanglingAnswered),
			origins: [][]int{{0}, {1}, nil, {2}, {3}},
		},
		{
			name: "one is in place after the turn", profile: bound,
			in:    history(q, userMsg(answers("a", "1")), first, second, userMsg(answers("b", "2")), r),
			want:  history(q, first, second, userMsg(answers("a", "1"), answers("b", "2")), r),
			codes: warned(codes.ResultMoved), origins: [][]int{{0}, {2}, {3}, {1, 4}, {5}},
		},
		{
			name: "no reasoning follows", profile: bound,
			in: history(q, userMsg(answers("a", "1"), answers("b", "2")), first, botMsg(says("x")), r),
			want: history(q, first, botMsg(says("x")),
				userMsg(answers("a", "1"), answers("b", "2"), says("r"))),
			codes: moved, origins: [][]int{{0}, {2}, {3}, {1, 4}},
		},
		{
			name: "reasoning that is not bound", profile: free,
			in:    history(q, userMsg(answers("a", "1"), answers("b", "2")), first, second, r),
			want:  history(q, first, second, userMsg(answers("a", "1"), answers("b", "2"), says("r"))),
			codes: moved, origins: [][]int{{0}, {2}, {3}, {1, 4}},
		},
	})
}

// TestResultInPlaceOfPlaceholder: a real result takes the place of the placeholder from which the
// assistant went on, so that results that the assistant saw keep their order.
func TestResultInPlaceOfPlaceholder(t *testing.T) {
	const stand = "Tool execution aborted"
	q, r := userMsg(says("q")), userMsg(says("r"))
	call := botMsg(thinks("hm", "QUJD"), calls("a"), calls("b"))
	next := botMsg(thinks("so", "QUJE"), calls("c"))
	breaks := func(r *preflight.ToolResult) *preflight.ToolResult {
		r.Cache = json.RawMessage(`{"type":"ephemeral"}`)
		return r
	}
	inUser := preflight.Profile{
		Pairing:   provider.PairingRules{ResultRole: preflight.RoleUser},
		Reasoning: provider.ReasoningRules{Signed: true},
	}
	anywhere := preflight.Profile{Pairing: provider.PairingRules{Results: provider.ResultsAnywhere}}
	replaced := warned(codes.PlaceholderReplaced, codes.ResultMoved)
	runFixer(t, preflight.Fixers.PairToolCalls, []fixerCase{
		{
			name: "after a result of a later call", profile: inUser,
			in: history(q, call, userMsg(answers("b", "2"), fails("a", stand)), next,
				userMsg(answers("c", "3")), userMsg(answers("a", "1")), r),
			want: history(q, call, userMsg(answers("b", "2"), answers("a", "1")), next,
				userMsg(answers("c", "3")), r),
			codes: replaced, origins: [][]int{{0}, {1}, {2, 5}, {3}, {4}, {6}},
		},
		{
			name: "with its cache breakpoint", profile: inUser,
			in: history(q, call, userMsg(answers("b", "2"), breaks(fails("a", stand))), next,
				userMsg(answers("c", "3")), userMsg(answers("a", "1")), r),
			want: history(q, call, userMsg(answers("b", "2"), breaks(answers("a", "1"))), next,
				userMsg(answers("c", "3")), r),
			codes:   warned(codes.CacheMoved, codes.PlaceholderReplaced, codes.ResultMoved),
			origins: [][]int{{0}, {1}, {2, 5}, {3}, {4}, {6}},
		},
		{
			name: "with its cache breakpoint, beside it", profile: inUser,
			in:    history(q, call, userMsg(answers("b", "2"), breaks(fails("a", stand)), answers("a", "1"))),
			want:  history(q, call, userMsg(answers("b", "2"), breaks(answers("a", "1")))),
			codes: warned(codes.CacheMoved, codes.PlaceholderReplaced),
		},
		{
			name: "not where the provider takes results anywhere", profile: anywhere,
			in: history(q, call, toolMsg(answers("b", "2")), toolMsg(fails("a", stand)), next,
				toolMsg(answers("c", "3")), toolMsg(answers("a", "1")), r),
			want: history(q, call, toolMsg(answers("b", "2")), next, toolMsg(answers("c", "3")),
				toolMsg(answers("a", "1")), r),
			codes: warned(codes.PlaceholderReplaced),
		},
		{
			name: "two calls with one id, whose results are told by their order", profile: inUser,
			in: history(q, botMsg(thinks("hm", "QUJD"), calls("a"), calls("a")),
				userMsg(fails("a", stand), answers("a", "2")), next, userMsg(answers("c", "3")),
				userMsg(answers("a", "1")), r),
			want: history(q, botMsg(thinks("hm", "QUJD"), calls("a"), calls("a")),
				userMsg(answers("a", "1"), answers("a", "2")), next, userMsg(answers("c", "3")), r),
			codes: replaced, origins: [][]int{{0}, {1}, {2, 5}, {3}, {4}, {6}},
		},
	})
}
