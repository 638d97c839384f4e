// Package headers reads and sets headers whatever the case of their names. net/http sends names as
// they are in the map, and what is not canonical there (written to the map directly, or taken over
// from HTTP/2, which has lower case alone) is not found by the methods of http.Header.
package headers

import (
	"net/http"
	"slices"
	"strings"
)

// Beta is the header in which Anthropic's clients ask for beta features, separated by commas.
const Beta = "Anthropic-Beta"

// Values returns the values of a header; name is canonical.
func Values(h http.Header, name string) []string {
	all := h.Values(name)
	for key, more := range h {
		if len(key) == len(name) && key != name && strings.EqualFold(key, name) {
			all = append(all[:len(all):len(all)], more...)
		}
	}
	return all
}

// Value returns the first value of a header, "" for none; name is canonical.
func Value(h http.Header, name string) string {
	if all := Values(h, name); len(all) > 0 {
		return all[0]
	}
	return ""
}

// Set makes value the one value of a header; name is canonical.
func Set(h http.Header, name, value string) {
	Remove(h, name)
	h.Set(name, value)
}

// Remove removes a header.
func Remove(h http.Header, name string) {
	for key := range h {
		if strings.EqualFold(key, name) {
			delete(h, key)
		}
	}
}

// secretNames are parts of the names of headers and of parameters of the query that say who asks,
// in lower case. Those of unsteady change with every request.
var (
	secretNames = []string{
		"auth", "key", "token", "secret", "cookie", "organization", "project", "account", "tenant",
		"workspace",
	}
	unsteady = []string{"idempotency", "sec-websocket", "x-amz-security-token"}
)

// IsSecret reports whether a header, or a parameter of the query, says who asks.
func IsSecret(name string) bool {
	name = strings.ToLower(name)
	has := func(s string) bool { return strings.Contains(name, s) }
	return slices.ContainsFunc(secretNames, has) && !slices.ContainsFunc(unsteady, has)
}
