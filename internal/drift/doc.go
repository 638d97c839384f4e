// Package drift holds what the SDKs of the providers can send to what preflight knows: the types of
// content to what it leaves unchanged, and the members of requests, messages, items, calls, results
// and tools to the rows of package members. Its tests read the SDKs' sources: a version with a new
// type or member fails them the day that it is pinned in go.mod.
package drift
