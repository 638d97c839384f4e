package output

import "strings"

// Fenced returns text between two lines of backticks, more of them than the text has in a row: what
// the text says, with whatever line breaks, cannot end the quotation.
func Fenced(text string) string {
	longest, run := 2, 0
	for k := range len(text) {
		if text[k] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	return fence + "\n" + text + "\n" + fence
}
