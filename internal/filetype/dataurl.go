package filetype

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// ParseDataURL returns the media type and the data, in base64, of a data: URL (RFC 2397). The media
// type is without parameters, and may be empty. ok is false for any other string.
func ParseDataURL(s string) (mediaType, data string, ok bool) {
	s, ok = strings.CutPrefix(s, "data:")
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
