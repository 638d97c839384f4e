// Package rules holds a request for each rule that breaks it, for tests and for preflight probe.
// See README.md.
package rules

import _ "embed"

// Failing is failing.json.
//
//go:embed failing.json
var Failing []byte
