//go:build !(js && wasm)

package main

func main() { panic("build it with GOOS=js GOARCH=wasm") }
