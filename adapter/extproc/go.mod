module github.com/go-preflight/preflight/adapter/extproc

go 1.24

require (
	github.com/envoyproxy/go-control-plane/envoy v1.35.0
	github.com/go-preflight/preflight v0.0.0
	google.golang.org/grpc v1.73.0
)

require (
	github.com/cncf/xds/go v0.0.0-20250326154945-ae57f3c0d45f // indirect
	github.com/envoyproxy/protoc-gen-validate v1.2.1 // indirect
	github.com/planetscale/vtprotobuf v0.6.1-0.20240319094008-0393e58bdf10 // indirect
	golang.org/x/net v0.40.0 // indirect
	golang.org/x/sys v0.33.0 // indirect
	golang.org/x/text v0.25.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20250528174236-200df99c418a // indirect
	google.golang.org/protobuf v1.36.6 // indirect
)

// For development: a replace directive counts only in the main module, so users of this module get
// the version of preflight that is required above.
replace github.com/go-preflight/preflight => ../..
