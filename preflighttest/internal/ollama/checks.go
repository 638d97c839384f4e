package ollama

import "github.com/go-preflight/preflight/preflighttest/internal/fake"

// checks are in the order in which the fake looks.
var checks = []fake.Check{
	{Find: schema},
	{Rule: "ollama/arguments-object", Find: arguments},
	{Rule: "ollama/cloud-pairing", Find: cloudPairs},
}
