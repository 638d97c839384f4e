package stored_test

import (
	"context"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/stored"
)

// This file gives the helpers of the tests short names.

var (
	sysMsg      = msgtest.System
	userMsg     = msgtest.User
	botMsg      = msgtest.Assistant
	toolMsg     = msgtest.Tool
	decoded     = msgtest.Decoded
	says        = msgtest.Says
	thinks      = msgtest.Thinks
	calls       = msgtest.Calls
	callsWith   = msgtest.CallsWith
	waits       = msgtest.Waits
	answers     = msgtest.Answers
	searches    = msgtest.Searches
	finds       = msgtest.Finds
	image       = msgtest.Image
	lines       = msgtest.Lines
	dump        = msgtest.Dump
	list        = msgtest.List
	wholly      = msgtest.Summaries
	sameArray   = msgtest.SameArray
	messageHook = msgtest.MessageHook
	history     = msgtest.History
	runSystem   = msgtest.Run
	texts       = msgtest.Texts
	grown       = msgtest.Grown
	quotedRun   = msgtest.QuotedRun
	storedBytes = msgtest.StoredBytes
	get         = msgtest.Get
)

func user(text string) preflight.Message { return userMsg(says(text)) }

func call(id string) preflight.Message { return botMsg(calls(id)) }

func result(id, text string) preflight.Message { return userMsg(answers(id, text)) }

// persisting is Persist with these options.
func persisting(options stored.Options) msgtest.Step {
	return func(h []preflight.Message) (preflight.Result, error) {
		return stored.Persist(context.Background(), h, options)
	}
}

// interrupting is RepairInterrupted with these options.
func interrupting(options *preflight.Options) msgtest.Step {
	return func(h []preflight.Message) (preflight.Result, error) {
		return stored.RepairInterrupted(context.Background(), h, options)
	}
}
