package pairing_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/provider"
)

// A history is written as its messages, with bars between them:
//
//	call a b | result a | user | result b=aborted
//
// A message is the assistant's calls, results, or the word user. A call or a result is its id, with
// the tool's name after a colon; "-" is no id, and "~" a space in one. A call that waits on purpose
// ends with a question mark. A result may end with what it is worth, see worths; otherwise it is
// real. Results with the same worth have the same text; that of "other" is real, too.
//
// The matches are written as one word for each result: the number of its call, "+" if that has
// another answer, and the reason for the match; or "none".

var worths = map[string]pairing.Worth{
	"empty": pairing.Empty, "promise": pairing.Promise, "aborted": pairing.Placeholder,
	"error": pairing.Error, "doubt": pairing.Doubtful, "other": pairing.Real,
}

// script is a history, and the source of its contents.
type script struct {
	pairing.Matching
	worths []pairing.Worth
	texts  []string
	waits  []bool
	spoken int
}

func (s *script) Worth(result, _ int) pairing.Worth { return s.worths[result] }
func (s *script) Same(result, other int) bool       { return s.texts[result] == s.texts[other] }
func (s *script) Hash(result int) uint64            { return uint64(len(s.texts[result])) }
func (s *script) Waits(call int) bool               { return s.waits[call] }
func (s *script) Accepts(id string) bool            { return !strings.Contains(id, "!") }

// read fills the records from a history.
func read(history string, rules pairing.Rules) *script {
	s := &script{spoken: pairing.None}
	s.Source, s.Rules = s, rules
	open := false
	for i, message := range strings.Split(history, " | ") {
		words := strings.Fields(message)
		kind := ""
		for j, word := range words {
			switch word {
			case "call", "result", "user":
				if kind == "" && word == "call" {
					calls, results := len(s.Calls), len(s.Results)
					s.Turns = append(s.Turns, pairing.Turn{First: i, Last: i, Spoken: pairing.None,
						Calls:   pairing.Span{First: calls, End: calls},
						Results: pairing.Span{First: results, End: results}})
				}
				kind = word
				open = word == "call" || open && word == "result"
				if word == "user" {
					s.spoken = i
				}
				continue
			}
			s.add(kind, word, i, j, open)
		}
	}
	return s
}

func (s *script) add(kind, word string, message, part int, open bool) {
	turn := len(s.Turns) - 1
	word, worth, _ := strings.Cut(word, "=")
	word, waits := strings.CutSuffix(word, "?")
	id, name, _ := strings.Cut(word, ":")
	id, variant, _ := strings.Cut(id, "/")
	if id == "-" {
		id = ""
	}
	id = strings.ReplaceAll(id, "~", " ")
	if kind == "call" {
		s.waits = append(s.waits, waits)
		s.Calls = append(s.Calls, pairing.Call{ID: id, Name: name, Variant: variant,
			Message: message, Part: part, Turn: turn, Answer: pairing.None})
		s.Turns[turn].Calls.End = len(s.Calls)
		if !s.Rules.Server {
			s.Turns[turn].Results.First = len(s.Results)
		}
		return
	}
	result := pairing.Result{ID: id, Name: name, Variant: variant, Message: message, Part: part,
		Zone: pairing.None, LastTurn: turn, Spoken: s.spoken, Call: pairing.None}
	if open {
		result.Zone = turn
	}
	s.worths, s.texts = append(s.worths, pairing.Real), append(s.texts, worth)
	if worth != "" {
		s.worths[len(s.worths)-1] = worths[worth]
	}
	s.Results = append(s.Results, result)
	if open {
		s.Turns[turn].Results.End = len(s.Results)
	}
}

// matches writes the matches of a history.
func (s *script) matches() string {
	var out []string
	for r := range s.Results {
		result := &s.Results[r]
		more := ""
		if result.Further {
			more = "+"
		}
		if result.Call == pairing.None {
			out = append(out, "none")
			continue
		}
		out = append(out, fmt.Sprintf("%d%s(%s)", result.Call+1, more, result.Reason))
	}
	return strings.Join(out, " ")
}

type example struct{ name, history, want string }

func prove(t *testing.T, rules pairing.Rules, examples []example) {
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			s := read(e.history, rules)
			s.Assign()
			require.Equal(t, e.want, s.matches(), e.history)
			s.proveConsistent(t)
			again := read(e.history, rules)
			*s = script{Matching: s.Matching, worths: again.worths, texts: again.texts,
				waits: again.waits}
			s.Reset() // the buffers of one history serve the next
			s.Turns = append(s.Turns, again.Turns...)
			s.Calls = append(s.Calls, again.Calls...)
			s.Results = append(s.Results, again.Results...)
			s.Source = s
			s.Assign()
			require.Equal(t, e.want, s.matches(), "with used buffers")
		})
	}
}

// proveConsistent: calls and results name each other.
func (s *script) proveConsistent(t *testing.T) {
	for c := range s.Calls {
		if a := s.Calls[c].Answer; a != pairing.None {
			require.Equal(t, c, s.Results[a].Call)
			require.False(t, s.Results[a].Further)
		}
	}
	for r := range s.Results {
		if result := &s.Results[r]; result.Call != pairing.None && !result.Further {
			require.Equal(t, r, s.Calls[result.Call].Answer)
		}
	}
}

func TestMatchingByID(t *testing.T) { prove(t, pairing.Rules{}, idExamples) }

var idExamples = []example{
	{"in its place", "call a | result a", "1(id)"},
	{"in any order", "call a b | result b | result a", "2(id) 1(id)"},
	{"without a call", "call a | result b:x a", "none 1(id)"},
	{"late, near its turn", "call a | user | result a", "1(id)"},
	{"late, after another turn", "call a | user | call b | result b a", "2(id) 1(id)"},
	{"before its call", "result a | call a", "1(id)"},
	{"late, of calls with one id the nearest", "call a | user | call a | user | call | result a",
		"2(id)"},
	{"late, of calls with one id in the message the first",
		"call a a | user | call | result a", "1(id)"},
	{"late, two results of two calls with one id",
		"call a | user | call a | user | call | result a a", "1(id) 2(id)"},
	{"late, then an even later one", "call a | user | call a | user | call | result a | result a",
		"2(id) 1(id)"},
	{"a turn in between has no part in it",
		"call a | user | call a | call x | result a | result x", "2(id) 3(id)"},
	{"an id that every turn uses again", "call a | result a | call a | user | result a",
		"1(id) 2(id)"},
	{"an id twice in a turn, by occurrence", "call a a | result a a", "1(id) 2(id)"},
	{"respelled", "call Call_1 | result call-1", "1(normalized-id)"},
	{"respelled, late", "call Call_1 | user | result call-1", "1(normalized-id)"},
	{"the exact id counts more, wherever it is", "call A | user | call a | result A a",
		"1(id) 2(id)"},
	{"the id of its item", "call call_1|fc_1 | result fc_1", "1(normalized-id)"},
	{"a call that waits has no result", "call a? a | result a", "2(id)"},
	{"before its call, respelled", "result a | call A", "1(normalized-id)"},
	{"late, a call that waits has no result", "call a | call a? | user | result a", "1(id)"},
}

func TestMatchingByPosition(t *testing.T) { prove(t, pairing.Rules{}, positionExamples) }

var positionExamples = []example{
	{"no id, one call", "call a | result -", "1(position)"},
	{"no ids at all", "call - - | result - -", "1(position) 2(position)"},
	{"no ids, in order", "call a b | result - -", "1(position) 2(position)"},
	{"the call has no id", "call - | result a", "1(position)"},
	{"a placeholder and the result, no ids, and a result with an unknown id",
		"call - b | result -=aborted - x", "1(position) 2(position) none"},
	{"two results without ids for the one call left", "call a b c | result a - - c",
		"1(id) 2(position) 2+(position) 3(id)"},
	{"two for one call, then one for another", "call - - | result - - x",
		"1(position) 2(position) none"},
	{"another id, and the call's is used again",
		"call a b | result x b | call a | result a=error a", "none 2(id) 3(id) 1(id)"},
	{"the same, but the id of the result is that of a call with a placeholder",
		"call a b | result B b=aborted | call a | result a a=other",
		"2(normalized-id) 2+(id) 3(id) 1(id)"},
	{"the same, and the id is used again only after a late result",
		"call a | result x | user | call | result a | call a | result a",
		"none 1(id) 2(id)"},
	{"three for two calls", "call a b | result - - -",
		"1(position) 2(position) 2+(position)"},
	{"the call has no id, and the result one that comes again",
		"call a | result a | call - | result a", "1(id) 2(position)"},
	{"another id is evidence", "call a | result x", "none"},
	{"also for the one call left", "call a b | result b x", "2(id) none"},
	{"and for as many calls", "call a b | result x y", "none none"},
	{"whatever the tool", "call a:ls b:cat | result x:cat", "none"},
	{"another tool", "call a:ls | result -:cat", "none"},
	{"the same wrong id on all results", "call a b | result x x=other", "none none"},
	{"and the calls have none", "call - - | result x x=other", "1(position) 2(position)"},
	{"and an earlier call has it", "call x | result x=error | call - - | result x x=other",
		"1(id) 2(position) 3(position)"},
	{"and that one waits for its result",
		"call x | result x=aborted | call - - | result x x=other", "1+(id) 1(id) 1+(id)"},
	{"and they are copies", "call - - | result x x", "1(position) 2(position)"},
	{"and a call is answered", "call - b - | result x b x=other",
		"1(position) 2(id) 3(position)"},
	{"not on all of them", "call a b | result x y=other", "none none"},
	{"a cut id", "call call_0123456789abcdefgh | result call_0123456789abcd",
		"1(position)"},
	{"a missing value as text", "call a | result undefined", "1(position)"},
	{"no id, and two calls with ids", "call a b | result -", "none"},
	{"no id, and the call of its tool", "call a:ls b:cat | result -:cat", "2(name)"},
	{"no id, and two calls of its tool", "call a:ls b:ls | result -:ls", "none"},
	{"no id, after a user", "call a | user | result -", "none"},
	{"no id, after a user, with the tool's name", "call a:ls | user | result -:ls", "1(name)"},
	{"and two calls of the tool are open", "call a:ls b:ls | user | result -:ls", "none"},
	{"and one of them gets its result later", "call a:ls b:ls | user | result -:ls | result a",
		"none 1(id)"},
	{"and the other has its result", "call a:ls b:ls | result a=other | user | result -:ls",
		"1(id) 2(name)"},
	{"and only a placeholder answers it", "call a:ls | result a=aborted | user | result -:ls",
		"1+(id) 1(name)"},
	{"and a real result answers it", "call a:ls | result a=other | user | result -:ls",
		"1(id) none"},
	{"and it is a copy of the result of another call",
		"call a:ls | user | call b:ls | result b=other | user | result -:ls=other",
		"2(id) none"},
	{"and it is another tool's", "call a:ls | user | result -:cat", "none"},
	{"and it comes after another call of the tool",
		"call a:ls | user | call b:ls | result -:ls -:ls=other",
		"2(name) 2+(position)"},
	{"and which of two is open is not known",
		"call -:ls -:ls | result -:ls=other | user | result -:ls", "1(name) none"},
	{"no id, after other calls", "call a | call b | result b -", "2(id) none"},
	{"no id, and the calls have results", "call a | result a -=other", "1(id) none"},
	{"no id, in the place of a placeholder", "call a | result a=aborted -",
		"1+(id) 1(position)"},
	{"no id in the second place", "call a b | result x -", "none 2(position)"},
	{"two results with the id of a result that was matched by position",
		"call - | result x=aborted | user | result x", "1+(position) 1(position)"},
	{"an id of this turn, and a call without one", "call - a | result a a=other",
		"2(id) 1(position)"},
}

func TestFurtherResults(t *testing.T) { prove(t, pairing.Rules{}, furtherExamples) }

var furtherExamples = []example{
	{"a copy", "call a | result a | result a", "1(id) 1+(id)"},
	{"respelled", "call a | result a | result A", "1(id) 1+(normalized-id)"},
	{"a placeholder, then the real one", "call a | result a=aborted | user | result a",
		"1+(id) 1(id)"},
	{"an error, then the real one", "call a | result a=error a", "1+(id) 1(id)"},
	{"the real one, then an error", "call a | result a a=error", "1(id) 1+(id)"},
	{"what may be data stays, once the assistant has responded",
		"call a | result a=doubt | call b | result b a", "1(id) 2(id) 1+(id)"},
	{"of calls with one id, that with a placeholder",
		"call a | result a=aborted | call a | result a | result a=other",
		"1+(id) 2(id) 1(id)"},
	{"of a lost call, and the next call with its id has a result",
		"result a | user | call a | result a=other", "none 1(id)"},
	{"the same, respelled", "result A | user | call a | result a=other", "none 1(id)"},
	{"the same, and the result of the next call is late",
		"result a | user | call a | user | result a=other", "none 1(id)"},
	{"the same, and another call with its id has none", "result a | call a a | result a=other",
		"2(id) 1(id)"},
	{"the same, with a placeholder before it",
		"result a=aborted | result a | call a a | result a=other", "2+(id) 2(id) 1(id)"},
	{"the same, with an error", "result a | user | call a | result a=error", "none 1(id)"},
	{"the same, with a placeholder", "result a | user | call a | result a=aborted", "1(id) 1+(id)"},
	{"the same, and then the real one", "result a | user | call a | result a=aborted | result a=other",
		"none 1+(id) 1(id)"},
	{"two before their call", "result a a=other | call a", "1(id) 1+(id)"},
	{"a copy is not of an earlier call", "call a | call a | result a | result a",
		"2(id) 2+(id)"},
	{"of those, first the one that a result was promised for",
		"call a | result a=aborted | call a | result a=promise | call b | result a",
		"1(id) 2+(id) 2(id)"},
}

var anywhere = pairing.Rules{PairingRules: provider.PairingRules{
	Results: provider.ResultsAnywhere, Typed: true, Unanswerable: []string{"shell"},
}}

func TestMatchingAnywhere(t *testing.T) { prove(t, anywhere, anywhereExamples) }

var anywhereExamples = []example{
	{"turns after its call", "call a | user | call b | result b | result a", "2(id) 1(id)"},
	{"before its call", "result a | call a", "1(id)"},
	{"of another variant", "call a/custom | result a", "1(id)"},
	{"of a variant that no text answers", "call a/shell | result a", "none"},
	{"of another variant, respelled", "call a/custom | result A", "1(normalized-id)"},
	{"a further one is none of the same id with another variant",
		"call a a/custom | result a=promise A", "1+(id) 1(normalized-id)"},
}

var byName = pairing.Rules{PairingRules: provider.PairingRules{ByName: true}}

func TestMatchingByName(t *testing.T) { prove(t, byName, nameExamples) }

var nameExamples = []example{
	{"without ids", "call -:ls -:cat | result -:cat -:ls", "2(name) 1(name)"},
	{"two of one tool, in order", "call -:ls -:ls | result -:ls -:ls", "1(name) 2(name)"},
	{"with ids", "call a:ls b:ls | result b:ls a:ls", "2(id) 1(id)"},
	{"the result has no id", "call a:ls | result -:ls", "1(name)"},
	{"of a composite id, only the item is left",
		"call -:ls | result -:ls | call a:ls | result ~|item:ls", "1(name) 2(name)"},
	{"the result has no name", "call a:ls b:cat | result b a", "2(id) 1(id)"},
	{"as many results as calls, whatever their names", "call -:ls | result -:list",
		"1(position)"},
	{"several tools' results have one id", "call a:ls b:cat c:ls | result c:cat c:ls c:ls",
		"2(name) 1(name) 3(name)"},
	{"several have one id, and one its own", "call a:ls b:cat c:rm | result a:ls c:cat c:rm",
		"1(id) 2(name) 3(id)"},
	{"several have one id, and one tool has a further result",
		"call a:ls b:cat | result b:ls b:cat b:cat", "1(name) 2(id) 2+(id)"},
	{"several have one id, and one tool has a call without a result",
		"call a:ls b:cat c:ls | result c:cat c:ls", "2(name) 3(id)"},
	{"several have one id, and no call of the tool is left", "call a:ls b:cat | result b:cat b:rm",
		"2(id) 2+(id)"},
	{"a late result, after the assistant", "call -:ls | call -:cat | result -:cat -:ls",
		"2(name) 1(name)"},
	{"a late result, after a user", "call -:ls | user | result -:ls", "1(name)"},
	{"and two calls of its tool", "call -:ls -:ls | user | result -:ls", "none"},
	{"and turns later", "call -:ls | user | call -:cat | result -:cat | user | result -:ls",
		"2(name) 1(name)"},
	{"late, the id counts more than the name",
		"call a:ls b:ls | user | result -:ls a:call_a", "none 1(id)"},
	{"displaced, the id counts more than the name",
		"call a:ls b:ls | result -:ls | call | user | result a:call_a", "2(name) 1(id)"},
	{"before its call, the id counts more than the name",
		"result a:call_a | call a:ls b:ls | result -:ls", "1(id) 2(name)"},
	{"before its call, and without a name",
		"result a | call a:ls b:ls | result -:ls", "1(id) 2(name)"},
	{"before its call, with the name of the second of its id",
		"result a:cat | call a:ls a:cat | user", "2(id)"},
	{"a further one, late, may be of a lost call",
		"call -:ls | result -:ls | call -:cat | result -:cat | result -:ls",
		"1(name) 2(name) none"},
	{"a further one, after words of the assistant",
		"call -:ls | result -:ls | call | result -:ls", "1(name) 1+(name)"},
	{"a further one, after words of a user",
		"call -:ls | result -:ls | call | user | call | result -:ls", "1(name) none"},
	{"a further one, after words, of two calls of its tool",
		"call -:ls -:ls | result -:ls -:ls | call | result -:ls", "1(name) 2(name) none"},
	{"the message of a retry is recorded twice",
		"call -:ls | result -:ls=error | result -:ls=error", "1(name) 1+(name)"},
	{"the name of the call's id", "call a:ls b:cat | result -:b", "2(normalized-id)"},
	{"the id with the name, before the nearest id", "call a:f | call a:g | result a:g a:f",
		"2(id) 1(id)"},
	{"an id with an unknown name, near its turn", "call a:f | call a:g | result a a:x",
		"2(id) 2+(id)"},
	{"an id with an unknown name, of an earlier turn", "call a:g b:f b | call -:g | result a=aborted",
		"1(id)"},
	{"sent as an answer, before the one with the name came",
		"call a:f a:g | result a:g a:x=error | result a:f", "2(id) 1+(id) 1(id)"},
	{"the real one for a placeholder, before another spelling",
		"call a:f A:f | result a:f=aborted a:f", "1+(id) 1(id)"},
	{"a further one in its place, with another name",
		"call a:f b:f | result a:f=other a:g | result b:f", "1(id) 1+(id) 2(id)"},
	{"respelled, in its place, by name", "call a:f a:g | result A:g A:f",
		"2(normalized-id) 1(normalized-id)"},
	{"the id in its place, before the name", "call a:f -:g b:h | result a:g b -:h",
		"1(id) 3(id) 2(position)"},
	{"the calls have no ids", "call -:f -:g | result x y", "1(name) 2(name)"},
	{"as many as calls, another name", "call -:f b:g | result b x:y", "2(id) 1(position)"},
	{"displaced, the call has no id", "call -:f | user | result x:f", "1(name)"},
	{"a further one is none of a later call without an id",
		"call a:f | result a:f | call -:f | result a:f -:f", "1(id) 1+(id) 2(name)"},
	{"no ids, one that says something else is of an earlier call",
		"call -:f | call x:g | call -:f | result -:f | result -:f=other", "3(name) 1(name)"},
	{"displaced, the name of another call", "call a:f | call -:g | result a:g", "1(id)"},
	{"respelled, late", "call a:f | user | result A:g", "1(normalized-id)"},
	{"respelled, before its call", "result A | call a", "1(normalized-id)"},
	{"before its call, the exact id, with the name of another", "result a:g | call A:g a:h", "2(id)"},
	{"a further one without a name", "call a:f b:g | result b a | user | result a",
		"2(id) 1(id) 1+(normalized-id)"},
	{"the real one for a placeholder by name, other ids", "call -:f | result x=aborted y=other",
		"1+(name) 1(position)"},
}

func TestMatchingOfTheProvidersTools(t *testing.T) {
	prove(t, pairing.Rules{Server: true}, []example{
		{"in its turn", "call a result a", "1(id)"},
		{"in a later turn", "call a | call b result a b", "1(id) 2(id)"},
		{"before its call", "call b result a call a result b", "2(id) 1(id)"},
		{"twice", "call a result a a", "1(id) 1+(id)"},
	})
}

// TestEveryStepIsNeeded: an example fails without it.
func TestEveryStepIsNeeded(t *testing.T) {
	for _, names := range []bool{false, true} {
		for k := 0; ; k++ {
			putBack := pairing.LeaveOut(names, k)
			if putBack == nil {
				require.NotZero(t, k)
				break
			}
			require.True(t, anyFails(names), "step %d: no example needs it (by name: %v)", k, names)
			putBack()
		}
	}
}

// anyFails reports whether an example of a ladder has other matches than it should.
func anyFails(names bool) bool {
	if names {
		return fails(byName, nameExamples)
	}
	return fails(pairing.Rules{}, idExamples) || fails(pairing.Rules{}, positionExamples) ||
		fails(pairing.Rules{}, furtherExamples) || fails(anywhere, anywhereExamples)
}

func fails(rules pairing.Rules, examples []example) bool {
	return slices.ContainsFunc(examples, func(e example) bool {
		s := read(e.history, rules)
		s.Assign()
		return s.matches() != e.want
	})
}

// TestTextWorth: a text is a placeholder if almost all of its words say that a call did not finish.
func TestTextWorth(t *testing.T) {
	names := [2]string{"read_file", "call_1"}
	for text, want := range map[string]pairing.Worth{
		"No result provided.":                       pairing.Placeholder,
		"[Tool execution was interrupted]":          pairing.Placeholder,
		"Tool read_file was cancelled by the user.": pairing.Placeholder,
		`{"error":"Tool call aborted"}`:             pairing.Placeholder,
		"Cancelled":                                 pairing.Doubtful,
		"42":                                        pairing.Real,
		"order 17 was cancelled":                    pairing.Real,
		strings.Repeat("Tool call aborted. ", 20):   pairing.Real,
	} {
		require.Equal(t, want, pairing.TextWorth(text, false, names), text)
	}
	require.Equal(t, pairing.Placeholder, pairing.TextWorth("aborted", true, names))
}
