package main

import (
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"github.com/go-preflight/preflight"
)

// TestCount: the tokens of a text are those of the tokenizer, and a picture does not count by its
// bytes.
func TestCount(t *testing.T) {
	codec, err := tokenizer.ForModel(tokenizer.GPT4o)
	if err != nil {
		t.Fatal(err)
	}
	count := counter{codec}.Count
	if n := count(preflight.UserText("hello world")); n != 4+2 {
		t.Errorf("hello world: %d", n)
	}
	picture := preflight.Message{Parts: []preflight.Part{
		&preflight.Media{Kind: "image", URL: "https://example.com/a.png"},
	}}
	if n := count(picture); n != 4+4+1445 {
		t.Errorf("a picture: %d", n)
	}
}
