// Package channels reads text with the channel tags of gpt-oss, as a server writes it that does not
// parse them: "<|channel|>analysis<|message|>…<|end|>…<|channel|>final<|message|>…".
package channels

import "strings"

const (
	channelTag = "<|channel|>"
	messageTag = "<|message|>"
	startTag   = "<|start|>"
	analysis   = "analysis"
)

// ends are the tags that end a message. A message also ends where the next one begins.
var ends = []string{"<|end|>", "<|return|>", "<|call|>"}

// Piece is the content of one message in a text.
type Piece struct {
	Text     string
	Analysis bool // it is in the channel for analysis, which is reasoning
}

// In reports whether a text has the tags that begin a message in a channel.
func In(s string) bool {
	_, after, found := strings.Cut(s, channelTag)
	return found && strings.Contains(after, messageTag)
}

// Split returns the messages in a text, and the text outside of messages, in order, without tags
// and surrounding white space. Empty pieces are left out. The cost is linear in the text.
func Split(s string) []Piece {
	var pieces []Piece
	add := func(text string, isAnalysis bool) {
		if text = strings.TrimSpace(text); text != "" {
			pieces = append(pieces, Piece{text, isAnalysis})
		}
	}
	for {
		before, after, found := strings.Cut(s, channelTag)
		header, body, complete := strings.Cut(after, messageTag)
		if !found || !complete {
			add(s, false)
			return pieces
		}
		add(withoutStart(before), false)
		body, s = cutMessage(body)
		name, _, _ := strings.Cut(strings.TrimSpace(header), " ")
		add(body, name == analysis)
	}
}

// cutMessage cuts a text after its first message, and drops the tag that ends it.
func cutMessage(s string) (message, after string) {
	for from := 0; ; from += len("<|") {
		i := strings.Index(s[from:], "<|")
		if i < 0 {
			return s, ""
		}
		from += i
		for _, tag := range ends {
			if after, found := strings.CutPrefix(s[from:], tag); found {
				return s[:from], after
			}
		}
		if strings.HasPrefix(s[from:], startTag) || strings.HasPrefix(s[from:], channelTag) {
			return s[:from], s[from:]
		}
	}
}

// withoutStart removes the tag and the role that begin a message before its channel.
func withoutStart(s string) string {
	before, role, found := strings.Cut(s, startTag)
	if found && !strings.ContainsAny(strings.TrimSpace(role), " \n") {
		return before
	}
	return s
}
