package preflighttest

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"regexp"
	"strings"
)

// This file judges inline pictures and PDF files, for the fakes of providers that read them.

// encoded is base64 in either alphabet.
var encoded = regexp.MustCompile(`^[A-Za-z0-9+/_-]*={0,2}$`)

// decodedFile decodes inline data. The padding may be missing.
func decodedFile(data string) ([]byte, bool) {
	data = strings.Join(strings.Fields(data), "")
	if !encoded.MatchString(data) {
		return nil, false
	}
	digits := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(data, "="))
	file, err := base64.RawStdEncoding.DecodeString(digits)
	return file, err == nil
}

// readsPicture reports whether inline data is a picture, judged by its first
// bytes tell.
func readsPicture(data string) bool {
	file, ok := decodedFile(data)
	switch {
	case !ok:
		return false
	case bytes.HasPrefix(file, []byte("\x89PNG\r\n\x1a\n")):
		header := len(file) >= 24 && string(file[12:16]) == "IHDR"
		return header && binary.BigEndian.Uint32(file[16:]) != 0 &&
			binary.BigEndian.Uint32(file[20:]) != 0
	case bytes.HasPrefix(file, []byte("GIF87a")), bytes.HasPrefix(file, []byte("GIF89a")):
		return len(file) >= 10
	case bytes.HasPrefix(file, []byte("RIFF")):
		return len(file) >= 12 && string(file[8:12]) == "WEBP"
	}
	return bytes.HasPrefix(file, []byte{0xff, 0xd8, 0xff})
}

// anthropicUndecodable: anthropics/claude-code#53228, #56016, #66167; for PDF
// files #5174.
func anthropicUndecodable(r *request, found found) {
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		source := object(b.object["source"])
		if text(source["type"]) != "base64" || text(source["data"]) == "" {
			return
		}
		switch data := text(source["data"]); {
		case b.kind == "image" && !readsPicture(data):
			found(b.at())
		case b.kind == "document" && text(source["media_type"]) == "application/pdf" &&
			!readsPDF(data):
			found(b.at(), inOwnWords,
				b.path+".pdf.source.base64.data: The PDF specified was not valid.")
		}
	})
}

func readsPDF(data string) bool {
	file, ok := decodedFile(data)
	return ok && bytes.Contains(file[:min(len(file), 1020)], []byte("%PDF-"))
}

// openaiChatUndecodable: traceloop/openllmetry test_vision_base64.
func openaiChatUndecodable(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		for _, p := range array(m.object["content"]) {
			address := text(object(object(p)["image_url"])["url"])
			header, data, _ := strings.Cut(address, ",")
			inline := strings.HasPrefix(header, "data:") && strings.HasSuffix(header, ";base64")
			if text(object(p)["type"]) == "image_url" && inline && !readsPicture(data) {
				found(m.path)
			}
		}
	}
}
