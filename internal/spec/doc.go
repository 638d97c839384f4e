// Package spec holds the tests of package preflight that use its public API alone: nearly all.
// README.md says which file has the tests of what.
package spec
