module github.com/go-preflight/preflight/adapter/anyllm

go 1.25

require (
	github.com/go-preflight/preflight v0.0.0
	github.com/mozilla-ai/any-llm-go v0.8.0
)

require (
	github.com/anthropics/anthropic-sdk-go v1.21.0 // indirect
	github.com/openai/openai-go v1.12.0 // indirect
	github.com/tidwall/gjson v1.18.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
)

// For development: a replace directive counts only in the main module, so users of this module get
// the version of preflight that is required above.
replace github.com/go-preflight/preflight => ../..
