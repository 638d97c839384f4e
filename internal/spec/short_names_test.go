package spec

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/provider"
)

// This file gives the helpers of all tests short names.

type (
	// messages is the type that fixers and hooks take and return.
	messages = []preflight.Message
	// step is one of the library's entry points, bound to its options.
	step = msgtest.Step
)

var (
	sysMsg      = msgtest.System
	userMsg     = msgtest.User
	botMsg      = msgtest.Assistant
	toolMsg     = msgtest.Tool
	decoded     = msgtest.Decoded
	says        = msgtest.Says
	thinks      = msgtest.Thinks
	redacted    = msgtest.Redacted
	calls       = msgtest.Calls
	callsWith   = msgtest.CallsWith
	waits       = msgtest.Waits
	answers     = msgtest.Answers
	fails       = msgtest.Fails
	searches    = msgtest.Searches
	finds       = msgtest.Finds
	image       = msgtest.Image
	hourly      = msgtest.Hourly
	cached      = msgtest.Cached
	counted     = msgtest.Counted
	lines       = msgtest.Lines
	dump        = msgtest.Dump
	list        = msgtest.List
	describe    = msgtest.Describe
	wholly      = msgtest.Summaries
	sameArray   = msgtest.SameArray
	messageHook = msgtest.MessageHook
	history     = msgtest.History
	runSystem   = msgtest.Run
	texts       = msgtest.Texts
	grown       = msgtest.Grown
)

// cacheOf is the cache breakpoint of a part, nil for none.
func cacheOf(p preflight.Part) json.RawMessage {
	if c := preflight.CarriedBy(p); c != nil {
		return c.Cache
	}
	return nil
}

// countWarnings returns the number of warnings with a code.
func countWarnings(warnings []preflight.Warning, code codes.Code) int {
	n := 0
	for _, w := range warnings {
		if w.Code == code {
			n++
		}
	}
	return n
}

// isValid reports whether a history holds something, nothing is
// wrong with it, and Sanitize returns it unchanged.
func isValid(h []preflight.Message, p *preflight.Profile, o *preflight.Options) bool {
	if len(h) == 0 || len(preflight.Check(h, p, o)) > 0 {
		return false
	}
	res, err := preflight.Sanitize(context.Background(), h, p, o)
	return err == nil && !res.Changed
}

func warned(codes ...codes.Code) []codes.Code { return codes }

// hash8 is the eight characters that tell a rewritten name from others of one spelling.
func hash8(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}

// thinkingMode returns options for a request in a thinking mode.
func thinkingMode(mode provider.Thinking) preflight.Options {
	return preflight.Options{Request: preflight.Request{Thinking: mode}}
}
