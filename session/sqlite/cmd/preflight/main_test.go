package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/command"
)

// The command knows the clients that keep databases.
func TestClients(t *testing.T) {
	var out, err bytes.Buffer
	require.Zero(t, command.Run([]string{"repair", "-h"}, strings.NewReader(""), &out, &err))
	require.Contains(t, out.String()+err.String(), "Crush, opencode")
}
