package command

import (
	"bytes"
	"encoding/json"
	"strings"
)

// notJSONStarts are the first bytes of what is often taken for a body.
var notJSONStarts = []struct{ start, hint string }{
	{"\xef\xbb\xbf", "this begins with a byte order mark: save it as UTF-8 without one"},
	{"\xff\xfe", "this is UTF-16: save it as UTF-8"},
	{"\xfe\xff", "this is UTF-16: save it as UTF-8"},
	{"{\x00", "this is UTF-16: save it as UTF-8"},
	{"[\x00", "this is UTF-16: save it as UTF-8"},
	{"\x00{", "this is UTF-16: save it as UTF-8"},
	{"\x00[", "this is UTF-16: save it as UTF-8"},
	{"\x1f\x8b", "this is compressed by gzip: unpack it with gunzip"},
	{"\x28\xb5\x2f\xfd", "this is compressed by zstd: unpack it with unzstd"},
	{"PK\x03\x04", "this is a zip archive: unpack it with unzip"},
}

// notJSON says what data is that is not JSON, "" if that is not known.
func notJSON(data []byte) string {
	if len(bytes.TrimSpace(data)) == 0 {
		return "the input is empty"
	}
	for _, known := range notJSONStarts {
		if strings.HasPrefix(string(data[:min(len(data), 4)]), known.start) {
			return known.hint
		}
	}
	in := json.NewDecoder(bytes.NewReader(data))
	for range 2 {
		var document json.RawMessage
		if in.Decode(&document) != nil || document[0] != '{' && document[0] != '[' {
			return ""
		}
	}
	return "these are several documents: --jsonl of fix and check takes one on each line"
}
