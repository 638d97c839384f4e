module github.com/go-preflight/preflight/examples/longsession

go 1.24

require (
	github.com/go-preflight/preflight v0.0.0
	github.com/go-preflight/preflight/compact v0.0.0
	github.com/stretchr/testify v1.12.1
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect

// The example is built against the checkout that it is in.
replace (
	github.com/go-preflight/preflight => ../..
	github.com/go-preflight/preflight/compact => ../../compact
)
