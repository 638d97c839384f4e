package golden

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Row is a row of a table: a file of an archive that has a field on each line, as "key: value".
//
// A line without a key continues the value before it. A value in quotes is a Go string, for white
// space at its ends and for control characters.
type Row struct {
	Name   string
	Fields []Field
}

// Field is a field of a row. A key can have several, as warnings do.
type Field struct{ Key, Value string }

// begin matches the beginning of a field.
var begin = regexp.MustCompile(`^([a-z]+): `)

// Rows returns the files of an archive as rows.
func (a *Archive) Rows() []Row {
	rows := make([]Row, len(a.Files))
	for i, f := range a.Files {
		rows[i].Name = f.Name
		for line := range strings.Lines(string(f.Data)) {
			line = strings.TrimSuffix(line, "\n")
			fields := &rows[i].Fields
			switch m := begin.FindStringSubmatch(line); {
			case m != nil:
				*fields = append(*fields, Field{m[1], line[len(m[0]):]})
			case len(*fields) > 0:
				(*fields)[len(*fields)-1].Value += "\n" + line
			}
		}
		for j := range rows[i].Fields {
			f := &rows[i].Fields[j]
			if text, err := strconv.Unquote(f.Value); err == nil {
				f.Value = text
			}
		}
	}
	return rows
}

// SetRows replaces the files of an archive.
func (a *Archive) SetRows(rows []Row) {
	a.Files = nil
	for _, r := range rows {
		var data strings.Builder
		for _, f := range r.Fields {
			data.WriteString(f.Key + ": " + spell(f.Value) + "\n")
		}
		a.Files = append(a.Files, File{r.Name, []byte(data.String())})
	}
}

// spell returns a value as a file has it.
func spell(value string) string {
	plain := value == strings.TrimSpace(value) && !strings.HasPrefix(value, `"`) &&
		!strings.ContainsAny(value, "\r\t")
	for i, line := range strings.Split(value, "\n") {
		plain = plain && (i == 0 || !begin.MatchString(line) && !strings.HasPrefix(line, "-- "))
	}
	if plain && value != "" {
		return value
	}
	return strconv.Quote(value)
}

// All returns the values of a key, in order.
func (r *Row) All(key string) []string {
	var values []string
	for _, f := range r.Fields {
		if f.Key == key {
			values = append(values, f.Value)
		}
	}
	return values
}

// Get returns the first value of a key; "" when there is none.
func (r *Row) Get(key string) string {
	if values := r.All(key); len(values) > 0 {
		return values[0]
	}
	return ""
}

// Set replaces the values of a key, in their place; those of a new key come last.
func (r *Row) Set(key string, values ...string) {
	at := slices.IndexFunc(r.Fields, func(f Field) bool { return f.Key == key })
	r.Fields = slices.DeleteFunc(r.Fields, func(f Field) bool { return f.Key == key })
	if at < 0 {
		at = len(r.Fields)
	}
	for i, v := range values {
		r.Fields = slices.Insert(r.Fields, at+i, Field{key, v})
	}
}
