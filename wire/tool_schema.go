package wire

import (
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file writes the schemas of tools for another format. Most have JSON schemas. Gemini has a
// subset of OpenAPI's in one member, where it refuses all else ("Unknown name \"$schema\" at
// 'tools[0].function_declarations[0].parameters': Cannot find field."), and JSON schemas in
// another.

// ofObject returns a schema that says that it is one of an object, as some formats ask for.
func ofObject(schema []byte) []byte {
	root := valueOf(schema)
	if root.Kind() != jsonscan.Object || root.Get("type").StrIs("object") {
		return schema
	}
	o := jsonscan.EditObject(root)
	o.SetMember("type", []byte(`"object"`))
	return o.Bytes()
}

// jsonSchema returns the schema of a tool as a JSON schema. In OpenAPI's subset types are in upper
// case, a nullable value has null beside its type, its values or its alternatives, and counts may
// be strings.
func (t *tool) jsonSchema() []byte {
	if !t.openAPI || t.schema == nil {
		return t.schema
	}
	var edits jsonscan.Edits
	lowerTypes(valueOf(t.schema), false, &edits)
	out, err := edits.Apply(t.schema)
	if err != nil {
		return t.schema // cannot happen: the edits are within schema and do not overlap
	}
	return out
}

// lowerTypes collects the edits of jsonSchema. named tells that the members of v are named by the
// caller and are schemas. The scanner limits how deep they are.
func lowerTypes(v jsonscan.Value, named bool, edits *jsonscan.Edits) {
	if kind := v.Get("type"); !named && kind.Kind() == jsonscan.String {
		edits.Replace(kind.Start(), kind.End(), quoted(strings.ToLower(kind.Str())))
	}
	if null, _ := v.Get("nullable").Bool(); !named && null {
		addNull(v, edits)
	}
	for m := v.First(); m.Exists(); m = m.Next() {
		switch key := m.Key(); {
		case !named && oneOf(key, "enum", "default", "example"): // values, not schemas
		case !named && schemaCounts.Has(key) && m.Kind() == jsonscan.String:
			if _, err := strconv.ParseUint(m.Str(), 10, 63); err == nil {
				edits.Replace(m.Start(), m.End(), m.Bytes())
			}
		default:
			lowerTypes(m, !named && key.StrIs("properties"), edits)
		}
	}
}

// schemaCounts are the members of OpenAPI's subset of type int64, which JSON may have as a string.
var schemaCounts = jsonscan.NewNames("maxItems", "maxLength", "maxProperties", "minItems",
	"minLength", "minProperties")

// addNull collects the edits that let a schema take null.
func addNull(v jsonscan.Value, edits *jsonscan.Edits) {
	if kind := v.Get("type"); kind.Kind() == jsonscan.String {
		edits.Replace(kind.Start(), kind.Start(), []byte("["))
		edits.Replace(kind.End(), kind.End(), []byte(`,"null"]`))
	}
	notNull := func(e jsonscan.Value) bool { return e.Kind() != jsonscan.Null }
	if values := v.Get("enum"); values.Len() > 0 && allOf(values, notNull) {
		edits.Replace(values.End()-1, values.End()-1, []byte(",null"))
	}
	if either := v.Get("anyOf"); either.Len() > 0 {
		edits.Replace(either.End()-1, either.End()-1, []byte(`,{"type":"null"}`))
	}
}

// openAPINames are the members of a schema that Gemini takes in OpenAPI's subset.
var openAPINames = jsonscan.NewNames("anyOf", "default", "description", "enum", "example", "format",
	"items", "maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength",
	"minProperties", "minimum", "nullable", "pattern", "properties", "propertyOrdering", "required",
	"title", "type")

// inOpenAPI reports whether a JSON schema is also one of that subset. The scanner's nesting limit
// bounds the depth.
func inOpenAPI(schema jsonscan.Value) bool {
	if schema.Kind() != jsonscan.Object {
		return false
	}
	kind := schema.Get("type")
	text, properties := kind.StrIs("string"), schema.Get("properties")
	switch {
	case kind.StrIs("array") && !schema.Has("items"),
		kind.StrIs("object") && properties.Len() == 0,
		!text && schema.Has("enum"),
		!requiresOwn(schema.Get("required"), properties):
		return false // "should be non-empty for OBJECT type", "property is not defined", …
	}
	for m := schema.First(); m.Exists(); m = m.Next() {
		if !openAPINames.Has(m.Key()) {
			return false
		}
		fits := true
		switch m.Key().Str() {
		case "type":
			fits = m.Kind() == jsonscan.String
		case "format": // of strings only these two
			fits = !text || oneOf(m, "enum", "date-time")
		case "enum":
			fits = allOf(m, func(v jsonscan.Value) bool { return v.Kind() == jsonscan.String })
		case "properties":
			fits = m.Kind() == jsonscan.Object && allOf(m, inOpenAPI)
		case "anyOf":
			fits = m.Kind() == jsonscan.Array && allOf(m, inOpenAPI)
		case "items":
			fits = inOpenAPI(m)
		}
		if !fits {
			return false
		}
	}
	return true
}

// requiresOwn reports whether what a schema requires is among its properties.
func requiresOwn(required, properties jsonscan.Value) bool {
	if required.Len() == 0 {
		return true
	}
	own := make(map[string]bool)
	for m := properties.First(); m.Exists(); m = m.Next() {
		own[m.Key().Str()] = true
	}
	return allOf(required, func(v jsonscan.Value) bool { return own[v.Str()] })
}

// allOf reports whether all elements or members of a value fit.
func allOf(v jsonscan.Value, fits func(jsonscan.Value) bool) bool {
	for m := v.First(); m.Exists(); m = m.Next() {
		if !fits(m) {
			return false
		}
	}
	return true
}
