package jsonscan_test

import (
	"errors"
	"fmt"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// Read values where they are; nothing is decoded before it is asked for.
func ExampleParse() {
	d, err := jsonscan.Parse(
		[]byte(`{"role": "user", "content": [{"type": "text", "text": "h\u00e9"}]}`),
	)
	if err != nil {
		panic(err)
	}
	for part := d.Root().Get("content").First(); part.Exists(); part = part.Next() {
		if part.Get("type").StrIs("text") {
			text := part.Get("text")
			fmt.Println(text.Path(), text.Start(), string(text.Raw()), text.Str())
		}
	}
	// Output: content[0].text 54 "h\u00e9" hé
}

// An error says where the document stops being JSON.
func ExampleSyntaxError() {
	_, err := jsonscan.Parse([]byte("{\"a\": 1,\n \"b\": 2,}"))
	fmt.Println(err)
	var syntax *jsonscan.SyntaxError
	fmt.Println(errors.As(err, &syntax), syntax.Offset)
	// Output:
	// invalid JSON at line 2, column 9 (offset 17): unexpected '}', expected a key
	// true 17
}

// Set and delete members of several objects of one document, and write it once.
func ExampleObjectEdit() {
	src := []byte(`{"id": 1.0, "n": {"x": 1, "y": [ ]}, "tmp": true}`)
	d, err := jsonscan.Parse(src)
	if err != nil {
		panic(err)
	}
	outer, inner := jsonscan.EditObject(d.Root()), jsonscan.EditObject(d.Root().Get("n"))
	outer.DeleteMember("tmp")
	outer.SetMember("added", []byte(`null`))
	inner.SetMember("x", []byte(`2`))

	var edits jsonscan.Edits
	outer.AppendTo(&edits)
	inner.AppendTo(&edits)
	out, err := edits.Apply(src)
	fmt.Println(string(out), err)
	// Output: {"id": 1.0, "n": {"x": 2, "y": [ ]},"added":null} <nil>
}

// Half of an emoji, as a cut-off stream leaves it behind, and a NUL; the rest keeps its spelling.
func ExampleRepair() {
	d, err := jsonscan.Parse([]byte(`["\u0041 \ud83d", "a\u0000b", 1.0]`))
	if err != nil {
		panic(err)
	}
	fmt.Println(string(jsonscan.Repair(nil, d.Root())))
	// Output: ["\u0041 \ufffd", "ab", 1.0]
}
