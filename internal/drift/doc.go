// Package drift holds the types of content that the SDKs of the providers can send to what
// preflight leaves unchanged. Its test reads the SDKs' sources: a version with a new type of block,
// item or part fails it the day that it is pinned in go.mod.
package drift
