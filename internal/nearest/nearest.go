// Package nearest finds what a misspelled name was meant to be.
package nearest

// maxName bounds the length of the names that are compared: no name of ours is longer.
const maxName = 100

// Name returns the one of names that takes the fewest edits to make of name, or "" if it takes more
// than one edit for every three letters. Of several the first counts. An edit inserts, removes or
// replaces a byte, or swaps two neighbours.
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

// edits returns the Levenshtein distance of two strings, in which a swap of neighbours is one edit.
func edits(a, b string) int {
	// rows have the edits from the part of a so far, and from those one and two bytes shorter, to
	// each beginning of b.
	row, above, twoAbove := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		row, above, twoAbove = twoAbove, row, above
		row[0] = i + 1
		for j := range len(b) {
			replaced := above[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(replaced, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], twoAbove[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
