package preflightextproc

import (
	"errors"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/contain"
)

// This file contains the caller's functions: a panic in one is the error of its stream. Without it,
// a panic would end the server, since gRPC recovers from none.

// call calls f, and records a panic in it. name is that of the function that f calls.
func (r *request) call(name string, f func()) {
	defer contain.Panic(name, &r.fault)
	f()
}

// errEnded is the error of a stream whose goroutine was ended.
var errEnded = &preflight.Error{
	Reason: preflight.ErrHook, Hook: "Processor", Message: -1,
	Err: errors.New("a function ended the goroutine of the stream"),
}

// fault is the error of a function of the caller, as gRPC sends it.
type fault struct{ error }

// Unwrap gives the error.
func (f *fault) Unwrap() error { return f.error }

// GRPCStatus returns what the client is told.
func (f *fault) GRPCStatus() *status.Status { return status.New(codes.Internal, f.Error()) }
