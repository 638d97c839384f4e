module github.com/go-preflight/preflight/adapter/goopenai

go 1.24

require (
	github.com/go-preflight/preflight v0.0.0
	github.com/sashabaranov/go-openai v1.43.0
)

// Until the first release of preflight is tagged, this module builds against the checkout that it stands in. A replace counts
// only in the main module: whoever requires this module gets the version of preflight that is named above.
replace github.com/go-preflight/preflight => ../..
