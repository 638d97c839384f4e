//go:build !amd64 || purego

package jsonscan

// IsText reports whether s is valid UTF-8 without NUL.
func IsText(s string) bool { return isTextInGo(s) }
