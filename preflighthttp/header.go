package preflighthttp

import (
	"net/http"
	"strings"
)

// This file reads and sets headers whatever the case of their names. net/http sends names as they
// are in the map, and what is not canonical there (written to the map directly, or taken over from
// HTTP/2, which has lower case alone) is not found by the methods of http.Header.

// values returns the values of a header; name is canonical.
func values(h http.Header, name string) []string {
	all := h.Values(name)
	for key, more := range h {
		if len(key) == len(name) && key != name && strings.EqualFold(key, name) {
			all = append(all[:len(all):len(all)], more...)
		}
	}
	return all
}

// value returns the first value of a header, "" for none; name is canonical.
func value(h http.Header, name string) string {
	if all := values(h, name); len(all) > 0 {
		return all[0]
	}
	return ""
}

// set makes value the one value of a header; name is canonical.
func set(h http.Header, name, value string) {
	remove(h, name)
	h.Set(name, value)
}

// remove removes a header.
func remove(h http.Header, name string) {
	for key := range h {
		if strings.EqualFold(key, name) {
			delete(h, key)
		}
	}
}
