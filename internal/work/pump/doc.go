// Package pump repeats stretches of small bodies, so that a test can hold the work that they cause
// to their size: whatever is repeated k, 2k and 4k times, the steps and the memory grow with it.
// Without the build tag workcount, which counts steps, it is empty.
package pump
