package preflighttest_test

import (
	"testing"

	"github.com/go-preflight/preflight/internal/rapidseed"
)

func TestMain(m *testing.M) { rapidseed.Main(m, 50) }
