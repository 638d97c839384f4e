package session

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestForget: while a request is checked, nothing that was read of the lines is held, and it is
// read again as it was.
func TestForget(t *testing.T) {
	files, err := filepath.Glob("testdata/sessions/*.jsonl")
	require.NoError(t, err)
	require.Len(t, files, len(clients))
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		c, err := detect(data)
		require.NoError(t, err)
		l := c.parse(data)
		before := c.asked(l).request(c.opens)
		for _, line := range l.lines {
			require.True(t, line.object, file)
			require.Nil(t, line.doc, file)
		}
		require.Equal(t, string(before), string(c.asked(l).request(c.opens)), file)
	}
}
