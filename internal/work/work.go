// Package work counts what preflight does: JSON nodes visited, messages, texts and ids looked at.
// A test that counts sees quadratic work that a clock misses. Without the build tag workcount it
// counts nothing and costs nothing.
package work
