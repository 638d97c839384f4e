package preflight

import (
	"slices"
	"strings"
)

// This file says what a tool result is worth: whether it is a real one, an error, or a placeholder
// with which an agent answered a call that never finished.

// worthOf is what a result is worth as the answer of a call, which may be nil.
func (o *Options) worthOf(r *ToolResult, call *ToolCall) worth {
	saysMore := func(p Part) bool { _, ok := p.(*Text); return !ok && !isNil(p) }
	real := worthReal
	if r.IsError {
		real = worthError
	}
	if len(r.Content) > 0 && len(r.Output) > 0 || slices.ContainsFunc(r.Content, saysMore) {
		return real
	}
	text := strings.TrimSpace(resultText(r))
	if text == "" || o.inserts(text) ||
		strings.EqualFold(strings.TrimRight(text, "."), knownPlaceholder) {
		return worthPlaceholder
	}
	names := [2]string{r.Name, r.CallID}
	if call != nil {
		names = [2]string{call.Name, call.ID}
	}
	if w := placeholderWorth(text, r.IsError, names); w != worthReal {
		return w
	}
	return real
}

// inserts reports whether a text is one that answers calls without a result.
func (o *Options) inserts(text string) bool {
	return text == o.danglingText() || text == DefaultDanglingText || o.promising(text)
}

// promising reports whether a text is one that answers calls which wait on purpose.
func (o *Options) promising(text string) bool {
	return text == defaultWaitingText || text == defaultApprovalText ||
		!blank(o.WaitingText) && text == strings.TrimSpace(o.WaitingText)
}

// promises reports whether a placeholder says that there will be a result.
func (o *Options) promises(placeholder *ToolResult) bool {
	return o.promising(strings.TrimSpace(resultText(placeholder)))
}

// knownPlaceholder does not say that it is about a tool, but everybody knows it (badlogic/pi-mono,
// OpenCode).
const knownPlaceholder = "No result provided"

// longestPlaceholder is the most bytes that a placeholder has. The longest seen has 190.
const longestPlaceholder = 300

// placeholderWorth reads a text: a placeholder is short, says of a tool call that something kept it
// from its end, and says little else. How sure that is depends on its form and on the error flag.
// names are the tool's and the call's.
//
// The texts of agents it was made for are in placeholder_test.go.
func placeholderWorth(text string, failed bool, names [2]string) worth {
	if len(text) > longestPlaceholder {
		return worthReal
	}
	if json := strings.TrimLeft(text, "{ "); len(json) < len(text) {
		text = jsonMessage(text)
	}
	var about, end, known, words int
	for word := range placeholderWordsOf(text) {
		words++
		kind, ok := placeholderWords[strings.ToLower(strings.Trim(word, "'’"))]
		switch {
		case ok:
			known++
		case word == names[0] || word == names[1]:
			known++
			continue
		}
		switch kind {
		case wordTool:
			about++
		case wordEnd:
			end++
		}
	}
	unknown := words - known
	framed := strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") ||
		strings.HasPrefix(text, "<") && strings.HasSuffix(text, ">")
	switch {
	case end == 0 || words == 0:
		return worthReal
	case about > 0 && unknown*3 <= words, (framed || failed) && unknown*5 <= words:
		return worthPlaceholder
	case unknown == 0:
		return worthDoubtful
	}
	return worthReal
}

// jsonMessage is what an object of one short text says: {"error":"..."}. It is text itself when it
// is anything else.
func jsonMessage(text string) string {
	body, ok := strings.CutPrefix(text, "{")
	if body, ok = strings.CutSuffix(strings.TrimSpace(body), "}"); !ok ||
		strings.Count(body, `"`) != 4 {
		return text
	}
	_, message, _ := strings.Cut(body, ":")
	return strings.Trim(strings.TrimSpace(message), `"`)
}

// placeholderWordsOf yields the words of a text: runs of letters, digits, and what ids and names
// are made of.
func placeholderWordsOf(text string) func(yield func(string) bool) {
	return strings.FieldsFuncSeq(text, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
			r == '_' || r == '-' || r == '\'' ||
			r > 0x7F && r != '—' && r != '–' && r != '…')
	})
}

// wordKind is what a word of a placeholder says.
type wordKind uint8

const (
	wordOther wordKind = iota // it is one that such texts have
	wordTool                  // it is about the running of a tool
	wordEnd                   // it did not come to its end
)

// placeholderWords are the words that placeholders are made of.
var placeholderWords = wordsOf(map[wordKind]string{
	wordTool: "tool tools tool_use tool_call tool_result function execution invocation call calls",
	wordEnd: `interrupted interruption interrupt aborted abort cancelled canceled cancellation
		missing lost unavailable skipped no never not without didn't wasn't couldn't incomplete
		unfinished dropped discarded killed terminated crashed stopped orphaned synthetic
		synthesized placeholder pruned omitted cleared elided abandoned rejected`,
	wordOther: `the a an this that it its his her their and or but because due to by of for
		from in on at with before after during while as was were is are be been has have had did do
		does could can may will would should being result response output outcome reply value
		content return returned returns produced user client system agent session process server
		host runtime provider model conversation history transcript message messages turn run
		request operation command task step action use completed complete completing completion
		finished finish finishing executed execute executing ran running started start recorded
		record received receive provided provide available exists exist present obtained generated
		captured stored saved known unknown error errors internal failed failure fail timeout
		restart restarted reconnect disconnect disconnected shutdown crash exit exited overflow
		limit previous prior earlier old new another other came arrived original actual real
		real-time final retry again needed need safe please you if any still yet only more than one
		repair repaired recovery recovered resume resumed maintain integrity inserted insert added
		automatically id name status state info reason here there`,
})

func wordsOf(lists map[wordKind]string) map[string]wordKind {
	out := make(map[string]wordKind)
	for kind, list := range lists {
		for _, word := range strings.Fields(list) {
			out[word] = kind
		}
	}
	return out
}
