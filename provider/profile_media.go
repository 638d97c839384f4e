package provider

// This file has the group of a profile's fields that is about media. A rule id in a comment is the
// evidence for a field.

// MediaRules say which images, documents, audio and video are accepted, and where.
type MediaRules struct {
	// Roles are those whose messages may hold media; empty is any.
	Roles []Role `accepts:"media-role"`

	// Kinds are the accepted kinds, of "image", "document", "audio" and "video"; empty is any.
	Kinds []string `accepts:"media-refused"`

	// TextOnly: the model reads no media of any kind; each becomes a line of text.
	TextOnly bool `refuses:"media-refused"`

	// InResult accepts media in tool results.
	InResult bool `accepts:"media-in-result"`

	// ResultKinds are the kinds that results may hold; empty is all of Kinds
	// (bedrock/tool-result-video).
	ResultKinds []string `accepts:"media-in-result"`

	// Limits are the most media of a kind that a message may hold. Media beyond them becomes text.
	Limits []MediaLimit `refuses:"media-limit"`

	// NoURLs: media is sent inline, not as a URL.
	NoURLs bool `refuses:"media-refused"`

	// NoFiles: media is not a reference to a file that the provider holds, except in results.
	NoFiles bool `refuses:"media-refused"`

	// URLKinds are the kinds that may be sent as a URL; empty is any.
	URLKinds []string `accepts:"media-refused"`

	// FileKinds are the kinds that may be a reference to a file that the provider holds; empty is
	// any.
	FileKinds []string `accepts:"media-refused"`

	// Readable: inline images are PNG, JPEG, GIF or WebP, and documents are PDF.
	Readable bool `refuses:"media-unreadable"`

	// Decodable: inline images of the types that Readable names can be decoded, as far as their
	// first bytes tell. Images of other types are the model's to judge.
	Decodable bool `refuses:"media-unreadable"`

	// MatchType: the declared type of an inline image is the type of its bytes
	// (anthropic/image-media-type-mismatch).
	MatchType bool `refuses:"media-type"`

	// TypedKinds are the kinds that are refused without a media type.
	TypedKinds []string

	// Title is for the titles of documents (bedrock/document-name).
	Title Pattern `letters:"media-name" length:"media-name"`

	// UniqueTitles: no two documents of a history have the same title (bedrock/document-name).
	UniqueTitles bool `refuses:"media-name-twice"`

	// FileNeedsName: an inline document has a name (openai-chat/file-needs-filename).
	FileNeedsName bool `refuses:"file-name"`

	// DocumentNeedsTitle: every document has a title, inline or not (bedrock/document-name).
	DocumentNeedsTitle bool `refuses:"file-name"`

	// DocumentNeedsText: a message with a document holds text, too (bedrock/document-needs-text).
	DocumentNeedsText bool `refuses:"document-alone"`
}

// MediaLimit is the most media of a kind that a message may hold, not counting its tool results.
type MediaLimit struct {
	Kind string
	Most int
}
