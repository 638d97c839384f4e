package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestChangelog(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "CHANGELOG.md")
	text := "# Changelog\n\n## [0.1.0] - unreleased\n\n- All of it.\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))

	_, err := readChangelog(root, "v0.2.0")
	require.ErrorContains(t, err, "no section for v0.2.0")

	c, err := readChangelog(root, "v0.1.0")
	require.NoError(t, err)
	require.NoError(t, c.write(time.Date(2027, 3, 4, 5, 6, 7, 0, time.UTC)))
	written, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "# Changelog\n\n## [0.1.0] - 2027-03-04\n\n- All of it.\n", string(written))

	_, err = readChangelog(root, "v0.1.0")
	require.ErrorContains(t, err, "released on 2027-03-04")
}
