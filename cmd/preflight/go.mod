module github.com/go-preflight/preflight/cmd/preflight

go 1.24.4

require (
	github.com/go-preflight/preflight v0.0.0
	github.com/go-preflight/preflight/compact v0.0.0
	github.com/go-preflight/preflight/session v0.0.0
	github.com/google/go-cmp v0.7.0
	github.com/klauspost/compress v1.18.0
	github.com/nikolalohinski/gonja/v2 v2.9.1
	github.com/stretchr/testify v1.12.1
	go.yaml.in/yaml/v3 v3.0.5
)

require (
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/json-iterator/go v1.1.12 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/modern-go/concurrent v0.0.0-20180306012644-bacd9c7ef1dd // indirect
	github.com/modern-go/reflect2 v1.0.2 // indirect
	github.com/ncruces/go-strftime v0.1.9 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	github.com/sirupsen/logrus v1.9.3 // indirect
	golang.org/x/exp v0.0.0-20250620022241-b7579e27df2b // indirect
	golang.org/x/sys v0.34.0 // indirect
	golang.org/x/text v0.23.0 // indirect
	modernc.org/libc v1.66.3 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.11.0 // indirect
	modernc.org/sqlite v1.38.2 // indirect
)

// For development: a release requires the versions that it publishes and replaces nothing, so that
// go install takes it.
replace (
	github.com/go-preflight/preflight => ../..
	github.com/go-preflight/preflight/compact => ../../compact
	github.com/go-preflight/preflight/session => ../../session
)
