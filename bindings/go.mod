module github.com/go-preflight/preflight/bindings

go 1.24

require github.com/go-preflight/preflight v0.0.0

// For development: a replace directive counts only in the main module, so users of this module get
// the version of preflight that is required above.
replace github.com/go-preflight/preflight => ..
