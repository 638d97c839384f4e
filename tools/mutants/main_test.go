package main

import (
	"os"
	"testing"
)

// TestMain leaves the workspace that the tests may run in: they make modules of their own, which no
// workspace knows.
func TestMain(m *testing.M) {
	if err := os.Setenv("GOWORK", "off"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
