package unionfind_test

import "github.com/go-preflight/preflight/compact/internal/compacttest"

// The names of compacttest, in short.
var (
	say        = compacttest.Say
	message    = compacttest.Message
	chatter    = compacttest.Chatter
	lookups    = compacttest.Lookups
	isBudget   = compacttest.IsBudget
	extractive = compacttest.Extractive
)
