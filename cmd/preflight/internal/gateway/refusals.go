package gateway

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-preflight/preflight/internal/atomicfile"
	"github.com/go-preflight/preflight/preflighthttp"
)

// This file keeps requests that an upstream refused, in a folder, for preflight explain --file.

// The bounds of the folder: files, and bytes of a body.
const (
	mostRefusals   = 100
	maxRefusalBody = 8 << 20
	mostWriting    = 2 // at once; of more requests none is kept
)

// refusalFiles is what the names of the files match.
const refusalFiles = "refused-*.json"

// refusals is the folder.
type refusals struct {
	folder string
	warn   func(text string)

	busy   atomic.Int32 // how many are being written
	mu     sync.Mutex   // of the folder
	failed atomic.Bool
}

// keep writes a file for a request beside those that follow. The oldest go when there are too many.
func (r *refusals) keep(one *preflighthttp.Refused) {
	if len(one.Body)+len(one.Sent) > maxRefusalBody {
		return
	}
	if r.busy.Add(1) > mostWriting {
		r.busy.Add(-1)
		return
	}
	go func() {
		defer r.busy.Add(-1)
		r.mu.Lock()
		defer r.mu.Unlock()
		if err := r.write(one); err != nil && !r.failed.Swap(true) {
			r.warn("refused requests are not kept: " + err.Error())
		}
	}()
}

// shownRefusal returns a refused request without the keys of its path, which the upstream may
// quote.
func (r *Route) shownRefusal(one *preflighthttp.Refused) *preflighthttp.Refused {
	shown := *one
	shown.Host, shown.Path = r.hide(one.Host), r.withoutKeys(one.Path)
	if words := one.Words; len(one.Path) > 1 {
		words = strings.ReplaceAll(words, one.Path, shown.Path)
		if plain, err := url.PathUnescape(one.Path); err == nil {
			words = strings.ReplaceAll(words, plain, shown.Path)
		}
		shown.Words = r.hide(words)
	}
	return &shown
}

// writes reports whether a file is being written.
func (r *refusals) writes() bool { return r != nil && r.busy.Load() > 0 }

func (r *refusals) write(one *preflighthttp.Refused) error {
	var data bytes.Buffer
	e := json.NewEncoder(&data)
	e.SetEscapeHTML(false)
	if err := e.Encode(one); err != nil {
		return err
	}
	if err := os.MkdirAll(r.folder, 0o700); err != nil {
		return err
	}
	name := "refused-" + one.At.UTC().Format("20060102T150405.000000000") + ".json"
	f, err := atomicfile.Create(filepath.Join(r.folder, name), 0o600)
	if err != nil {
		return err
	}
	defer f.Remove()
	if _, err := f.Write(data.Bytes()); err != nil {
		return err
	}
	if err := atomicfile.Complete(f); err != nil {
		return err
	}
	return r.prune()
}

// prune removes the oldest files beyond the bound.
func (r *refusals) prune() error {
	files, err := filepath.Glob(filepath.Join(r.folder, refusalFiles))
	if err != nil {
		return err
	}
	slices.Sort(files) // by their time
	for ; len(files) > mostRefusals; files = files[1:] {
		if err := os.Remove(files[0]); err != nil {
			return err
		}
	}
	return nil
}
