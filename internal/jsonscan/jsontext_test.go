//go:build goexperiment.jsonv2

package jsonscan

import (
	"encoding/json/jsontext"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzAgainstJSONText has jsontext, the strict scanner of encoding/json/v2, as a second oracle for
// what is accepted. Until it is in the standard library for good it takes GOEXPERIMENT=jsonv2.
func FuzzAgainstJSONText(f *testing.F) {
	for _, src := range accepted {
		f.Add([]byte(src))
		f.Add([]byte(src[:len(src)-1]))
	}
	f.Add(history(1<<12, "mixed"))
	f.Fuzz(func(t *testing.T, src []byte) {
		_, err := Parse(src)
		var e *SyntaxError
		if errors.As(err, &e) && e.Msg == "nested too deeply" {
			return
		}
		valid := jsontext.Value(src).
			IsValid(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
		require.Equal(t, valid, err == nil, "%q: %v", src, err)
	})
}
