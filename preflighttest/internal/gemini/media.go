package gemini

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/picture"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Media and their types.

// emptyMedia reports whether a part holds media without bytes or address,
// which is no data either.
func emptyMedia(part map[string]any) bool {
	inline, file := read.Object(member(part, "inlineData")), read.Object(member(part, "fileData"))
	return inline != nil && read.Text(inline["data"]) == "" ||
		file != nil && read.Text(member(file, "fileUri")) == ""
}

// systemMedia looks at the system instruction, which is documented to be
// text only (https://ai.google.dev/api/generate-content).
func systemMedia(r *fake.Request, found fake.Found) {
	if r.Lenient {
		return
	}
	for _, p := range contentOf(member(r.Root, "systemInstruction"),
		"system_instruction").parts {
		for _, name := range []string{"inlineData", "fileData"} {
			if member(p.object, name) != nil {
				found.Says(p.path,
					fmt.Sprintf("* GenerateContentRequest.%s: system_instruction supports text "+
						"only.", p.path))
			}
		}
	}
}

// halves are the second halves of types of media.
var halves = strings.Fields("png jpeg jpg webp heic heif gif pdf mp3 wav mp4")

// mediaTypes looks for types of media that are half a name: which types
// a model takes is not the fake's concern.
func mediaTypes(r *fake.Request, found fake.Found) {
	look := func(part map[string]any, path string) {
		for _, name := range []string{"inlineData", "fileData"} {
			held := read.Text(member(read.Object(member(part, name)), "mimeType"))
			if slices.Contains(halves, strings.ToLower(held)) {
				found(path, "MIME type: png", "MIME type: "+held)
			}
		}
	}
	opened(r).each(func(i int, c content, p part) {
		look(p.object, p.path)
		for k, v := range read.Array(p.response["parts"]) {
			look(read.Object(v), fmt.Sprintf("%s.functionResponse.parts[%d]", p.path, k))
		}
	})
}

// broken finds images that nobody can decode.
func broken(r *fake.Request, found fake.Found) {
	look := func(part map[string]any, path string) {
		inline := read.Object(member(part, "inlineData"))
		data := read.Text(inline["data"])
		if strings.HasPrefix(read.Text(member(inline, "mimeType")), "image/") && data != "" &&
			picture.Broken(data) {
			found.Says(path, "Unable to process input image. Please retry or report in "+
				"https://developers.generativeai.google/guide/troubleshooting")
		}
	}
	opened(r).each(func(i int, c content, p part) {
		look(p.object, p.path)
		for k, v := range read.Array(p.response["parts"]) {
			look(read.Object(v), fmt.Sprintf("%s.functionResponse.parts[%d]", p.path, k))
		}
	})
}

// nestedMedia finds media in the responses of models before the third, which have no parts:
// https://github.com/google-gemini/gemini-cli/issues/19436
func nestedMedia(r *fake.Request, found fake.Found) {
	g := opened(r)
	if !g.model.known || g.model.major > 2 {
		return
	}
	g.each(func(i int, c content, p part) {
		if len(read.Array(p.response["parts"])) > 0 {
			found(p.path + ".functionResponse.parts")
		}
	})
}
