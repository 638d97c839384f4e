package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCount(t *testing.T) {
	got, err := count([]byte("package p\n\nfunc f(n int) {\n\tfor range n {\n\t}\n}\n"))
	require.NoError(t, err)
	require.Equal(t, "package p; import steps__ \"github.com/go-preflight/preflight/internal/work\"\n\n"+
		"func f(n int) { steps__.Done();\n\tfor range n { steps__.Done();\n\t}\n}\n", string(got))

	got, err = count([]byte("package p\n\nconst c = 1\n"))
	require.NoError(t, err)
	require.Nil(t, got, "nothing to count")

	_, err = count([]byte("package"))
	require.Error(t, err)
}
