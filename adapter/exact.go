package adapter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file turns JSON into values of types that may not be able to hold all of it, and notices
// when they are not.

// ErrInexact: a type cannot hold a JSON value without losing some of it.
var ErrInexact = errors.New("the type cannot hold all of this JSON")

// Exactly reads raw into a T with encoding/json, and writes it again to check that nothing is lost:
// no unknown member, no digit of a number. A number for a field of type any is a float64, or a
// json.Number where that loses its spelling. The error is that of the decoder, or satisfies
// errors.Is with ErrInexact. It can serve as Format.Unmarshal; from is ignored.
func Exactly[T any](raw []byte, from *T) (T, error) {
	var v T
	err := readExactly(raw, &v)
	return v, err
}

// readExactly is Exactly for what into points to, which is zero.
func readExactly(raw []byte, into any) error {
	err := readOnce(raw, into, false)
	if err != nil {
		reflect.ValueOf(into).Elem().SetZero()
		err = readOnce(raw, into, true)
	}
	return err
}

func readOnce(raw []byte, into any, spelled bool) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if spelled {
		d.UseNumber()
	}
	if err := d.Decode(into); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) { // which quotes a number that is too large
			kind.Value, _, _ = strings.Cut(kind.Value, " ")
		}
		return err
	}
	written, err := json.Marshal(into)
	if err != nil {
		return err
	}
	if !Equal(raw, written) {
		return fmt.Errorf("%w: %s", ErrInexact, reflect.TypeOf(into).Elem())
	}
	return nil
}

// Equal reports whether a and b are the same JSON value: the same members in any order, the same
// elements, the same text however it is escaped, and numbers spelled the same. What is not JSON
// equals nothing. The cost is linear in both.
func Equal(a, b []byte) bool {
	left, err := jsonscan.Parse(a)
	if err != nil {
		return false
	}
	right, err := jsonscan.Parse(b)
	return err == nil && equal(left.Root(), right.Root())
}

func equal(a, b jsonscan.Value) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case jsonscan.Object:
		return equalMembers(a, b)
	case jsonscan.Array:
		x, y := a.First(), b.First()
		for x.Exists() && y.Exists() && equal(x, y) {
			x, y = x.Next(), y.Next()
		}
		return !x.Exists() && !y.Exists()
	case jsonscan.String:
		return a.Str() == b.Str()
	}
	return string(a.Raw()) == string(b.Raw())
}

// equalMembers compares objects, of whose duplicate keys the last one counts.
func equalMembers(a, b jsonscan.Value) bool {
	members := make(map[string]jsonscan.Value, a.Len())
	for m := a.First(); m.Exists(); m = m.Next() {
		members[m.Key().Str()] = m
	}
	seen := make(map[string]jsonscan.Value, len(members))
	for m := b.First(); m.Exists(); m = m.Next() {
		seen[m.Key().Str()] = m
	}
	if len(seen) != len(members) {
		return false
	}
	for key, v := range seen {
		if was, ok := members[key]; !ok || !equal(was, v) {
			return false
		}
	}
	return true
}
