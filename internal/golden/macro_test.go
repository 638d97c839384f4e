package golden_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/golden"
)

func TestMacrosStandForLongValues(t *testing.T) {
	numbers := make([]string, 100)
	for k := range numbers {
		numbers[k] = strings.Repeat("1", 0) + string(rune('0'+k/10)) + string(rune('0'+k%10))
		if k < 10 {
			numbers[k] = numbers[k][1:]
		}
	}
	array := "[" + strings.Join(numbers, ",") + "]"
	object := `{"k` + strings.Join(numbers, `":0,"k`) + `":0}`
	long := strings.Repeat("x", 500)
	for short, full := range map[string]string{
		`{"$repeat": ["x", 500]}`:                                 `"` + long + `"`,
		`["a", {"$concat": ["é", {"$repeat": ["x", 500]}, "b"]}]`: `["a", "é` + long + `b"]`,
		`{"$int_array": 100}`:                                     array,
		`{"a": {"$int_object": ["k", 100]}}`:                      `{"a": ` + object + `}`,
		`{"a": [1, "short"]}`:                                     `{"a": [1, "short"]}`,
	} {
		got, err := golden.Expand([]byte(short))
		require.NoError(t, err)
		require.Equal(t, full, string(got))
		got, err = golden.Shrink([]byte(full))
		require.NoError(t, err)
		require.Equal(t, short, string(got))
	}
}
