package compact

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"
)

// This file summarizes without a model: it keeps the sentences and lines that matter most, word for word.

// Extractive is the built-in Summarizer. It cuts the inputs into sentences and lines, rates them, and keeps the best that fit
// the budget, in their order, each under the role of its message. When everything fits, everything is kept. What it returns
// never costs more than the budget; with a budget too small for anything it is "".
//
// It cannot merge or rephrase, but it cannot make anything up either. The cost is linear in the text, but for sorting.
type Extractive struct {
	// Score rates the segments, higher is better; nil is Details.
	Score Scorer
}

// Scorer rates sentences and lines of one text by how much they matter, higher is better. It must return one number for each
// and be pure.
type Scorer func(segments []string) []float64

// segment is a sentence or line of an input.
type segment struct {
	label, text string
	score       float64
	cost        int
}

// Summarize keeps the best segments. The error is the context's.
func (e Extractive) Summarize(ctx context.Context, m Material) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return e.extract(m), nil
}

func (e Extractive) extract(m Material) string {
	limits := m.limits()
	if whole := wholeText(m.Inputs); limits.textTokens(whole) <= m.Budget {
		return whole
	}
	found := e.rate(m.Inputs, limits)
	order := make([]int, len(found))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(found[b].score, found[a].score) })
	var chosen []int
	left := m.Budget
	for _, k := range order {
		if found[k].cost <= left {
			left -= found[k].cost
			chosen = append(chosen, k)
		}
	}
	if len(chosen) == 0 && len(order) > 0 {
		return limits.head(found[order[0]].label+found[order[0]].text, m.Budget)
	}
	for len(chosen) > 0 {
		if text := join(found, chosen); limits.textTokens(text) <= m.Budget {
			return text
		}
		chosen = chosen[:len(chosen)-1-len(chosen)/16] // the worst go first
	}
	return ""
}

// rate cuts the inputs into segments, each once, and rates them together.
func (e Extractive) rate(inputs []Input, limits Limits) []segment {
	var found []segment
	var texts []string
	seen := make(map[string]bool)
	for _, in := range inputs {
		for _, s := range segments(in.Text) {
			if !seen[s] {
				seen[s] = true
				texts = append(texts, s)
				found = append(found, segment{label: in.label(), text: s})
			}
		}
	}
	score := e.Score
	if score == nil {
		score = Details
	}
	for k, x := range score(texts) {
		if k < len(found) {
			found[k].score = x
		}
	}
	for k := range found {
		found[k].cost = limits.textTokens(found[k].label + found[k].text + "\n")
	}
	return found
}

// join puts chosen segments back into their order; neighbours under one label share it.
func join(found []segment, chosen []int) string {
	chosen = slices.Clone(chosen)
	slices.Sort(chosen)
	var b strings.Builder
	label := ""
	for _, k := range chosen {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		if found[k].label != label || b.Len() == 0 {
			label = found[k].label
			b.WriteString(label)
		}
		b.WriteString(found[k].text)
	}
	return b.String()
}

// wholeText is all of the inputs.
func wholeText(inputs []Input) string {
	var b strings.Builder
	for _, in := range inputs {
		if strings.TrimSpace(in.Text) == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(in.label())
		b.WriteString(in.Text)
	}
	return b.String()
}

// head is the longest beginning of a text that fits the budget, up to a character.
func (l Limits) head(s string, budget int) string {
	fits, over := 0, len(s)+1 // in bytes
	for over-fits > 1 {
		mid := (fits + over) / 2
		if l.textTokens(s[:mid]) <= budget {
			fits = mid
		} else {
			over = mid
		}
	}
	if fits == 0 || fits == len(s) {
		return s[:fits]
	}
	if at := cutPoint(s, fits); at <= fits {
		return s[:at]
	}
	return ""
}

// shrink makes a text fit a budget by extracting from it.
func (l Limits) shrink(text string, budget int) string {
	if l.textTokens(text) <= budget {
		return text
	}
	return Extractive{}.extract(Material{Inputs: []Input{{Text: text}}, Budget: budget, Count: l.Count})
}

// Informative rates a segment by the mean rarity of its words among all segments (their idf): it keeps what is said only once.
func Informative(segments []string) []float64 {
	all := make([][]string, len(segments))
	with := make(map[string]int)
	for k, s := range segments {
		all[k] = words(s)
		for w := range setOf(all[k]) {
			with[w]++
		}
	}
	out := make([]float64, len(segments))
	for k, ws := range all {
		for _, w := range ws {
			out[k] += math.Log(1 + float64(len(segments))/float64(with[w]))
		}
		out[k] /= float64(len(ws) + 2) // a single rare word is no sentence
	}
	return out
}

// Central rates a segment by its likeness to all of them together: it keeps what the text is about.
func Central(segments []string) []float64 {
	t := NewTFIDF()
	vectors := func(s string) Vector {
		v, _ := t.Embed(context.Background(), s) // never fails
		return v
	}
	sum := make(Vector, dimensions)
	for _, s := range segments {
		v := vectors(s)
		t.Learn(v)
		for i, x := range v {
			sum[i] += x
		}
	}
	out := make([]float64, len(segments))
	for k, s := range segments {
		out[k] = t.Similarity(vectors(s), sum)
	}
	return out
}

// Recent rates the later above the earlier: it keeps the end.
func Recent(segments []string) []float64 {
	out := make([]float64, len(segments))
	for k := range out {
		out[k] = float64(k)
	}
	return out
}

// Details rates a segment by how much of it cannot be guessed: numbers, paths, identifiers and names count more than plain
// words, and rare ones more than frequent ones. It is the default.
func Details(segments []string) []float64 {
	out := Informative(segments)
	for k, s := range segments {
		fields := strings.Fields(s)
		hard := 0
		for i, f := range fields {
			if specific(f, i == 0) {
				hard++
			}
		}
		out[k] *= 1 + 2*float64(hard)/float64(len(fields)+1)
	}
	return out
}

// specific reports whether a word is a number, path, identifier or name.
func specific(word string, first bool) bool {
	word = strings.Trim(word, ".,:;!?()[]{}\"'`")
	lower := false
	for i, r := range word {
		switch {
		case unicode.IsNumber(r), strings.ContainsRune("_/\\=@#", r):
			return true
		case r == '.' || r == ':':
			return true // inside of the word: its ends were trimmed
		case unicode.IsUpper(r) && (lower || i == 0 && !first):
			return true
		case unicode.IsLower(r):
			lower = true
		}
	}
	return false
}

func setOf(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, s := range list {
		set[s] = true
	}
	return set
}
