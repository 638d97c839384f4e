module github.com/go-preflight/preflight/compact

go 1.24

require (
	github.com/go-preflight/preflight v0.0.0
	github.com/google/go-cmp v0.7.0
	github.com/stretchr/testify v1.12.1
	pgregory.net/rapid v1.3.0
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect

// For development: a replace directive counts only in the main module, so users of this module get
// the version of preflight that is required above.
replace github.com/go-preflight/preflight => ..
