package filetype

import "strings"

// Unreadable reports whether inline data that is declared as an image or a PDF file is not base64
// or does not start like one. The data is in data, or else in url, a data: URL; with neither, and
// for other kinds of media, there is nothing to judge.
func Unreadable(kind, mediaType, data, url string) bool {
	pdf := kind == "document" && mediaType == "application/pdf"
	if kind != "image" && !pdf {
		return false
	}
	data, ok := inline(data, url)
	switch {
	case !ok:
		return false
	case pdf:
		return !IsPDF(data)
	}
	return !isPicture(data)
}

// Undecodable reports whether inline data that is declared as an image of a type that this package
// recognizes is not base64, or has the first bytes of such a type and a broken header after them.
// Nobody can decode it. Data that starts in another way may be an image of another type.
func Undecodable(kind, mediaType, data, url string) bool {
	data, ok := inline(data, url)
	if kind != "image" && !strings.HasPrefix(mediaType, "image/") || !ok {
		return false
	}
	if strings.Contains(data, "…") {
		return false // a log left something out: it does not show what was sent
	}
	if valid, _ := isBase64(data); !valid {
		return true
	}
	return OfImage(data) != "" && !isPicture(data)
}

// inline returns base64 data, which may be in a data: URL.
func inline(data, url string) (base64 string, ok bool) {
	given := data
	if given == "" {
		given = url
	}
	if !strings.HasPrefix(given, "data:") {
		return data, data != ""
	}
	header, base64, found := strings.Cut(given, ",")
	return base64, found && strings.HasSuffix(header, ";base64")
}
