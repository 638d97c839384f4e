package cohere

import "github.com/go-preflight/preflight/preflighttest/internal/fake"

// checks are in the order in which the fake looks.
var checks = []fake.Check{
	{Find: schema},
	{Rule: "cohere/tool-result-missing", Find: missing},
	{Rule: "cohere/image-user-only", Find: images},
	{Rule: "cohere/image-unsupported", Find: noImages},
	{Rule: "cohere/tool-content-required", Find: contentless},
}
