// Package lazy lets package wire hand a history to package preflight before all of its texts are
// read: most histories are valid, and of a long text the checks need the end alone.
package lazy

import "context"

// Context is the context of a history whose long texts are shortened to their ends. The checks
// accept it as it is; Texts.Load must be called before anything else reads the texts.
type Context struct {
	context.Context
	Texts Texts
}

// Texts are the texts of a history.
type Texts interface {
	// Load reads the texts in full, once: later calls do nothing.
	Load()
}

// Load reads the texts of ctx's history in full, and reports whether there are any to read.
func Load(ctx context.Context) bool {
	c, ok := ctx.(*Context)
	if ok {
		c.Texts.Load()
	}
	return ok
}
