package filetype

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// IsDataURL reports whether s is a data: URL. The case of a scheme does not count.
func IsDataURL(s string) bool {
	_, ok := cutScheme(s)
	return ok
}

// cutScheme returns s without the scheme of a data: URL.
func cutScheme(s string) (rest string, ok bool) {
	const scheme = "data:"
	if len(s) < len(scheme) || !strings.EqualFold(s[:len(scheme)], scheme) {
		return s, false
	}
	return s[len(scheme):], true
}

// ParseDataURL returns the media type and the data, in base64, of a data: URL (RFC 2397). The media
// type is without parameters, and may be empty. ok is false for any other string.
func ParseDataURL(s string) (mediaType, data string, ok bool) {
	s, ok = cutScheme(s)
	head, data, found := strings.Cut(s, ",")
	if !ok || !found {
		return "", "", false
	}
	head, encoded := strings.CutSuffix(head, ";base64")
	if !encoded {
		plain, err := url.PathUnescape(data)
		if err != nil {
			return "", "", false
		}
		data = base64.StdEncoding.EncodeToString([]byte(plain))
	}
	mediaType, _, _ = strings.Cut(head, ";")
	return mediaType, data, true
}
