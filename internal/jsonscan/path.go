package jsonscan

import "strconv"

// Path returns the path of the value in its document, for error messages:
// messages[3].content[0].text, with keys that are not plain words quoted in brackets (["a b"]); ""
// for the root and when absent. Linear in the number of values before it.
func (v Value) Path() string {
	if !v.Exists() {
		return ""
	}
	var path []byte
	at := v.doc.Root()
	for at != v {
		child, i := at.childAround(v)
		if !child.Exists() {
			break // v is a key: the path of its object
		}
		if key := child.Key(); key.Exists() {
			path = appendKeyPath(path, key)
		} else {
			path = append(strconv.AppendInt(append(path, '['), int64(i), 10), ']')
		}
		at = child
	}
	return string(path)
}

// childAround returns the child of v that is or contains x, and which one it is, from 0.
func (v Value) childAround(x Value) (child Value, i int) {
	for child = v.First(); child.Exists(); child = child.Next() {
		if child.Start() <= x.Start() && x.End() <= child.End() {
			return child, i
		}
		i++
	}
	return Value{}, 0
}

// appendKeyPath appends one step of a path.
func appendKeyPath(path []byte, key Value) []byte {
	k := key.Str()
	if !isWord(k) {
		return append(AppendString(append(path, '['), k), ']')
	}
	if len(path) > 0 {
		path = append(path, '.')
	}
	return append(path, k...)
}

// isWord reports whether k needs no quotes in a path.
func isWord(k string) bool {
	for i := 0; i < len(k); i++ {
		c := k[i]
		if c|0x20 < 'a' || c|0x20 > 'z' {
			if c != '_' && (i == 0 || !isDigit(c)) {
				return false
			}
		}
	}
	return k != ""
}
