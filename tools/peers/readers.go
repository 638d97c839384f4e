package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/ast"
	"github.com/minio/simdjson-go"

	"github.com/go-preflight/preflight/internal/benchdata"
	"github.com/go-preflight/preflight/wire"
)

// This file measures what only reads a body, beside preflight, which has to find that it is valid.

// reader reads a valid request body. It reports whether it may run on this machine.
type reader struct {
	name string
	runs func() bool
	read func() func(body []byte) error
}

func always() bool { return true }

var errInvalid = errors.New("the body is no JSON")

var readers = []reader{
	{"preflight", always, func() func([]byte) error {
		return func(body []byte) error {
			result, err := wire.Sanitize(context.Background(), body, chat)
			if err == nil && result.Changed {
				err = errors.New("the body is not valid")
			}
			return err
		}
	}},
	{"json.Valid", always, func() func([]byte) error { return validBy(json.Valid) }},
	{"sonic.Valid", always, func() func([]byte) error { return validBy(sonic.Valid) }},
	{"sonic-ast", always, func() func([]byte) error {
		return func(body []byte) error {
			root, err := sonic.Get(body)
			if err == nil {
				err = root.LoadAll() // all values, as preflight does
			}
			if err == nil && root.TypeSafe() != ast.V_OBJECT {
				err = errInvalid
			}
			return err
		}
	}},
	{"simdjson", simdjson.SupportedCPU, func() func([]byte) error {
		var reused *simdjson.ParsedJson
		return func(body []byte) (err error) {
			reused, err = simdjson.Parse(body, reused, simdjson.WithCopyStrings(false))
			return err
		}
	}},
}

func validBy(valid func([]byte) bool) func([]byte) error {
	return func(body []byte) error {
		if !valid(body) {
			return errInvalid
		}
		return nil
	}
}

// measureReaders measures all readers on the valid histories.
func measureReaders(out io.Writer) error {
	for _, n := range sizes {
		body, err := bodyOf(history("clean", n))
		if err != nil {
			return err
		}
		for _, r := range readers {
			if !r.runs() {
				continue
			}
			read := r.read()
			if err := read(body); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			for range runs {
				result := testing.Benchmark(func(b *testing.B) {
					benchdata.Measure(b, func() bool { return read(body) == nil })
				})
				fmt.Fprintf(out, "BenchmarkReader/%s/%d %s %s\n", r.name, n, result,
					result.MemString())
			}
		}
	}
	return nil
}
