module github.com/go-preflight/preflight/tools

go 1.24.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/stretchr/testify v1.12.1
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect

require (
	github.com/creack/pty v1.1.24
	github.com/go-preflight/preflight v0.0.0
	golang.org/x/mod v0.31.0
)

// The tools are run from this repository, on the library as it is here.
replace github.com/go-preflight/preflight => ../
