package command

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDatabases: the command knows the clients that keep their sessions in databases.
func TestDatabases(t *testing.T) {
	var out bytes.Buffer
	require.Zero(t, Run([]string{"repair", "-h"}, strings.NewReader(""), &out, &out))
	for _, client := range []string{"Crush", "Kilo", "opencode"} {
		require.Contains(t, out.String(), client)
	}
}
