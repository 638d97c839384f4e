package spec

import (
	"context"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

// This file makes profiles of which any field holds anything: a caller may copy a profile, and
// change it as he likes.

// TestAnyProfile: whatever a profile holds, the result passes Check, or there is a typed error and
// the input.
func TestAnyProfile(t *testing.T) { rapid.Check(t, anyProfile) }

func FuzzAnyProfile(f *testing.F) { f.Fuzz(rapid.MakeFuzz(anyProfile)) }

func anyProfile(t *rapid.T) {
	profile := *rapid.SampledFrom(provider.All()).Draw(t, "profile")
	in := histgen.Any(&profile, nil).Draw(t, "history")
	scramble(t, reflect.ValueOf(&profile).Elem())
	options := drawOptions(t)
	preflight.Pairs(in, &profile)
	profile.RepairToolName("a b.c\xff")
	res, err := preflight.Sanitize(context.Background(), in, &profile, options)
	requireTyped(t, in, res, err)
	if found := preflight.Check(res.Messages, &profile, options); err == nil && len(found) > 0 {
		t.Fatalf("%v\n%s\n%s", found, dump(in), dump(res.Messages))
	}
}

// scramble sets about half of the fields in v to anything.
func scramble(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() && rapid.Bool().Draw(t, "field") {
				scramble(t, v.Field(i))
			}
		}
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "flag"))
	case reflect.Int:
		v.SetInt(int64(rapid.SampledFrom([]int{
			0, 1, -1, 2, 7, math.MaxInt, math.MinInt,
		}).Draw(t, "number")))
	case reflect.String:
		v.SetString(rapid.SampledFrom([]string{
			"", "\xff", "\x00", "a-z", "z-a", "A-Za-z0-9_-", "user", "assistant", "tool", "_",
		}).Draw(t, "text"))
	case reflect.Slice:
		n := rapid.IntRange(0, 3).Draw(t, "length")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			scramble(t, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range rapid.IntRange(0, 3).Draw(t, "size") {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			scramble(t, key)
			scramble(t, value)
			v.SetMapIndex(key, value)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		scramble(t, v.Elem())
	default:
		t.Fatalf("a field of kind %s", v.Kind())
	}
}
