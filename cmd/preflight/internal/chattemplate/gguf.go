package chattemplate

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// This file reads the templates in the metadata of a GGUF file, which comes before the weights.

// The types of values in the metadata.
const (
	ggufUint8 = iota
	ggufInt8
	ggufUint16
	ggufInt16
	ggufUint32
	ggufInt32
	ggufFloat32
	ggufBool
	ggufString
	ggufArray
	ggufUint64
	ggufInt64
	ggufFloat64
)

// ggufSizes are the sizes of the values that have one.
var ggufSizes = map[uint32]int64{
	ggufUint8: 1, ggufInt8: 1, ggufUint16: 2, ggufInt16: 2, ggufUint32: 4, ggufInt32: 4,
	ggufFloat32: 4, ggufBool: 1, ggufUint64: 8, ggufInt64: 8, ggufFloat64: 8,
}

// The bounds of what is read.
const (
	mostKeys  = 1 << 16
	mostName  = 1 << 16
	mostItems = 1 << 24
)

var errGGUF = errors.New("the metadata of the GGUF file is broken")

type ggufReader struct{ *bufio.Reader }

// loadGGUF reads the metadata after the mark.
func loadGGUF(from io.Reader) (*Template, error) {
	r := ggufReader{bufio.NewReaderSize(from, 1<<16)}
	var head struct {
		Version       uint32
		Tensors, Keys uint64
	}
	if err := binary.Read(r, binary.LittleEndian, &head); err != nil || head.Keys > mostKeys {
		return nil, errGGUF
	}
	if head.Version < 2 || head.Version > 3 {
		return nil, fmt.Errorf("version %d of GGUF is not known", head.Version)
	}
	sources := map[string]string{}
	for range head.Keys {
		name, err := r.text(mostName)
		if err != nil {
			return nil, err
		}
		kind, err := r.uint32()
		if err != nil {
			return nil, err
		}
		rest, ok := strings.CutPrefix(name, "tokenizer.chat_template")
		if !ok || kind != ggufString {
			if err := r.skip(kind, 0); err != nil {
				return nil, err
			}
			continue
		}
		source, err := r.text(mostSource)
		if err != nil {
			return nil, err
		}
		if rest = strings.TrimPrefix(rest, "."); rest == "" {
			rest = "default"
		}
		sources[rest] = source
	}
	return compileNamed(sources, "<s>", "</s>")
}

func (r ggufReader) uint32() (uint32, error) {
	var b [4]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return 0, errGGUF
	}
	return binary.LittleEndian.Uint32(b[:]), nil
}

func (r ggufReader) uint64() (uint64, error) {
	var b [8]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return 0, errGGUF
	}
	return binary.LittleEndian.Uint64(b[:]), nil
}

// text reads a string of at most so many bytes.
func (r ggufReader) text(most uint64) (string, error) {
	n, err := r.uint64()
	if err != nil || n > most {
		return "", errGGUF
	}
	var b strings.Builder
	if _, err := io.CopyN(&b, r, int64(n)); err != nil {
		return "", errGGUF
	}
	return b.String(), nil
}

// skip passes over a value.
func (r ggufReader) skip(kind uint32, depth int) error {
	if size, ok := ggufSizes[kind]; ok {
		return r.pass(size)
	}
	switch kind {
	case ggufString:
		n, err := r.uint64()
		if err != nil || n > mostSource {
			return errGGUF
		}
		return r.pass(int64(n))
	case ggufArray:
		of, err := r.uint32()
		if err != nil {
			return err
		}
		n, err := r.uint64()
		if err != nil || n > mostItems || depth > 4 {
			return errGGUF
		}
		if size, ok := ggufSizes[of]; ok {
			return r.pass(size * int64(n))
		}
		for range n {
			if err := r.skip(of, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return errGGUF
}

func (r ggufReader) pass(n int64) error {
	if _, err := io.CopyN(io.Discard, r, n); err != nil {
		return errGGUF
	}
	return nil
}
