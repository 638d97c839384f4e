package gateway

import (
	"errors"
	"fmt"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCauseOf(t *testing.T) {
	lookup := &net.DNSError{Err: "no such host", Name: "api.example"}
	name, text := causeOf(fmt.Errorf("dial: %w", &net.OpError{Op: "dial", Err: lookup}))
	require.Equal(t, "dns", name)
	require.NotContains(t, text, "api.example")
	name, text = causeOf(errors.New("something new"))
	require.Equal(t, "unreachable", name)
	require.NotEmpty(t, text)
}
