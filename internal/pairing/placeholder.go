package pairing

import "strings"

// This file tells placeholders from real results: texts that an agent wrote for a call that never
// finished.

// DanglingText is the text of the result that answers a dangling call by default.
const DanglingText = "Tool call was interrupted before a result was recorded."

// knownPlaceholder mentions no tool, but is a widespread placeholder (badlogic/pi-mono, OpenCode).
const knownPlaceholder = "No result provided"

// longestPlaceholder is the maximum length of a placeholder in bytes. The longest one seen has 190.
const longestPlaceholder = 300

// TextWorth returns the worth of a text as a result: Placeholder, Doubtful or Real. A placeholder
// is short, and almost all of its words state that a tool call did not finish. How many other words
// it may have depends on its form and on the error flag. names are the names, or ids, that the text
// may mention: tool and call.
func TextWorth(text string, failed bool, names [2]string) Worth {
	if len(text) > longestPlaceholder {
		return Real
	}
	if strings.EqualFold(strings.TrimRight(text, "."), knownPlaceholder) {
		return Placeholder
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
		return Real
	case about > 0 && unknown*3 <= words, (framed || failed) && unknown*5 <= words:
		return Placeholder
	case unknown == 0:
		return Doubtful
	}
	return Real
}

// jsonMessage returns the message of an object with a single string, as in {"error":"..."}. It
// returns any other text unchanged.
func jsonMessage(text string) string {
	body, opened := strings.CutPrefix(text, "{")
	body, closed := strings.CutSuffix(strings.TrimSpace(body), "}")
	if !opened || !closed || strings.Count(body, `"`) != 4 {
		return text
	}
	_, message, _ := strings.Cut(body, ":")
	return strings.Trim(strings.TrimSpace(message), `"`)
}

// placeholderWordsOf yields the words of a text: runs of letters, digits, and the other characters
// of ids and names.
func placeholderWordsOf(text string) func(yield func(string) bool) {
	return strings.FieldsFuncSeq(text, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
			r == '_' || r == '-' || r == '\'' ||
			r > 0x7F && r != '—' && r != '–' && r != '…')
	})
}

// wordKind is the role of a word in a placeholder.
type wordKind uint8

const (
	wordOther wordKind = iota // any other word
	wordTool                  // names a tool or its execution
	wordEnd                   // states that it did not finish
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
