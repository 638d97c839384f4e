module github.com/go-preflight/preflight/session/sqlite

go 1.24

require (
	github.com/go-preflight/preflight v0.0.0
	github.com/stretchr/testify v1.12.1
	modernc.org/sqlite v1.38.2
)

require (
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/ncruces/go-strftime v0.1.9 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/exp v0.0.0-20250620022241-b7579e27df2b // indirect
	golang.org/x/sys v0.34.0 // indirect
	modernc.org/libc v1.66.3 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.11.0 // indirect
)

// Until the first release of preflight is tagged, this module builds against the checkout that it
// is in. A replace counts only in the module that is built, so those who import it have to add one
// of their own; see the README.
replace github.com/go-preflight/preflight => ../..
