package preflightbedrock

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/schemas"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	"github.com/aws/smithy-go"
	smithydocument "github.com/aws/smithy-go/document"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/aws/smithy-go/transport/http/protocol/restjson1"

	"github.com/go-preflight/preflight/adapter"
)

// This file has the SDK write values as it sends them, and read them as it receives them. It writes
// them into a request that is never sent, and reads them from a made-up response.

var (
	protocol  = restjson1.New(schemas.AmazonBedrockFrontendService)
	operation = smithy.NewOperationSchema(schemas.Converse, schemas.ConverseRequest,
		schemas.ConverseResponse)
)

// write returns the JSON that the SDK sends for a value.
func write(value smithy.Serializable) (raw []byte, err error) {
	if tag := unknownMember(reflect.ValueOf(value)); tag != nil {
		return nil, fmt.Errorf(
			"%w: the SDK leaves out what it does not know, here a union's member %q",
			adapter.ErrInexact, *tag)
	}
	defer func() {
		// The SDK reads through pointers that may be nil, such as a union's member.
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: the SDK cannot write the %T: %v", adapter.ErrInexact, value, p)
		}
	}()
	request := smithyhttp.NewStackRequest().(*smithyhttp.Request)
	out := &writer{value: value}
	if err := protocol.SerializeRequest(context.Background(), operation, out, request); err != nil {
		return nil, err
	}
	if out.err != nil {
		return nil, out.err
	}
	raw, err = io.ReadAll(request.GetStream())
	if err == nil && !json.Valid(raw) { // as for a union in a union that is nil
		err = fmt.Errorf("%w: what the SDK writes for the %T is not JSON", adapter.ErrInexact, value)
	}
	return raw, err
}

// readExactly reads raw into a value, if that can hold all of it.
func readExactly(raw []byte, value interface {
	smithy.Serializable
	smithy.Deserializable
}) error {
	response := &smithyhttp.Response{
		Response: &http.Response{
			StatusCode: http.StatusOK,
			Body:       io.NopCloser(bytes.NewReader(raw)),
		},
	}
	ctx := context.Background()
	if err := protocol.DeserializeResponse(ctx, operation, nil, response, value); err != nil {
		return fmt.Errorf("%w: %T: %w", adapter.ErrInexact, value, err)
	}
	return sentAs(value, raw)
}

// sentAs says whether raw is what the SDK sends for a value.
func sentAs(value smithy.Serializable, raw []byte) error {
	written, err := write(value)
	if err != nil {
		return err
	}
	if !adapter.Equal(raw, written) {
		return fmt.Errorf("%w: %T", adapter.ErrInexact, value)
	}
	return nil
}

// writer is a value whose documents are written by it. The SDK ignores their errors, and writes
// nothing for them.
type writer struct {
	smithy.ShapeSerializer
	value smithy.Serializable
	err   error // the first
}

func (w *writer) Serialize(to smithy.ShapeSerializer) {
	w.ShapeSerializer = to
	w.value.Serialize(w)
}

func (w *writer) WriteDocument(schema *smithy.Schema, v smithydocument.Value) {
	if opaque, ok := v.(*smithydocument.Opaque); ok {
		if m, ok := opaque.Value.(smithydocument.Marshaler); ok {
			raw, err := m.MarshalSmithyDocument()
			if err == nil && !json.Valid(raw) {
				err = fmt.Errorf("%w: the SDK writes a document that is not JSON: its Go value has "+
					"no form in JSON, or is nested too deep", adapter.ErrInexact)
			}
			if w.err == nil {
				w.err = err
			}
			v = smithydocument.Opaque{Value: written(raw)}
		}
	}
	w.ShapeSerializer.WriteDocument(schema, v)
}

// written is a document that has been written.
type written []byte

func (w written) MarshalSmithyDocument() ([]byte, error) { return w, nil }

var documents = reflect.TypeFor[document.Interface]()

// unknownMember returns the tag of a union's member in v that the SDK does not know, nil when there
// is none. The SDK would leave it out without a word.
func unknownMember(v reflect.Value) *string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() || v.Type() == documents {
			return nil
		}
		if v.CanInterface() {
			if u, ok := v.Interface().(*types.UnknownUnionMember); ok && u != nil {
				return &u.Tag
			}
		}
		return unknownMember(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if tag := unknownMember(v.Field(i)); tag != nil {
				return tag
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return nil
		}
		for i := range v.Len() {
			if tag := unknownMember(v.Index(i)); tag != nil {
				return tag
			}
		}
	}
	return nil
}
