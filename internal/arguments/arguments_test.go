package arguments

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestObject(t *testing.T) {
	twice := strconv.Quote(strconv.Quote(`{"a":1}`))
	for _, c := range []struct{ reason, in, want string }{
		{"an object stays, byte for byte", `{ "a": 1.0 }`, `{ "a": 1.0 }`},
		{"of two of one name the last stays", `{"a":1, "b":[{"c":1,"\u0063":2}],"a":3}`,
			`{"b":[{"\u0063":2}],"a":3}`},
		{"in an encoded object", `"{\"a\":1,\"a\":2}"`, `{"a":2}`},
		{"in what is kept", ` [{"a":1,"a":2}]`, `{"_raw":[{"a":2}]}`},
		{"nothing is no arguments", "", "{}"},
		{"white space is no arguments", " \n", "{}"},
		{"null is no arguments", "null", "{}"},
		{"an empty string is no arguments", `""`, "{}"},
		{"an encoded object is decoded", `"{\"a\":1}"`, `{"a":1}`},
		{"one encoded twice too", twice, `{"a":1}`},
		{"not one encoded four times", strconv.Quote(strconv.Quote(twice)),
			`{"_raw":` + strconv.Quote(strconv.Quote(`{"a":1}`)) + `}`},
		{"an empty list is PHP's empty object", ` [ ] `, `{}`},
		{"a list is kept", `[1]`, `{"_raw":[1]}`},
		{"a number is kept as it is spelled", "1.0", `{"_raw":1.0}`},
		{"a cut-off object is kept as text", `{"a":`, `{"_raw":"{\"a\":"}`},
		{"an encoded text is kept", `"ls -l"`, `{"_raw":"ls -l"}`},
		{"text becomes valid Unicode", "a\x00b\xff", "{\"_raw\":\"ab\ufffd\"}"},
	} {
		out := Object([]byte(c.in))
		require.Equal(t, c.want, string(out), c.reason)
		require.True(t, IsObject(out), c.reason)
		require.Equal(t, c.want, string(Object(out)), "again: %s", c.reason)
	}
}
