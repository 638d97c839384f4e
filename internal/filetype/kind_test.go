package filetype

import "testing"

func TestKind(t *testing.T) {
	for _, test := range []struct{ declared, mediaType, want string }{
		{"image", "application/pdf", "image"},
		{"", "image/png", "image"},
		{"", "Audio/wav", "audio"},
		{"", "video", "video"},
		{"", "application/pdf", "document"},
		{"", "", "document"},
		{"document", "video/mp4", "video"},
		{"document", "image/png", "document"},
		{"sketch", "image/png", "sketch"},
	} {
		if got := Kind(test.declared, test.mediaType); got != test.want {
			t.Errorf("Kind(%q, %q) = %q, want %q", test.declared, test.mediaType, got, test.want)
		}
	}
}
