package openairesponses

import (
	"regexp"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
)

// What the names of models tell.

// only is a check of what OpenAI's own service was seen to refuse. Other
// hosts that speak the format serve other models, and take it: ids of every
// form, reasoning in plain words, members that only answers have.
func only(check func(r *fake.Request, found fake.Found)) func(r *fake.Request, found fake.Found) {
	return func(r *fake.Request, found fake.Found) {
		if opened(r).own {
			check(r, found)
		}
	}
}

// own is how the names of OpenAI's models begin, the open ones aside,
// which others serve. A name with a slash is a gateway's.
var own = regexp.MustCompile(`^(gpt-[^o]|chatgpt-|codex-|computer-use-|ft:|o[134])[^/]*$`)

func ownModel(model string) bool {
	return model == "" || own.MatchString(strings.ToLower(model))
}
