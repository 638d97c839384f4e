package unionfind

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"

	"github.com/go-preflight/preflight/compact/internal/words"
)

// This file measures how alike two texts are, without a model.

// Embedder turns a text into a vector. It must return the same vector for equal texts and be safe
// for concurrent use. Likeness is the Cosine, unless the embedder is a Learner.
type Embedder interface {
	Embed(ctx context.Context, text string) (Vector, error)
}

// Learner is an Embedder that weights comparisons by the texts it has seen. A Window calls Learn
// once for each message, in order, and never during a call of Similarity, so that comparisons with
// each other use the same weights. A Learner belongs to one window.
//
// A window saves a Learner's state when it implements json.Marshaler, and restores it when it
// implements json.Unmarshaler.
type Learner interface {
	Embedder
	Learn(Vector)
	Similarity(a, b Vector) float64
}

// dimensions is the length of TFIDF's vectors. Sessions have a few thousand different words; two of
// them sharing a dimension is rare enough not to matter, and the sign of a word lets those that do
// cancel out.
const dimensions = 1024

// TFIDF is the built-in embedder. Embed counts how often each word occurs in a text; Similarity
// weights words by how few texts hold them. It needs no model, works in every script, and its
// vectors have one length however many words there are.
//
// Both vectors of a comparison are weighted by what was learned until then: ln(1 + texts / texts
// with the word), and 0 for a word that was never learned. Make one with NewTFIDF. Embed is safe
// for concurrent use; Learn and Similarity must not run at the same time.
type TFIDF struct {
	texts int
	with  []int // texts that have a word in this dimension

	// What follows from these; nil when it has to be computed again.
	squares []float64            // by dimension, the square of its weight
	norms   map[*float64]float64 // of vectors that were compared last, by their first element
}

// NewTFIDF returns an embedder that has learned nothing.
func NewTFIDF() *TFIDF { return &TFIDF{with: make([]int, dimensions)} }

// Embed returns the text's word frequencies as a vector of length 1, or the zero vector for a text
// without words. It never fails and learns nothing.
func (t *TFIDF) Embed(_ context.Context, text string) (Vector, error) { return t.vector(text), nil }

func (*TFIDF) vector(text string) Vector {
	v := make(Vector, dimensions)
	for _, w := range words.Of(text) {
		h := fnv.New32a()
		h.Write([]byte(w))
		sum := h.Sum32()
		if k := sum % dimensions; sum>>31 == 0 {
			v[k]++
		} else {
			v[k]--
		}
	}
	norm := 0.0
	for _, x := range v {
		norm += float64(x * x)
	}
	if norm = math.Sqrt(norm); norm > 0 {
		for i := range v {
			v[i] /= norm
		}
	}
	return v
}

// Learn counts a text, given its vector. A text without words is not counted.
func (t *TFIDF) Learn(v Vector) {
	if v.isZero() {
		return
	}
	t.texts++
	for i, x := range v {
		if x != 0 && i < len(t.with) {
			t.with[i]++
		}
	}
	t.squares, t.norms = nil, nil
}

// Similarity returns the cosine of two vectors under the weights of now, from -1 to 1.
func (t *TFIDF) Similarity(a, b Vector) float64 {
	if len(a) != dimensions || len(b) != dimensions {
		return 0
	}
	if t.squares == nil {
		t.weigh()
	}
	na, nb := t.norm(a), t.norm(b)
	if na == 0 || nb == 0 {
		return 0
	}
	dot := 0.0
	for i, x := range a {
		if x != 0 {
			dot += float64(float64(x*b[i]) * t.squares[i])
		}
	}
	return dot / (na * nb)
}

// weigh computes the weights of now.
func (t *TFIDF) weigh() {
	t.squares, t.norms = make([]float64, dimensions), make(map[*float64]float64)
	for i, n := range t.with {
		if n > 0 {
			w := rarity(n, t.texts)
			t.squares[i] = float64(w * w)
		}
	}
}

// rarity returns the weight of a word that n of so many texts hold: the logarithm of 1 + texts/n,
// to six digits, since the last bits of a logarithm are not the same on every machine.
func rarity(n, texts int) float64 {
	const digits = 1e6
	return math.Round(math.Log(1+float64(texts)/float64(n))*digits) / digits
}

// norm returns the length of a vector under the weights of now. Vectors do not change, so one that is
// compared again and again is measured once.
func (t *TFIDF) norm(v Vector) float64 {
	if n, ok := t.norms[&v[0]]; ok {
		return n
	}
	sum := 0.0
	for i, x := range v {
		if x != 0 {
			sum += float64(float64(x*x) * t.squares[i])
		}
	}
	n := math.Sqrt(sum)
	if len(t.norms) == maxNorms {
		clear(t.norms)
	}
	t.norms[&v[0]] = n
	return n
}

// maxNorms bounds the vectors whose length is known, since they are kept in memory: more than there
// are clusters, as a rule.
const maxNorms = 256

type tfidfJSON struct {
	Texts int   `json:"texts"`
	With  []int `json:"with"`
}

// MarshalJSON writes what was learned.
func (t *TFIDF) MarshalJSON() ([]byte, error) { return json.Marshal(tfidfJSON{t.texts, t.with}) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *TFIDF) UnmarshalJSON(data []byte) error {
	var in tfidfJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	if len(in.With) != dimensions || in.Texts < 0 {
		return fmt.Errorf("unionfind: saved by an embedder of %d dimensions; this one has %d",
			len(in.With), dimensions)
	}
	*t = TFIDF{texts: in.Texts, with: in.With}
	return nil
}
