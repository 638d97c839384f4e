package preflighthttp

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// This file limits the memory for bodies that are in memory at once.

// ErrBusy is the error of a request whose body did not fit into Transport.Budget, where
// Transport.Busy is Fail or Refuse.
var ErrBusy = errors.New("too many request bodies are in memory at once")

// Budget limits how many bytes of request bodies are in memory at once, for all Transports that
// share it; a nil Budget has no limit. What counts are the bytes of a body that have arrived, not
// the length that its request announces. They count until the body is sent and its answer begins.
// Then its memory is released, unless the request has a GetBody, for which the body is kept. A
// repaired body counts in addition to the original while it is made, and with Remedies until the
// answer begins. A Budget is safe for concurrent use.
type Budget struct {
	mu    sync.Mutex
	limit int64
	used  int64
	most  int64            // of one tenant, 0 without a limit
	each  map[string]int64 // what tenants hold
}

// NewBudget returns a budget of the given number of bytes.
func NewBudget(bytes int64) *Budget { return &Budget{limit: bytes} }

// LimitTenants lets the requests of one tenant, as [WithTenant] names them, hold at most so many of
// the bytes, so that one cannot keep all others out. Requests without a tenant count as those of
// one. What a Transport holds from then on counts. 0 is no limit.
func (b *Budget) LimitTenants(bytes int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.most = max(bytes, 0)
}

// Used returns how many bytes are in memory.
func (b *Budget) Used() int64 {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// Take takes n bytes and reports whether there was room for them; if not, nothing is taken.
// Gateways that use [Transport.Judge] take the length of a body before they read it.
func (b *Budget) Take(n int64) bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if n = max(n, 0); n > b.limit-b.used {
		return false
	}
	b.used += n
	return true
}

// errTenantBusy is the ErrBusy of a tenant that holds too much.
var errTenantBusy = fmt.Errorf("%w, by this client alone", ErrBusy)

// room returns an error if there is no room for n bytes of a tenant, which are not taken.
func (b *Budget) room(tenant string, n int64) error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fits(tenant, n)
}

func (b *Budget) fits(tenant string, n int64) error {
	switch {
	case b.most > 0 && n > b.most-b.each[tenant]:
		return errTenantBusy
	case n > b.limit-b.used:
		return ErrBusy
	}
	return nil
}

// takeFor takes n bytes of a tenant. If there is no room for them, nothing is taken.
func (b *Budget) takeFor(tenant string, n int64) error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	err := b.fits(tenant, n)
	if err == nil {
		b.count(tenant, n)
	}
	return err
}

// addFor takes n bytes of a tenant, also beyond the limits. A negative n gives bytes back.
func (b *Budget) addFor(tenant string, n int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count(tenant, n)
}

// count counts all tenants, so that a limit may be set while they hold bodies.
func (b *Budget) count(tenant string, n int64) {
	b.used = max(b.used+n, 0)
	if b.each == nil {
		b.each = map[string]int64{}
	}
	if b.each[tenant] += n; b.each[tenant] <= 0 {
		delete(b.each, tenant)
	}
}

// Give returns n bytes that were taken.
func (b *Budget) Give(n int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used = max(b.used-max(n, 0), 0)
}

type tenantKey struct{}

// WithTenant returns a context for requests through a Transport on behalf of a tenant: what
// Transport.Learned learns from them holds for requests of the same tenant alone, and
// [Budget.LimitTenants] limits how many bytes they take. Requests with different credentials are
// kept apart without it, for Learned; it is for tenants that share a credential, or whose
// credentials are added after the Transport. Learned keeps only a keyed hash of tenant. A nil ctx
// means context.Background().
func WithTenant(ctx context.Context, tenant string) context.Context {
	if ctx == nil {
		ctx = context.Background()
	}
	return context.WithValue(ctx, tenantKey{}, tenant)
}

// tenantIn returns the tenant of a context, "" for none.
func tenantIn(ctx context.Context) string {
	tenant, _ := ctx.Value(tenantKey{}).(string)
	return tenant
}
