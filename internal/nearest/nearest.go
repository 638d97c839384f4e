// Package nearest finds what a misspelled name was meant to be.
package nearest

// maxName bounds the length of the names that are compared: no name of ours is longer.
const maxName = 100

// Name returns the one of names that takes the fewest edits to make of name, or "" if it takes more
// than one edit for every three letters. Of several the first counts. An edit inserts, removes or
// replaces a byte.
func Name(name string, names []string) string {
	best, fewest := "", len(name)/3+1
	if len(name) > maxName {
		return ""
	}
	for _, other := range names {
		if len(other) > maxName {
			continue
		}
		if n := edits(name, other); n < fewest {
			best, fewest = other, n
		}
	}
	return best
}

// edits is the Levenshtein distance of two strings.
func edits(a, b string) int {
	row := make([]int, len(b)+1) // of the part of a so far, to each beginning of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0] // one row up, one column left
		row[0] = i + 1
		for j := range len(b) {
			replaced := before
			if a[i] != b[j] {
				replaced++
			}
			before = row[j+1]
			row[j+1] = min(replaced, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
