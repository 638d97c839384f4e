// Package spec holds the tests of package preflight that use its public API alone.
package spec
