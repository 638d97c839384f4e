module github.com/go-preflight/preflight/adapter/langchaingo

go 1.24.4

require (
	github.com/go-preflight/preflight v0.0.0
	github.com/tmc/langchaingo v0.1.14
)

require (
	github.com/dlclark/regexp2 v1.10.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/pkoukk/tiktoken-go v0.1.6 // indirect
)

// Until the first release of preflight is tagged, this module builds against the checkout that it stands in. A replace counts
// only in the main module: whoever requires this module gets the version of preflight that is named above.
replace github.com/go-preflight/preflight => ../..
