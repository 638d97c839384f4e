package filetype

import (
	"encoding/binary"
	"slices"
	"strings"
)

// signatures are the first bytes of the image types that providers take. Source: the specifications
// of the formats.
var signatures = []struct {
	prefix    string
	mediaType string
}{
	{"\xff\xd8\xff", "image/jpeg"},
	{"\x89PNG\r\n\x1a\n", "image/png"},
	{"GIF87a", "image/gif"},
	{"GIF89a", "image/gif"},
}

// headSize is enough for the headers of PNG, GIF and WebP files, a multiple of three.
const headSize = 30

// OfImage returns the type of an image by the first bytes of its base64 data, such as "image/png".
// It is "" for what is no PNG, JPEG, GIF or WebP file.
func OfImage(data string) string {
	var head [12]byte
	return imageType(first(data, head[:]))
}

func imageType(file []byte) string {
	for _, s := range signatures {
		if strings.HasPrefix(string(file), s.prefix) {
			return s.mediaType
		}
	}
	if len(file) >= 12 && string(file[:4]) == "RIFF" && string(file[8:12]) == "WEBP" {
		return "image/webp"
	}
	return ""
}

// isPicture reports whether base64 data, in either alphabet, is a PNG, JPEG, GIF or WebP file by
// its header, in which neither width nor height may be zero.
func isPicture(data string) bool {
	ok, adjacent := isBase64(data)
	if !ok {
		return false
	}
	var buf [headSize]byte
	head := first(data, buf[:])
	switch imageType(head) {
	case "image/png":
		return len(head) >= 24 && string(head[12:16]) == "IHDR" &&
			binary.BigEndian.Uint32(head[16:]) > 0 && binary.BigEndian.Uint32(head[20:]) > 0
	case "image/gif":
		return len(head) >= 10 &&
			binary.LittleEndian.Uint16(head[6:]) > 0 && binary.LittleEndian.Uint16(head[8:]) > 0
	case "image/webp":
		return isWebP(head)
	case "image/jpeg":
		return !adjacent || isJPEG(data)
	}
	return false
}

// isWebP reports whether the first chunk of a WebP file is one of the three that the format knows,
// and the size of the picture in it is not zero. Only lossy ones can hold a zero: RFC 6386, 9.1.
func isWebP(head []byte) bool {
	if len(head) < 16 {
		return true // the mark of the format is all there is to judge by
	}
	switch string(head[12:16]) {
	case "VP8L", "VP8X":
		return true
	case "VP8 ":
		const size = 0x3fff // 14 bits; the other two are a scale
		return len(head) < 30 ||
			binary.LittleEndian.Uint16(head[26:])&size > 0 &&
				binary.LittleEndian.Uint16(head[28:])&size > 0
	}
	return false
}

// isJPEG follows the segments of a JPEG file up to the header of its frame, and reports whether the
// width in it is not zero. A height of zero stands for one that comes later. A file that ends
// before that header, or has bytes between its segments, which decoders skip, is not judged.
// Source: ITU-T T.81, B.1 and B.2.
func isJPEG(data string) bool {
	var buf [12]byte
	for offset := 2; ; {
		segment := at(data, offset, buf[:])
		if len(segment) < 4 {
			return true
		}
		marker := segment[1]
		if segment[0] != 0xff || marker == 0 {
			return true
		}
		switch {
		case marker == 0xff: // a fill byte
			offset++
			continue
		case marker == 0x01 || 0xd0 <= marker && marker <= 0xd8: // without a length
			offset += 2
			continue
		case marker == 0xd9 || marker == 0xda: // the picture begins or ends before its header
			return false
		}
		if 0xc0 <= marker && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc {
			return len(segment) < 9 || binary.BigEndian.Uint16(segment[7:]) > 0
		}
		offset += 2 + int(binary.BigEndian.Uint16(segment[2:]))
	}
}

// imageTypes are the registered subtypes of images, and the common wrong names of those.
var imageTypes = []string{
	"apng", "avif", "bmp", "gif", "heic", "heif", "ico", "jfif", "jpeg", "jpg", "jxl", "pjpeg", "png",
	"svg", "svg+xml", "tif", "tiff", "vnd.microsoft.icon", "webp", "x-icon", "x-png", "*",
}

// IsUnknownImage reports whether a media type is one of images that is not known.
func IsUnknownImage(mediaType string) bool {
	kind, subtype, found := strings.Cut(strings.ToLower(mediaType), "/")
	return found && kind == "image" && subtype != "" && !slices.Contains(imageTypes, subtype)
}
