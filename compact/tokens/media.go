package tokens

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"math"
	"strings"

	"github.com/go-preflight/preflight"
)

// This file counts media by the formulas that providers publish.

// EstimateWith returns Estimate with another formula for pictures: it is given their width and
// height in pixels, both 0 where they are not known. Nil is the formula of Estimate. A panic in the
// formula passes to the caller of the counter.
func EstimateWith(picture func(width, height int) int) func(preflight.Message) int {
	if picture == nil {
		picture = anthropicPicture
	}
	return func(m preflight.Message) int { return estimate(m, picture) }
}

// OpenAITiles is the formula of gpt-4o and the models before it, at high detail: the picture is
// scaled to fit a square of 2048 pixels, then to a shorter side of at most 768, and costs 170
// tokens for each square of 512 pixels, and 85. A size that is not known counts as the largest.
// Some models have other numbers (https://platform.openai.com/docs/guides/images-vision,
// "Calculating costs").
func OpenAITiles(width, height int) int {
	const side, short, tile = 2048, 768, 512
	w, h := float64(width), float64(height)
	if width <= 0 || height <= 0 {
		w, h = side, short
	}
	if long := max(w, h); long > side {
		w, h = float64(w*side)/long, float64(h*side)/long
	}
	if least := min(w, h); least > short {
		w, h = float64(w*short)/least, float64(h*short)/least
	}
	return 85 + 170*int(math.Ceil(w/tile)*math.Ceil(h/tile))
}

// OpenAIPatches is the formula of the models that count patches of 32 pixels, at most 1536 (gpt-4.1
// mini and nano, o4-mini): the page multiplies the result by a factor of the model's. A size that
// is not known counts as the largest (https://platform.openai.com/docs/guides/images-vision,
// "Calculating costs").
func OpenAIPatches(width, height int) int {
	const patch, most = 32, 1536
	if width <= 0 || height <= 0 {
		return most
	}
	w, h := float64(width)/patch, float64(height)/patch
	if math.Ceil(w)*math.Ceil(h) > most {
		shrink := math.Sqrt(float64(most / float64(w*h)))
		across, down := float64(w*shrink), float64(h*shrink)
		// the scale at which a whole number of patches fits in both directions
		shrink = float64(shrink * min(math.Floor(across)/across, math.Floor(down)/down))
		w, h = float64(w*shrink), float64(h*shrink)
	}
	const rounding = 1e-9
	return max(1, min(most, int(math.Ceil(w-rounding)*math.Ceil(h-rounding))))
}

// GeminiTiles is the formula of Gemini 2: 258 tokens for a picture of at most 384 pixels in both
// directions, and else for each tile of 768 pixels. A size that is not known counts one tile
// (https://ai.google.dev/gemini-api/docs/tokens, "Multimodal tokens").
func GeminiTiles(width, height int) int {
	const tokens, small, tile = 258, 384, 768
	if width <= small && height <= small {
		return tokens
	}
	across, down := int(math.Ceil(float64(width)/tile)), int(math.Ceil(float64(height)/tile))
	return tokens * min(max(1, across)*max(1, down), most/tokens)
}

const (
	// pageTokens is what a page of a PDF costs. Anthropic counts its text and a picture of it
	// (https://docs.anthropic.com/en/docs/build-with-claude/pdf-support); measured were 2,324 to
	// 2,481 for pages with text and 1,600 for a scan
	// (https://huggingface.co/datasets/JOHNISKING/pdf-token-cost).
	pageTokens = 2500
	// pageBytes is the size of a page where pages cannot be counted.
	pageBytes = 50_000
	// soundTokens is what a second of sound costs: Google's documentation said 25
	// (https://ai.google.dev/gemini-api/docs/audio), and later 32
	// (https://discuss.ai.google.dev/t/are-audio-output-tokens-equal-to-text-output-tokens/84379).
	soundTokens = 32
	// soundBytes is a second of sound at 128 kbit/s, where its header does not say more.
	soundBytes = 16_000
)

// mediaTokens returns what inline data that is no picture costs; ok is false where that is not
// known.
func mediaTokens(m *preflight.Media) (n int, ok bool) {
	kind := m.Kind + " " + m.MediaType
	pdf, sound := strings.Contains(kind, "application/pdf"), strings.Contains(kind, "audio")
	if m.Data == "" || !pdf && !sound {
		return 0, false
	}
	size := len(strings.TrimRight(m.Data, "=")) * 3 / 4
	if sound {
		rate := soundBytes
		head := make([]byte, 48)
		n, _ := base64.StdEncoding.Decode(head, []byte(m.Data[:min(len(m.Data), 64)]))
		if n >= 32 && bytes.HasPrefix(head, []byte("RIFF")) {
			rate = max(1, int(binary.LittleEndian.Uint32(head[28:])))
		}
		return max(1, soundTokens*((size+rate-1)/rate)), true
	}
	pages := 0
	if data, err := base64.StdEncoding.DecodeString(m.Data); err == nil {
		pages = pagesOf(data)
	}
	if pages == 0 {
		pages = (size + pageBytes - 1) / pageBytes
	}
	return pageTokens * pages, true
}

// pagesOf returns the number of page objects in a PDF, 0 where they are compressed.
func pagesOf(data []byte) int {
	pages := 0
	for {
		at := bytes.Index(data, []byte("/Type"))
		if at < 0 {
			return pages
		}
		data = data[at+len("/Type"):]
		rest := bytes.TrimLeft(data[:min(len(data), 16)], " \r\n")
		if after, ok := bytes.CutPrefix(rest, []byte("/Page")); ok &&
			!bytes.HasPrefix(after, []byte("s")) {
			pages++
		}
	}
}
