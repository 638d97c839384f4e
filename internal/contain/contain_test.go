package contain_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/contain"
)

// TestPanic: a panic is an error that names the function, and does not quote the value.
func TestPanic(t *testing.T) {
	call := func(f func()) (err error) {
		defer contain.Panic("Options.F", &err)
		f()
		return errors.New("the function's own")
	}
	require.EqualError(t, call(func() {}), "the function's own")

	err := call(func() { panic("a secret") })
	require.ErrorIs(t, err, preflight.ErrHook)
	require.ErrorContains(t, err, "Options.F")
	require.ErrorContains(t, err, "of type string")
	require.NotContains(t, err.Error(), "secret")
}
