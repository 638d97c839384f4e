package clienttest

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// ReportFunc is the function of the caller that adapters tell what they repaired.
type ReportFunc = func(context.Context, []wire.Warning, error)

// FaultyReport tests functions that repair a history and report it, with a report that panics, one
// that ends its goroutine, and a sound one: a panic is a typed error of the call, which quotes
// nothing, an ended goroutine is not held back, and the model is called after a sound report alone.
//
// entries returns the functions by name, each of which sends a history that needs repair, and how
// often the model was called so far. silent are those that have no error to return.
func FaultyReport(
	t *testing.T, entries func(ReportFunc) (map[string]func() error, func() int), silent ...string,
) {
	t.Helper()
	const secret = "alice@example.org"
	for name, fault := range map[string]func(){
		"panic": func() { panic(secret) }, "goexit": runtime.Goexit, "none": func() {},
	} {
		calls, sent := entries(func(context.Context, []wire.Warning, error) { fault() })
		for entry, call := range calls {
			returned, ended := false, make(chan struct{})
			var err error
			go func() {
				defer close(ended)
				err = call()
				returned = true
			}()
			<-ended
			switch {
			case returned == (name == "goexit"):
				t.Errorf("%s, %s: returned: %v", entry, name, returned)
			case name == "none":
				if err != nil {
					t.Errorf("%s: %v", entry, err)
				}
			case sent() > 0:
				t.Errorf("%s, %s: the model was called", entry, name)
			case name == "panic" && !slices.Contains(silent, entry) &&
				(!errors.Is(err, preflight.ErrHook) || strings.Contains(err.Error(), secret)):
				t.Errorf("%s: %v", entry, err)
			}
		}
		if name == "none" && sent() == 0 {
			t.Error("the model was never called")
		}
	}
}
