package preflight

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file shortens the payloads of provider-executed tools: the results a provider replays for hundreds of kilobytes
// after the model has read them once.

// TruncateProviderExecuted shortens every string longer than Options.MaxString in the results of provider-executed tools
// (and, when Options.TruncateInputs says so, in their inputs). Keys, order, numbers and short strings stay as they are.
//
// Never touched: web_search and web_fetch results, whose encrypted parts the provider verifies; any value under a key that
// starts with "encrypted" or is a signature or base64 data; calls that are still running. The limit includes the marker, so
// truncating again changes nothing.
var TruncateProviderExecuted = Fixer{
	Name:   "truncate-provider-executed",
	Doc:    "shortens long strings in the payloads of provider-executed tools",
	repair: truncateProviderExecuted,
}

func truncateProviderExecuted(d *draft) {
	if d.policy.MaxString <= 0 {
		return
	}
	settled := make(map[string]string) // provider-executed calls with a result: id to name
	for i := range d.nodes {
		for _, p := range d.nodes[i].Parts {
			if c := serverCall(p); c != nil {
				settled[c.ID] = c.Name
			}
		}
	}
	answered := make(map[string]bool)
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			r := serverResult(p)
			if r == nil {
				continue
			}
			answered[r.CallID] = true
			name := or(r.Name, or(settled[r.CallID], r.Variant))
			if isSealed(name) || isSealed(r.Variant) {
				continue
			}
			if short := truncateRaw(r.Output, d.policy.MaxString); short != nil {
				d.replace(i, j, edited(r, func(x *ToolResult) { x.Output = short }), note{code: CodeTruncated, id: r.CallID, detail: "shortened long strings in a provider-executed result"})
			}
		}
	}
	if !d.policy.TruncateInputs {
		return
	}
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			c := serverCall(p)
			if c == nil || !answered[c.ID] || isSealed(c.Name) {
				continue
			}
			if short := truncateRaw(c.Input, d.policy.MaxString); short != nil {
				d.replace(i, j, edited(c, func(x *ToolCall) { x.Input = short }), note{code: CodeTruncated, id: c.ID, detail: "shortened long strings in a provider-executed call"})
			}
		}
	}
}

// isSealed reports whether a provider verifies the payload of a tool, so that nothing in it may change.
func isSealed(tool string) bool {
	return strings.Contains(tool, "web_search") || strings.Contains(tool, "web_fetch")
}

// isSealedKey reports whether the value under an object key is opaque.
func isSealedKey(key string) bool {
	switch key {
	case "signature", "data", "redactedData", "thoughtSignature":
		return true
	}
	return strings.HasPrefix(key, "encrypted")
}

// truncateRaw shortens the strings of a JSON value to limit UTF-16 units. It returns nil when nothing is too long.
func truncateRaw(raw []byte, limit int) []byte {
	if len(raw) <= limit {
		return nil
	}
	doc, err := jsonscan.Parse(raw)
	if err != nil {
		return nil
	}
	var edits jsonscan.Edits
	truncateValue(doc.Root(), limit, &edits)
	if edits.Len() == 0 {
		return nil
	}
	out, err := edits.Apply(nil, raw)
	if err != nil {
		return nil
	}
	return out
}

// truncateValue collects the edits. Its depth is bounded by the scanner's limit on nesting.
func truncateValue(v jsonscan.Value, limit int, edits *jsonscan.Edits) {
	switch v.Kind() {
	case jsonscan.String:
		if v.End()-v.Start()-2 <= limit {
			return
		}
		if s := v.Str(); utf16Len(s) > limit {
			edits.Replace(v.Start(), v.End(), jsonscan.AppendString(nil, truncateText(s, limit)))
		}
	case jsonscan.Array, jsonscan.Object:
		for c := v.First(); c.Exists(); c = c.Next() {
			if v.Kind() == jsonscan.Array || !isSealedKey(c.Key().Str()) {
				truncateValue(c, limit, edits)
			}
		}
	}
}

// truncateText shortens s to at most limit UTF-16 units, marker included, without splitting a character. A limit smaller
// than the marker leaves the beginning of the marker.
func truncateText(s string, limit int) string {
	n := utf16Len(s)
	if n <= limit {
		return s
	}
	marker := "… [truncated, original length: " + strconv.Itoa(n) + "]"
	return cutUTF16(s, limit-utf16Len(marker)) + cutUTF16(marker, limit)
}

// cutUTF16 is the longest prefix of s of at most n UTF-16 units.
func cutUTF16(s string, n int) string {
	units := 0
	for k, r := range s {
		units += utf16Units(r)
		if units > n {
			return s[:k]
		}
	}
	return s
}

func utf16Len(s string) int {
	if len(s) == 0 {
		return 0
	}
	n := 0
	for _, r := range s {
		n += utf16Units(r)
	}
	return n
}

func utf16Units(r rune) int {
	if r >= utf8.RuneSelf && r > 0xFFFF {
		return 2
	}
	return 1
}
