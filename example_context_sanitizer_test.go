package preflight_test

import (
	"context"
	"fmt"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// The pipeline of the ContextSanitizer article, with its fallback.
func ExampleContextSanitizer() {
	pipeline, options := preflight.ContextSanitizer()
	res, err := pipeline.Run(context.Background(),
		[]preflight.Message{
			user("first"),
			user("second"),
			call("c1"),
			user("never mind"),
		}, provider.Portable(), &options)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(res.Messages)
	// Output:
	// user: first | second | never mind
}
