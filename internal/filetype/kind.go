package filetype

import "strings"

// Kind returns the kind of media that is declared to be of a kind, "" for none, and of a media
// type. Media without a kind is an image, audio or video if its type says so, or else a document.
// Audio and video are no documents, whatever they are declared to be.
func Kind(declared, mediaType string) string {
	if declared != "" && declared != "document" {
		return declared
	}
	first, _, _ := strings.Cut(mediaType, "/")
	for _, kind := range []string{"audio", "video", "image"} {
		if strings.EqualFold(first, kind) && (declared == "" || kind != "image") {
			return kind
		}
	}
	return "document"
}
