package gemini

import (
	"fmt"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Contents without parts, and parts without data or with more than one kind of it.

func noContents(r *fake.Request, found fake.Found) {
	if len(listOf(r.Root["contents"])) == 0 {
		found("contents")
	}
}

func emptyParts(r *fake.Request, found fake.Found) {
	g := opened(r)
	for _, c := range g.all(r) {
		// the answer of a model that had no room for one is a content of a role alone
		_, listed := c.object["parts"]
		if !g.vertex && c.object != nil && len(c.parts) == 0 && (listed || !c.models()) {
			found(c.path+".parts", "contents[0]", c.path)
		}
	}
}

func emptyPartsVertex(r *fake.Request, found fake.Found) {
	g := opened(r)
	for _, c := range g.all(r) {
		if g.vertex && c.object != nil && len(c.parts) == 0 {
			found(c.path + ".parts")
		}
	}
}

// data returns the kinds of data that the part holds.
func (p part) data() []string {
	var held []string
	for _, name := range data {
		if member(p.object, name) != nil {
			held = append(held, name)
		}
	}
	return held
}

// described reports whether the part holds metadata of media, which was
// accepted without the media.
func (p part) described() bool {
	for _, name := range []string{"videoMetadata", "mediaResolution", "mediaProcessing",
		"audioTranscription", "speechMetadata", "partMetadata"} {
		if member(p.object, name) != nil {
			return true
		}
	}
	return false
}

func twoData(r *fake.Request, found fake.Found) {
	for _, c := range opened(r).all(r) {
		for _, p := range c.parts {
			if data := p.data(); len(data) > 1 {
				found.Says(p.path,
					fmt.Sprintf("Invalid value at '%s' (oneof), oneof field 'data' is already "+
						"set. Cannot set '%s'", p.path, data[1]))
			}
		}
	}
}

// emptyData takes empty text for data, as the Gemini API does; Vertex AI
// has words of its own for it. A signature needs no data beside it.
func emptyData(r *fake.Request, found fake.Found) {
	g := opened(r)
	for _, c := range g.all(r) {
		for _, p := range c.parts {
			data := p.data()
			empty := len(data) == 1 && p.object["text"] == ""
			switch {
			case p.object == nil || p.signature() != "" && (len(data) == 0 || empty):
			case len(data) == 0 && p.described():
			case len(data) == 0 || emptyMedia(p.object):
				found(p.path, "contents[0].parts[1]", p.path)
			case empty && g.vertex && !(g.model.major == 2 && g.model.minor == 0):
				found.Says(p.path,
					"Unable to submit request because it must have a text parameter. Add a text "+
						"parameter and try again.")
			}
			for i, v := range read.Array(p.response["parts"]) {
				path := fmt.Sprintf("%s.functionResponse.parts[%d]", p.path, i)
				if emptyMedia(read.Object(v)) {
					found(path, "contents[0].parts[1]", path)
				}
			}
		}
	}
}
