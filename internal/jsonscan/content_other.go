//go:build !amd64 || purego

package jsonscan

// content is contentInGo.
func content(src []byte, i int) (at int, fl Flags) { return contentInGo(src, i) }
