package unionfind

import (
	"encoding/json"
	"fmt"
	"math"
)

// This file is the arithmetic of vectors. Products are rounded before they are added (the
// conversions say so): the result does not depend on whether a processor multiplies and adds in one
// step.

// Vector is a text as a point; all vectors of one embedder have one length. Vectors are never
// written to once they are made.
type Vector []float64

// Cosine returns the cosine of the angle between two vectors, from -1 to 1; 0 when either is zero.
// Where one is shorter, the missing dimensions are zero.
func Cosine(a, b Vector) float64 {
	dot, na, nb := 0.0, 0.0, 0.0
	for i := range max(len(a), len(b)) {
		x, y := at(a, i), at(b, i)
		dot += float64(x * y)
		na += float64(x * x)
		nb += float64(y * y)
	}
	if na == 0 || nb == 0 {
		return 0
	}
	return dot / (math.Sqrt(na) * math.Sqrt(nb))
}

func at(v Vector, i int) float64 {
	if i < len(v) {
		return v[i]
	}
	return 0
}

// mean returns the mean of two vectors, of n and m texts.
func mean(a Vector, n int, b Vector, m int) Vector {
	out := make(Vector, max(len(a), len(b)))
	for i := range out {
		out[i] = (float64(at(a, i)*float64(n)) + float64(at(b, i)*float64(m))) / float64(n+m)
	}
	return out
}

func (v Vector) isZero() bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}

// sparse is a vector's JSON form: its length, and its dimensions that are not zero.
type sparse struct {
	Len int       `json:"len"`
	At  []int     `json:"at,omitempty"`
	Val []float64 `json:"val,omitempty"`
}

// MarshalJSON writes the length and the dimensions that are not zero, in a form that loses no bit.
func (v Vector) MarshalJSON() ([]byte, error) {
	s := sparse{Len: len(v)}
	for i, x := range v {
		if x != 0 {
			s.At, s.Val = append(s.At, i), append(s.Val, x)
		}
	}
	return json.Marshal(s)
}

// maxDimensions bounds what a few bytes of JSON can make us allocate.
const maxDimensions = 1 << 14

// UnmarshalJSON reads what MarshalJSON wrote.
func (v *Vector) UnmarshalJSON(data []byte) error {
	var s sparse
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	if s.Len < 0 || s.Len > maxDimensions || len(s.At) != len(s.Val) {
		return fmt.Errorf("unionfind: a vector of %d dimensions with %d indices and %d values", s.Len,
			len(s.At), len(s.Val))
	}
	out := make(Vector, s.Len)
	for k, i := range s.At {
		if i < 0 || i >= s.Len {
			return fmt.Errorf("unionfind: dimension %d of a vector of %d", i, s.Len)
		}
		out[i] = s.Val[k]
	}
	*v = out
	return nil
}
