package adapter

import (
	"encoding/json"
	"reflect"
	"strings"
)

// This file writes repaired members of a request into the struct that the SDK sends.

// setMembers sets the fields of params, which is a struct with json tags, to members as
// Request.Members has them: a nil member sets its field to zero. It returns the members that have
// no field, or whose field cannot hold them exactly; those are for the SDK's way of sending raw
// JSON, if it has one. What the old fields point to is left alone.
func setMembers[P any](
	params *P,
	members map[string]json.RawMessage,
) (rest map[string]json.RawMessage) {
	fields := fieldsByKey(reflect.ValueOf(params).Elem())
	for key, raw := range members {
		field, ok := fields[key]
		if ok {
			ok = setField(field, raw)
		}
		if !ok {
			if rest == nil {
				rest = make(map[string]json.RawMessage)
			}
			rest[key] = raw
		}
	}
	return rest
}

// fieldsByKey returns the settable fields of a struct by their JSON key; nil when v is no struct.
func fieldsByKey(v reflect.Value) map[string]reflect.Value {
	if v.Kind() != reflect.Struct {
		return nil
	}
	fields := make(map[string]reflect.Value, v.NumField())
	for i := range v.NumField() {
		key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if key != "" && key != "-" && v.Field(i).CanSet() {
			fields[key] = v.Field(i)
		}
	}
	return fields
}

// setField sets field to what raw says, if it can hold that exactly.
func setField(field reflect.Value, raw json.RawMessage) bool {
	if raw == nil {
		field.SetZero()
		return true
	}
	fresh := reflect.New(field.Type())
	if readExactly(raw, fresh.Interface()) != nil {
		return false
	}
	field.Set(fresh.Elem())
	return true
}
