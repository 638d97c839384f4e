package bulk

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// This file reads and writes compressed lines: what came compressed is written compressed.

// compression is a form of compressed files.
type compression struct {
	name   string
	ending string
	magic  []byte // how it begins; no JSON begins so
	read   func(io.Reader) (io.Reader, error)
	write  func(io.Writer) (io.WriteCloser, error)
}

var compressions = []compression{
	{
		name: "gzip", ending: ".gz", magic: []byte{0x1f, 0x8b},
		read: func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		write: func(w io.Writer) (io.WriteCloser, error) {
			return gzip.NewWriterLevel(w, gzip.BestSpeed)
		},
	},
	{
		name: "zstd", ending: ".zst", magic: []byte{0x28, 0xb5, 0x2f, 0xfd},
		read: func(r io.Reader) (io.Reader, error) {
			// one goroutine, or it would leave some behind where reading ends early
			return zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
		},
		write: func(w io.Writer) (io.WriteCloser, error) {
			// the same bytes on every machine
			return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		},
	},
}

// decompressed returns what in holds, and a writer for output in the same form. close ends the
// output. name is that of the input, "" for none: one that ends as a compressed file has to be one.
func decompressed(in io.Reader, out io.Writer, name string) (
	r io.Reader, w io.Writer, close func() error, err error,
) {
	buffered := bufio.NewReaderSize(in, 1<<16)
	none := func() error { return nil }
	for _, c := range compressions {
		start, err := buffered.Peek(len(c.magic))
		if !bytes.Equal(start, c.magic) {
			if err == nil && strings.HasSuffix(name, c.ending) {
				return nil, nil, nil, fmt.Errorf("it is named %s and is not %s", c.ending, c.name)
			}
			continue
		}
		r, err := c.read(buffered)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("%s: %w", c.name, err)
		}
		w, err := c.write(out)
		if err != nil {
			return nil, nil, nil, err
		}
		return r, w, w.Close, nil
	}
	return buffered, out, none, nil
}
