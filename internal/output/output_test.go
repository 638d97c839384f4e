package output

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEmptied(t *testing.T) {
	for text, want := range map[string]bool{
		` [{"encrypted_content":""}]`:                            true,
		`[{"encrypted_content":"x"},{"encrypted_content":""}]`:   true,
		`[{"type":"web_search_result"}]`:                         true,
		`[{"type":"web_search_result","encrypted_content":1}]`:   true,
		`[{"type":"web_search_result","encrypted_content":"x"}]`: false,
		`[{"title":"t"}]`:          false,
		`[]`:                       false,
		`{"encrypted_content":""}`: false,
		`[{"encrypted_content":""`: false,
		``:                         false,
	} {
		require.Equal(t, want, Emptied([]byte(text)), text)
	}
}

func TestIsServed(t *testing.T) {
	for text, want := range map[string]bool{
		`[{"type":"web_search_result","url":"u"}]`:                  true,
		` {"type":"web_search_tool_result_error","error_code":"x"}`: true,
		`{"stdout":"1","encrypted_stdout":"eA=="}`:                  false,
		`{"type":"encrypted_web_search_result","stdout":"1"}`:       true,
		`[{"type":"web_search_result"},{"type":"text","text":"x"}]`: false,
		`[{"type":"web_fetch_result"}]`:                             false,
		`{"type":"web_search"}`:                                     false,
		`{"stdout":"1","encrypted_stdout":""}`:                      false,
		`{"stdout":"1"}`:                                            false,
		`[]`:                                                        false,
		`[{"type":"web_search_result"}`:                             false,
		`"web_search_result"`:                                       false,
		``:                                                          false,
	} {
		require.Equal(t, want, IsServed([]byte(text), "web_search"), text)
	}
	require.False(t, IsServed([]byte(`[{"type":"_x"}]`), ""))
}

func TestReadable(t *testing.T) {
	for text, want := range map[string]string{
		`[{"title":"T","url":"u"},{"title":"alone"},{"url":"v"},{}]`: "\nT (u)\nalone\nv",
		`[{"text":"no source"}]`:                                     "\nno source",
		`{"a":"x","b":{"c":["y"," ",1]},"type":"t","id":"i","page_id":"p","encrypted_content":"e"}`: "" +
			"\nx\ny",
		`"alone"`: "\nalone",
	} {
		got, ok := Readable([]byte(text))
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
	}
	_, ok := Readable([]byte(`{`))
	require.False(t, ok)
	require.Empty(t, Sources([]byte(`{`)))
	require.Equal(t, "\nT (u)", Sources([]byte(`[{"title":"T","url":"u"}]`)))
}
