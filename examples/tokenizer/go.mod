module github.com/go-preflight/preflight/examples/tokenizer

go 1.24

require (
	github.com/go-preflight/preflight v0.0.0
	github.com/go-preflight/preflight/compact v0.0.0
	github.com/tiktoken-go/tokenizer v0.7.0
)

require github.com/dlclark/regexp2 v1.11.5 // indirect

replace (
	github.com/go-preflight/preflight => ../..
	github.com/go-preflight/preflight/compact => ../../compact
)
