// Package cachepoint reads and shortens the lifetime of prompt-cache breakpoints:
//
//	{"type": "ephemeral", "ttl": "1h"}                 of Anthropic
//	{"cachePoint": {"type": "default", "ttl": "1h"}}   of Bedrock
//
// A breakpoint without a ttl is short-lived; a ttl that is not known here is neither short nor
// long.
package cachepoint

import (
	"bytes"
	"encoding/json"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// Long reports whether a breakpoint lives an hour.
func Long(marker []byte) bool {
	return hasTTL(marker) && in(marker, func(point jsonscan.Value) bool {
		return point.Get("ttl").StrIs("1h")
	})
}

// Short reports whether a breakpoint has the short lifetime, which is the default.
func Short(marker []byte) bool {
	return !hasTTL(marker) || in(marker, func(point jsonscan.Value) bool {
		ttl := point.Get("ttl")
		return !ttl.Exists() || ttl.Kind() == jsonscan.Null || ttl.StrIs("5m")
	})
}

// Shorten returns a breakpoint without its ttl, with whatever else it has; marker is not changed.
func Shorten(marker json.RawMessage) json.RawMessage {
	var short json.RawMessage
	in(marker, func(point jsonscan.Value) bool {
		object := jsonscan.EditObject(point)
		object.DeleteMember("ttl")
		start, end := point.Start(), point.End()
		short = append(short, marker[:start]...)
		short = append(short, object.Bytes()...)
		short = append(short, marker[end:]...)
		return true
	})
	return short
}

// hasTTL reports whether a breakpoint may have a ttl. Most have none, and are not parsed.
func hasTTL(marker []byte) bool { return bytes.Contains(marker, []byte("ttl")) }

// in calls f with the object that has the ttl, and returns false if marker is no JSON.
func in(marker []byte, f func(point jsonscan.Value) bool) bool {
	doc := jsonscan.Borrow()
	defer jsonscan.Return(doc)
	if doc.Parse(marker) != nil {
		return false
	}
	point := doc.Root()
	if inner := point.Get("cachePoint"); inner.Exists() {
		point = inner
	}
	return f(point)
}
