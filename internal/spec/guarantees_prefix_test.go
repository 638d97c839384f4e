package spec

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/preflighttest/histgen"
)

// This file proves G6: a longer history does not change what was already sent.

// provePrefixStable: what a longer history makes of its beginning is what the beginning alone
// became.
func provePrefixStable(t *rapid.T, g given) {
	if len(g.in) == 0 {
		return
	}
	k := rapid.IntRange(1, len(g.in)).Draw(t, "sent so far")
	provePrefix(t, g, k, len(g.in))
}

// proveAgentLoop does the same for every step of a session that grows message by message.
func proveAgentLoop(t *rapid.T, g given) {
	var short preflight.Result
	failed := true
	for k := range len(g.in) {
		long, err := g.sanitize(g.in[: k+1 : k+1])
		if !failed && err == nil {
			proveBegins(t, g, k, k+1, short, long)
		}
		short, failed = long, err != nil
	}
}

func provePrefix(t *rapid.T, g given, before, after int) {
	short, err := g.sanitize(g.in[:before:before])
	if err != nil {
		return
	}
	long, err := g.sanitize(g.in[:after:after])
	if err != nil {
		return
	}
	proveBegins(t, g, before, after, short, long)
}

// proveBegins: what comes of a longer history begins with what came of a shorter one.
func proveBegins(t *rapid.T, g given, before, after int, short, long preflight.Result) {
	if g.profile.Tools.NoTools && merging(g.options.Duplicates) {
		// a text does not show what came late and was merged; pairing, which comes first, is
		// the same for other profiles
		return
	}
	var others []preflight.Message
	for _, m := range g.in[:before] {
		if spelledRole(m.Role) != preflight.RoleAssistant {
			others = append(others, m)
		}
	}
	sent := fixedPart(short.Messages, long, g.in[before:after], g, tagCounts(others))
	sent = sent[:min(len(sent), orphansElse(g, short, long))]
	sent = sent[:min(len(sent), movedOut(g.in[:before], short.Messages))]
	sent = sent[:min(len(sent), matchedByPlace(g, before, after, short, long))]
	sent = sent[:min(len(sent), sharedIDs(g, before, after, short))]
	sent = sent[:min(len(sent), lastWanted(g, before, after, short))]
	sent = sent[:min(len(sent), repeatedResults(g, before, short))]
	sent = sent[:min(len(sent), openServed(short.Messages), openServed(long.Messages))]
	sent = sent[:min(len(sent), servedLate(g, before, after, short))]
	sent = sent[:min(len(sent), waited(g, before, after, short.Messages, long.Messages))]
	have := blocks(long.Messages)
	for k, want := range sent {
		if k < len(have) && have[k] == want {
			continue
		}
		got := "nothing"
		if k < len(have) {
			got = have[k]
		}
		t.Fatalf(
			"block %d was sent as\n  %s\nand is now\n  %s\nfirst %d messages of:\n%s\nthen:"+
				"\n%s\nnow:\n%s\nwarnings: %s",
			k,
			want,
			got,
			before,
			dump(g.in[:after]),
			dump(short.Messages),
			dump(long.Messages),
			list(long.Warnings),
		)
	}
}

// openServed is how many blocks of an output come before the first call of the provider's own that
// is open in the turn at its end, which goes on over results of the caller's tools: the provider
// may still answer the call. What closes the turn without its result removes it, also words of the
// assistant that no call of the caller's tools follows yet.
func openServed(out []preflight.Message) int {
	cut, answered := len(out), map[string]bool{}
	for i, m := range slices.Backward(out) {
		loop := spelledRole(m.Role) == preflight.RoleAssistant ||
			!slices.ContainsFunc(m.Parts, func(p preflight.Part) bool { return asResult(p, false) == nil })
		if !loop {
			break
		}
		for _, p := range slices.Backward(m.Parts) {
			if r := asResult(p, true); r != nil {
				answered[plainID(r.CallID)] = true
			}
			if c, ok := p.(*preflight.ToolCall); ok && c.ProviderExecuted && !answered[plainID(c.ID)] {
				cut = i
			}
		}
	}
	return countBlocks(out[:leadIn(out, cut)])
}

// servedLate is how many blocks of an output come before the first turn with a call of the
// provider's own whose result came only now, in a later turn: the call was removed, or it was not
// over. The result may say that a tool of the caller's gave it, and make the call the caller's.
// What is stripped from the end comes later, too.
func servedLate(g given, before, after int, short preflight.Result) int {
	late, result := map[string]bool{}, func(p preflight.Part) *preflight.ToolResult {
		r, _ := p.(*preflight.ToolResult)
		return r
	}
	for g.options.Trailing == preflight.TrailingStrip && before > 0 &&
		spelledRole(g.in[before-1].Role) == preflight.RoleAssistant {
		before--
	}
	for _, p := range partsOf(g.in[before:after]) {
		if r := result(p); r != nil {
			late[plainID(r.CallID)] = true
		}
	}
	for _, p := range partsOf(g.in[:before]) {
		if r := result(p); r != nil {
			delete(late, plainID(r.CallID))
		}
	}
	for _, x := range exchanges(g.in[:before], g.profile.Turns.Joined()) {
		for _, c := range callsOf(partsOf(x.turn), true) {
			if late[plainID(c.ID)] {
				return sentBefore(short, x.start)
			}
		}
	}
	return countBlocks(short.Messages)
}

// waited is how many blocks of an output come before the first call that stays open in it, and
// whose result came after words of the assistant: one of the two has to move to the other.
func waited(g given, before, after int, out, long []preflight.Message) int {
	came := map[string]bool{}
	for _, p := range partsOf(g.in[before:after]) {
		if r := asResult(p, false); r != nil {
			came[histgen.Tag(r)] = true
		}
	}
	waits := waiting(g.options.OpenCall)
	was := answersOf(out, g.effective(), waits)
	is := answersOf(long, g.effective(), waits)
	for k, p := range partsOf(out) {
		c, ok := p.(*preflight.ToolCall)
		if !ok {
			continue
		}
		if _, answered := was[histgen.Tag(c)]; !answered && came[is[histgen.Tag(c)]] {
			return k
		}
	}
	return countBlocks(out)
}

// movedOut is how many blocks of an output come before the first media that moved from the open
// turn of the input into a message of another role: it is of the open turn, wherever it is. That
// turn is the last run of the assistant's messages, if nothing but results follows it.
func movedOut(in, out []preflight.Message) int {
	end := len(in)
	for end > 0 && spelledRole(in[end-1].Role) != preflight.RoleAssistant &&
		!slices.ContainsFunc(in[end-1].Parts,
			func(p preflight.Part) bool { return asResult(p, false) == nil }) {
		end--
	}
	start := end
	for start > 0 && (spelledRole(in[start-1].Role) == preflight.RoleAssistant ||
		len(in[start-1].Parts) == 0) {
		start--
	}
	open, all := tagCounts(in[start:end]), tagCounts(in)
	n := 0
	for i, m := range out {
		for j, p := range m.Parts {
			tag := histgen.Tag(p)
			_, media := p.(*preflight.Media)
			if media && tag != "" && m.Role != preflight.RoleAssistant && open[tag] > 0 &&
				all[tag] == open[tag] {
				if j == 0 {
					// with what was put before it for its sake
					return countBlocks(out[:leadIn(out, i)])
				}
				return n
			}
			n++
		}
	}
	return n
}

// matchedByPlace is how many blocks of the shorter output come before the first turn that had, or
// now has, a result that only its place told the call of, and that is now elsewhere, because better
// evidence came: for one without an id, with that of no call, or after a call without one, another
// result; for one before the first call with its id, that call, or another result of it. The turn
// that it follows in the input counts too: another result may now be the only one left there.
func matchedByPlace(g given, before, after int, res, long preflight.Result) int {
	short := res.Messages
	called := map[string]int{} // the first call with an id, by its place among all parts
	n := 0
	for _, m := range g.in[:after] {
		for _, p := range m.Parts {
			if isClientCall(p) && mayBeAssistant(m) { // others call no tools
				id := plainID(p.(*preflight.ToolCall).ID)
				if _, known := called[id]; !known {
					called[id] = n
				}
			}
			n++
		}
	}
	came := map[string]bool{} // ids of what came
	answered := false
	for _, p := range partsOf(g.in[before:after]) {
		if r := asResult(p, false); r != nil {
			came[plainID(r.CallID)], answered = true, true
		} else if isClientCall(p) {
			came[plainID(p.(*preflight.ToolCall).ID)] = true
		}
	}
	all := countBlocks(short)
	turnOf := func(h []preflight.Message, tag string) (start, block int) {
		for _, x := range exchanges(h, g.profile.Turns.Joined()) {
			n := countBlocks(h[:x.start])
			for k, p := range partsOf(append(slices.Clone(x.turn), x.after...)) {
				if histgen.Tag(p) == tag || holds(p, nil, tag) {
					return countBlocks(h[:leadIn(h, x.start)]), n + k
				}
			}
		}
		return all, -1
	}
	turn, k := 0, -1 // in the input: the message of the turn, and the part
	blank := false   // the turn has a call without an id
	for i, m := range g.in[:before] {
		if spelledRole(m.Role) == preflight.RoleAssistant &&
			(i == 0 || spelledRole(g.in[i-1].Role) != preflight.RoleAssistant) {
			turn, blank = i, false
		}
		// in a message of a tool's, all content is a result, which has no id
		tool := spelledRole(m.Role) == preflight.RoleTool &&
			!slices.ContainsFunc(m.Parts, func(p preflight.Part) bool { return asResult(p, false) != nil })
		for _, p := range m.Parts {
			k++
			blank = blank || isClientCall(p) && strings.TrimSpace(p.(*preflight.ToolCall).ID) == ""
			r := asResult(p, false)
			if _, other := p.(*preflight.ToolCall); r == nil && !other && tool && p != nil {
				r = &preflight.ToolResult{} // it becomes one
			}
			if r == nil {
				continue
			}
			id := plainID(r.CallID)
			first, known := called[id]
			unknown := isNameless(r) || !known || blank
			if !(unknown && answered) && !(known && first > k && came[id]) {
				continue
			}
			was, place := turnOf(short, histgen.Tag(p))
			if is, now := turnOf(long.Messages, histgen.Tag(p)); is != was || now != place {
				all = min(all, was, is, sentBefore(res, turn))
			}
		}
	}
	return all
}

// sharedIDs is how many blocks of the shorter output come before the first turn in which two calls
// have one id, of which another result came: whose it is, all results of that id decide.
func sharedIDs(g given, before, after int, short preflight.Result) int {
	came := map[string]bool{}
	for _, p := range partsOf(g.in[before:after]) {
		if r := asResult(p, false); r != nil {
			came[plainID(r.CallID)] = true
		}
	}
	for _, x := range exchanges(g.in[:before], g.profile.Turns.Joined()) {
		calls := map[string]int{}
		for _, c := range callsOf(partsOf(x.turn), false) {
			id := plainID(c.ID)
			if calls[id]++; calls[id] > 1 && came[id] {
				return sentBefore(short, x.start)
			}
		}
	}
	return countBlocks(short.Messages)
}

// lastWanted is how many blocks of the shorter output come before the first turn with a call of
// which another result came, if the caller wants the last one alone: the call goes where that is.
func lastWanted(g given, before, after int, short preflight.Result) int {
	if g.options.Duplicates != preflight.DuplicateLast {
		return countBlocks(short.Messages)
	}
	came := map[string]bool{}
	for _, p := range partsOf(g.in[before:after]) {
		if r := asResult(p, false); r != nil {
			came[plainID(r.CallID)] = true
		}
	}
	for _, x := range exchanges(g.in[:before], g.profile.Turns.Joined()) {
		for _, c := range callsOf(partsOf(x.turn), false) {
			if came[plainID(c.ID)] {
				return sentBefore(short, x.start)
			}
		}
	}
	return countBlocks(short.Messages)
}

// repeatedResults is how many blocks of the shorter output come before the first turn with a call
// of an id of which two messages in a row hold the same result. Whether the second of them is a
// repeat, or belongs to an earlier call, the number of all results after the turn tells.
func repeatedResults(g given, before int, short preflight.Result) int {
	repeated := map[string]bool{}
	for i := 1; i < before; i++ {
		for _, p := range g.in[i].Parts {
			for _, was := range g.in[i-1].Parts {
				if r := asResult(p, false); r != nil && saysTheSame(was, p) {
					repeated[plainID(r.CallID)] = true
				}
			}
		}
	}
	for _, x := range exchanges(g.in[:before], g.profile.Turns.Joined()) {
		for _, c := range callsOf(partsOf(x.turn), false) {
			if repeated[plainID(c.ID)] {
				return sentBefore(short, x.start)
			}
		}
	}
	return countBlocks(short.Messages)
}

// sentBefore is how many blocks of an output come before the first message made of a message of the
// input from an index on.
func sentBefore(res preflight.Result, from int) int {
	for k := range res.Messages {
		if res.Origins == nil && k >= from || res.Origins != nil &&
			slices.ContainsFunc(res.Origins[k], func(i int) bool { return i >= from }) {
			return countBlocks(res.Messages[:leadIn(res.Messages, k)])
		}
	}
	return countBlocks(res.Messages)
}

// orphansElse is how many blocks come before the first orphan that one of two outputs keeps as text
// in its place, and that is the result of a call in the other: a call that came later, or one that
// only the shorter history matched it with, because it has no id.
func orphansElse(g given, short, long preflight.Result) int {
	before := func(res, other preflight.Result, which func(preflight.Warning) bool) int {
		for i, sources := range res.Origins {
			for _, w := range res.Warnings {
				if w.Code == codes.OrphanToText && slices.Contains(sources,
					w.At.Message()) && which(w) &&
					!slices.ContainsFunc(other.Warnings, func(o preflight.Warning) bool {
						return o.Code == codes.OrphanToText && o.At == w.At
					}) {
					return countBlocks(res.Messages[:leadIn(res.Messages, i)])
				}
			}
		}
		return countBlocks(res.Messages)
	}
	any := func(preflight.Warning) bool { return true }
	nameless := func(w preflight.Warning) bool {
		j := w.At.Part() // -1 for a message that became text as a whole
		return j >= 0 && isNameless(g.in[w.At.Message()].Parts[j])
	}
	return min(before(short, long, any), before(long, short, nameless))
}
