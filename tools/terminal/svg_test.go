package main

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSVG(t *testing.T) {
	picture := svg("a\tb\n\x1b[31m<&>\x1b[0m\n" + strings.Repeat("x", columns+1) + "é\n")
	require.Contains(t, picture, ">a       b</text>")
	require.Contains(t, picture, `<tspan fill="#ff7b72">&lt;&amp;&gt;</tspan>`)
	require.Contains(t, picture, ">"+strings.Repeat("x", columns)+"</text>")
	require.Contains(t, picture, ">xé</text>")
	wrapped := svg(strings.Repeat("x", columns-4) + " two words\n")
	require.Contains(t, wrapped, ">"+strings.Repeat("x", columns-4)+" two</text>")
	require.Contains(t, wrapped, "> words</text>") // the space did not fit
	decoder := xml.NewDecoder(strings.NewReader(picture))
	for {
		_, err := decoder.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err, "the picture is not well-formed")
	}
}

func TestRun(t *testing.T) {
	printed, err := run(t.TempDir(), "test -t 1 && echo terminal; exit 1")
	require.NoError(t, err)
	require.Equal(t, "terminal\n", printed)
	_, err = run(t.TempDir(), "no-such-command")
	require.Error(t, err)
}
