package preflighttest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// What a provider signs or encrypts, the fakes seal: the opaque string holds
// what it vouches for, so that it can be verified without any memory of what
// was issued, and by another server.

// sealMark opens every sealed string. Its length is a multiple of three, so
// that it can be told in base64 too.
const sealMark = "preflighttest\x00\x01"

var sealMark64 = base64.StdEncoding.EncodeToString([]byte(sealMark))

// seal returns an opaque string in base64 that vouches for the fields.
func seal(fields ...string) string {
	data, err := json.Marshal(fields)
	if err != nil {
		panic(err) // strings can always be marshaled
	}
	sum := sha256.Sum256(data)
	return base64.StdEncoding.EncodeToString([]byte(sealMark + string(sum[:6]) + string(data)))
}

// unseal returns the fields of a sealed string. A string that the fakes have
// not issued is not ours; one that was damaged since has no fields.
func unseal(s string) (fields []string, ours bool) {
	if !strings.HasPrefix(s, sealMark64[:12]) {
		return nil, false
	}
	raw, err := base64.StdEncoding.DecodeString(s)
	if err != nil || len(raw) < len(sealMark)+6 || string(raw[:len(sealMark)]) != sealMark {
		return nil, true
	}
	sum, data := raw[len(sealMark):len(sealMark)+6], raw[len(sealMark)+6:]
	if want := sha256.Sum256(data); !slices.Equal(want[:6], sum) ||
		json.Unmarshal(data, &fields) != nil {
		return nil, true
	}
	return fields, true
}

// serial returns 24 letters and digits for the i-th thing of the n-th answer.
func serial(n, i int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d/%d", n, i))
	const digits = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	id := make([]byte, 24)
	for k := range id {
		id[k] = digits[int(sum[k])%len(digits)]
	}
	return string(id)
}
