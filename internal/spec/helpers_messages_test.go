package spec

import (
	"encoding/json"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/msgtest"
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
