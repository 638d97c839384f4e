module github.com/go-preflight/preflight/adapter/openai

// What openai-go asks for.
go 1.26.0

require (
	github.com/go-preflight/preflight v0.0.0
	github.com/openai/openai-go/v3 v3.95.0
)

require (
	github.com/coder/websocket v1.8.15 // indirect
	github.com/tidwall/gjson v1.20.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
)

// For development: a replace directive counts only in the main module, so users of this module get
// the version of preflight that is required above.
replace github.com/go-preflight/preflight => ../..
