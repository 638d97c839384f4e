// Package tokens estimates what a message costs, for callers who have no tokenizer at hand.
//
// Estimate is the default counter of package compact. Where the exact number matters, use the
// tokenizer of your model: examples/tokenizer does.
package tokens

import (
	"math"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/internal/parts"
	"github.com/go-preflight/preflight/internal/unread"
)

// most is the most that anything counts, so that sums do not overflow.
const most = math.MaxInt / 16

// frameTokens is what a message costs beside its content: role and delimiters.
const frameTokens = 4

// Estimate counts a token for each four bytes of content, rounded up, and four for the frame of the
// message. It is about right for English prose; code and JSON cost up to half as much again, and
// text in scripts of three bytes a letter up to a third more or less, depending on the model.
//
// A picture counts by its size in pixels and not by its bytes: one token for each square of 28
// pixels, which is Anthropic's formula (https://platform.claude.com/docs/en/build-with-claude/vision),
// and at most 4000: larger pictures are scaled down, and one of twelve megapixels cost 4,005 with a
// short question (https://huggingface.co/datasets/JOHNISKING/image-token-cost, Claude 5.5). One
// whose size is not known (an address, the id of a file, a format other than PNG, JPEG and GIF)
// counts 1600. EstimateWith takes the formulas of other providers.
//
// A page of a PDF counts 2500 tokens; where its pages are compressed, and cannot be counted, each
// 50,000 bytes are one. A second of sound counts 32, at the rate in a WAV header or else at 128
// kbit/s. Other media count by the size of their data.
func Estimate(m preflight.Message) int { return estimate(m, anthropicPicture) }

func estimate(m preflight.Message, picture func(width, height int) int) int {
	n, media := 0, 0
	parts.Strings(m.Parts, func(s string, native []byte) { n += unread.Len(s, native) })
	eachMedia(m.Parts, func(p *preflight.Media) {
		if isPicture(p) {
			n -= len(p.Data) + len(p.URL) + len(p.FileID)
			media = min(media+max(0, min(picture(pictureSize(p)), most)), most)
		} else if tokens, ok := mediaTokens(p); ok {
			n -= len(p.Data)
			media = min(media+tokens, most)
		}
	})
	return min(frameTokens+(n+3)/4+media, most)
}
