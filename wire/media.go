package wire

import (
	"cmp"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/filetype"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file has what formats have in common in how they write media: kinds, types, data: URLs.

// inlineData returns the media type and base64 of inline media, which other formats keep in a data:
// URL.
func inlineData(m *preflight.Media) (mediaType, data string) {
	for _, s := range []string{m.Data, m.URL} {
		if _, rest, ok := strings.Cut(s, ";base64,"); ok && strings.HasPrefix(s, "data:") {
			if mediaType = dataType(s); mediaType == "" {
				mediaType = m.MediaType
			}
			return mediaType, rest
		}
	}
	return m.MediaType, m.Data
}

// bareData reads base64 data, in a member or in v itself, where a data: URL is refused.
func (d *decoder) bareData(v jsonscan.Value, key string) (mediaType, data string) {
	given := v
	if key != "" {
		given = v.Get(key)
	}
	data = given.Str()
	mediaType, bare, ok := filetype.ParseDataURL(data)
	if !ok {
		return "", data
	}
	d.shape(v, key, "the data is a data: URL, not base64", "wrote the data of a data: URL as base64")
	return mediaType, bare
}

// dataIn returns the media type and base64 of an address that is a data: URL, or the base64 of a
// known type of media itself; no data for another one.
func dataIn(kind, address string) (mediaType, data string) {
	if mediaType, data, ok := filetype.ParseDataURL(address); ok {
		return mediaType, data
	}
	if mediaType = typeOfData(kind, address); mediaType == "" {
		return "", ""
	}
	return mediaType, address
}

// address reads the member key of v, where data are refused, into media.
func (d *decoder) address(m *preflight.Media, v jsonscan.Value, key string) {
	m.URL = v.Get(key).Str()
	if mediaType, data := dataIn(m.Kind, m.URL); data != "" {
		d.shape(v, key, "the address is the data", "wrote the data in an address as base64")
		m.URL, m.MediaType, m.Data = "", cmp.Or(m.MediaType, mediaType), data
	}
}

// imageAddress reads the address of an image, where bare base64 is refused.
func (d *decoder) imageAddress(v jsonscan.Value) string {
	address := v.Str()
	mediaType := filetype.OfImage(address)
	if mediaType == "" {
		return address
	}
	d.shape(v, "", "the image is base64, not an address", "wrote the data of an image as a data: URL")
	return "data:" + mediaType + ";base64," + address
}

// mediaTypeOf returns the media type of a format, "" for none.
func mediaTypeOf(kind, format string) string {
	if format == "" {
		return ""
	}
	if kind != "document" {
		return mediaTypeIn(kind, format)
	}
	for _, t := range documentTypes {
		if t[0] == format {
			return t[1]
		}
	}
	return "application/" + format
}

// mediaTypeIn returns the media type of a format, such as image/png, "" for none. It allocates
// nothing for the usual ones.
func mediaTypeIn(kind, format string) string {
	for _, t := range usualTypes {
		if k, f, _ := strings.Cut(t, "/"); k == kind && f == format {
			return t
		}
	}
	if format == "" {
		return ""
	}
	return kind + "/" + format
}

// mediaKind returns the kind of media, by its media type where it has none.
func mediaKind(m *preflight.Media) string { return filetype.Kind(m.Kind, m.MediaType) }

// dataType returns the media type in a data: URL.
func dataType(url string) string {
	rest, ok := strings.CutPrefix(url, "data:")
	if !ok {
		return ""
	}
	return rest[:max(strings.IndexAny(rest, ";,"), 0)]
}

// addressOf returns the address of media, a data: URL for inline data.
func addressOf(m *preflight.Media) string {
	if m.URL == "" {
		return inDataURL(m)
	}
	return m.URL
}

// inDataURL returns inline data as a data: URL, which it may be already; "" for none.
func inDataURL(m *preflight.Media) string {
	if m.Data == "" || strings.HasPrefix(m.Data, "data:") {
		return m.Data
	}
	return "data:" + m.MediaType + ";base64," + m.Data
}

var usualTypes = []string{
	"image/png", "image/jpeg", "image/gif", "image/webp", "audio/wav", "audio/mp3", "video/mp4",
}

// typeOfData returns the media type that base64 data shows, "" for a type that preflight does not
// recognize.
func typeOfData(kind, data string) string {
	switch {
	case kind == "image":
		return filetype.OfImage(data)
	case kind == "document" && filetype.IsPDF(data):
		return "application/pdf"
	}
	return ""
}

// googleSource returns a URI as the address or the file id that it is. Only Google reads the URIs
// of its Files API, or their names, and of its Cloud Storage, with the credentials of the request.
func googleSource(uri string) (address, file string) {
	for _, stored := range []string{
		"gs://", "https://generativelanguage.googleapis.com/", "files/",
	} {
		if len(uri) >= len(stored) && strings.EqualFold(uri[:len(stored)], stored) {
			return "", uri
		}
	}
	return uri, ""
}
