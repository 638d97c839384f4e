package gateway

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/go-preflight/preflight/preflighthttp"
)

// This file answers in the provider's stead, in the form that its SDKs read.

// writeRefusal answers a request whose history cannot be repaired with a status 400.
func writeRefusal(w http.ResponseWriter, refused *preflighthttp.Error) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Preflight", "refused")
	w.WriteHeader(http.StatusBadRequest)
	message := "preflight: " + refused.Err.Error()
	// a client that is gone needs no answer
	_ = json.NewEncoder(w).Encode(refusalBody(refused.Provider, message))
}

type object = map[string]any

// refusalBody is an error body in the form of a provider's format.
func refusalBody(provider, message string) object {
	switch {
	case provider == "anthropic" || strings.HasSuffix(provider, "-anthropic"):
		return object{
			"type":  "error",
			"error": object{"type": "invalid_request_error", "message": message},
		}
	case provider == "gemini" || provider == "vertex":
		return object{
			"error": object{
				"code":    http.StatusBadRequest,
				"message": message,
				"status":  "INVALID_ARGUMENT",
			},
		}
	case provider == "bedrock" || provider == "cohere":
		return object{"message": message}
	case provider == "mistral":
		return object{
			"object":  "error",
			"message": message,
			"type":    "invalid_request_error",
			"param":   nil,
			"code":    nil,
		}
	case provider == "ollama":
		return object{"error": message}
	}
	return object{
		"error": object{
			"message": message,
			"type":    "invalid_request_error",
			"param":   nil,
			"code":    nil,
		},
	}
}
