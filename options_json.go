package preflight

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// This file is the JSON form of the policies: plain data, for configuration files and for other
// machines.

// MarshalJSON writes the policies that are data. Options that hold functions have no JSON form: the
// error names the field.
func (o Options) MarshalJSON() ([]byte, error) {
	v := reflect.ValueOf(o)
	for k := range v.NumField() {
		if field := v.Type().Field(k); field.Tag.Get("json") == "-" && !v.Field(k).IsZero() {
			return nil, fmt.Errorf("preflight: Options.%s holds functions, which have no JSON form",
				field.Name)
		}
	}
	type plain Options // without this method
	return json.Marshal(plain(o))
}

// UnmarshalJSON reads policies. Members and values that are not known are errors, because a policy
// that is silently ignored is a wrong one. The defaults may be written out: "remove", "merge",
// "continue".
func (o *Options) UnmarshalJSON(data []byte) error {
	if o == nil {
		return fmt.Errorf("preflight: Options cannot be read into nil")
	}
	type plain Options
	read := plain(*o)
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		return err
	}
	for _, err := range []error{
		oneOf("dangling", &read.Dangling, "remove", DanglingAnswer),
		oneOf("orphans", &read.Orphans, "remove", OrphanText),
		oneOf("duplicates", &read.Duplicates, "merge", DuplicateFirst, DuplicateLast),
		oneOf("trailing", &read.Trailing, "continue", TrailingStrip, TrailingKeep),
		oneOf("unit", &read.Unit, "utf16", UnitRunes, UnitBytes),
		notNegative("max_string", read.MaxString),
		notNegative("max_bytes", read.MaxBytes),
		notNegative("older.keep", read.Older.Keep),
	} {
		if err != nil {
			return err
		}
	}
	*o = Options(read)
	return nil
}

// oneOf returns an error when a policy is none of the known ones. The default becomes "".
func oneOf[T ~string](name string, policy *T, standard T, others ...T) error {
	switch {
	case *policy == standard:
		*policy = ""
	case *policy != "" && !slices.Contains(others, *policy):
		return fmt.Errorf("%s is one of %q, not %q", name, append([]T{standard}, others...),
			*policy)
	}
	return nil
}

func notNegative(name string, n int) error {
	if n < 0 {
		return fmt.Errorf("%s is a number from 0, not %d", name, n)
	}
	return nil
}
