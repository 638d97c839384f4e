package wire

import (
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
	if root.Kind() != jsonscan.Object || root.Has("type") {
		return schema
	}
	o := jsonscan.EditObject(root)
	o.SetMember("type", []byte(`"object"`))
	return o.Bytes()
}

// jsonSchema returns the schema of a tool as a JSON schema. In OpenAPI's subset types are in upper
// case, and a nullable type has null beside it.
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
// caller and are schemas. The scanner's nesting limit bounds the depth.
func lowerTypes(v jsonscan.Value, named bool, edits *jsonscan.Edits) {
	kind := v.Get("type")
	if !named && v.Kind() == jsonscan.Object && kind.Kind() == jsonscan.String {
		now := string(quoted(strings.ToLower(kind.Str())))
		if null, _ := v.Get("nullable").Bool(); null {
			now = "[" + now + `,"null"]`
		}
		edits.Replace(kind.Start(), kind.End(), []byte(now))
	}
	for m := v.First(); m.Exists(); m = m.Next() {
		if named || !oneOf(m.Key(), "enum", "default", "example") { // values, not schemas
			lowerTypes(m, !named && m.Key().StrIs("properties"), edits)
		}
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
	text := schema.Get("type").StrIs("string")
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

// allOf reports whether all elements or members of a value fit.
func allOf(v jsonscan.Value, fits func(jsonscan.Value) bool) bool {
	for m := v.First(); m.Exists(); m = m.Next() {
		if !fits(m) {
			return false
		}
	}
	return true
}
