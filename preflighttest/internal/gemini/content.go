package gemini

import "github.com/go-preflight/preflight/preflighttest/internal/fake"

// Contents without parts.

func noContents(r *fake.Request, found fake.Found) {
	if len(listOf(r.Root["contents"])) == 0 {
		found("contents")
	}
}

func emptyParts(r *fake.Request, found fake.Found) {
	g := opened(r)
	for _, c := range g.all(r) {
		if !g.vertex && c.object != nil && len(c.parts) == 0 {
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
