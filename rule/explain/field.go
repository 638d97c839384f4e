package explain

import (
	"regexp"
	"slices"
	"sync"
)

// This file finds the member of the request that an error text names.

// fieldNear returns the error text v.plain[from:to] and what is right before and after it, where a
// body names the member of the request that the text concerns.
func fieldNear(v *view, from, to int) string {
	const reach = 200
	return v.plain[max(0, from-reach):min(len(v.plain), to+reach)]
}

// fromTheRoot is the form of fieldForms whose paths begin at the body: what is no part of the
// history there is a setting, known or not.
const fromTheRoot = 0

// fieldForms are the ways in which an error text names a member of the request.
var fieldForms = sync.OnceValue(func() []*regexp.Regexp {
	const name = `([A-Za-z_][A-Za-z0-9_.\[\]-]{0,120})`
	return []*regexp.Regexp{
		fromTheRoot: regexp.MustCompile(
			`["']loc["']\s?:\s?[\[(]\s?["']body["'],\s?["']` + name),
		regexp.MustCompile(`(?i)unknown name .{1,80} at ["'\x60]` + name),
		regexp.MustCompile(`(?i)\b(?:parameter|field|argument|property|unknown name|key|value ` +
			`for)s?:? ?["'\x60]+` + name),
		regexp.MustCompile(`["']param["']\s?:\s?["']` + name),
		regexp.MustCompile(`(?:^|["'>*] ?|\b[45][0-9][0-9] |: )` + name + `: `),
		regexp.MustCompile(`["'\x60]` + name + `["'\x60] is not supported`),
		regexp.MustCompile(`(?i)\bunsupported (?:parameter|value): ["'\x60]?` + name),
		regexp.MustCompile(`(?i)\binvalid value at \\?["'\x60]` + name),
		regexp.MustCompile(`(?i)\bmissing ["'\x60]` + name + `["'\x60] parameter`),
		regexp.MustCompile(`(?i)\binvalid params, invalid ` + name + `:`),
		regexp.MustCompile(name + ` ?参数非法`),
	}
})

// namedField returns the path of the member of the request that an error text names, or "", and
// whether that is no part of the history.
func namedField(text string) (field string, setting bool) {
	const reach = 4096
	text = text[:min(len(text), reach)]
	for i, form := range fieldForms() {
		for _, m := range form.FindAllStringSubmatch(text, maxPlaces) {
			field = m[1]
			root := field[:nameSize(field)]
			if _, history := roots[root]; history && root != "tools" && root != "message" {
				return "", false
			}
			setting = i == fromTheRoot || slices.Contains(settings, root)
			if root == "tools" || setting {
				return field, setting
			}
		}
	}
	return "", false
}
