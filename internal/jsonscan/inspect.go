package jsonscan

import "sync"

// docs reuses the memory of parsed documents.
var docs = sync.Pool{New: func() any { return new(Doc) }}

// Borrow returns an empty document from a pool. The caller hands it to Return when it keeps none of
// its values.
func Borrow() *Doc { return docs.Get().(*Doc) }

// Return puts a borrowed document back.
func Return(doc *Doc) {
	doc.Release()
	docs.Put(doc)
}

// Inspect returns the kind of the JSON value raw, and the flags of the strings in it. It fails if
// raw is not valid JSON.
func Inspect(raw []byte) (Kind, Flags, error) {
	doc := docs.Get().(*Doc)
	kind, flags, err := doc.Inspect(raw)
	docs.Put(doc)
	return kind, flags, err
}

// Inspect is the function Inspect with the memory of d, which is empty afterwards.
func (d *Doc) Inspect(raw []byte) (kind Kind, flags Flags, err error) {
	if err = d.Parse(raw); err == nil {
		kind, flags = d.Root().Kind(), d.Root().SubtreeFlags()
	}
	d.Release()
	return kind, flags, err
}
