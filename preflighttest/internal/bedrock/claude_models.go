package bedrock

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// What the ids of Claude's models tell, as Bedrock spells them:
// "us.anthropic.claude-opus-4-6-v1", "anthropic.claude-3-5-sonnet-20240620-v1:0".

// claude is a model of Claude's.
type claude struct {
	family  string // empty for a name that is not known
	version int    // 406 for 4.6
}

var claudeFamilies = strings.Fields("opus sonnet haiku fable mythos")

func claudeOf(id string) claude {
	_, name, _ := strings.Cut(id, "claude-")
	words := strings.FieldsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if len(words) > 0 && slices.Contains(strings.Fields("instant v1 v2 1 2"), words[0]) {
		return claude{"instant", 200}
	}
	var c claude
	numbers := 0
	for _, word := range words {
		n, err := strconv.Atoi(word)
		switch {
		case c.family == "" && slices.Contains(claudeFamilies, word):
			c.family = word
		case err == nil && len(word) <= 2 && numbers == 0: // longer ones are dates
			numbers, c.version = 1, 100*n
		case err == nil && len(word) <= 2 && numbers == 1:
			numbers, c.version = 2, c.version+n
		}
		if c.family != "" && numbers == 2 || err != nil && c.family != word {
			break
		}
	}
	if c.family == "" || numbers == 0 {
		return claude{}
	}
	return c
}

// prefills reports whether a turn of the model's may come last: up to 4.5.
func (c claude) prefills() bool { return c.family != "" && c.version < 406 }

// binds reports whether thinking is bound to what came before it: from 5.1 of
// Fable and Mythos and 5.5 of the others, and for models that are not known.
func (c claude) binds() bool {
	first := 505
	if c.family == "fable" || c.family == "mythos" {
		first = 501
	}
	return c.family == "" || c.version >= first
}

// unasked returns the thinking mode of a request that says nothing about it. It is
// adaptive from 5 on, and taken to be in a model that is not known.
func (c claude) unasked() string {
	if c.family == "" || c.family == "mythos" || c.version >= 500 {
		return "adaptive"
	}
	return "disabled"
}
