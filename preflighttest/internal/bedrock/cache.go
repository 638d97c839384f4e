package bedrock

import (
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Cache points.

// point reports whether the block is a cache point. Of one with members that nobody knows, nothing
// is known.
func (b block) point() bool {
	return read.Has(b.object, "cachePoint") && len(read.UnknownNames(b.object, blockUnion)) == 0
}

// points calls f for every cache point with the block before it, nil
// where there is none.
func points(r *fake.Request, f func(b block, before map[string]any)) {
	for _, m := range opened(r).messages {
		for i, b := range m.blocks {
			if !b.point() {
				continue
			}
			var before map[string]any
			if i > 0 {
				before = m.blocks[i-1].object
			}
			f(b, before)
		}
	}
}

// pointAlone: vercel/ai#19851, zed-industries/zed#59436.
func pointAlone(r *fake.Request, found fake.Found) {
	points(r, func(b block, before map[string]any) {
		if before == nil {
			found(b.at())
		}
	})
}

// pointAfterReasoning: anomalyco/opencode#36517.
func pointAfterReasoning(r *fake.Request, found fake.Found) {
	points(r, func(b block, before map[string]any) {
		if read.Has(before, "reasoningContent") {
			found(b.at())
		}
	})
}

// pointAfterDocument: strands-agents/harness-sdk#1966.
func pointAfterDocument(r *fake.Request, found fake.Found) {
	points(r, func(b block, before map[string]any) {
		if notPDF(read.Object(before["document"])) {
			found.Says(b.at(), relayed+b.path+".type: Field required")
		}
	})
}
